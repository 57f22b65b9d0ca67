//! Faults that other systems had, each by its id: pauses, joins, routers, checkpoints, limits and what is told of them.
//! `BUGS.md` has those that are shown elsewhere, or that cannot be written.

mod kept;
mod pauses;

use graphwright::Given;
use graphwright::prelude::*;

use super::model::{Plain, interpret};
use super::script::{Act, CallSpec, Inner, Op, Script, Sign, Spec};
use super::world::{Deps, Shown, World, Worlds, input, show};

const INNER: Inner = Inner { act: Act::Work, signs: [Sign::Accept(1), Sign::Accept(2)], early: false };
const QUIET: Inner = Inner { act: Act::Work, signs: [Sign::Skip, Sign::Skip], early: false };

/// A thread in memory, and what can be seen of it.
struct Stage {
    memory: Memory,
    deps: Deps,
    app: App<Worlds>,
    script: Script,
}

impl Stage {
    fn of(ops: Vec<Op>) -> Self {
        let (memory, deps) = (Memory::new(), Deps::default());
        let app = Worlds::app(deps.clone(), memory.clone());
        Self { memory, deps, app, script: Script { ops, stops: false } }
    }

    async fn begin(&self) -> Vec<Shown> {
        let paused = self.app.thread("t").run(input(&self.script)).await.unwrap().paused().expect("it asks");
        paused.questions.iter().map(show).collect()
    }

    /// Another process, which knows nothing but what is stored.
    fn restart(&mut self) {
        self.app = Worlds::app(self.deps.clone(), self.memory.clone());
    }

    async fn open(&self) -> Vec<Shown> {
        self.app.thread("t").pending().await.unwrap().iter().map(show).collect()
    }

    /// Answers, and gives what is open then.
    async fn resume(&self, given: Vec<Given>) -> Vec<Shown> {
        match self.app.thread("t").resume(given).await.unwrap() {
            Outcome::Paused(paused) => paused.questions.iter().map(show).collect(),
            Outcome::Completed(done) => {
                assert_eq!(Plain::from(&done.output), interpret(&Plain::default(), &self.script).state);
                Vec::new()
            }
            Outcome::Stopped(stop) => panic!("{stop:?}"),
        }
    }

    /// How often the bodies of a place were begun.
    fn begun(&self, place: &str) -> usize {
        self.deps.begun.lock().unwrap().iter().filter(|(at, _)| at == place).count()
    }

    async fn state(&self) -> World {
        self.app.thread("t").state().await.unwrap().unwrap()
    }
}

fn places(shown: &[Shown]) -> Vec<&str> {
    shown.iter().map(|shown| shown.asked.place.as_str()).collect()
}

fn right(shown: &[Shown]) -> Vec<Given> {
    shown.iter().map(|shown| shown.right.clone()).collect()
}

/// Three branches: one asks, one asks beside another, one mounts a graph that asks twice.
fn all(signs: [Sign; 2], part: Inner) -> Op {
    Op::All { acts: [Act::Work; 3], signs, part }
}

fn asks(wants: u32) -> CallSpec {
    CallSpec { act: Act::Work, sign: Some(Sign::Accept(wants)) }
}

fn item(label: u32, sign: Sign) -> Spec {
    Spec { label, act: Act::Work, sign }
}
