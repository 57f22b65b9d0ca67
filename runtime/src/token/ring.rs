//! Keys, and what is made and checked with them.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::{Claims, Token, TokenError};
use crate::clock::Timestamp;

/// The fewest bytes that a key may have.
pub const MIN_KEY_BYTES: usize = 32;

/// Of what is signed with the same keys for another purpose, nothing is a token.
const DOMAIN: &[u8] = b"graphwright pause token v1";
const VERSION: &str = "v1";
/// No token of ours is nearly as long; a longer text is not looked at.
const MAX_BYTES: usize = 1024;

/// Why a key was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// It is too short to be secret.
    #[error("key {id} has {bytes} bytes: give it at least {MIN_KEY_BYTES} random ones, from `openssl rand -hex 32` or a secret store")]
    TooShort {
        /// Its id.
        id: u8,
        /// Its length in bytes.
        bytes: usize,
    },
    /// There is another one of that id.
    #[error("two keys have the id {id}: give each its own, for a token names its key by it")]
    Twice {
        /// The id.
        id: u8,
    },
}

/// The keys of pause tokens: one signs, all verify.
///
/// There is no default key. To change keys, sign with a new one and keep the old one until its last tokens are used:
///
/// ```
/// use graphwright::{KeyRing, Timestamp};
/// # let (old, new) = (b"an old secret of 32 bytes or more", b"a new secret of 32 bytes or more.");
/// let retires = Timestamp(1_800_000_000_000_000);
/// let keys = KeyRing::new(2, new)?.verify_also(1, old, Some(retires))?;
/// # Ok::<(), graphwright::KeyError>(())
/// ```
#[derive(Clone)]
pub struct KeyRing {
    signs: Key,
    others: Vec<Key>,
}

#[derive(Clone)]
struct Key {
    id: u8,
    /// Keyed once; the secret itself is not kept.
    mac: Hmac<Sha256>,
    retires: Option<Timestamp>,
}

impl Key {
    fn new(id: u8, secret: &[u8], retires: Option<Timestamp>) -> Result<Self, KeyError> {
        let too_short = KeyError::TooShort { id, bytes: secret.len() };
        if secret.len() < MIN_KEY_BYTES {
            return Err(too_short);
        }
        let mac = Hmac::new_from_slice(secret).map_err(|_| too_short)?;
        Ok(Self { id, mac, retires })
    }

    /// Over the domain, the key's id and the claims; only the claims differ in length from what is fixed.
    fn mac_of(&self, claims: &[u8]) -> Hmac<Sha256> {
        let mut mac = self.mac.clone();
        mac.update(DOMAIN);
        mac.update(&[self.id]);
        mac.update(claims);
        mac
    }
}

impl KeyRing {
    /// A ring of the key that signs.
    ///
    /// # Errors
    /// [`KeyError::TooShort`] for fewer than [`MIN_KEY_BYTES`].
    pub fn new(id: u8, secret: impl AsRef<[u8]>) -> Result<Self, KeyError> {
        Ok(Self { signs: Key::new(id, secret.as_ref(), None)?, others: Vec::new() })
    }

    /// And one that signs no longer: its tokens are good until it retires, or as long as it is here.
    ///
    /// # Errors
    /// [`KeyError`] if it is too short, or its id is taken.
    pub fn verify_also(mut self, id: u8, secret: impl AsRef<[u8]>, retires: Option<Timestamp>) -> Result<Self, KeyError> {
        if self.key(id).is_some() {
            return Err(KeyError::Twice { id });
        }
        self.others.push(Key::new(id, secret.as_ref(), retires)?);
        Ok(self)
    }

    fn key(&self, id: u8) -> Option<&Key> {
        std::iter::once(&self.signs).chain(&self.others).find(|key| key.id == id)
    }

    /// Makes the token that says this: always the same one, as long as the same key signs.
    #[must_use]
    pub fn sign(&self, claims: &Claims) -> Token {
        let body = claims.encode();
        let mac = self.signs.mac_of(&body).finalize().into_bytes();
        Token::new(format!("{VERSION}.{}.{}.{}", self.signs.id, BASE64.encode(body), BASE64.encode(mac)))
    }

    /// What a token says, if one of these keys signed it and has not retired by `now`.
    ///
    /// Whether the question can still be answered, and by whom, is asked of the claims and of the store.
    ///
    /// # Errors
    /// [`TokenError::Invalid`], whatever is wrong with it.
    pub fn verify(&self, token: &Token, now: Timestamp) -> Result<Claims, TokenError> {
        self.claims_of(token.as_str(), now).ok_or(TokenError::Invalid)
    }

    fn claims_of(&self, text: &str, now: Timestamp) -> Option<Claims> {
        if text.len() > MAX_BYTES {
            return None;
        }
        let mut parts = text.split('.');
        let (version, id, body, mac) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        if version != VERSION || parts.next().is_some() {
            return None;
        }
        let key = self.key(id.parse().ok()?)?;
        // `01` and `+1` would be second texts of one token.
        if key.id.to_string() != id || key.retires.is_some_and(|end| now > end) {
            return None;
        }
        let (body, mac) = (BASE64.decode(body).ok()?, BASE64.decode(mac).ok()?);
        // In constant time. Nothing of the body is believed before it.
        key.mac_of(&body).verify_slice(&mac).ok()?;
        Claims::decode(&body)
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others: Vec<u8> = self.others.iter().map(|key| key.id).collect();
        f.debug_struct("KeyRing").field("signs", &self.signs.id).field("verifies_also", &others).finish_non_exhaustive()
    }
}
