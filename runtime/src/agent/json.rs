//! JSON that a model wrote: taken only if it says one thing, and not too much.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The deepest nesting that is taken.
pub(crate) const MAX_DEPTH: usize = 100;
/// The longest text that is taken, in bytes.
pub(crate) const MAX_BYTES: usize = 256 * 1024;

/// Parses a model's JSON. A key that is there twice is refused, since readers differ in which of the two they take.
///
/// # Errors
/// What is wrong, in words for the model.
pub(crate) fn parse(text: &str) -> Result<Value, String> {
    if text.len() > MAX_BYTES {
        return Err(format!("the text has {} bytes: at most {MAX_BYTES} are taken", text.len()));
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let value = Nested(0).deserialize(&mut json).map_err(|error| error.to_string())?;
    json.end().map_err(|error| error.to_string())?;
    Ok(value)
}

/// A value inside so many others.
struct Nested(usize);

impl Nested {
    fn inner<E: serde::de::Error>(&self) -> Result<Self, E> {
        if self.0 < MAX_DEPTH { Ok(Self(self.0 + 1)) } else { Err(E::custom(format_args!("nested deeper than {MAX_DEPTH}"))) }
    }
}

impl<'de> DeserializeSeed<'de> for Nested {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Nested {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number is out of range"))
    }
    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = access.next_element_seed(self.inner()?)? {
            values.push(value);
        }
        Ok(values.into())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            if values.contains_key(&key) {
                let key: String = key.chars().take(64).collect();
                return Err(A::Error::custom(format_args!("the key {key:?} is there twice")));
            }
            let value = access.next_value_seed(self.inner()?)?;
            values.insert(key, value);
        }
        Ok(values.into())
    }
}
