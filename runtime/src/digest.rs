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
