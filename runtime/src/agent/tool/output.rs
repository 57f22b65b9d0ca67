//! From a tool's result to the text that a model reads.

use serde::Serialize;
use serde_json::Value;

/// The result of one call, as text: what is longer is cut, and a note says so.
pub const MAX_RESULT_BYTES: usize = 64 * 1024;

/// A string as it is, nothing as a word, the rest as JSON.
pub(crate) fn render(output: &impl Serialize) -> Result<String, String> {
    match serde_json::to_value(output) {
        Ok(Value::String(text)) => Ok(cut(text, MAX_RESULT_BYTES)),
        // Some providers refuse an empty result.
        Ok(Value::Null) => Ok("done".to_owned()),
        Ok(value) => Ok(cut(value.to_string(), MAX_RESULT_BYTES)),
        Err(error) => Err(format!("its result cannot be written as JSON: {error}")),
    }
}

/// At most `bytes` of the text, and a note about the rest.
pub(crate) fn cut(mut text: String, bytes: usize) -> String {
    if text.len() > bytes {
        let whole = text.len();
        let end = (0..=bytes).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.truncate(end);
        text.push_str(&format!(" [cut here: {whole} bytes in all]"));
    }
    text
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text_and_the_rest_is_json() {
        assert_eq!(render(&"a \"b\"").unwrap(), "a \"b\"");
        assert_eq!(render(&vec![1, 2]).unwrap(), "[1,2]");
        assert_eq!(render(&()).unwrap(), "done");
    }

    #[test]
    fn what_json_cannot_hold_is_an_error() {
        let map = std::collections::BTreeMap::from([((1, 2), 3)]);
        assert!(render(&map).unwrap_err().contains("cannot be written as JSON"));
    }

    #[test]
    fn a_cut_falls_between_characters() {
        assert_eq!(cut("äöü".to_owned(), 6), "äöü");
        assert_eq!(cut("äöü".to_owned(), 5), "äö [cut here: 6 bytes in all]");
        assert_eq!(cut("ä".to_owned(), 0), " [cut here: 2 bytes in all]");
    }
}
