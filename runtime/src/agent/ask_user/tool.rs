//! The tool by which a model asks.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::value::{RawValue, to_raw_value};

use super::question::AskUserRequestInput;
use crate::agent::ToolSpec;

/// The name of the tool by which a model asks the user.
pub const ASK_USER: &str = "ask_user";

const DESCRIPTION: &str = "Ask the user before you go on. Use it when the request is ambiguous, when a choice is the user's to make, or before \
    something that cannot be undone; not for what you can find out yourself. Put everything you need to know into one call: 1 to 4 questions, each \
    with 2 to 4 options that differ. Call it alone: other calls of the same message are not executed. The answer comes as the result of the call; \
    it may say that no answer came, and then go on without.";

/// The tool as a model is told of it: bound to the model, and named in a prompt that lists tools, or in neither.
///
/// The schema has no references in it: not every provider follows them.
///
/// ```
/// let tool = graphwright::agent::ask_user_tool();
/// assert_eq!(tool.name, "ask_user");
/// assert!(tool.schema.get().contains("questions"));
/// ```
#[must_use]
pub fn ask_user_tool() -> ToolSpec {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        })
        .into_generator();
    let schema: Box<RawValue> = to_raw_value(&AskUserRequestInput::json_schema(&mut generator)).unwrap_or_default();
    ToolSpec { name: ASK_USER.into(), description: DESCRIPTION.into(), schema }
}
