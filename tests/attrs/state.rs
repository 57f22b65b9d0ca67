//! Updates: written, stored as JSON, read back, applied.

use std::collections::{BTreeMap, HashMap};

use graphwright::prelude::*;
use graphwright::{CountingIds, Ingest, Kind, Timestamp, TurnId};
use serde_json::json;

pub type Cents = u64;

/// Deliberately not commutative: the order of writes must be kept.
fn join_words(current: &str, given: String) -> String {
    format!("{current}<{given}>")
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Order {
    /// What was noted.
    #[state(append)]
    pub notes: Vec<String>,
    #[state(append)]
    pub numbers: Vec<u32>,
    #[state(merge)]
    pub tags: BTreeMap<String, u64>,
    #[state(merge)]
    pub seen: HashMap<u64, String>,
    #[state(sum)]
    pub total: u64,
    #[state(min)]
    pub low: i32,
    #[state(max)]
    pub high: f64,
    #[state(with = join_words)]
    pub words: String,
    #[state(per_turn)]
    pub rounds: u32,
    #[state(append, per_turn)]
    pub fresh: Vec<u8>,
    pub draft: Option<String>,
    pub limit: Option<u32>,
    pub title: String,
    pub price: Cents,
}

fn all() -> Update<Order> {
    Order::update()
        .notes(["a", "b"])
        .numbers([1, 2])
        .tags([("x", 1)])
        .seen([(7, "seven")])
        .total(5)
        .low(-3)
        .high(2.5)
        .words("one")
        .rounds(4)
        .fresh([9])
        .draft("d")
        .limit(10)
        .title("t")
        .price(3_u64)
}

/// As a commit does: ids enter, the row is written and read, and only then applied.
fn commit(state: &mut Order, update: Update<Order>) {
    let ids = CountingIds::default();
    let row = state.ingest(update, &mut Ingest::new(&ids, Timestamp(1), TurnId::default()));
    let text = serde_json::to_string(&row).unwrap();
    state.apply(serde_json::from_str(&text).unwrap());
}

#[test]
fn a_stored_update_does_what_the_live_one_did() {
    let (mut live, mut loaded) = (Order::default(), Order::default());
    for update in [all(), all(), Order::update().set_notes(["c".to_owned()]).draft(None), all()] {
        update.clone().apply_to(&mut live);
        commit(&mut loaded, update);
        assert_eq!(live, loaded);
    }
    assert_eq!(live.notes, ["c", "a", "b"]);
    assert_eq!((live.total, live.low, live.high), (15, -3, 2.5));
    assert_eq!(live.words, "<one><one><one>");
    assert_eq!(live.draft.as_deref(), Some("d"));
    assert_eq!(live.tags, BTreeMap::from([("x".to_owned(), 1)]));
    assert_eq!(live.seen, HashMap::from([(7, "seven".to_owned())]));
}

#[test]
fn none_is_a_write() {
    let mut order = Order { draft: Some("old".to_owned()), limit: Some(1), ..Order::default() };
    let update: Update<Order> = Order::update().draft(None);
    assert_eq!(serde_json::to_value(&update).unwrap(), json!({"draft": null}));
    commit(&mut order, update);
    assert_eq!((order.draft, order.limit), (None, Some(1)));
}

#[test]
fn an_option_takes_a_value_text_some_and_none() {
    let mut order = Order::default();
    let with = |update: Update<Order>| serde_json::to_value(update).unwrap();
    assert_eq!(with(Order::update().draft("a")), json!({"draft": "a"}));
    assert_eq!(with(Order::update().draft("a".to_owned())), json!({"draft": "a"}));
    assert_eq!(with(Order::update().draft(Some("a".to_owned()))), json!({"draft": "a"}));
    assert_eq!(with(Order::update().limit(7)), json!({"limit": 7}));
    assert_eq!(with(Order::update().limit(Some(7))), json!({"limit": 7}));
    commit(&mut order, Order::update().limit(None));
    assert_eq!(order, Order::default());
}

#[test]
fn calls_on_one_update_go_together() {
    let twice: Update<Order> = Order::update()
        .notes(["a"])
        .notes(["b"])
        .tags([("x", 1), ("y", 1)])
        .tags([("x", 2)])
        .total(1)
        .total(2)
        .low(4)
        .low(-4)
        .low(0)
        .high(1.0)
        .high(0.5)
        .words("one")
        .words("two")
        .title("first")
        .title("last");
    let mut order = Order::default();
    twice.apply_to(&mut order);
    assert_eq!(order.notes, ["a", "b"]);
    assert_eq!(order.tags, BTreeMap::from([("x".to_owned(), 2), ("y".to_owned(), 1)]));
    assert_eq!((order.total, order.low, order.high), (3, -4, 1.0));
    assert_eq!(order.words, "<one><two>");
    assert_eq!(order.title, "last");
}

#[test]
fn a_collection_is_replaced_and_cleared() {
    let mut order = Order { notes: vec!["old".to_owned()], tags: BTreeMap::from([("old".to_owned(), 1)]), ..Order::default() };
    let update: Update<Order> = Order::update().notes(["lost"]).set_notes(["new".to_owned()]).notes(["more"]);
    commit(&mut order, update);
    assert_eq!(order.notes, ["new", "more"]);
    commit(&mut order, Order::update().set_notes(vec![]).set_tags([("new".to_owned(), 2)]).tags([("more", 3)]));
    assert!(order.notes.is_empty());
    assert_eq!(order.tags, BTreeMap::from([("new".to_owned(), 2), ("more".to_owned(), 3)]));
}

#[test]
fn what_is_not_written_is_not_stored_and_not_shown() {
    let empty = <Update<Order>>::default();
    assert_eq!(serde_json::to_string(&empty).unwrap(), "{}");
    assert_eq!(format!("{empty:?}"), "OrderUpdate");
    let one: Update<Order> = Order::update().title("t").total(1);
    assert_eq!(serde_json::to_value(&one).unwrap(), json!({"title": "t", "total": 1}));
    assert_eq!(format!("{one:?}"), "OrderUpdate { total: 1, title: \"t\" }");
    let mut order = Order { title: "kept".to_owned(), ..Order::default() };
    let before = order.clone();
    commit(&mut order, empty);
    assert_eq!(order, before);
}

#[test]
fn a_row_that_does_not_fit_is_refused() {
    for row in [json!({"titel": "t"}), json!({"title": 7}), json!({"title": null}), json!({"notes": {"add": "x"}}), json!("t")] {
        assert!(serde_json::from_value::<Update<Order>>(row.clone()).is_err(), "{row}");
    }
}

#[test]
fn a_turn_begins_with_its_own_fields_anew() {
    let mut order = Order::default();
    all().apply_to(&mut order);
    order.begin_turn();
    let mut expected = Order::default();
    all().apply_to(&mut expected);
    expected.rounds = 0;
    expected.fresh = vec![];
    assert_eq!(order, expected);
}

#[test]
fn the_merge_of_a_with_field_is_in_the_row() {
    let order = Order { words: "old".to_owned(), ..Order::default() };
    const { assert!(<Order as State>::INGESTS) };
    let ids = CountingIds::default();
    let row = order.ingest(Order::update().words("new"), &mut Ingest::new(&ids, Timestamp(1), TurnId::default()));
    assert_eq!(serde_json::to_value(&row).unwrap(), json!({"words": {"given": ["new"], "merged": "old<new>"}}));
}

#[test]
fn numbers_stay_at_their_limits() {
    let mut order = Order { total: u64::MAX - 1, ..Order::default() };
    commit(&mut order, Order::update().total(5).total(5));
    assert_eq!(order.total, u64::MAX);
}

#[test]
fn the_checker_knows_the_fields() {
    let fields: Vec<_> = Order::FIELDS.iter().map(|field| (field.name, field.kind)).collect();
    assert_eq!(fields.len(), 14);
    assert_eq!(fields[0], ("notes", Kind::Merge));
    assert_eq!(fields[8], ("rounds", Kind::Replace));
    assert_eq!(fields[10], ("draft", Kind::Replace));
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
#[serde(rename_all = "camelCase")]
pub struct Renamed {
    #[serde(alias = "old_name")]
    new_name: String,
    #[serde(rename = "type")]
    kind: u8,
}

#[test]
fn a_row_has_the_names_of_the_stored_state() {
    let update: Update<Renamed> = Renamed::update().new_name("n").kind(1);
    let row = serde_json::to_value(&update).unwrap();
    assert_eq!(row, json!({"newName": "n", "type": 1}));
    let mut renamed = Renamed::default();
    renamed.apply(serde_json::from_value(json!({"old_name": "o"})).unwrap());
    assert_eq!(renamed, Renamed { new_name: "o".to_owned(), kind: 0 });
    assert_eq!(serde_json::to_value(&renamed).unwrap(), json!({"newName": "o", "type": 0}));
}
