//! A thread in memory.

use crate::clock::Timestamp;
use crate::engine::log::row::{self, CodecError, StopWhy, StoredQuestion};
use crate::engine::thread::address::Address;
use crate::engine::thread::frame::{Cursor, Frame};
use crate::engine::thread::guest::{Activation as _, Leaf, Spot, Stands, Trail};
use crate::engine::thread::stored::StoredImage;
use crate::error::FailedPlace;
use crate::graph::Graph;
use crate::id::{QuestionId, RunId, TurnId};
use crate::interrupt::OpenRecord;
use crate::path::Path;
use crate::state::State as _;
use crate::store::{Fate, NewQuestion, Shut, Status};
use crate::turn::{Budgets, Now, Turn};
use crate::usage::Usage;

/// Frames in frames, and what counts for all of them.
#[derive(Debug)]
pub(crate) struct Image<G: Graph> {
    pub(crate) root: Frame<G>,
    pub(crate) turn: Turn,
    /// Claims since the last progress: a node that kills its process is not run for ever.
    pub(crate) claims: u32,
    pub(crate) at: Timestamp,
    pub(crate) stopped: Option<StopWhy>,
}

/// What the frames of a thread do.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Those that can run.
    pub(crate) running: Vec<Address>,
    /// The first that goes on only when somebody lets the thread proceed.
    pub(crate) stuck: Option<Stuck>,
    /// How many wait for an answer.
    pub(crate) parked: usize,
}

impl Survey {
    /// The status of the thread if no run holds it.
    pub(crate) fn resting(&self) -> Status {
        if !self.running.is_empty() || self.stuck.is_some() {
            Status::Stopped
        } else if self.parked > 0 {
            Status::Paused
        } else {
            Status::Idle
        }
    }
}

/// A frame that cannot go on by itself.
#[derive(Clone, Debug)]
pub(crate) struct Stuck {
    pub(crate) spot: Spot,
    pub(crate) failed: FailedPlace,
    /// Its place is done, and its way was not found.
    pub(crate) unrouted: bool,
}

impl Stuck {
    /// As a row says it.
    pub(crate) fn why(&self) -> StopWhy {
        let (place, error) = (self.failed.place().to_owned(), self.failed.error().to_owned());
        if self.unrouted { StopWhy::Unrouted { place, error } } else { StopWhy::Failed { place, error } }
    }
}

// By hand: a derive would ask it of the graph.
impl<G: Graph> Clone for Image<G> {
    fn clone(&self) -> Self {
        Self { root: self.root.clone(), turn: self.turn.clone(), claims: self.claims, at: self.at, stopped: self.stopped.clone() }
    }
}

impl<G: Graph> Image<G> {
    /// A thread before its first turn.
    pub(crate) fn new(turn: TurnId, run: RunId, now: Now) -> Self {
        Self {
            root: Frame::root(),
            turn: Turn { id: turn, run, now, steps: 0, used: Usage::default(), taken: Budgets::default(), settings: None },
            claims: 0,
            at: Timestamp::default(),
            stopped: None,
        }
    }

    /// What a new turn sets back. Nothing may be open.
    pub(crate) fn begin_turn(&mut self, turn: TurnId) {
        self.root.view.get_mut().begin_turn();
        self.root.begin_anew();
        self.stopped = None;
        self.turn.id = turn;
        self.turn.steps = 0;
        self.turn.used = Usage::default();
        self.turn.settings = None;
    }

    /// The root's state: what was committed in it, and joined.
    pub(crate) fn state(&self) -> &G::State {
        self.root.view.get()
    }

    /// The whole image, to be stored.
    pub(crate) fn snapshot(&self) -> Result<Vec<u8>, CodecError> {
        row::encode(&StoredImage {
            root: self.root.stored()?,
            turn: self.turn.id,
            at: self.at,
            steps: self.turn.steps,
            used: self.turn.used,
            claims: self.claims,
            why: self.stopped.clone(),
            settings: self.turn.settings.as_ref().map(|settings| settings.stored.as_ref().to_owned()),
        })
    }

