//! Messages in chunks that clones share: a clone costs a pointer for every chunk, a change one chunk.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::agent::message::Message;

/// Messages in a chunk before the next one begins; results that are put in between may make it longer.
const CHUNK: usize = 32;

/// What was said, in order.
#[derive(Clone, Default)]
pub(super) struct History {
    chunks: Vec<Arc<Chunk>>,
    len: usize,
}

#[derive(Clone)]
struct Chunk {
    messages: Vec<Arc<Message>>,
    /// Hashes of the ids of its calls.
    calls: Vec<u64>,
}

impl History {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Message> + Clone {
        self.chunks.iter().flat_map(|chunk| &chunk.messages).map(|message| &**message)
    }

    /// From the message with this number on. Whole chunks are skipped.
    pub(super) fn iter_from(&self, at: usize) -> impl DoubleEndedIterator<Item = &Message> + Clone {
        let (chunk, within) = self.find(at);
        let chunks = self.chunks.get(chunk..).unwrap_or_default();
        let (first, rest) = chunks.split_at(usize::from(!chunks.is_empty()));
        let first = first.iter().flat_map(move |chunk| chunk.messages.get(within..).unwrap_or_default());
        first.chain(rest.iter().flat_map(|chunk| &chunk.messages)).map(|message| &**message)
    }

    pub(super) fn push(&mut self, message: Message) {
        let ids = message.calls().iter().map(|call| hash(&call.id));
        match self.chunks.last_mut() {
            Some(chunk) if chunk.messages.len() < CHUNK => {
                let chunk = Arc::make_mut(chunk);
                chunk.calls.extend(ids);
                chunk.messages.push(Arc::new(message));
            }
            _ => self.chunks.push(Arc::new(Chunk { calls: ids.collect(), messages: vec![Arc::new(message)] })),
        }
        self.len += 1;
    }

    /// Puts a message without calls before the one with this number.
    pub(super) fn insert(&mut self, at: usize, message: Message) {
        let (chunk, within) = self.find(at);
        match self.chunks.get_mut(chunk) {
            Some(chunk) if within <= chunk.messages.len() => {
                Arc::make_mut(chunk).messages.insert(within, Arc::new(message));
                self.len += 1;
            }
            _ => self.push(message),
        }
    }

    /// Whether a call with this id may have been made: never wrong with no, seldom wrong with yes.
    pub(super) fn may_have_call(&self, id: &str) -> bool {
        let id = hash(id);
        self.chunks.iter().any(|chunk| chunk.calls.contains(&id))
    }

    /// The chunk and the place in it of the message with this number; looked for from the end, where changes are.
    fn find(&self, at: usize) -> (usize, usize) {
        let mut start = self.len;
        for (number, chunk) in self.chunks.iter().enumerate().rev() {
            start -= chunk.messages.len();
            if start <= at {
                return (number, at - start);
            }
        }
        (0, 0)
    }
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
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
