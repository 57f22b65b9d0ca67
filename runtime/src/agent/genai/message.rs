//! Our messages as those of `genai`, and the other way.

use genai::chat::{ChatMessage, ChatRole, ContentPart, MessageContent, ToolCall, ToolResponse};
use serde_json::Value;

use crate::agent::json;
use crate::agent::message::{Call, Message, ToolResult, ToolStatus};

/// Why a message of `genai` is none of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotOurs {
    /// It is not part of the conversation.
    #[error("a system message stands before the conversation: give it to `system`")]
    System,
    /// It holds a picture, a file or something else that is no text.
    #[error("a message of {0} holds something that a conversation does not keep: it keeps texts, calls and results")]
    Part(&'static str),
    /// It has no result in it, or several.
    #[error("a message of a tool holds one result, and this one holds {0}: take them one by one")]
    Results(usize),
}

/// All that a model reads. What `genai` has no place for is not there when it comes back: how a call went, which a result says
/// in words, too; that a text is a summary, which comes back as the user's; and that arguments were no JSON, which go as `{}`,
/// since no provider takes others back.
impl From<&Message> for ChatMessage {
    fn from(message: &Message) -> Self {
        match message {
            Message::User { text } => Self::user(text.as_str()),
            Message::Summary { text } => Self::user(format!("What was said before, in short:\n{text}")),
            Message::Assistant { text, calls } => {
                let text = (!text.is_empty()).then(|| ContentPart::Text(text.clone()));
                let calls = calls.iter().map(|call| ContentPart::ToolCall(sent(call)));
                Self::assistant(MessageContent::from_parts(text.into_iter().chain(calls).collect::<Vec<_>>()))
            }
            Message::Tool(result) => Self::from(response(result)),
        }
    }
}

pub(super) fn response(result: &ToolResult) -> ToolResponse {
    ToolResponse::new(&result.call, &result.content).with_fn_name(&result.name)
}

fn sent(call: &Call) -> ToolCall {
    // What was no JSON when it came is answered with an error; nobody takes it back as it was.
    let fn_arguments = if call.arguments.is_object() { call.arguments.clone() } else { Value::Object(serde_json::Map::new()) };
    ToolCall { call_id: call.id.clone(), fn_name: call.name.clone(), fn_arguments, thought_signatures: None }
}

/// What a model thought is left out: it is not kept. A result that does not name its tool has an empty name: it is no result of
/// any tool that another one wants to have run before it.
impl TryFrom<ChatMessage> for Message {
    type Error = NotOurs;

    fn try_from(message: ChatMessage) -> Result<Self, NotOurs> {
        let role = message.role.clone();
        let who = match role {
            ChatRole::System => return Err(NotOurs::System),
            ChatRole::User => "a user",
            ChatRole::Assistant => "a model",
            ChatRole::Tool => "a tool",
        };
        let (mut text, mut calls, mut results) = (String::new(), Vec::new(), Vec::new());
        for part in message.content.into_parts() {
            match (part, &role) {
                (ContentPart::Text(piece), ChatRole::User | ChatRole::Assistant) => text.push_str(&piece),
                (ContentPart::ToolCall(call), ChatRole::Assistant) => calls.push(received(call)),
                (ContentPart::ToolResponse(result), ChatRole::Tool) => results.push(result),
                (ContentPart::ThoughtSignature(_) | ContentPart::ReasoningContent(_), ChatRole::Assistant) => {}
                _ => return Err(NotOurs::Part(who)),
            }
        }
        match role {
            ChatRole::User => Ok(Self::User { text }),
            ChatRole::Tool => match <[ToolResponse; 1]>::try_from(results) {
                Ok([ToolResponse { call_id: call, fn_name, content }]) => {
                    Ok(Self::Tool(ToolResult { call, name: fn_name.unwrap_or_default(), status: ToolStatus::Ok, content }))
                }
                Err(results) => Err(NotOurs::Results(results.len())),
            },
            _ => Ok(Self::Assistant { text, calls }),
        }
    }
}

fn received(call: ToolCall) -> Call {
    let arguments = match call.fn_arguments {
        Value::String(text) => json::parse(&text).unwrap_or_default(),
        value => value,
    };
    Call { id: call.call_id, name: call.fn_name, arguments }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use genai::chat::Binary;
    use serde_json::json;

    use super::*;

    fn call(arguments: Value) -> Call {
        Call { id: "c".to_owned(), name: "pay".to_owned(), arguments }
    }

    #[test]
    fn there_and_back_is_the_same() {
        let messages = [
            Message::User { text: "hi".to_owned() },
            Message::Assistant { text: "Let me see.".to_owned(), calls: vec![call(json!({ "cents": 1 }))] },
            Message::Assistant { text: "Done.".to_owned(), calls: Vec::new() },
            Message::Tool(ToolResult::new(&call(Value::Null), ToolStatus::Ok, "paid")),
        ];
        for message in messages {
            assert_eq!(Message::try_from(ChatMessage::from(&message)).unwrap(), message);
        }
    }

    #[test]
    fn what_genai_has_no_place_for_comes_back_without_it() {
        let back = |message: Message| Message::try_from(ChatMessage::from(&message)).unwrap();
        let rejected = |status| Message::Tool(ToolResult::new(&call(Value::Null), status, "`pay` was rejected"));
        assert_eq!(back(rejected(ToolStatus::Rejected)), rejected(ToolStatus::Ok), "the words say it");
        let summary = back(Message::Summary { text: "a mug".to_owned() });
        assert_eq!(summary, Message::user("What was said before, in short:\na mug"));
        let calls = |arguments| Message::Assistant { text: String::new(), calls: vec![call(arguments)] };
        assert_eq!(back(calls(Value::Null)), calls(json!({})));
        let unnamed = ChatMessage::from(ToolResponse::new("c", "paid"));
        assert!(matches!(Message::try_from(unnamed), Ok(Message::Tool(result)) if result.name.is_empty() && result.call == "c"));
    }

    #[test]
    fn what_a_conversation_does_not_keep_is_refused() {
        let picture = ContentPart::Binary(Binary::from_base64("image/png", "AAAA", None));
        assert_eq!(Message::try_from(ChatMessage::user(picture)), Err(NotOurs::Part("a user")));
        assert_eq!(Message::try_from(ChatMessage::system("Be kind.")), Err(NotOurs::System));
        let two = ChatMessage::from(vec![ToolResponse::new("a", "1"), ToolResponse::new("b", "2")]);
        assert_eq!(Message::try_from(two), Err(NotOurs::Results(2)));
    }

    #[test]
    fn arguments_as_text_are_read_and_thinking_is_left_out() {
        let parts = vec![
            ContentPart::ReasoningContent("hm".to_owned()),
            ContentPart::ToolCall(ToolCall {
                call_id: "c".to_owned(),
                fn_name: "pay".to_owned(),
                fn_arguments: json!("{\"cents\":1}"),
                thought_signatures: None,
            }),
        ];
        let message = Message::try_from(ChatMessage::assistant(MessageContent::from_parts(parts))).unwrap();
        assert_eq!(message, Message::Assistant { text: String::new(), calls: vec![call(json!({ "cents": 1 }))] });
    }
}
