//! What runs told, over their graph.

use std::sync::{Arc, Mutex};

use graphwright::diagram::{Mark, Marks, ToMarks};
use graphwright::prelude::*;
use graphwright::testing::{Coverage, Recording};
use graphwright::topology::{Origin, Target};
use graphwright::{Event, Graph, graph};

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Shop {
    #[state(append)]
    orders: Vec<u32>,
    #[state(append)]
    notes: Vec<String>,
    late: bool,
}

#[node(writes(notes))]
fn pack(_: &Shop) -> NodeResult<pack> {
    Ok(Shop::update().notes(["packed"]))
}

#[node(writes(notes))]
fn label(_: &Shop) -> NodeResult<label> {
    Ok(Shop::update().notes(["labelled"]))
}

#[node(writes(notes))]
fn weigh(shop: &Shop) -> NodeResult<weigh> {
    if shop.late {
        Err("the scales are off")?;
    }
    Ok(Shop::update().notes(["weighed"]))
}

#[node(writes(notes))]
fn guess(_: &Shop) -> NodeResult<guess> {
    Ok(Shop::update().notes(["guessed"]))
}

#[node(writes(notes))]
fn invoice(_: &Shop, order: &u32) -> NodeResult<invoice> {
    Ok(Shop::update().notes([format!("order {order}")]))
}

#[node]
fn send(_: &Shop) {}

#[router]
fn orders(shop: &Shop) -> Vec<u32> {
    shop.orders.clone()
}

struct Sign;

#[node]
impl Interrupt<Shop, ()> for Sign {
    type Question = String;
    type Answer = String;
    async fn ask(_: &Shop, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question("your name".to_owned()))
    }
    fn resume(_: &Shop, _: &String, _: Answer<String>) -> NodeResult<Self> {
        Ok(Shop::update())
    }
}

graph! {
    Parcel(Shop) {
        start -> pack -> label -> end;
    }
}

graph! {
    // A branch is called by its first step, which is a graph here, and has a place behind it.
    Dispatch(Shop) {
        start -> [parcel -> weigh, each orders { invoice }] -> sign;
        weigh -> guess on error;
        guess -> sign;
        sign -> send -> end;
        parcel: graph Parcel;
        sign: Sign;
    }
}

async fn told(late: bool) -> (Vec<Event>, Vec<Event>) {
    let told: Arc<Mutex<Vec<Event>>> = Arc::default();
    let to = Arc::clone(&told);
    let app = Dispatch::app((), Memory::new()).observe(move |event: &Event| to.lock().unwrap().push(event.clone()));
    let thread = app.thread("t");
    let input = Shop::update().orders([1, 2, 3]).late(late);
    let mut questions = thread.run(input).await.unwrap().paused().expect("it asks").questions;
    let first = std::mem::take(&mut *told.lock().unwrap());
    let Question::<Dispatch>::sign(sign) = questions.remove(0);
    assert!(thread.resume(sign.accept("Ana".to_owned())).await.unwrap().completed().is_some());
    (first, std::mem::take(&mut *told.lock().unwrap()))
}

fn way(from: &str, to: &str) -> usize {
    let place = |name: &str| u16::try_from(Dispatch::TOPOLOGY.place_index(name).unwrap()).unwrap();
    let (from, to) = (Origin::Place(place(from)), Target::Place(place(to)));
    Dispatch::TOPOLOGY.ways.iter().position(|way| way.from == from && way.to == to).unwrap()
}

#[tokio::test]
async fn a_run_that_waits_and_one_that_is_done() {
    let (first, second) = told(false).await;
    let waits = first.to_marks(Dispatch::TOPOLOGY);
    let of = |marks: &Marks| ["parcel", "weigh", "guess", "invoice", "sign", "send"].map(|place| marks.of(place));
    let [seen, not, paused] = [Mark::Visited, Mark::None, Mark::Paused];
    assert_eq!(of(&waits), [seen, seen, not, seen, paused, not]);
    let inside = waits.inside("parcel").unwrap();
    assert_eq!(["pack", "label", "weigh"].map(|place| inside.of(place)), [seen, seen, not]);
    assert_eq!((waits.taken(way("parcel", "weigh")), waits.taken(way("weigh", "guess"))), (1, 0));

    let done = [first, second.clone()].concat().to_marks(Dispatch::TOPOLOGY);
    assert_eq!(of(&done), [seen, seen, not, seen, seen, seen]);
    // Of the second run alone it is not known who had asked.
    assert_eq!(of(&second.to_marks(Dispatch::TOPOLOGY)), [not, not, not, not, not, seen]);
}

