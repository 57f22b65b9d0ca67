//! The version of the form in which events are sent.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The one version that there is.
const VERSION: u32 = 1;

/// The first field of every event that is sent: a reader of one version takes no other for it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wire;

impl Serialize for Wire {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(VERSION)
    }
}

impl<'de> Deserialize<'de> for Wire {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            VERSION => Ok(Self),
            other => Err(D::Error::custom(format!("the event is in version {other} of its form, and this reads version {VERSION}"))),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::*;
    use crate::id::{QuestionId, RunId, ThreadId, TurnId};
    use crate::observe::{Event, EventKind, Mark};
    use crate::usage::Usage;

    const QUESTION: QuestionId = QuestionId([3; 16]);

    /// What follows a kind, so that whoever adds one is asked to pin it here.
    #[allow(clippy::too_many_lines)]
    fn pinned(kind: &EventKind) -> Value {
        let question = "03030303030303030303030303030303";
        match kind {
            EventKind::RunStarted { .. } => {
                json!({"type": "run_started", "resumed": true, "after": "01010101010101010101010101010101"})
            }
            EventKind::RunEnded { .. } => json!({"type": "run_ended", "outcome": "completed"}),
            EventKind::NodeStarted { .. } => json!({"type": "node_started", "place": "a"}),
            EventKind::NodeEnded { .. } => json!({"type": "node_ended", "place": "a"}),
            EventKind::NodeFailed { .. } => json!({"type": "node_failed", "place": "a", "error": "no"}),
            EventKind::Cached { .. } => json!({"type": "cached", "place": "a"}),
            EventKind::Updated { .. } => json!({"type": "updated", "place": "a", "update": {"n": 1}}),
            EventKind::State { .. } => json!({"type": "state", "state": {"n": 1}}),
            EventKind::EdgeTaken { .. } => json!({"type": "edge_taken", "way": 7, "from": "a", "to": "b"}),
            EventKind::Committed { .. } => json!({"type": "committed", "seq": 4}),
            EventKind::Paused { .. } => json!({"type": "paused", "questions": 2}),
            EventKind::Resumed { .. } => json!({"type": "resumed", "question": question}),
            EventKind::AskUserQuestion { .. } => {
                json!({"type": "ask_user_question", "question": question, "place": "a", "content": {"cents": 5}})
            }
            EventKind::AskUserAnswered { .. } => {
                json!({"type": "ask_user_answered", "question": question, "waited": {"secs": 1, "nanos": 500_000_000}})
            }
            EventKind::AskUserExpired { .. } => json!({"type": "ask_user_expired", "question": question}),
            EventKind::ModelStarted { .. } => json!({"type": "model_started", "model": "m"}),
            EventKind::ModelEnded { .. } => json!({"type": "model_ended", "model": "m", "outcome": "failed", "stop": "length"}),
            EventKind::TextDelta { .. } => json!({"type": "text_delta", "text": "t"}),
            EventKind::ThinkingDelta { .. } => json!({"type": "thinking_delta", "text": "t"}),
            EventKind::ToolCallStarted { .. } => json!({"type": "tool_call_started", "call": "c", "tool": "t"}),
            EventKind::ToolCallDelta { .. } => json!({"type": "tool_call_delta", "call": "c", "arguments": "{"}),
            EventKind::RewriteDropped { .. } => json!({"type": "rewrite_dropped", "call": "c", "tool": "t"}),
            EventKind::ToolStarted { .. } => json!({"type": "tool_started", "call": "c", "tool": "t"}),
            EventKind::ToolEnded { .. } => json!({"type": "tool_ended", "call": "c", "tool": "t", "outcome": "cancelled"}),
            EventKind::ToolProgress { .. } => json!({"type": "tool_progress", "call": "c", "message": "half"}),
            EventKind::Usage(_) => json!({"type": "usage", "input": 10, "output": 20}),
            EventKind::Custom { .. } => json!({"type": "custom", "name": "n", "content": [1]}),
        }
    }

