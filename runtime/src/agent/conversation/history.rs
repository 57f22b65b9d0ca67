//! Messages in chunks that clones share: a clone costs a pointer for every chunk, a change one chunk.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::seen::Seen;
use crate::agent::message::Message;

/// Messages in a chunk before the next one begins; results that are put in between may make it longer.
const CHUNK: usize = 64;

/// What was said, in order.
#[derive(Clone, Default)]
pub(super) struct History {
    chunks: Vec<Arc<Vec<Arc<Message>>>>,
    len: usize,
    calls: Seen,
}

impl History {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Message> + Clone {
        self.chunks.iter().flat_map(|chunk| chunk.iter()).map(|message| &**message)
    }

    /// From the message with this number on. Whole chunks are skipped.
    pub(super) fn iter_from(&self, at: usize) -> impl DoubleEndedIterator<Item = &Message> + Clone {
        let (chunk, within) = self.find(at);
        let chunks = self.chunks.get(chunk..).unwrap_or_default();
        let (first, rest) = chunks.split_at(usize::from(!chunks.is_empty()));
        let first = first.iter().flat_map(move |chunk| chunk.get(within..).unwrap_or_default());
        first.chain(rest.iter().flat_map(|chunk| chunk.iter())).map(|message| &**message)
    }

    pub(super) fn push(&mut self, message: Message) {
        self.push_shared(Arc::new(message));
    }

    fn push_shared(&mut self, message: Arc<Message>) {
        message.calls().iter().for_each(|call| self.calls.insert(&call.id));
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => Arc::make_mut(chunk).push(message),
            _ => self.chunks.push(Arc::new(vec![message])),
        }
        self.len += 1;
    }

    /// Puts a message without calls before the one with this number.
    pub(super) fn insert(&mut self, at: usize, message: Message) {
        let (chunk, within) = self.find(at);
        match self.chunks.get_mut(chunk) {
            Some(chunk) if within <= chunk.len() => {
                Arc::make_mut(chunk).insert(within, Arc::new(message));
                self.len += 1;
            }
            _ => self.push(message),
        }
    }

    /// This message in place of the first `count`.
    pub(super) fn shorten(&mut self, count: usize, first: Message) {
        let mut history = Self::default();
        history.push(first);
        for message in self.chunks.iter().flat_map(|chunk| chunk.iter()).skip(count) {
            history.push_shared(Arc::clone(message));
        }
        *self = history;
    }

    /// Whether a call with this id may have been made: never wrong with no, seldom wrong with yes.
    pub(super) fn may_have_call(&self, id: &str) -> bool {
        self.calls.may_have(id)
    }

    /// The chunk and the place in it of the message with this number; looked for from the end, where changes are.
    fn find(&self, at: usize) -> (usize, usize) {
        let mut start = self.len;
        for (number, chunk) in self.chunks.iter().enumerate().rev() {
            start -= chunk.len();
            if start <= at {
                return (number, at - start);
            }
        }
        (0, 0)
    }
}

impl PartialEq for History {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl Serialize for History {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for History {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut history = Self::default();
        for message in Vec::<Message>::deserialize(deserializer)? {
            history.push(message);
        }
        Ok(history)
    }
}
