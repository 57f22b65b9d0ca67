//! From a model's `ask_user` call to a request: total, whatever the model sent.

use serde_json::Value;

use super::question::AskUserRequestInput;
use crate::agent::json;

/// What is wrong with a call, in words for the model. Names the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Malformed(pub(crate) String);

/// How often a request may be wrapped: in `request`, or in a text.
const WRAPS: usize = 4;

/// The longest description of what is wrong, in characters: parts of it are the model's own words.
const FAULT: usize = 400;

/// Takes `{"request": {"questions": ..}}`, `{"questions": ..}`, and either as JSON in a text.
pub(crate) fn parse(arguments: &Value) -> Result<AskUserRequestInput, Malformed> {
    unwrap(arguments, WRAPS).map_err(|fault| Malformed(fault.chars().take(FAULT).collect()))
}

fn unwrap(value: &Value, wraps: usize) -> Result<AskUserRequestInput, String> {
    let Some(left) = wraps.checked_sub(1) else {
        return Err("`request` is wrapped too often: send `{\"questions\": [..]}`".into());
    };
    match value {
        Value::String(text) => unwrap(&json::parse(text).map_err(|fault| format!("`request` is a text that is no JSON: {fault}"))?, left),
        Value::Object(fields) => match (fields.get("request"), fields.contains_key("questions")) {
            (Some(inner), _) => unwrap(inner, left),
            (None, true) => serde_path_to_error::deserialize(value).map_err(|error| match error.path().to_string() {
                path if path == "." => error.inner().to_string(),
                path => format!("`{path}`: {}", error.inner()),
            }),
            (None, false) => Err("`questions` is missing: send `{\"questions\": [..]}`".into()),
        },
        _ => Err("`request` is no object: send `{\"questions\": [..]}`".into()),
    }
}
