//! The agent over HTTP. Who asks is told by a key; the key says the scope, and a thread of another scope is not there.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use graphwright::Scope;
use graphwright::axum::{HttpError, LastEventId, events};
use graphwright::prelude::*;
use serde_json::{Value, json};

use super::desk::{Refund, Refunds};

/// Which key is whose.
pub type Tenants = HashMap<String, Scope>;

#[derive(Clone)]
pub struct Server {
    app: App<Refunds>,
    tenants: Arc<Tenants>,
}

/// The routes.
pub fn routes(app: App<Refunds>, tenants: Tenants) -> Router {
    Router::new()
        .route("/threads/{thread}", post(ask).get(state))
        .route("/threads/{thread}/events", get(follow))
        .route("/threads/{thread}/answer", post(answer))
        .route("/threads/{thread}/cancel", post(cancel))
        .route("/inbox", get(inbox))
        .with_state(Server { app, tenants: Arc::new(tenants) })
}

/// The app of whoever asks: the only one that a handler gets.
struct Mine(App<Refunds>);

impl FromRequestParts<Server> for Mine {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, server: &Server) -> Result<Self, StatusCode> {
        let header = parts.headers.get("authorization").and_then(|header| header.to_str().ok());
        let key = header.and_then(|header| header.strip_prefix("Bearer "));
        let scope = key.and_then(|key| server.tenants.get(key)).ok_or(StatusCode::UNAUTHORIZED)?;
        Ok(Self(server.app.scope(scope.clone())))
    }
}

#[derive(Deserialize)]
struct Asked {
    order: String,
    cents: u64,
}

/// Begins a turn, which does not end with this request; the same order again is no second one.
async fn ask(Mine(app): Mine, Path(thread): Path<String>, Json(asked): Json<Asked>) -> Result<StatusCode, HttpError> {
    let thread = app.thread(thread);
    thread.id().map_err(RunError::from)?;
    let order = asked.order.clone();
    // What it comes to is told to whoever follows the thread.
    thread.run(Refund::update().order(asked.order).cents(asked.cents)).idempotent(order).spawn();
    Ok(StatusCode::ACCEPTED)
}

async fn state(Mine(app): Mine, Path(thread): Path<String>) -> Result<Json<Refund>, HttpError> {
    Ok(Json(app.thread(thread).state().await?.ok_or(RunError::NoThread)?))
}

async fn follow(Mine(app): Mine, Path(thread): Path<String>, after: LastEventId) -> impl IntoResponse {
    events(app.thread(thread).subscribe(after.0))
}

/// Takes the answer to the question that is open, and goes on.
async fn answer(Mine(app): Mine, Path(thread): Path<String>, Json(cents): Json<Option<u64>>) -> Result<StatusCode, HttpError> {
    let thread = app.thread(thread);
    let Some(Question::<Refunds>::approve(question)) = thread.pending().await?.pop() else { Err(RunError::NoQuestion)? };
    thread.answer(cents.map_or_else(|| question.decline(), |cents| question.accept(cents))).await?;
    thread.proceed().spawn();
    Ok(StatusCode::ACCEPTED)
}

async fn cancel(Mine(app): Mine, Path(thread): Path<String>) -> Result<StatusCode, HttpError> {
    let thread = app.thread(thread);
    thread.status().await?.ok_or(RunError::NoThread)?;
    thread.cancel().await?;
    thread.abandon().await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn inbox(Mine(app): Mine) -> Result<Json<Value>, HttpError> {
    let waiting = app.pending().list().await?.waiting;
    let told = waiting.iter().map(|waiting| json!({"thread": waiting.thread.to_string(), "question": waiting.question}));
    Ok(Json(told.collect()))
}
