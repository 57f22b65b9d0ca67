//! The examples, each with a story that leads through most of it.

use std::path::Path;
use std::time::Duration;

use graphwright::agent::{AskUserAnswer, AskUserResponse, ChatRequest, HasConversation, Message, Model, Reply, Scripted};
use graphwright::prelude::*;
use graphwright::{Durability, Given, Run, Thread};

use super::cut::Story;
use crate::graph::{Decision, Deps, SupportAgent};
use crate::shop::{Cents, Shop};
use crate::{claims, coding, laws, model, pipeline, research, swarm};

/// An agent asks which order it is, and a manager lets it pay: once.
pub(super) struct Support {
    pub(super) text: &'static str,
    /// A message of the model's that was lost is made again, with calls that have other keys: money would be paid again.
    pub(super) kept: &'static [Durability],
}

impl Story for Support {
    type Graph = SupportAgent;

    fn deps(&self, folder: &Path) -> Deps {
        let shop = Shop::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data"), folder.join("ledger")).unwrap();
        Deps::new(model::scripted(), shop, Cents(10_000), Duration::ZERO).unwrap()
    }

    fn begin(&self, thread: &Thread<SupportAgent>) -> Run<SupportAgent> {
        thread.run(self.text)
    }

    fn answer(&self, question: Question<SupportAgent>) -> Option<Given> {
        Some(match question {
            Question::<SupportAgent>::elicitation(open) => {
                let first =
                    |asked: &graphwright::agent::AskUserQuestion| AskUserAnswer::select(asked.id(), [asked.options()[0].label()]).unwrap();
                let answers: Vec<_> = open.question.request().questions().iter().map(first).collect();
                open.accept(AskUserResponse::new(answers).unwrap())
            }
            Question::<SupportAgent>::manager(open) => open.accept(Decision::Approve),
        })
    }

    fn durabilities(&self) -> &'static [Durability] {
        self.kept
    }

    fn effects(&self, folder: &Path) -> usize {
        std::fs::read_dir(folder.join("ledger")).unwrap().count()
    }

    fn pairs(&self, state: &crate::graph::Ticket, over: bool) {
        laws::inv_pair(&state.talk, over);
    }
}

/// Topics looked into side by side, and a review that sends the text back.
pub(super) struct Research;

impl Story for Research {
    type Graph = research::Research;

    fn deps(&self, _: &Path) -> Model {
        Model::new(Scripted::by(research::rules))
    }

    fn begin(&self, thread: &Thread<research::Research>) -> Run<research::Research> {
        thread.run("What makes a good mug?")
    }

    fn answer(&self, question: Question<research::Research>) -> Option<Given> {
        Some(research::pick(question).unwrap())
    }

    fn pairs(&self, state: &research::Study, over: bool) {
        laws::inv_pair(state.conversation(), over);
    }
}

/// Three calls in one message, two of which somebody decides about.
pub(super) struct Coding;

impl Coding {
    /// The script of the example, by what was said: whoever is asked again says the same.
    fn rules(request: &ChatRequest<'_>) -> Reply {
        let said = request.messages().filter(|message| matches!(message, Message::Assistant { .. })).count();
        let [first, second, last] = coding::story();
        match said {
            0 => first,
            1 => second,
            _ => last,
        }
    }
}

impl Story for Coding {
    type Graph = coding::Coder;

    fn deps(&self, _: &Path) -> coding::Workspace {
        let mut workspace = coding::workspace([]).unwrap();
        workspace.model = Model::new(Scripted::by(Self::rules));
        workspace
    }

    fn begin(&self, thread: &Thread<coding::Coder>) -> Run<coding::Coder> {
        thread.run("Rename greet to welcome")
    }

    fn answer(&self, question: Question<coding::Coder>) -> Option<Given> {
        Some(coding::decide(question))
    }

    fn pairs(&self, state: &coding::Task, over: bool) {
        laws::inv_pair(state.conversation(), over);
    }
}

/// An expert who answers, and a manager who never does, though reminded.
pub(super) struct Claims;

impl Story for Claims {
    type Graph = claims::v2::Claims;

    fn deps(&self, _: &Path) {}

    fn begin(&self, thread: &Thread<claims::v2::Claims>) -> Run<claims::v2::Claims> {
        thread.run(claims::Claim::update().what("a roof"))
    }

    fn answer(&self, question: Question<claims::v2::Claims>) -> Option<Given> {
        match question {
            Question::<claims::v2::Claims>::expert(open) => Some(open.accept(300)),
            Question::<claims::v2::Claims>::manager(_) => None,
        }
    }
}

/// A node that is tried again, and two that run side by side.
pub(super) struct Pipeline;

impl Story for Pipeline {
    type Graph = pipeline::Pipeline;

    fn deps(&self, _: &Path) {}

    fn begin(&self, thread: &Thread<pipeline::Pipeline>) -> Run<pipeline::Pipeline> {
        thread.run(pipeline::Sales::update().file(pipeline::ORDERS))
    }

    fn answer(&self, question: Question<pipeline::Pipeline>) -> Option<Given> {
        match question {}
    }
}

/// A case that is sent to and fro until a human is called.
pub(super) struct Swarm;

impl Story for Swarm {
    type Graph = swarm::Swarm;

    fn deps(&self, _: &Path) -> Model {
        Model::new(Scripted::by(swarm::rules))
    }

    fn begin(&self, thread: &Thread<swarm::Swarm>) -> Run<swarm::Swarm> {
        thread.run("The invoice of the app charges me twice")
    }

    fn answer(&self, question: Question<swarm::Swarm>) -> Option<Given> {
        match question {}
    }

    fn pairs(&self, state: &swarm::Customer, over: bool) {
        laws::inv_pair(state.conversation(), over);
    }
}
