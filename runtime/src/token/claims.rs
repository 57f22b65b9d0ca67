//! What a token says.

use super::TokenError;
use crate::clock::Timestamp;
use crate::digest::Hasher;
use crate::id::{QuestionId, ScopeHash};
use crate::store::Uid;

/// What a token says: which question may be answered, as it was asked, and until when.
///
/// Every field comes from the stored question, and none has a default: what a token does not say, it does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// The life of the thread: a thread deleted and begun anew has another one.
    pub uid: Uid,
    /// The question.
    pub question: QuestionId,
    /// How often it was issued anew: an older token is void.
    pub generation: u32,
    /// Whose thread it is.
    pub scope: ScopeHash,
    /// The graph, by the hash of its name: see [`Claims::graph_hash`]. A deploy does not void what is open.
    pub graph: [u8; 32],
    /// Hash of what was asked: an answer is for the question that was shown.
    pub digest: [u8; 32],
    /// When it was asked.
    pub issued: Timestamp,
    /// Until when it can be answered, that moment included; if not for ever.
    pub expires: Option<Timestamp>,
}

impl Claims {
    /// Bytes of the one layout: numbers big-endian, and for the end a byte that says whether there is one.
    pub(super) const BYTES: usize = 8 + 16 + 4 + 32 + 32 + 32 + 8 + 1 + 8;

    /// The graph as claims name it.
    #[must_use]
    pub fn graph_hash(name: &str) -> [u8; 32] {
        let mut hasher = Hasher::new(b"graphwright graph name v1");
        hasher.field(name.as_bytes());
        hasher.finish()
    }

    /// Whether the question can still be answered.
    ///
    /// # Errors
    /// [`TokenError::Expired`] after its end.
    pub fn check_time(&self, now: Timestamp) -> Result<(), TokenError> {
        match self.expires {
            Some(end) if now > end => Err(TokenError::expired()),
            _ => Ok(()),
        }
    }

    /// Whether it is for this scope.
    ///
    /// # Errors
    /// [`TokenError::Forbidden`] for any other, whether there is such a thread or not.
    pub fn check_scope(&self, scope: ScopeHash) -> Result<(), TokenError> {
        if self.scope == scope { Ok(()) } else { Err(TokenError::Forbidden) }
    }

    /// Whether it is for the graph of this name.
    ///
    /// # Errors
    /// [`TokenError::Invalid`] for any other: whoever signs for several graphs keeps them apart.
    pub fn check_graph(&self, name: &str) -> Result<(), TokenError> {
        if self.graph == Self::graph_hash(name) { Ok(()) } else { Err(TokenError::Invalid) }
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::BYTES);
        bytes.extend_from_slice(&self.uid.to_be_bytes());
        bytes.extend_from_slice(&self.question.0);
        bytes.extend_from_slice(&self.generation.to_be_bytes());
        bytes.extend_from_slice(&self.scope.0);
        bytes.extend_from_slice(&self.graph);
        bytes.extend_from_slice(&self.digest);
        bytes.extend_from_slice(&self.issued.0.to_be_bytes());
        bytes.push(u8::from(self.expires.is_some()));
        bytes.extend_from_slice(&self.expires.unwrap_or_default().0.to_be_bytes());
        bytes
    }

    /// The inverse of `encode`, and of nothing else.
    pub(super) fn decode(mut bytes: &[u8]) -> Option<Self> {
        let from = &mut bytes;
        let claims = Self {
            uid: u64::from_be_bytes(take(from)?),
            question: QuestionId(take(from)?),
            generation: u32::from_be_bytes(take(from)?),
            scope: ScopeHash(take(from)?),
            graph: take(from)?,
            digest: take(from)?,
            issued: Timestamp(i64::from_be_bytes(take(from)?)),
            expires: match (take(from)?, i64::from_be_bytes(take(from)?)) {
                ([0], 0) => None,
                ([1], end) => Some(Timestamp(end)),
                _ => return None,
            },
        };
        bytes.is_empty().then_some(claims)
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    fn claims(expires: Option<Timestamp>) -> Claims {
        Claims {
            uid: 7,
            question: QuestionId([1; 16]),
            generation: 2,
            scope: ScopeHash([3; 32]),
            graph: Claims::graph_hash("Refunds"),
            digest: [5; 32],
            issued: Timestamp(-6),
            expires,
        }
    }

    #[test]
    fn the_layout_has_one_reading() {
        for claims in [claims(None), claims(Some(Timestamp(0))), claims(Some(Timestamp(i64::MIN))), claims(Some(Timestamp(i64::MAX)))] {
            let bytes = claims.encode();
            assert_eq!(bytes.len(), Claims::BYTES);
            assert_eq!(Claims::decode(&bytes), Some(claims));
            for len in 0..bytes.len() {
                assert_eq!(Claims::decode(&bytes[..len]), None, "{len} bytes");
            }
            assert_eq!(Claims::decode(&[&bytes[..], &[0]].concat()), None, "a byte more");
        }
        let mut no_end = claims(None).encode();
        let flag = no_end.len() - 9;
        assert_eq!(no_end[flag], 0);
        no_end[flag] = 2;
        assert_eq!(Claims::decode(&no_end), None, "an end that is neither there nor not");
        no_end[flag] = 0;
        no_end[flag + 8] = 1;
        assert_eq!(Claims::decode(&no_end), None, "an end that is not there, and set");
    }

    #[test]
    fn the_last_moment_counts() {
        let claims = claims(Some(Timestamp(100)));
        assert!(claims.check_time(Timestamp(100)).is_ok());
        assert!(matches!(claims.check_time(Timestamp(101)), Err(TokenError::Expired { .. })));
        assert!(Claims { expires: None, ..claims.clone() }.check_time(Timestamp(i64::MAX)).is_ok());
    }
}
