//! From the JSON that a model wrote to typed arguments.

use std::io;

use schemars::JsonSchema;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::output::cut;

/// The arguments of one call, as JSON: at most so many bytes.
pub const MAX_ARGUMENT_BYTES: usize = 64 * 1024;

/// Lists and objects inside each other: deep enough for any arguments that make sense, and no stack runs out.
const MAX_DEPTH: usize = 64;

/// Errors of serde repeat the offending value; so much of one is enough.
const MAX_FAULT_BYTES: usize = 500;

/// The arguments of a tool that takes none. Takes whatever a model sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema)]
pub struct NoArgs {}

impl<'de> Deserialize<'de> for NoArgs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self {})
    }
}

/// Arguments that are too deep or too long go no further.
pub(crate) fn fit(arguments: &Value) -> Result<(), String> {
    if !shallow(arguments, MAX_DEPTH) {
        return Err(format!("the arguments are nested more than {MAX_DEPTH} levels deep"));
    }
    let mut left = Left(MAX_ARGUMENT_BYTES);
    serde_json::to_writer(&mut left, arguments).map_err(|_| format!("the arguments are longer than {MAX_ARGUMENT_BYTES} bytes"))
}

fn shallow(value: &Value, levels: usize) -> bool {
    match (value, levels) {
        (Value::Array(_) | Value::Object(_), 0) => false,
        (Value::Array(items), _) => items.iter().all(|item| shallow(item, levels - 1)),
        (Value::Object(fields), _) => fields.values().all(|field| shallow(field, levels - 1)),
        _ => true,
    }
}

/// Takes that many bytes, then no more.
struct Left(usize);

impl io::Write for Left {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The typed arguments; the text of a fault names the field.
pub(crate) fn parse<T: DeserializeOwned>(arguments: Value) -> Result<T, String> {
    let missing = arguments.is_null();
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        if missing {
            return "the arguments are no JSON object".to_owned();
        }
        let fault = cut(error.inner().to_string(), MAX_FAULT_BYTES);
        // At the top there is no field to name: serde's text does it.
        match error.path().iter().next() {
            None => fault,
            Some(_) => format!("`{}`: {fault}", cut(error.path().to_string(), MAX_FAULT_BYTES)),
        }
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Line {
        #[allow(dead_code)]
        cents: u64,
    }

    #[derive(Debug, Deserialize)]
    struct Quote {
        #[allow(dead_code)]
        lines: Vec<Line>,
    }

    #[test]
    fn a_fault_names_the_field() {
        let fault = parse::<Quote>(json!({ "lines": [{ "cents": 1 }, { "cents": "much" }] })).unwrap_err();
        assert!(fault.starts_with("`lines[1].cents`: invalid type"), "{fault}");
        assert_eq!(parse::<Quote>(json!({})).unwrap_err(), "missing field `lines`");
        assert_eq!(parse::<Quote>(Value::Null).unwrap_err(), "the arguments are no JSON object");
    }

    #[test]
    fn a_fault_does_not_repeat_all_of_a_long_value() {
        let fault = parse::<Quote>(json!({ "lines": "x".repeat(10_000) })).unwrap_err();
        assert!(fault.len() < 700, "{}", fault.len());
    }

    #[test]
    fn the_limit_is_exact() {
        // Two quotes around it.
        assert_eq!(fit(&json!("x".repeat(MAX_ARGUMENT_BYTES - 2))), Ok(()));
        assert!(fit(&json!("x".repeat(MAX_ARGUMENT_BYTES - 1))).unwrap_err().contains("65536 bytes"));
    }

    #[test]
    fn depth_is_limited() {
        let nest = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
        assert_eq!(fit(&nest(MAX_DEPTH)), Ok(()));
        assert!(fit(&nest(MAX_DEPTH + 1)).unwrap_err().contains("64 levels"));
    }

    #[test]
    fn no_arguments_takes_anything() {
        for sent in [json!(null), json!({}), json!({ "x": 1 }), json!([1]), json!("x")] {
            assert_eq!(parse::<NoArgs>(sent), Ok(NoArgs {}));
        }
    }
}
