//! Another build of the graph over a thread that stands in branches, or has stood in them (PROTOCOL H11).

use graphwright::prelude::*;
use graphwright::{Memory, Open};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Log {
    #[state(append)]
    pub lines: Vec<String>,
    pub items: Vec<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Apart {
    #[state(append)]
    pub notes: Vec<String>,
}

pub struct Sign;

#[node(writes(lines))]
impl Interrupt<Log, ()> for Sign {
    type Question = String;
    type Answer = u32;

    async fn ask(_: &Log, cx: &Context<()>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(cx.place().to_owned()))
    }

    fn resume(_: &Log, asked: &String, answer: Answer<u32>) -> NodeResult<Self> {
        Ok(Log::update().lines([format!("{asked} {answer:?}")]))
    }
}

/// The same of an item.
pub struct SignEach;

#[node(writes(lines))]
impl graphwright::InterruptEach<Log, (), u32> for SignEach {
    type Question = String;
    type Answer = u32;

    async fn ask(_: &Log, item: &u32, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(format!("item {item}")))
    }

    fn resume(_: &Log, item: &u32, asked: &String, answer: Answer<u32>) -> NodeResult<Self> {
        Ok(Log::update().lines([format!("{asked} is {item}: {answer:?}")]))
    }
}

#[node(writes(lines))]
pub async fn note(_: &Log, cx: &Context<()>) -> NodeResult<note> {
    Ok(Log::update().lines([cx.place()]))
}

#[node(writes(notes))]
pub async fn look(_: &Apart) -> NodeResult<look> {
    Ok(Apart::update().notes(["looked"]))
}

#[router]
pub fn items(log: &Log) -> Vec<u32> {
    log.items.clone()
}

/// As it is with the next build: something else.
pub mod changed {
    use super::Log;

    #[graphwright::router]
    pub fn items(_: &Log) -> Vec<u32> {
        vec![7, 8, 9, 10]
    }
}

pub fn open(_: &Log) -> Update<Apart> {
    Apart::update()
}

pub fn take(apart: &Apart) -> Update<Log> {
    Log::update().lines(apart.notes.clone())
}

mod first {
    use super::{Log, Sign, SignEach, items, look, note, open, take};

    graphwright::graph! {
        pub Whole(Log, ()) {
            start -> note -> end;
        }
    }
    graphwright::graph! {
        pub Look(super::Apart, ()) {
            start -> look -> [look2, look3] -> end;
            look2: look;
            look3: look;
        }
    }
    graphwright::graph! {
        pub Desk(Log, ()) {
            start -> [a -> note_a, b -> note_b, whole, apart] -> each items { sign } -> after -> end;
            a: Sign;
            b: Sign;
            note_a: note;
            note_b: note;
            after: note;
            sign: SignEach;
            whole: graph Whole;
            apart: graph Look, enter(open), exit(take), writes(lines);
        }
    }
}

mod second {
    use super::changed::items;
    use super::{Log, Sign, SignEach, note};

    graphwright::graph! {
        /// Branches in another order, one under another name, one that is new, no mounted graphs, and other items.
        #[graph(version = 2)]
        pub Desk(Log, ()) {
            start -> [added, bee -> note_b, a -> note_a] -> each items { sign } -> after -> end;
            added: note;
            a: Sign;
            bee: Sign, was("b");
            note_a: note;
            note_b: note;
            after: note;
            sign: SignEach;
        }
    }
}

mod third {
    use super::{Log, note};

    graphwright::graph! {
        /// Nothing is left.
        #[graph(version = 3)]
        pub Desk(Log, ()) {
            start -> note -> end;
        }
    }
}

type First = Question<first::Desk>;
type Second = Question<second::Desk>;

fn first_question<'q>(questions: &'q [First], place: &str) -> &'q Open<Sign> {
    let found = questions.iter().find_map(|question| match question {
        First::a(open) | First::b(open) if open.question == place => Some(open),
        _ => None,
    });
    found.unwrap()
}