    fn kinds() -> Vec<EventKind> {
        let (place, call, tool) = (|| "a".to_owned(), || "c".to_owned(), || "t".to_owned());
        vec![
            EventKind::RunStarted { resumed: true, after: Some(RunId([1; 16])) },
            EventKind::RunEnded { outcome: Mark::Completed },
            EventKind::NodeStarted { place: place() },
            EventKind::NodeEnded { place: place() },
            EventKind::NodeFailed { place: place(), error: "no".to_owned() },
            EventKind::Cached { place: place() },
            EventKind::Updated { place: place(), update: json!({"n": 1}) },
            EventKind::State { state: json!({"n": 1}) },
            EventKind::EdgeTaken { way: 7, from: place(), to: "b".to_owned() },
            EventKind::Committed { seq: 4 },
            EventKind::Paused { questions: 2 },
            EventKind::Resumed { question: QUESTION },
            EventKind::AskUserQuestion { question: QUESTION, place: place(), content: json!({"cents": 5}) },
            EventKind::AskUserAnswered { question: QUESTION, waited: Duration::from_millis(1_500) },
            EventKind::AskUserExpired { question: QUESTION },
            EventKind::ModelStarted { model: "m".to_owned() },
            EventKind::ModelEnded { model: "m".to_owned(), outcome: Mark::Failed, stop: Some("length".to_owned()) },
            EventKind::TextDelta { text: tool() },
            EventKind::ThinkingDelta { text: tool() },
            EventKind::ToolCallStarted { call: call(), tool: tool() },
            EventKind::ToolCallDelta { call: call(), arguments: "{".to_owned() },
            EventKind::RewriteDropped { call: call(), tool: tool() },
            EventKind::ToolStarted { call: call(), tool: tool() },
            EventKind::ToolEnded { call: call(), tool: tool(), outcome: Mark::Cancelled },
            EventKind::ToolProgress { call: call(), message: "half".to_owned() },
            EventKind::Usage(Usage::new(10, 20)),
            EventKind::Custom { name: "n".to_owned(), content: json!([1]) },
        ]
    }

    fn event(kind: EventKind) -> Event {
        Event {
            v: Wire,
            id: 9,
            run: RunId([1; 16]),
            turn: TurnId([2; 16]),
            thread: ThreadId::new("t").ok(),
            step: 3,
            path: "a".to_owned(),
            elapsed: Duration::from_millis(1_500),
            kind,
        }
    }

    #[test]
    fn every_kind_is_sent_so() {
        let kinds = kinds();
        let mut seen: Vec<_> = kinds.iter().map(std::mem::discriminant).collect();
        seen.dedup();
        assert_eq!(seen.len(), 27, "one of each kind");
        for kind in kinds {
            let sent = serde_json::to_value(&kind).unwrap();
            assert_eq!(sent, pinned(&kind));
            assert_eq!(serde_json::from_value::<EventKind>(sent).unwrap(), kind);
        }
        let marks = [
            (Mark::Completed, "completed"),
            (Mark::Paused, "paused"),
            (Mark::Stopped, "stopped"),
            (Mark::Failed, "failed"),
            (Mark::Cancelled, "cancelled"),
            (Mark::Abandoned, "abandoned"),
            (Mark::Displaced, "displaced"),
        ];
        for (mark, name) in marks {
            assert_eq!(serde_json::to_value(mark).unwrap(), json!(name));
        }
    }

    #[test]
    fn an_event_is_sent_so() {
        let sent = serde_json::to_string(&event(EventKind::Committed { seq: 4 })).unwrap();
        let wanted = concat!(
            r#"{"v":1,"id":9,"run":"01010101010101010101010101010101","turn":"02020202020202020202020202020202","thread":"t","#,
            r#""step":3,"path":"a","elapsed":{"secs":1,"nanos":500000000},"kind":{"type":"committed","seq":4}}"#
        );
        assert_eq!(sent, wanted);
        assert_eq!(serde_json::to_string(&serde_json::from_str::<Event>(wanted).unwrap()).unwrap(), wanted);
        for (version, said) in [("2", "version 2"), ("0", "version 0"), ("-1", "-1"), ("null", "null"), ("\"1\"", "string")] {
            let other = sent.replacen("\"v\":1", &format!("\"v\":{version}"), 1);
            let error = serde_json::from_str::<Event>(&other).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        assert!(serde_json::from_str::<Event>(&sent.replacen("\"v\":1,", "", 1)).unwrap_err().to_string().contains("`v`"));
    }
}
