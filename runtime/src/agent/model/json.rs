//! Replies that are values.

use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};

use super::chat::Chat;
use super::error::ModelError;
use super::provider::ReplyFormat;
use super::transcript::{Messages, Transcript};
use crate::agent::json;
use crate::agent::message::{Message, Reply};
use crate::agent::schema::schema_of;
use crate::agent::tool::cut;
use crate::context::Context;
use crate::usage::Usage;

/// So much of what is wrong with a reply is told.
const MAX_FAULT: usize = 500;

/// Providers take names of at most so many bytes.
const MAX_NAME: usize = 64;

/// A call of a model whose reply is a `T`. Made by [`Chat::json`].
#[must_use = "a model is called by `send`"]
pub struct JsonChat<'a, D, T> {
    chat: Chat<'a, D>,
    repair: bool,
    of: PhantomData<fn() -> T>,
}

/// A reply that is a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Json<T> {
    /// The value.
    pub value: T,
    /// What all calls of the model cost, as far as the provider says so. It is not in the conversation:
    /// [`ConversationDelta::used`](crate::agent::ConversationDelta::used) puts it there.
    pub usage: Usage,
}

impl<'a, D, T: DeserializeOwned + JsonSchema> JsonChat<'a, D, T> {
    pub(super) fn new(chat: Chat<'a, D>) -> Self {
        Self { chat, repair: false, of: PhantomData }
    }

    /// A reply that does not fit is given back once, with what is wrong with it.
    pub fn repair(mut self) -> Self {
        self.repair = true;
        self
    }

    /// Calls the model, and reads its reply. Events and cancellation as with [`Chat::send`].
    ///
    /// # Errors
    /// [`ModelError::Misfit`], which names the field, where the reply is no `T`; else as [`Chat::send`].
    pub async fn send(self, cx: &Context<D>) -> Result<Json<T>, ModelError> {
        let Self { chat, repair, .. } = self;
        let format = format::<T>();
        let mut prepared = chat.without_tools().prepared();
        prepared.add_to_system(&format!(
            "Answer with one JSON value and nothing else, not even a word around it. It fits this JSON Schema:\n{}",
            format.schema.get()
        ));
        let talk = prepared.talk;
        let reply = prepared.call(talk, Some(&format), cx).await?;
        let usage = reply.usage.unwrap_or_default();
        let misfit = match read(&reply.text) {
            Ok(value) => return Ok(Json { value, usage }),
            Err(misfit) if !repair => return Err(misfit.of(prepared.model())),
            Err(misfit) => misfit,
        };
        let corrected = Corrected::new(talk, &reply, &misfit);
        let reply = prepared.call(&corrected, Some(&format), cx).await?;
        let usage = usage.and(reply.usage.unwrap_or_default());
        read(&reply.text).map(|value| Json { value, usage }).map_err(|misfit| misfit.of(prepared.model()))
    }
}

fn format<T: JsonSchema>() -> ReplyFormat {
    let usable = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    let name: String = T::schema_name().chars().take(MAX_NAME).map(usable).collect();
    // A schema is JSON by type: there is nothing in it that cannot be written.
    ReplyFormat { name, schema: to_raw_value(&schema_of::<T>()).unwrap_or_else(|_| RawValue::NULL.to_owned()) }
}

/// A reply that is no `T`.
struct Misfit {
    /// Empty where it is the value as a whole.
    field: String,
    fault: String,
}

impl Misfit {
    /// Without the words of the model.
    fn of(self, model: &str) -> ModelError {
        ModelError::Misfit { model: model.to_owned(), field: self.field, fault: without_values(&self.fault) }
    }
}