#[tokio::test]
async fn branches_and_items_are_those_of_the_fork_whatever_the_source_says_now() {
    graphwright::__private::read_back();
    let memory = Memory::new();
    let old = first::Desk::app((), memory.clone());
    let new = second::Desk::app((), memory.clone());
    let paused = old.thread("t").run(Log::update().items(vec![1, 2])).await.unwrap().paused().unwrap();
    assert_eq!(paused.questions.len(), 2);
    let answer = first_question(&paused.questions, "a").accept(1);
    let Outcome::Paused(paused) = new.thread("t").resume(answer).await.unwrap() else { panic!("b is open") };
    let [Second::bee(bee)] = &paused.questions[..] else { panic!("b is called bee now") };
    assert_eq!(bee.question, "b");
    let Outcome::Paused(paused) = new.thread("t").resume(bee.accept(2)).await.unwrap() else { panic!("items") };
    // The new build entered this fork: its items count.
    assert_eq!(paused.questions.len(), 4);
    let log = new.thread("t").state().await.unwrap().unwrap();
    assert_eq!(log.lines, ["a Accepted(1)", "note_a", "b Accepted(2)", "note_b", "note", "looked", "looked", "looked"]);
}

#[tokio::test]
async fn the_inbox_of_a_build_names_places_as_that_build_does() {
    let memory = Memory::new();
    let old = first::Desk::app((), memory.clone());
    let new = second::Desk::app((), memory.clone());
    let _paused = old.thread("t").run(Log::update().items(vec![1, 2])).await.unwrap().paused().unwrap();
    let places =
        |waiting: Vec<graphwright::Waiting>| waiting.into_iter().map(|waiting| waiting.place).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(places(old.pending().list().await.unwrap().waiting), ["a", "b"].map(str::to_owned).into());
    assert_eq!(places(new.pending().list().await.unwrap().waiting), ["a", "bee"].map(str::to_owned).into());
    for (place, found) in [("a", 1), ("bee", 1), ("b", 0), ("sign", 0)] {
        assert_eq!(new.pending().at(place).list().await.unwrap().waiting.len(), found, "{place}");
    }
}

#[tokio::test]
async fn items_are_stored_with_the_fork() {
    let memory = Memory::new();
    let old = first::Desk::app((), memory.clone());
    let paused = old.thread("t").run(Log::update().items(vec![1, 2])).await.unwrap().paused().unwrap();
    let answers = vec![first_question(&paused.questions, "a").accept(1), first_question(&paused.questions, "b").accept(2)];
    let Outcome::Paused(paused) = old.thread("t").resume(answers).await.unwrap() else { panic!("items") };
    assert_eq!(paused.questions.len(), 2);
    let new = second::Desk::app((), memory.clone());
    let pending = new.thread("t").pending().await.unwrap();
    let answers: Vec<_> = pending
        .iter()
        .map(|question| match question {
            Second::sign(open) => open.accept(5),
            _ => panic!("items only"),
        })
        .collect();
    let done = new.thread("t").resume(answers).await.unwrap().completed().unwrap();
    let signed: Vec<&String> = done.output.lines.iter().filter(|line| line.starts_with("item")).collect();
    assert_eq!(signed, ["item 1 is 1: Accepted(5)", "item 2 is 2: Accepted(5)"]);
}

#[tokio::test]
async fn a_branch_whose_place_is_gone_is_refused_and_left_as_it_was() {
    let memory = Memory::new();
    let old = first::Desk::app((), memory.clone());
    old.thread("t").run(Log::update()).await.unwrap().paused().unwrap();
    let error = third::Desk::app((), memory.clone()).thread("t").proceed().await.unwrap_err();
    assert!(matches!(error, RunError::GraphChanged { .. }), "{error}");
    assert_eq!(old.thread("t").pending().await.unwrap().len(), 2, "it is as it was");
}

#[tokio::test]
async fn forks_and_mounted_graphs_of_the_past_need_not_be_there_any_more() {
    let memory = Memory::new();
    let old = first::Desk::app((), memory.clone());
    let paused = old.thread("t").run(Log::update().items(vec![1])).await.unwrap().paused().unwrap();
    let answers = vec![first_question(&paused.questions, "a").accept(1), first_question(&paused.questions, "b").accept(2)];
    let Outcome::Paused(paused) = old.thread("t").resume(answers).await.unwrap() else { panic!("items") };
    let [First::sign(open)] = &paused.questions[..] else { panic!("one item") };
    let done = old.thread("t").resume(open.decline()).await.unwrap().completed().unwrap();
    let new = third::Desk::app((), memory.clone());
    assert_eq!(new.thread("t").state().await.unwrap(), Some(done.output.clone()));
    let next = new.thread("t").run(Log::update()).await.unwrap().completed().unwrap();
    assert_eq!(next.output.lines.len(), done.output.lines.len() + 1);
}
