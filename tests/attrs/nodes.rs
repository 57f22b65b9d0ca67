//! Functions as nodes.

use graphwright::__private::{ConversationDelta, IntoStep, Step, Then, cap};
use graphwright::agent::{Conversation, HasConversation};
use graphwright::prelude::*;
use graphwright::topology::Role;
use graphwright::{Node, NodeMeta, Writes};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

pub struct Deps {
    greeting: String,
}

/// Greets.
///
/// At length.
#[node(model, asks)]
pub async fn greet(order: &Order, cx: &Context<Deps>) -> NodeResult<Order> {
    tokio::task::yield_now().await;
    Ok(Order::update().notes([format!("{} {}", cx.deps().greeting, order.notes.len())]))
}

#[node(tools, writes(draft))]
fn draft(_: &Order) -> NodeResult<draft> {
    Ok(Order::update().draft("d"))
}

#[node(writes())]
async fn nothing(_: &Order) {}

#[node]
async fn tells_nobody(_: &Order) {}

#[node]
fn may_fail(_: &Order) -> Result<(), NodeError> {
    Ok(())
}

#[node]
fn goes_on(_: &Order) -> Result<((), Next), NodeError> {
    Ok(((), Next::Again))
}

#[derive(Debug, PartialEq, Route)]
enum Next {
    Again,
    Done,
}

#[node(writes(notes))]
async fn chooses(order: &Order) -> Result<(Update<Order, chooses>, Next), std::fmt::Error> {
    let next = if order.notes.is_empty() { Next::Again } else { Next::Done };
    Ok((Order::update().notes(["x"]), next))
}

#[node]
const fn constant(_: &Order) {}

#[tokio::test]
async fn a_node_is_called_like_any_function() {
    let cx = Context::test(Deps { greeting: "hello".to_owned() });
    let mut order = Order::default();
    greet(&order, &cx).await.unwrap().apply_to(&mut order);
    draft(&order).unwrap().apply_to(&mut order);
    let (update, next) = chooses(&order).await.unwrap();
    update.apply_to(&mut order);
    nothing(&order).await;
    constant(&order);
    assert_eq!(order, Order { notes: vec!["hello 0".to_owned(), "x".to_owned()], draft: Some("d".to_owned()) });
    assert_eq!(next, Next::Done);
}

async fn step<N: Node<Order, Deps>>(order: &Order) -> Step<Update<Order>, <N::Ret as IntoStep<Order, N>>::Choice> {
    let cx = Context::test(Deps { greeting: "hi".to_owned() });
    tokio::task::yield_now().await;
    N::run(order, &(), &cx).await.into_step().unwrap()
}

#[tokio::test]
async fn a_graph_runs_it_and_gets_the_update_and_the_choice() {
    let order = Order::default();
    let Step::Done(update, Then) = step::<greet>(&order).await else { panic!("greet asks nothing") };
    assert_eq!(format!("{update:?}"), r#"OrderUpdate { notes: AppendDelta { set: None, add: ["hi 0"] } }"#);
    let Step::Done(update, Then) = step::<nothing>(&order).await else { panic!("nothing asks nothing") };
    assert_eq!(format!("{update:?}"), "OrderUpdate");
    let Step::Done(_, next) = step::<chooses>(&order).await else { panic!("chooses asks nothing") };
    assert_eq!(next, Next::Again);
}

#[test]
fn a_node_tells_about_itself() {
    assert_eq!(<greet as NodeMeta>::NAME, "greet");
    assert_eq!(<greet as NodeMeta>::DOCS, "Greets.\n\nAt length.");
    assert_eq!((<greet as NodeMeta>::ROLE, <greet as NodeMeta>::ASKS, <greet as NodeMeta>::PAUSES), (Role::Model, true, false));
    assert_eq!((<draft as NodeMeta>::ROLE, <nothing as NodeMeta>::ROLE), (Role::Tools, Role::Plain));
    assert!(<greet as NodeMeta>::FILE.ends_with("nodes.rs"));
    let line = include_str!("nodes.rs").lines().position(|line| line.starts_with("pub async fn greet")).unwrap() + 1;
    assert_eq!(<greet as NodeMeta>::LINE, u32::try_from(line).unwrap());
}

#[test]
fn what_it_writes_is_known() {
    let writes = <draft as Node<Order, ()>>::WRITES;
    assert!(writes.is_declared() && writes.has(1) && !writes.has(0));
    assert!(!<greet as Node<Order, Deps>>::WRITES.is_declared());
    assert_eq!(<nothing as Node<Order, ()>>::WRITES, graphwright::FieldSet::EMPTY);
}

#[test]
fn a_node_that_returns_nothing_writes_nothing() {
    assert_eq!(<tells_nobody as Node<Order, ()>>::WRITES, graphwright::FieldSet::EMPTY);
    assert_eq!(<may_fail as Node<Order, ()>>::WRITES, graphwright::FieldSet::EMPTY);
    assert_eq!(<goes_on as Node<Order, ()>>::WRITES, graphwright::FieldSet::EMPTY);
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Ticket {
    #[state(conversation)]
    talk: Conversation,
    notes: String,
}

/// Generic: knows the conversation, not the fields.
#[node(writes(conversation))]
async fn echo<S: HasConversation, D>(state: &S, _: &Context<D>) -> Result<Update<S, echo>, NodeError>
where
    D: Send + Sync,
{
    Ok(S::say(ConversationDelta::from(format!("{} so far", state.conversation().len()).as_str())))
}

/// Knows the field, and means the same.
#[node(writes(talk))]
fn greets(_: &Ticket) -> NodeResult<greets> {
    Ok(Ticket::update().talk("hello"))
}

#[tokio::test]
async fn text_is_input_and_a_conversation_is_a_capability() {
    fn may_write<N: Writes<Ticket, cap::Conversation>>() {}
    may_write::<echo>();
    may_write::<greets>();
    let mut ticket = Ticket::default();
    ticket.apply(Update::<Ticket>::from("one"));
    ticket.apply(Update::<Ticket>::from("two".to_owned()));
    greets(&ticket).unwrap().apply_to(&mut ticket);
    echo(&ticket, &Context::test(())).await.unwrap().apply_to(&mut ticket);
    assert_eq!(ticket.conversation().len(), 4);
    assert_eq!(ticket.notes, "");
}

/// Generic, and may write everything, though it knows of nothing.
#[node]
async fn silent<S: State>(_: &S) -> NodeResult<S> {
    Ok(S::update())
}

#[tokio::test]
async fn a_generic_node_stands_over_any_state() {
    fn over<S: State, N: Node<S, Deps>>() {}
    over::<Order, silent>();
    over::<Ticket, silent>();
    let Step::Done(update, Then) = step::<silent>(&Order::default()).await else { panic!("it asks nothing") };
    assert_eq!(format!("{update:?}"), "OrderUpdate");
}

#[tokio::test]
async fn its_future_may_cross_threads() {
    let order = Order::default();
    let text = tokio::spawn(async move { format!("{:?}", step::<greet>(&order).await) }).await.unwrap();
    assert!(text.contains("hi 0"), "{text}");
}
