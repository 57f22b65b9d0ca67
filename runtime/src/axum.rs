//! Threads over HTTP: the events of a thread as server-sent events, and errors as answers. For servers of `axum`.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use ::axum::extract::FromRequestParts;
use ::axum::http::StatusCode;
use ::axum::http::request::Parts;
use ::axum::response::sse::{Event, KeepAlive, Sse};
use ::axum::response::{IntoResponse, Response};
use futures_core::Stream;

use crate::app::{Events, RunError, Subscription};
use crate::graph::Graph;

/// A [`RunError`] as an answer: its [status](RunError::status), and its text, for whoever asked wrongly. Of what is the
/// server's own fault no text is told: that goes to the log.
///
/// ```
/// use graphwright::axum::HttpError;
/// use graphwright::RunError;
///
/// async fn handler() -> Result<String, HttpError> {
///     Err(RunError::NoThread)?
/// }
/// # drop(handler());
/// ```
#[derive(Debug)]
pub struct HttpError {
    status: u16,
    text: String,
}

impl From<RunError> for HttpError {
    fn from(error: RunError) -> Self {
        Self::new(error.status(), &error)
    }
}

#[cfg(feature = "tokens")]
impl From<crate::token::TokenError> for HttpError {
    fn from(error: crate::token::TokenError) -> Self {
        Self::new(error.status(), &error)
    }
}

impl HttpError {
    fn new(status: u16, error: &dyn std::error::Error) -> Self {
        if status < 500 {
            return Self { status, text: error.to_string() };
        }
        tracing::error!(target: "graphwright", %error, status, "a request came to nothing");
        Self { status, text: "the server could not do it".to_owned() }
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        (StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), self.text).into_response()
    }
}

/// The header `Last-Event-ID`: what [`Thread::subscribe`](crate::Thread::subscribe) begins after. Zero without it; a request
/// with one that is no number is answered with 400.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastEventId(pub u64);

impl<S: Sync> FromRequestParts<S> for LastEventId {
    type Rejection = (StatusCode, &'static str);

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Self::Rejection> {
        let Some(id) = parts.headers.get("last-event-id") else { return Ok(Self(0)) };
        let id = id.to_str().ok().and_then(|id| id.parse().ok()).map(Self);
        id.ok_or((StatusCode::BAD_REQUEST, "`Last-Event-ID` is the id of an event, as it was sent"))
    }
}

/// A subscription as server-sent events: their ids are those of the events, their data the JSON of an
/// [`Event`](crate::Event). An error ends it with an event `error`, whose data is the text that [`HttpError`] would tell.
/// It is kept alive while nothing happens.
///
/// ```
/// use graphwright::axum::{LastEventId, events};
/// use graphwright::prelude::*;
/// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
/// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
/// # graph! { Counter(Count) { start -> add -> end; } }
/// use axum::extract::{Path, State};
/// use axum::response::IntoResponse;
///
/// async fn follow(State(app): State<App<Counter>>, Path(thread): Path<String>, after: LastEventId) -> impl IntoResponse {
///     events(app.thread(thread).subscribe(after.0))
/// }
/// # drop(follow);
/// ```
pub fn events<G: Graph>(subscription: Subscription<G>) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<G>> {
    Sse::new(ServerSent(subscription)).keep_alive(KeepAlive::default())
}

/// A run as server-sent events: all that its stream gives, the pieces of a model's answer as they come, too. Whoever reads
/// them drives the run, so one that nobody reads any more ends, and `thread.proceed()` goes on with it. They have no ids: a
/// reader that lost its connection [follows the thread](events).
///
/// ```
/// use graphwright::axum::live;
/// use graphwright::prelude::*;
/// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
/// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
/// # graph! { Counter(Count) { start -> add -> end; } }
/// use axum::extract::{Path, State};
/// use axum::response::IntoResponse;
///
/// async fn count(State(app): State<App<Counter>>, Path(thread): Path<String>) -> impl IntoResponse {
///     live(app.thread(thread).run(Count::update()).stream())
/// }
/// # drop(count);
/// ```
///
/// A run that comes to nothing ends with an event `error`, as a subscription does.
pub fn live<G: Graph>(run: Events<G>) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<G>> {
    Sse::new(Live(Some(run))).keep_alive(KeepAlive::default())
}

struct Live<G: Graph>(Option<Events<G>>);

impl<G: Graph> Stream for Live<G> {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(run) = &mut self.0 else { return Poll::Ready(None) };
        let Some(event) = ready!(Pin::new(run).poll_next(task)) else {
            let failed = self.0.take().and_then(Events::failure);
            return Poll::Ready(failed.map(|error| Ok(server_sent(Err(error)))));
        };
        Poll::Ready(Some(Ok(serde_json::to_string(&event).map_or_else(|error| failed(&error), |json| Event::default().data(json)))))
    }
}

struct ServerSent<G: Graph>(Subscription<G>);

impl<G: Graph> Stream for ServerSent<G> {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.0).poll_next(task).map(|event| Some(Ok(server_sent(event?))))
    }
}

fn server_sent(event: Result<crate::Event, RunError>) -> Event {
    match event {
        Ok(event) => match serde_json::to_string(&event) {
            Ok(json) => Event::default().id(event.id.to_string()).data(json),
            Err(error) => failed(&error),
        },
        Err(error) => Event::default().event("error").data(HttpError::from(error).text),
    }
}

fn failed(error: &serde_json::Error) -> Event {
    Event::default().event("error").data(HttpError::new(500, error).text)
}
