//! Pieces of calls, as `genai` hands them on.

use genai::chat::ToolCall;
use serde_json::Value;

use crate::agent::model::Part;

/// The calls that have begun. What the pieces mean differs from provider to provider:
///
/// * OpenAI's protocol: the first piece has id and name, the others have neither; `genai` calls those `call_<index>`.
/// * The others: every piece has id and name, and all of the arguments so far.
#[derive(Debug, Default)]
pub(super) struct Calls(Vec<Call>);

#[derive(Debug)]
struct Call {
    id: String,
    /// What later pieces without a name say in place of the id.
    alias: Option<String>,
    arguments: String,
}

impl Calls {
    /// The parts that a piece brings.
    pub(super) fn take(&mut self, piece: ToolCall) -> Vec<Part> {
        let arguments = text(piece.fn_arguments);
        if piece.fn_name.is_empty() {
            let Some(index) = self.unnamed(&piece.call_id) else {
                // A call that never got a name: the model is told that there is no such tool.
                return self.begin(piece.call_id, String::new(), arguments);
            };
            return self.more(index, arguments);
        }
        let known = self.0.iter().rposition(|call| call.id == piece.call_id);
        match known.and_then(|index| Some((index, self.rest(index, &arguments)?))) {
            Some((index, rest)) => self.more(index, rest),
            None => self.begin(piece.call_id, piece.fn_name, arguments),
        }
    }

    /// The parts of a call that is named at the end: none, if its pieces came before.
    pub(super) fn late(&mut self, call: ToolCall) -> Vec<Part> {
        if self.0.iter().any(|known| known.id == call.call_id) {
            return Vec::new();
        }
        self.begin(call.call_id, call.fn_name, text(call.fn_arguments))
    }

    /// What all of the arguments so far add to those that are known; nothing if they are another call's.
    fn rest(&self, index: usize, arguments: &str) -> Option<String> {
        self.0.get(index).and_then(|call| arguments.strip_prefix(call.arguments.as_str())).map(str::to_owned)
    }

    /// The call that a piece without a name belongs to.
    fn unnamed(&mut self, id: &str) -> Option<usize> {
        let said = |call: &Call| call.id == id || call.alias.as_deref() == Some(id);
        if let Some(index) = self.0.iter().rposition(said) {
            return Some(index);
        }
        // The first such piece of a call: its number counts the calls, from nought nearly everywhere.
        let number = id.strip_prefix("call_").and_then(|number| number.parse::<usize>().ok());
        let index = number.filter(|number| self.0.get(*number).is_some_and(|call| call.alias.is_none()));
        let index = index.or_else(|| self.0.len().checked_sub(1))?;
        self.0.get_mut(index)?.alias = Some(id.to_owned());
        Some(index)
    }

    fn begin(&mut self, id: String, tool: String, arguments: String) -> Vec<Part> {
        let index = self.0.len();
        self.0.push(Call { id, alias: None, arguments: String::new() });
        let mut parts = vec![Part::CallStarted { index, tool }];
        parts.extend(self.more(index, arguments));
        parts
    }

    fn more(&mut self, index: usize, arguments: String) -> Vec<Part> {
        if arguments.is_empty() {
            return Vec::new();
        }
        if let Some(call) = self.0.get_mut(index) {
            call.arguments.push_str(&arguments);
        }
        vec![Part::CallDelta { index, arguments }]
    }
}

fn text(arguments: Value) -> String {
    match arguments {
        Value::String(text) => text,
        Value::Null => String::new(),
        value => value.to_string(),
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use serde_json::json;

    use super::*;

    fn piece(id: &str, name: &str, arguments: Value) -> ToolCall {
        ToolCall { call_id: id.to_owned(), fn_name: name.to_owned(), fn_arguments: arguments, thought_signatures: None }
    }

    /// Every call as tool and arguments, in order.
    fn play(pieces: &[(&str, &str, Value)]) -> Vec<(String, String)> {
        let (mut calls, mut made) = (Calls::default(), Vec::new());
        for (id, name, arguments) in pieces {
            for part in calls.take(piece(id, name, arguments.clone())) {
                match part {
                    Part::CallStarted { tool, index, .. } => {
                        assert_eq!(index, made.len());
                        made.push((tool, String::new()));
                    }
                    Part::CallDelta { index, arguments } => made[index].1.push_str(&arguments),
                    _ => {}
                }
            }
        }
        made
    }

    fn made(calls: &[(&str, &str)]) -> Vec<(String, String)> {
        calls.iter().map(|(tool, arguments)| ((*tool).to_owned(), (*arguments).to_owned())).collect()
    }

    #[test]
    fn pieces_by_number() {
        let pieces =
            [("x1", "a", json!("")), ("call_0", "", json!("{\"a\":")), ("call_0", "", json!("{\"a\":1}}")), ("x2", "b", json!("{}"))];
        assert_eq!(play(&pieces), made(&[("a", "{\"a\":{\"a\":1}}"), ("b", "{}")]));
    }

    #[test]
    fn pieces_by_number_that_are_mixed_or_counted_from_one() {
        let mixed = [
            ("x1", "a", json!("")),
            ("x2", "b", json!("")),
            ("call_1", "", json!("[2")),
            ("call_0", "", json!("[1")),
            ("call_1", "", json!("]")),
        ];
        assert_eq!(play(&mixed), made(&[("a", "[1"), ("b", "[2]")]));
        let one = [
            ("x1", "a", json!("")),
            ("call_1", "", json!("1")),
            ("x2", "b", json!("")),
            ("call_2", "", json!("2")),
            ("call_1", "", json!("1")),
        ];
        assert_eq!(play(&one), made(&[("a", "11"), ("b", "2")]));
    }

    #[test]
    fn pieces_that_hold_all_so_far() {
        let pieces =
            [("x1", "a", json!("")), ("x1", "a", json!("{\"n\"")), ("x1", "a", json!("{\"n\":1}")), ("x2", "a", json!({ "n": 2 }))];
        assert_eq!(play(&pieces), made(&[("a", "{\"n\":1}"), ("a", "{\"n\":2}")]));
    }

    #[test]
    fn one_id_for_two_calls_is_two_calls() {
        let pieces = [("x", "a", json!({ "n": 1 })), ("x", "a", json!({ "n": 2 }))];
        assert_eq!(play(&pieces), made(&[("a", "{\"n\":1}"), ("a", "{\"n\":2}")]));
    }

    #[test]
    fn a_call_without_a_name_is_a_call_all_the_same() {
        assert_eq!(play(&[("call_7", "", json!("{}"))]), made(&[("", "{}")]));
    }

    #[test]
    fn a_call_at_the_end_is_told_once() {
        let mut calls = Calls::default();
        calls.take(piece("x", "a", json!({})));
        assert!(calls.late(piece("x", "a", json!({}))).is_empty());
        assert_eq!(calls.late(piece("y", "a", json!({}))).len(), 2);
    }
}