/// What serde says without what it found: `invalid type: string "x", expected u32` is `invalid type, expected u32`.
fn without_values(fault: &str) -> String {
    if ["missing field", "duplicate field", "it is no JSON"].iter().any(|known| fault.starts_with(known)) {
        return fault.to_owned();
    }
    let (found, expected) = fault.split_once(", expected ").map_or((fault, None), |(found, expected)| (found, Some(expected)));
    let kind = found.split([':', '`', '"']).next().unwrap_or_default().trim_end();
    expected.map_or_else(|| kind.to_owned(), |expected| format!("{kind}, expected {expected}"))
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, Misfit> {
    let whole = |fault| Misfit { field: String::new(), fault };
    let value = json::parse(unfenced(text)).map_err(|fault| whole(format!("it is no JSON: {}", cut(fault, MAX_FAULT))))?;
    serde_path_to_error::deserialize(value).map_err(|error| {
        let fault = cut(error.inner().to_string(), MAX_FAULT);
        match error.path().iter().next() {
            None => whole(fault),
            Some(_) => Misfit { field: cut(error.path().to_string(), MAX_FAULT), fault },
        }
    })
}

/// Models like to put JSON between fences, whatever they are told.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")).and_then(|rest| rest.split_once('\n'));
    inner.map_or(text, |(_, inner)| inner)
}

/// The conversation, and what came of it.
struct Corrected<'a> {
    talk: &'a dyn Transcript,
    more: [Message; 2],
}

impl<'a> Corrected<'a> {
    fn new(talk: &'a dyn Transcript, reply: &Reply, misfit: &Misfit) -> Self {
        let Misfit { field, fault } = misfit;
        let at = if field.is_empty() { String::new() } else { format!("`{field}`: ") };
        let text = format!("That does not fit the schema: {at}{fault}. Answer again with the corrected JSON value, and nothing else.");
        let wrong = Message::Assistant { text: reply.text.clone(), calls: Vec::new() };
        Self { talk, more: [wrong, Message::User { text }] }
    }
}

impl Transcript for Corrected<'_> {
    fn messages(&self) -> Messages<'_> {
        Box::new(self.talk.messages().chain(&self.more))
    }

    fn open_call(&self) -> Option<&str> {
        self.talk.open_call()
    }

    fn used(&self) -> Usage {
        self.talk.used()
    }
}

impl<D, T> fmt::Debug for JsonChat<'_, D, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonChat").field("chat", &self.chat).field("repair", &self.repair).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Plan {
        steps: Vec<Step>,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Step {
        minutes: u32,
    }

    fn fault(text: &str) -> (String, String) {
        let ModelError::Misfit { field, fault, .. } = read::<Plan>(text).err().unwrap().of("m") else { unreachable!() };
        (field, fault)
    }

    #[test]
    fn fences_and_space_around_a_value_are_taken_off() {
        let plan = Plan { steps: vec![Step { minutes: 5 }] };
        let value = r#"{"steps":[{"minutes":5}]}"#;
        for text in [value.to_owned(), format!(" {value}\n"), format!("```json\n{value}\n```"), format!("```\n{value}\n```\n")] {
            assert_eq!(read::<Plan>(&text).ok().unwrap(), plan, "{text}");
        }
    }

    #[test]
    fn a_fault_names_the_field_and_not_what_was_there() {
        let all = [
            (r#"{"steps":[{"minutes":5},{"minutes":"s3cr3t"}]}"#, "steps[1].minutes", "invalid type, expected u32"),
            (r#"{"steps":[{"minutes":-77123}]}"#, "steps[0].minutes", "invalid value, expected u32"),
            (r#"{"steps":[{"s3cr3t":1}]}"#, "steps[0].s3cr3t", "unknown field, expected `minutes`"),
            (r#"{"steps":[{"minutes":5,"minutes":5}]}"#, "", "it is no JSON: the key \"minutes\" is there twice"),
            (r#"{}"#, "", "missing field `steps`"),
            (r#"["s3cr3t", 77123]"#, "[0]", "invalid type, expected a sequence"),
        ];
        for (text, field, what) in all {
            let (at, fault) = fault(text);
            assert_eq!(fault.split(" at line ").next(), Some(what), "{text}");
            assert!(!fault.contains("s3cr3t") && !fault.contains("77123"), "{fault}");
            assert!(at == field || text.starts_with('['), "{at}");
        }
        let (field, fault) = fault("Sure! {}");
        assert!(field.is_empty() && fault.starts_with("it is no JSON"), "{fault}");
    }
}
