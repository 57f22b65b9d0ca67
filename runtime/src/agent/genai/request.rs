//! From our messages to those of `genai`.

use genai::chat::{ChatMessage, Tool, ToolResponse};

use super::message::response;
use crate::agent::message::{Message, ToolSpec};
use crate::agent::model::ChatRequest;

pub(super) fn request(request: &ChatRequest<'_>) -> genai::chat::ChatRequest {
    let mut messages = Vec::new();
    let mut results: Vec<ToolResponse> = Vec::new();
    for message in request.messages() {
        if let Message::Tool(result) = message {
            results.push(response(result));
            continue;
        }
        // Some providers want all results of a message in one.
        if !results.is_empty() {
            messages.push(ChatMessage::from(std::mem::take(&mut results)));
        }
        // Providers refuse a message of nothing.
        if !matches!(message, Message::Assistant { text, calls } if text.is_empty() && calls.is_empty()) {
            messages.push(ChatMessage::from(message));
        }
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

fn tool(spec: &ToolSpec) -> Tool {
    let mut tool = Tool::new(spec.name.as_str());
    tool.description = Some(spec.description.clone()).filter(|text| !text.is_empty());
    tool.schema = serde_json::from_str(spec.schema.get()).ok();
    tool
}
