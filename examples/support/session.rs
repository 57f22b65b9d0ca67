//! One conversation at a terminal: turns, questions, and their answers.

use graphwright::agent::{AskUserAnswer, AskUserQuestion, AskUserResponse, ContractError, elicitation};
use graphwright::store::Status;
use graphwright::{BadAnswer, BoxError, Event, EventKind, Given, Open, Outcome, Question, Run, RunError, Thread};
use serde_json::Value;

use crate::graph::{Approval, Decision, Manager, SupportAgent};
use crate::terminal::{Choice, Menu, Terminal};

type Q = Question<SupportAgent>;

/// A question by who has to answer it.
enum Asked {
    Customer(Open<elicitation>),
    Manager(Open<Manager>),
}

impl From<Q> for Asked {
    /// The compiler knows who may ask in this graph: a front end that forgets one does not compile.
    fn from(question: Q) -> Self {
        match question {
            Q::elicitation(open) => Self::Customer(open),
            Q::manager(open) => Self::Manager(open),
        }
    }
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Done,
    Waiting,
    Stopped,
}

/// A thread, and whoever sits before it.
#[derive(Debug)]
pub struct Session {
    pub thread: Thread<SupportAgent>,
    pub terminal: Terminal,
}

impl Session {
    /// Says one thing as the customer, and ends with what comes of it.
    pub async fn say(&self, text: &str) -> Result<Ended, BoxError> {
        let ended = match self.take_up().await? {
            Ended::Done => self.drive(self.thread.run(text)).await?,
            unfinished => {
                self.terminal.note("your words were not sent: this comes first")?;
                unfinished
            }
        };
        self.leave(ended).await
    }

    /// Answers the open question, and ends with what comes of it.
    pub async fn answer(&self, json: &str) -> Result<Ended, BoxError> {
        // Whoever answers has seen what the thread waited for, and not what comes of taking it up only now.
        if let Some(Status::Running | Status::Stopped) = self.thread.status().await? {
            let ended = self.take_up().await?;
            self.terminal.note("this was left unfinished, and your answer was not needed for it")?;
            return self.leave(ended).await;
        }
        let question = self.pending().await?.into_iter().next().ok_or(RunError::NoQuestion)?;
        let ended = self.drive(self.thread.resume(given(&question, json)?)).await?;
        self.leave(ended).await
    }

    /// Talks until the input ends.
    pub async fn talk(&self) -> Result<Ended, BoxError> {
        self.take_up().await?;
        loop {
            // A thread that waits can do nothing else.
            while let Some(question) = self.pending().await?.into_iter().next() {
                let Some(given) = self.put(&question)? else { return Ok(Ended::Waiting) };
                match self.drive(self.thread.resume(given)).await {
                    Err(error) if error.is::<BadAnswer>() => self.terminal.note(&error.to_string())?,
                    other => drop(other?),
                }
            }
            match self.terminal.ask("you> ")? {
                None => return Ok(Ended::Done),
                Some(text) if text.is_empty() => {}
                Some(text) => {
                    if self.drive(self.thread.run(text.as_str())).await? == Ended::Stopped {
                        return Ok(Ended::Stopped);
                    }
                }
            }
        }
    }

    async fn pending(&self) -> Result<Vec<Asked>, RunError> {
        Ok(self.thread.pending().await?.into_iter().map(Asked::from).collect())
    }

    /// Finishes what another process left behind: a run that died, or an answer that nobody took up.
    async fn take_up(&self) -> Result<Ended, BoxError> {
        match self.thread.status().await? {
            None | Some(Status::Idle) => Ok(Ended::Done),
            Some(Status::Paused) => Ok(Ended::Waiting),
            Some(Status::Running | Status::Stopped) => self.drive(self.thread.proceed()).await,
        }
    }

    /// Drives a run, and shows who works and what comes of it.
    async fn drive(&self, run: Run<SupportAgent>) -> Result<Ended, BoxError> {
        let terminal = self.terminal;
        let run = run.observe(move |event: &Event| {
            if let EventKind::NodeStarted { place } = &event.kind {
                terminal.working(place);
            }
        });
        let outcome = run.await;
        terminal.rest();
        match outcome? {
            Outcome::Completed(done) => {
                terminal.say("agent", done.output.talk.last_text().unwrap_or("(nothing to say)"))?;
                Ok(Ended::Done)
            }
            Outcome::Paused(_) => Ok(Ended::Waiting),
            Outcome::Stopped(stopped) => {
                terminal.note(&format!("stopped before its end: {:?}", stopped.reason))?;
                Ok(Ended::Stopped)
            }
        }
    }

    /// Shows a question to somebody who will answer in another process.
    async fn leave(&self, ended: Ended) -> Result<Ended, BoxError> {
        if ended == Ended::Waiting {
            let pending = self.pending().await?;
            for menu in pending.iter().flat_map(menus) {
                self.terminal.menu(&menu)?;
            }
            let id = self.thread.id()?;
            let answer = match pending.first() {
                Some(Asked::Manager(_)) => r#"'"approve"' or '{"refuse": {"why": ".."}}'"#,
                _ => "NUMBER",
            };
            self.terminal.note(&format!("{id} waits: answer with --thread {id} --answer {answer}"))?;
        }
        Ok(ended)
    }