#[tokio::test]
async fn which_ways_the_runs_of_tests_took() {
    let mut events = Vec::new();
    for late in [false, true, true] {
        let (first, second) = told(late).await;
        events.extend(first.into_iter().chain(second));
    }
    let marks = events.to_marks(Dispatch::TOPOLOGY);
    assert_eq!(marks.of("weigh"), Mark::Failed);
    assert_eq!([("weigh", "guess"), ("parcel", "weigh")].map(|(from, to)| marks.taken(way(from, to))), [2, 3]);
    // Nothing is told of these.
    let sign = Dispatch::TOPOLOGY.place_index("sign");
    let untold = |from: Origin| matches!(from, Origin::Start | Origin::Fork(_)) || from.place().map(usize::from) == sign;
    for (number, way) in Dispatch::TOPOLOGY.ways.iter().enumerate() {
        assert_eq!(marks.taken(number) == 0, untold(way.from), "{way:?}");
    }
    assert!(Dispatch::TOPOLOGY.diagram().depth(1).with(&marks).text().contains("×3"));
}

/// A history has the ways that events do not tell of, too: those that routers decide when it is told again.
#[tokio::test]
async fn a_history_over_its_graph() {
    let app = Dispatch::app((), Memory::new());
    for (name, late) in [("early", false), ("late", true)] {
        let thread = app.thread(name);
        let marks = async || thread.history().await.unwrap().to_marks(Dispatch::TOPOLOGY);
        let mut questions = thread.run(Shop::update().orders([1, 2, 3]).late(late)).await.unwrap().paused().expect("it asks").questions;
        let waits = marks().await;
        let seen = if late { Mark::Failed } else { Mark::Visited };
        assert_eq!(
            ["parcel", "weigh", "invoice", "sign", "send"].map(|place| waits.of(place)),
            [Mark::Visited, seen, Mark::Visited, Mark::Paused, Mark::None]
        );
        let inside = waits.inside("parcel").unwrap();
        assert_eq!(["pack", "label", "weigh"].map(|place| inside.of(place)), [Mark::Visited, Mark::Visited, Mark::None]);

        let Question::<Dispatch>::sign(sign) = questions.remove(0);
        assert!(thread.resume(sign.accept("Ana".to_owned())).await.unwrap().completed().is_some());
        let done = marks().await;
        assert_eq!(["sign", "send"].map(|place| done.of(place)), [Mark::Visited; 2]);
        let mut decided = Coverage::of::<Dispatch>();
        decided.add::<Dispatch>(&Recording::of(&thread).await.unwrap()).unwrap();
        let (decided, pair) =
            (decided.to_marks(Dispatch::TOPOLOGY), |marks: &Marks| (0..64).map(|way| marks.taken(way)).collect::<Vec<_>>());
        assert_eq!(pair(&done), pair(&decided), "{name}");
        assert_eq!(pair(done.inside("parcel").unwrap()), pair(decided.inside("parcel").unwrap()), "{name}");
        assert_eq!(done.taken(way("weigh", "guess")), u64::from(late));
    }
}

/// While a branch still waits for its next attempt, and behind an end that came before its time.
#[tokio::test]
async fn a_history_of_what_is_open() {
    let app = Dispatch::app((), Memory::new());
    let thread = app.thread("t");
    assert!(thread.run(Shop::update().orders([1])).steps(2).await.unwrap().stopped().is_some());
    let marks = thread.history().await.unwrap().to_marks(Dispatch::TOPOLOGY);
    let active = ["parcel", "weigh", "invoice"].iter().filter(|place| marks.of(place) == Mark::Active).count();
    assert!(active > 0, "{marks:?}");
    thread.abandon().await.unwrap();
    let marks = thread.history().await.unwrap().to_marks(Dispatch::TOPOLOGY);
    assert!(Dispatch::TOPOLOGY.places.iter().all(|place| !matches!(marks.of(place.name), Mark::Active | Mark::Paused)), "{marks:?}");
}
