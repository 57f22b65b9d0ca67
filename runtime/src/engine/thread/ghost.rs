//! What stands for a mounted graph that the graph around it has no more: rows of the past tell of it, and the thread has long
//! gone on. It keeps what it is given, and runs nothing.

use std::marker::PhantomData;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::context::Context;
use crate::engine::change::course::Fault;
use crate::engine::thread::frame::{Frame, Kind, View};
use crate::engine::thread::guest::{Activation, Guest};
use crate::engine::thread::stored::StoredFrame;
use crate::error::NodeError;
use crate::graph::{Flag, Graph, Next, Notified, Out, To};
use crate::interrupt::OpenRecord;
use crate::node::{NodeMeta, Refused};
use crate::path::Path;
use crate::state::{Closing, FieldInfo, FieldSet, Ingest, State};
use crate::token::Token;
use crate::topology::{Lints, Topology};
use crate::turn::Turn;

/// A graph of which nothing is known.
struct Nobody<D>(PhantomData<fn() -> D>);

/// Its state: nobody looks at it.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Nothing {}

impl State for Nothing {
    type Update<N> = ();
    type Patch = Value;
    type Fields = ();
    const FIELDS: &'static [FieldInfo] = &[];
    const INGESTS: bool = false;
    const MERGES: bool = false;

    fn update<N>() {}
    fn widen<N>((): ()) -> Value {
        Value::Null
    }
    fn written(_: &Value) -> FieldSet {
        FieldSet::EMPTY
    }
    fn ingest(&self, patch: Value, _: &mut Ingest<'_>) -> Value {
        patch
    }
    fn apply(&mut self, _: Value) {}
    fn remerge(&self, patch: Value) -> Value {
        patch
    }
    fn merged(&self, _: FieldSet) -> Option<Value> {
        None
    }
    fn begin_turn(&mut self) {}
    fn close(&self, _: Closing) -> Option<Value> {
        None
    }
}

/// It has no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nowhere {}

static TOPOLOGY: Topology = Topology {
    name: "",
    version: 0,
    docs: "",
    file: "",
    line: 0,
    places: &[],
    forks: &[],
    ways: &[],
    exits: &[],
    steps: 0,
    endless: false,
    unreachable: false,
    lints: Lints::NONE,
};

impl<D: 'static> NodeMeta for Nobody<D> {
    const NAME: &'static str = "";
}

impl<D: Send + Sync + 'static> Graph for Nobody<D> {
    type State = Nothing;
    type Settings = ();
    type Deps = D;
    type At = Nowhere;
    type Item = ();
    type Input = Value;
    type Output = ();
    type Exit = Nowhere;
    type Question = Nowhere;
    type Pauses = Flag<false>;
    const TOPOLOGY: &'static Topology = &TOPOLOGY;

    fn index(at: Nowhere) -> usize {
        match at {}
    }
    fn at(_: usize) -> Option<Nowhere> {
        None
    }
    fn exit(_: u16) -> Option<Nowhere> {
        None
    }
    fn output(_: Nothing) {}
    fn start(_: &Nothing, _: &Turn) -> Next<Nowhere> {
        Next { to: To::Never, way: u16::MAX, budget: None }
    }
    async fn run_place(at: Nowhere, _: &Nothing, (): &(), _: &Context<D>) -> Out<Self> {
        match at {}
    }
    fn next(at: Nowhere, _: u16, _: &Nothing, _: &Turn) -> Next<Nowhere> {
        match at {}
    }
    fn resume(at: Nowhere, _: &Nothing, (): &(), _: &Value, _: &Value) -> Result<(Value, u16), Refused> {
        match at {}
    }
    fn notify<'a>(at: Nowhere, _: &'a Nothing, (): &'a (), _: &'a Value, _: &'a Token, _: &'a Context<D>) -> Notified<'a> {
        match at {}
    }
    fn question(at: Nowhere, _: OpenRecord) -> Result<Nowhere, Refused> {
        match at {}
    }
}

/// It, in a frame.
struct Ghost<D: Send + Sync + 'static>(Frame<Nobody<D>>);

fn ghost<P: State, D: Send + Sync + 'static>(frame: Frame<Nobody<D>>) -> Box<dyn Guest<P, D>> {
    Box::new(Ghost(frame))
}

/// Instead of a graph that begins.
pub(in crate::engine) fn begins<P: State, D: Send + Sync + 'static>(path: Path, whole: bool) -> Box<dyn Guest<P, D>> {
    let kind = if whole { Kind::Whole } else { Kind::Apart };
    ghost(Frame::new(View::Shared(Arc::default()), kind, path, ()))
}

/// Instead of a graph that was open.
pub(in crate::engine) fn restored<P: State, D: Send + Sync + 'static>(
    path: Path,
    stored: &StoredFrame,
) -> Result<Box<dyn Guest<P, D>>, Fault> {
    let kind = if stored.state.is_some() { Kind::Apart } else { Kind::Whole };
    let stored = StoredFrame { state: None, ..stored.clone() };
    Frame::restore(&stored, (kind, path, ()), Some(Arc::default())).map(ghost)
}

impl<P: State, D: Send + Sync + 'static> Guest<P, D> for Ghost<D> {
    fn frame(&self) -> &dyn Activation<D> {
        &self.0
    }

    fn frame_mut(&mut self) -> &mut dyn Activation<D> {
        &mut self.0
    }

    fn is_whole(&self) -> bool {
        self.0.kind == Kind::Whole
    }

    fn leave(&mut self) -> Result<Vec<P::Patch>, NodeError> {
        let log = std::mem::take(&mut self.0.log);
        log.into_iter().map(|update| serde_json::from_value(update).map_err(NodeError::from)).collect()
    }

    fn clone_box(&self) -> Box<dyn Guest<P, D>> {
        ghost(self.0.clone())
    }
}
