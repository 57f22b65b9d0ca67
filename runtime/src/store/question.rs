//! Questions: a projection of the log, written with it, for inboxes, deadlines and the fate of tokens.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::hidden::Hidden;
use super::{GraphRef, Seq, Uid};
use crate::clock::Timestamp;
use crate::id::{QuestionId, ScopeHash, ThreadId};

/// A question that opens.
#[derive(Clone, PartialEq, Eq)]
pub struct NewQuestion {
    /// Its id.
    pub id: QuestionId,
    /// How often it was issued anew: zero at first.
    pub generation: u32,
    /// The frame.
    pub path: String,
    /// The place.
    pub place: String,
    /// Hash of what is asked.
    pub digest: [u8; 32],
    /// Until when it can be answered, that moment included; if not for ever.
    pub expires: Option<Timestamp>,
    /// Whether its place has a way `on expiry`.
    pub expiry_way: bool,
    /// Who should answer.
    pub labels: Vec<String>,
    /// A format byte, then what is asked.
    pub body: Vec<u8>,
    /// Whether somebody outside is to be told: a message in the outbox, and another for each reissue.
    pub notify: bool,
}

impl fmt::Debug for NewQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewQuestion")
            .field("id", &self.id)
            .field("generation", &self.generation)
            .field("path", &self.path)
            .field("place", &self.place)
            .field("digest", &self.digest)
            .field("expires", &self.expires)
            .field("expiry_way", &self.expiry_way)
            .field("labels", &self.labels)
            .field("body", &Hidden(self.body.len()))
            .field("notify", &self.notify)
            .finish()
    }
}

/// A question that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shut {
    /// Which.
    pub id: QuestionId,
    /// At which generation it must be open.
    pub generation: u32,
    /// To what.
    pub to: Fate,
}

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was answered; the digest tells a repeated answer from another one.
    Answered {
        /// Hash of the answer.
        digest: [u8; 32],
    },
    /// A new turn or a close gave it up.
    Abandoned,
    /// Its time ran out.
    Expired,
    /// An edit made it moot.
    Superseded,
    /// It is open at the next generation, until then.
    Reissued {
        /// The new deadline.
        expires: Option<Timestamp>,
    },
}

/// The state of a stored question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum QuestionState {
    /// It waits.
    Open = 0,
    /// It was answered.
    Answered = 1,
    /// It was given up.
    Abandoned = 2,
    /// Its time ran out.
    Expired = 3,
    /// It became moot.
    Superseded = 4,
}

/// A question as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionRow {
    /// Whose thread it is.
    pub scope: ScopeHash,
    /// The life of the thread.
    pub uid: Uid,
    /// The thread's name.
    pub thread: ThreadId,
    /// What was opened, with the generation and the deadline that it has now.
    pub question: NewQuestion,
    /// What became of it.
    pub state: QuestionState,
    /// The last row of the append that opened it.
    pub opened: Seq,
    /// The time of that row.
    pub opened_at: Timestamp,
    /// The last row of the append that closed it.
    pub closed: Option<Seq>,
    /// Hash of the answer taken.
    pub answer: Option<[u8; 32]>,
    /// The graph that opened it.
    pub graph: GraphRef,
}