    /// Puts a question to whoever sits here; `None` if the input ends.
    fn put(&self, question: &Asked) -> Result<Option<Given>, BoxError> {
        let mut choices = Vec::new();
        for menu in menus(question) {
            self.terminal.menu(&menu)?;
            match self.terminal.choose(&menu)? {
                Some(choice) => choices.push(choice),
                None => return Ok(None),
            }
        }
        Ok(Some(chosen(question, choices)?))
    }
}

/// A question as menus, one for each thing that is asked.
fn menus(question: &Asked) -> Vec<Menu> {
    match question {
        Asked::Customer(open) => open.question.request().questions().iter().map(menu).collect(),
        Asked::Manager(open) => vec![approval(&open.question)],
    }
}

fn menu(asked: &AskUserQuestion) -> Menu {
    let options = asked.options().iter().map(|option| (option.label().to_owned(), option.description().to_owned()));
    Menu { question: asked.question().to_owned(), options: options.collect(), several: asked.multi_select(), other: asked.allow_other() }
}

fn approval(asked: &Approval) -> Menu {
    let refunds: Vec<_> = asked.refunds.iter().map(|refund| format!("{} for order {}", refund.cents, refund.order)).collect();
    let option = |label: &str| (label.to_owned(), String::new());
    Menu {
        question: format!("For a manager: may this be paid back? {}", refunds.join(", ")),
        options: vec![option("Yes"), option("No")],
        several: false,
        other: false,
    }
}

/// An answer out of what was chosen in the menus.
fn chosen(question: &Asked, choices: Vec<Choice>) -> Result<Given, BadAnswer> {
    match question {
        Asked::Customer(open) => {
            let questions = open.question.request().questions();
            if choices.len() != questions.len() {
                return Err(BadAnswer::new(format!("{} answers are wanted, and {} were given", questions.len(), choices.len())));
            }
            let answers: Result<Vec<_>, _> = questions.iter().zip(choices).map(|(asked, choice)| pick(asked, choice)).collect();
            Ok(open.accept(AskUserResponse::new(answers?).map_err(unfit)?))
        }
        Asked::Manager(open) => match choices.as_slice() {
            [Choice::Options(numbers)] if *numbers == [0] => Ok(open.accept(Decision::Approve)),
            [Choice::Options(numbers)] if *numbers == [1] => Ok(open.accept(Decision::Refuse { why: "the manager said no".to_owned() })),
            _ => Err(BadAnswer::new("answer 1 for yes or 2 for no")),
        },
    }
}

fn pick(asked: &AskUserQuestion, choice: Choice) -> Result<AskUserAnswer, BadAnswer> {
    let label = |number: usize| asked.options().get(number).map(|option| option.label().to_owned());
    let (labels, other) = match choice {
        Choice::Options(numbers) => (numbers.into_iter().map(label).collect(), None),
        Choice::Other(text) => (Some(Vec::new()), Some(text)),
    };
    let labels = labels.ok_or_else(|| BadAnswer::new(format!("the options are numbered from 1 to {}", asked.options().len())))?;
    AskUserAnswer::new(asked.id(), labels, other).map_err(unfit)
}

fn unfit(error: ContractError) -> BadAnswer {
    BadAnswer::new(error.to_string())
}

/// An answer out of the JSON of `--answer`: an entry for the one thing that is asked, or a list with one for each.
fn given(question: &Asked, json: &str) -> Result<Given, BadAnswer> {
    let value = serde_json::from_str(json).map_err(|error| BadAnswer::new(format!("it is not JSON: {error}")))?;
    match (question, value) {
        (Asked::Customer(open), Value::Null) => Ok(open.cancel()),
        (Asked::Manager(open), Value::Null) => Ok(open.cancel()),
        (Asked::Manager(open), value @ (Value::Object(_) | Value::String(_))) => {
            Ok(open.accept(serde_json::from_value(value).map_err(|error| BadAnswer::new(error.to_string()))?))
        }
        // A number may have been meant for the question before this one, and here it would pay.
        (Asked::Manager(_), _) => Err(BadAnswer::new(r#"a manager decides in words: "approve" or {"refuse": {"why": ".."}}"#)),
        (_, Value::Array(entries)) if menus(question).len() > 1 => chosen(question, entries.iter().map(entry).collect::<Result<_, _>>()?),
        (_, value) => chosen(question, vec![entry(&value)?]),
    }
}

/// A number of the menu, a list of numbers, or a text of one's own.
fn entry(value: &Value) -> Result<Choice, BadAnswer> {
    let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
    let numbers = match value {
        Value::String(text) => return Ok(Choice::Other(text.clone())),
        Value::Array(values) => values.iter().map(number).collect(),
        value => number(value).map(|number| vec![number]),
    };
    numbers.map(Choice::Options).ok_or_else(|| BadAnswer::new("an answer is a number of the menu, a list of numbers, or a text"))
}
