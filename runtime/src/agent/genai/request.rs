//! From our messages to those of `genai`.

use genai::chat::{ChatMessage, ContentPart, MessageContent, Tool, ToolCall, ToolResponse};
use serde_json::Value;

use crate::agent::message::{Message, ToolSpec};
use crate::agent::model::ChatRequest;

pub(super) fn request(request: &ChatRequest<'_>) -> genai::chat::ChatRequest {
    let mut messages = Vec::new();
    let mut results: Vec<ToolResponse> = Vec::new();
    for message in request.messages() {
        if let Message::Tool(result) = message {
            results.push(ToolResponse::new(&result.call, &result.content).with_fn_name(&result.name));
            continue;
        }
        // Some providers want all results of a message in one.
        if !results.is_empty() {
            messages.push(ChatMessage::from(std::mem::take(&mut results)));
        }
        messages.extend(said(message));
    }
    if !results.is_empty() {
        messages.push(ChatMessage::from(results));
    }
    let mut made = genai::chat::ChatRequest::new(messages);
    made.system = request.system.map(str::to_owned);
    if !request.tools.is_empty() {
        made = made.with_tools(request.tools.iter().map(|spec| tool(spec)));
    }
    made
}

fn said(message: &Message) -> Option<ChatMessage> {
    match message {
        Message::User { text } => Some(ChatMessage::user(text.as_str())),
        Message::Assistant { text, calls } => {
            let text = (!text.is_empty()).then(|| ContentPart::Text(text.clone()));
            let calls = calls.iter().map(|call| {
                // What was no JSON when it came is answered with an error; nobody takes it back as it was.
                let fn_arguments = if call.arguments.is_object() { call.arguments.clone() } else { Value::Object(serde_json::Map::new()) };
                ContentPart::ToolCall(ToolCall {
                    call_id: call.id.clone(),
                    fn_name: call.name.clone(),
                    fn_arguments,
                    thought_signatures: None,
                })
            });
            let parts: Vec<ContentPart> = text.into_iter().chain(calls).collect();
            // Providers refuse a message of nothing.
            (!parts.is_empty()).then(|| ChatMessage::assistant(MessageContent::from_parts(parts)))
        }
        Message::Tool(_) => None,
    }
}

fn tool(spec: &ToolSpec) -> Tool {
    let mut tool = Tool::new(spec.name.as_str());
    tool.description = Some(spec.description.clone()).filter(|text| !text.is_empty());
    tool.schema = serde_json::from_str(spec.schema.get()).ok();
    tool
}
