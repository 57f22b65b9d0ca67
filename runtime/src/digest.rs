//! The one place where things are hashed: SHA-256, every field behind its length.

use sha2::{Digest as _, Sha256};

/// Hashes fields so that no two lists of fields share a hash by the way they are cut.
#[derive(Debug)]
pub(crate) struct Hasher(Sha256);

impl Hasher {
    /// `domain` keeps hashes of different kinds apart.
    pub(crate) fn new(domain: &'static [u8]) -> Self {
        let mut hasher = Self(Sha256::new());
        hasher.field(domain);
        hasher
    }

    pub(crate) fn field(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update((bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
        self
    }

    pub(crate) fn number(&mut self, number: u64) -> &mut Self {
        self.field(&number.to_be_bytes())
    }

    pub(crate) fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }

    /// The first half: ids of 128 bits.
    pub(crate) fn finish_id(self) -> [u8; 16] {
        let mut id = [0; 16];
        for (to, from) in id.iter_mut().zip(self.finish()) {
            *to = from;
        }
        id
    }
}

/// JSON with sorted keys: one text for one value, whatever map `serde_json` was built with.
pub(crate) fn canonical_json(value: &serde_json::Value) -> String {
    let mut text = String::new();
    write_canonical(&mut text, value);
    text
}

fn write_canonical(text: &mut String, value: &serde_json::Value) {
    use serde_json::Value;
    match value {
        Value::Array(items) => {
            text.push('[');
            for (n, item) in items.iter().enumerate() {
                if n > 0 {
                    text.push(',');
                }
                write_canonical(text, item);
            }
            text.push(']');
        }
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            text.push('{');
            for (n, (key, item)) in entries.into_iter().enumerate() {
                if n > 0 {
                    text.push(',');
                }
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push(':');
                write_canonical(text, item);
            }
            text.push('}');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_and_texts_are_escaped() {
        let value = serde_json::json!({"b": [1, {"z": null, "a": "\"\n"}], "a": 0.5});
        assert_eq!(canonical_json(&value), r#"{"a":0.5,"b":[1,{"a":"\"\n","z":null}]}"#);
    }

    #[test]
    fn fields_cannot_be_cut_in_another_way() {
        let hash = |fields: &[&str]| {
            let mut hasher = Hasher::new(b"test");
            fields.iter().for_each(|field| {
                hasher.field(field.as_bytes());
            });
            hasher.finish()
        };
        assert_ne!(hash(&["a", "bc"]), hash(&["ab", "c"]));
        assert_ne!(hash(&["", "a"]), hash(&["a", ""]));
    }
}