    pub(crate) fn walk(&self, mut visit: impl FnMut(&Trail, &Leaf<'_>)) {
        self.root.walk(&mut Trail::default(), &mut visit);
    }

    /// Looks at every frame.
    pub(crate) fn survey(&self) -> Survey {
        let mut survey = Survey::default();
        self.walk(|trail, leaf| match leaf.stands {
            Stands::Runs => survey.running.push(trail.here.clone()),
            Stands::Parked { .. } => survey.parked += 1,
            Stands::Stuck { failed, unrouted } if survey.stuck.is_none() => {
                let spot = Spot { path: leaf.path.clone(), ord: leaf.ord, place: leaf.place };
                survey.stuck = Some(Stuck { spot, failed: failed.clone(), unrouted });
            }
            Stands::Stuck { .. } | Stands::Done | Stands::Gone(_) => {}
        });
        survey
    }

    /// Whether something can run: then the thread keeps its run, else it lets go.
    pub(crate) fn is_runnable(&self) -> bool {
        match &self.root.cursor {
            Cursor::Fork(_) | Cursor::Mounted(..) => !self.survey().running.is_empty(),
            _ => self.root.can_run(),
        }
    }

    /// The status of a thread with this image that no run holds.
    pub(crate) fn resting(&self) -> Status {
        self.survey().resting()
    }

    /// Whether the last turn is over.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.root.cursor, Cursor::Ended(_) | Cursor::Closed)
    }

    /// Where a question is open: by the frame that its record names, so that one among many is not looked for.
    pub(crate) fn asking(&mut self, asked: &NewQuestion) -> Option<Address> {
        let mut branches = Vec::new();
        let found = self.root.find(&asked.path, &mut branches) && {
            let open = self.root.leaf(&branches).and_then(|leaf| leaf.parked().map(|open| open.question.id));
            open == Some(asked.id)
        };
        found.then(|| Address::of(&branches))
    }

    /// Frames behind which no way was found.
    pub(crate) fn unrouted(&self) -> Vec<Address> {
        let mut found = Vec::new();
        self.walk(|trail, leaf| {
            if let Stands::Stuck { unrouted: true, .. } = leaf.stands {
                found.push(trail.here.clone());
            }
        });
        found
    }

    /// The open questions, in the order of joins.
    pub(crate) fn open(&self) -> Vec<OpenRecord> {
        let mut open = Vec::new();
        self.walk(|trail, leaf| {
            let Stands::Parked { question, opened_at } = leaf.stands else { return };
            open.push(OpenRecord {
                id: question.id,
                generation: question.generation,
                place: leaf.place.to_owned(),
                within: trail.within.iter().map(|place| (*place).to_owned()).collect(),
                question: question.asked.clone(),
                labels: question.labels.clone(),
                opened_at,
                expires: question.expires,
            });
        });
        open
    }

    /// Shuts every question that is open.
    pub(crate) fn shuts(&self, to: impl Fn(&StoredQuestion) -> Fate) -> Vec<Shut> {
        let mut shuts = Vec::new();
        self.walk(|_, leaf| {
            if let Stands::Parked { question, .. } = leaf.stands {
                shuts.push(Shut { id: question.id, generation: question.generation, to: to(question) });
            }
        });
        shuts
    }

    /// Where questions are open, and which.
    pub(crate) fn questions(&self) -> Vec<(Address, QuestionId)> {
        let mut open = Vec::new();
        self.walk(|trail, leaf| {
            if let Stands::Parked { question, .. } = leaf.stands {
                open.push((trail.here.clone(), question.id));
            }
        });
        open
    }

    /// Where the graph has nothing any more, if a frame stands there.
    pub(crate) fn gone(&self) -> Option<String> {
        let mut gone = None;
        self.walk(|_, leaf| {
            if let Stands::Gone(what) = leaf.stands {
                gone = Some(what.to_owned());
            }
        });
        gone
    }
}

/// The id of a question: the same when it is asked again after a crash.
pub(crate) fn question_id(uid: u64, turn: TurnId, path: &Path, ord: u64) -> QuestionId {
    let mut hasher = crate::digest::Hasher::new(b"graphwright question v1");
    hasher.number(uid).field(&turn.0).field(path.to_string().as_bytes()).number(ord);
    QuestionId(hasher.finish_id())
}
