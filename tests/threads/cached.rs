//! `cache(key, 10min)`: the same key gives the same result, for so long, and for nobody else.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::{App, Event, EventKind, ManualClock, Scope, Timestamp};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Page {
    url: String,
    #[state(append)]
    texts: Vec<String>,
    links: Vec<String>,
    fails: bool,
}

#[derive(Clone, Default)]
pub struct Deps {
    fetched: Arc<AtomicUsize>,
}

#[node(writes(texts))]
async fn fetch(page: &Page, cx: &Context<Deps>) -> NodeResult<fetch> {
    let n = cx.deps().fetched.fetch_add(1, Ordering::SeqCst) + 1;
    tokio::task::yield_now().await;
    if page.fails {
        return Err("told to fail".into());
    }
    Ok(Page::update().texts([format!("{} as fetched by call {n}", page.url)]))
}

#[node(writes(texts))]
async fn follow(_: &Page, link: &String, cx: &Context<Deps>) -> NodeResult<follow> {
    let n = cx.deps().fetched.fetch_add(1, Ordering::SeqCst) + 1;
    Ok(Page::update().texts([format!("{link} as fetched by call {n}")]))
}

#[router]
fn url(page: &Page) -> String {
    page.url.clone()
}

#[router]
fn links(page: &Page) -> Vec<String> {
    page.links.clone()
}

graph! {
    Fetch(Page, Deps) {
        start -> fetch -> each links { follow } -> end;
        fetch: cache(url, 10min);
        follow: cache(url, 10min);
    }
}

graph! {
    Plain(Page, Deps) {
        start -> fetch -> end;
    }
}

fn app(clock: &ManualClock) -> (App<Fetch>, Arc<AtomicUsize>) {
    let deps = Deps::default();
    (Fetch::app(deps.clone(), Memory::new()).clock(clock.clone()), deps.fetched)
}

async fn texts(app: &App<Fetch>, thread: &str, url: &str) -> Vec<String> {
    app.thread(thread).run(Page::update().url(url)).await.unwrap().completed().unwrap().output.texts
}

#[tokio::test]
async fn the_same_key_gives_the_same_result_until_its_time_is_over() {
    graphwright::__private::read_back();
    let clock = ManualClock::at(Timestamp(1_000_000_000));
    let (app, fetched) = app(&clock);
    let cached = Arc::new(Mutex::new(0));
    let hears = cached.clone();
    let app = app.observe(move |event: &Event| *hears.lock().unwrap() += u32::from(matches!(event.kind, EventKind::Cached { .. })));
    assert_eq!(texts(&app, "a", "x").await, ["x as fetched by call 1"]);
    assert_eq!(texts(&app, "b", "x").await, ["x as fetched by call 1"], "on another thread, too");
    assert_eq!(texts(&app, "c", "y").await, ["y as fetched by call 2"], "another key");
    assert_eq!((fetched.load(Ordering::SeqCst), *cached.lock().unwrap()), (2, 1));
    clock.advance(Duration::from_secs(600) - Duration::from_micros(1));
    assert_eq!(texts(&app, "d", "x").await, ["x as fetched by call 1"]);
    clock.advance(Duration::from_micros(1));
    assert_eq!(texts(&app, "e", "x").await, ["x as fetched by call 3"], "ten minutes are over");
    // A clock that was set back trusts nothing.
    clock.set(Timestamp(0));
    assert_eq!(texts(&app, "f", "x").await, ["x as fetched by call 4"]);
    // It is a step like any other.
    assert_eq!(app.thread("b").history().await.unwrap().entries().last().unwrap().wrote, ["texts"]);
}

#[tokio::test]
async fn no_tenant_and_no_other_dependencies_are_given_it() {
    let clock = ManualClock::at(Timestamp(1));
    let (app, fetched) = app(&clock);
    texts(&app, "a", "x").await;
    let tenant = app.scope(Scope::new(["acme"]).unwrap());
    assert_eq!(texts(&tenant, "a", "x").await, ["x as fetched by call 2"]);
    let other = app.with_deps(Deps { fetched: fetched.clone() });
    assert_eq!(texts(&other, "b", "x").await, ["x as fetched by call 3"]);
    assert_eq!(texts(&app, "c", "x").await, ["x as fetched by call 1"]);
}

#[tokio::test]
async fn each_item_has_its_own() {
    let clock = ManualClock::at(Timestamp(1));
    let (app, fetched) = app(&clock);
    let run = async |thread: &str| {
        let input = Page::update().url("x").links(vec!["one".to_owned(), "two".to_owned()]);
        app.thread(thread).run(input).await.unwrap().completed().unwrap().output.texts
    };
    let first = run("a").await;
    let names: Vec<_> = first.iter().map(|text| text.split(' ').next().unwrap()).collect();
    assert_eq!(names, ["x", "one", "two"]);
    assert_eq!(run("b").await, first);
    assert_eq!(fetched.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn what_failed_is_not_kept_and_nothing_is_where_nobody_asked() {
    let clock = ManualClock::at(Timestamp(1));
    let (app, fetched) = app(&clock);
    for n in 1..=2 {
        app.thread(format!("t{n}")).run(Page::update().fails(true)).await.unwrap_err();
        assert_eq!(fetched.load(Ordering::SeqCst), n);
    }
    let deps = Deps::default();
    let plain = Plain::app(deps.clone(), Memory::new());
    for n in 1..=2 {
        let _done = plain.thread(format!("t{n}")).run(Page::update()).await.unwrap();
        assert_eq!(deps.fetched.load(Ordering::SeqCst), n, "off unless asked for");
    }
}
