//! What the driver tells whoever listens.

use std::future::Future;

use crate::context::Context;
use crate::engine::run::journal::{Became, Foreign, Told};
use crate::engine::thread::image::Image;
use crate::graph::Graph;
use crate::observe::{EventKind, Mode, Span};
use crate::path::Path;
use crate::store::RowKind;

fn starts(place: &'static str) -> (EventKind, impl FnOnce(crate::observe::Mark) -> EventKind) {
    let end = move |_| {
        if std::thread::panicking() {
            return EventKind::NodeFailed { place: place.to_owned(), error: "it panicked".to_owned() };
        }
        EventKind::NodeEnded { place: place.to_owned() }
    };
    (EventKind::NodeStarted { place: place.to_owned() }, end)
}

/// A place begins.
pub(in crate::engine) fn begin<D>(cx: &Context<D>, place: &'static str) -> impl Future<Output = Span> {
    let (start, end) = starts(place);
    cx.span(start, end)
}

/// A place begins where nothing can wait.
pub(in crate::engine) fn begin_now<D>(cx: &Context<D>, place: &'static str) -> Span {
    let (start, end) = starts(place);
    cx.begin_span(start, end)
}

/// A place failed, or what it gave was not kept: for whoever listens that is the same.
pub(in crate::engine) fn failed(node: Span, place: &str, error: &str) {
    node.end_with(EventKind::NodeFailed { place: place.to_owned(), error: error.to_owned() });
}

/// What became of it, after the commit. `cx` is at the place.
pub(in crate::engine) async fn told<D>(cx: &Context<D>, told: &Told) {
    if cx.info().emitter.is_silent() {
        return;
    }
    let step = cx.step();
    said(cx, (&step.path, step.place, step.steps), told).await;
}

/// What became of it, after the commit.
pub(in crate::engine) async fn said<D>(cx: &Context<D>, (path, place, steps): (&Path, &'static str, u64), told: &Told) {
    let emitter = &cx.info().emitter;
    let here = path.before(place);
    if let Some(seq) = told.seq {
        emitter.emit(steps, &here, EventKind::Committed { seq }).await;
    }
    match &told.became {
        Became::Moved(ways) => {
            if let Some(update) = told.update.as_deref().and_then(|update| serde_json::from_str(update.get()).ok()) {
                emitter.show(steps, &here, EventKind::Updated { place: place.to_owned(), update }).await;
            }
            for taken in ways {
                let at = taken.path.before(if taken.path == *path { place } else { taken.from.as_str() });
                let kind = EventKind::EdgeTaken { way: taken.way, from: taken.from.clone(), to: taken.to.clone() };
                emitter.emit(steps, &at, kind).await;
            }
        }
        Became::Asked { question, content } => {
            let kind = EventKind::AskUserQuestion { question: *question, place: place.to_owned(), content: content.clone() };
            emitter.emit(steps, &here, kind).await;
        }
        Became::Retries | Became::Failed { .. } | Became::Stale => {}
    }
}

/// The root's state, where somebody asked for it.
pub(crate) async fn state<G: Graph>(cx: &Context<G::Deps>, image: &Image<G>) {
    let emitter = &cx.info().emitter;
    if emitter.asks_for(Mode::Values)
        && let Ok(state) = serde_json::to_value(image.state())
    {
        emitter.show(image.turn.steps, "", EventKind::State { state }).await;
    }
}

/// What somebody else wrote beside this run.
pub(in crate::engine) async fn foreign<D>(cx: &Context<D>, steps: u64, rows: &[Foreign]) {
    let emitter = &cx.info().emitter;
    for row in rows {
        emitter.emit(steps, "", EventKind::Committed { seq: row.seq }).await;
        match (row.kind, row.shut) {
            (RowKind::Answer, Some(question)) => emitter.emit(steps, "", EventKind::Resumed { question }).await,
            (RowKind::Expire, Some(question)) => emitter.emit(steps, "", EventKind::AskUserExpired { question }).await,
            _ => {}
        }
    }
}
