//! The border: answers of people who hold nothing but a token.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;

use super::outcome::Answered;
use super::session::announce;
use super::thread::{Thread, answered};
use super::work::AT_ONCE;
use super::{App, RunError, Swept};
use crate::context::Context;
use crate::engine::{self, Activation as _, Answering, CodecError, StoredQuestion, decode, load};
use crate::error::{BadAnswer, NodeError};
use crate::graph::Graph;
use crate::id::QuestionId;
use crate::interrupt::TypedAnswer;
use crate::node::NodeMeta;
use crate::observe::EventKind;
use crate::store::{Page, Query, QuestionRow};
use crate::token::{Claims, KeyRing, Token, TokenError};

/// The largest answer that is taken for a token, in bytes of JSON: who holds one may be anybody.
pub const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// How long one `notify` may take; then it is tried again.
const NOTIFY: Duration = Duration::from_secs(60);

/// An answer for a token: JSON as it came, `{"action": "accept", "content": ..}`, or a typed one.
#[derive(Clone)]
pub struct AnyAnswer {
    kind: Option<&'static str>,
    answer: Result<serde_json::Value, String>,
}

// What is answered is not shown.
impl fmt::Debug for AnyAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyAnswer").field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl From<serde_json::Value> for AnyAnswer {
    fn from(answer: serde_json::Value) -> Self {
        Self { kind: None, answer: Ok(answer) }
    }
}

impl From<TypedAnswer> for AnyAnswer {
    fn from(answer: TypedAnswer) -> Self {
        Self { kind: Some(answer.kind), answer: answer.answer }
    }
}

/// An answer that a token brought: durable, and not driven yet.
#[derive(Debug)]
#[non_exhaustive]
pub struct Redeemed<G: Graph> {
    /// The thread that the token was for: `thread.proceed()` drives it on.
    pub thread: Thread<G>,
    /// What came of it.
    pub answered: Answered,
}

impl<G: Graph> App<G> {
    /// Takes the answer of somebody who holds a token, in one commit, and runs nothing: [`crate::Thread::proceed`] or
    /// `app.work()` goes on. The commit spends the token. An answer has at most [`MAX_ANSWER_BYTES`]; what trusted code gives to
    /// [`Thread::answer`] is bounded by what a store takes.
    ///
    /// Cancel safe: the commit was made or was not.
    ///
    /// # Errors
    /// [`TokenError`], each with an HTTP status. Whatever is refused leaves question and token as they were.
    pub fn redeem<A: Into<AnyAnswer>>(
        &self,
        token: &Token,
        answer: A,
    ) -> impl Future<Output = Result<Redeemed<G>, TokenError>> + Send + use<G, A> {
        let (app, verified) = (self.clone(), self.verify(token, answer.into()));
        async move {
            let (claims, answering) = verified?;
            let foreign = claims.scope != app.inner.desk.scope_hash;
            let app = if foreign { app.in_scope(claims.scope) } else { app };
            let desk = &app.inner.desk;
            let key = desk.key_of(claims.uid);
            let view = load::<G>(desk, &key).await?;
            let name = view.there()?.name.clone();
            if let Some(loaded) = view.loaded {
                desk.recent.put(desk.scope_hash, loaded, view.image);
            }
            let (taken, appended) = engine::answer::<G>(desk, &key, &[answering], None).await?;
            let audit = foreign.then(|| EventKind::Custom { name: "answered_across_scopes".to_owned(), content: serde_json::Value::Null });
            announce(&app, &name, &taken, appended, audit);
            let answered = answered(&app, &name, taken, appended);
            let thread = app.thread(name.as_str());
            Ok(Redeemed { thread, answered })
        }
    }

    fn verify(&self, token: &Token, answer: AnyAnswer) -> Result<(Claims, Answering), TokenError> {
        let keys = self.inner.settings.keys.as_ref().ok_or(TokenError::NoKeys)?;
        let claims = keys.verify(token, self.inner.desk.clock.now())?;
        claims.check_graph(<G as NodeMeta>::NAME)?;
        claims.check_time(self.inner.desk.clock.now())?;
        if !self.inner.settings.across_scopes {
            claims.check_scope(self.inner.desk.scope_hash)?;
        }
        let json = answer.answer.map_err(|error| TokenError::BadAnswer(BadAnswer::new(error)))?;
        if engine::is_too_deep(&json) {
            return Err(TokenError::BadAnswer(BadAnswer::new(CodecError::TooDeep.to_string())));
        }
        let bytes = json.to_string().len();
        if bytes > MAX_ANSWER_BYTES {
            return Err(TokenError::Run(RunError::TooLarge { bytes, limit: MAX_ANSWER_BYTES }));
        }
        let answering = Answering {
            question: claims.question,
            generation: claims.generation,
            kind: answer.kind,
            digest: Some(claims.digest),
            answer: json,
        };
        Ok((claims, answering))
    }

    /// The token of a question that is open: made of the stored question, so it is the same each time, in any process
    /// that has the keys.
    ///
    /// # Errors
    /// [`TokenError::NoKeys`], [`TokenError::Lost`] if there is no such question, [`TokenError::Superseded`] if it is
    /// not open any more, or the store's.
    pub fn token<T: Into<String>>(
        &self,
        thread: T,
        question: QuestionId,
    ) -> impl Future<Output = Result<Token, TokenError>> + Send + use<G, T> {
        let (app, thread) = (self.clone(), self.thread(thread));
        async move {
            let desk = &app.inner.desk;
            let keys = app.inner.settings.keys.clone().ok_or(TokenError::NoKeys)?;
            let name = thread.id().map_err(RunError::from)?.clone();
            let view = load::<G>(desk, &desk.key(&name)).await?;
            let uid = view.there()?.uid;
            let row = desk.store.question(desk.scope_hash, uid, question).await.map_err(RunError::from)?;
            let row = row.ok_or(TokenError::Lost)?;
            if row.state != crate::store::QuestionState::Open {
                return Err(TokenError::Superseded);
            }
            Ok(sign::<G>(&keys, &row, desk.scope_hash))
        }
    }

    /// Delivers what waits in the outbox: calls `notify` of each interrupt, at least once, and of several at once, so that
    /// one that hangs holds up nobody else.
    pub(super) async fn deliver(&self, swept: &mut Swept) -> Result<(), RunError> {
        let Some(keys) = self.inner.settings.keys.clone() else { return Ok(()) };
        let mut page = Page { after: None, limit: 1000 };
        let mut telling = JoinSet::new();
        let mut count = |told| match told {
            Ok(Ok(told)) => swept.delivered += usize::from(told),
            Ok(Err(())) | Err(_) => swept.failed += 1,
        };
        loop {
            let listing = self.inner.desk.store.list(&Query::Outbox, page.clone()).await?;
            for row in listing.questions {
                if row.graph.name != <G as NodeMeta>::NAME {
                    continue;
                }
                if telling.len() >= AT_ONCE
                    && let Some(told) = telling.join_next().await
                {
                    count(told);
                }
                telling.spawn(self.clone().tell(Arc::clone(&keys), row));
            }
            match listing.next {
                Some(next) => page.after = Some(next),
                None => break,
            }
        }
        while let Some(told) = telling.join_next().await {
            count(told);
        }
        Ok(())
    }

    /// Whether somebody was told: not if the question is not open any more.
    async fn tell(self, keys: Arc<KeyRing>, row: QuestionRow) -> Result<bool, ()> {
        let told = tokio::time::timeout(NOTIFY, self.notify(&keys, &row)).await;
        let told = told.unwrap_or_else(|_| Err(NodeError::transient(format!("`notify` was not done within {NOTIFY:?}"))));
        let kept = match told {
            Ok(true) => self.inner.desk.store.delivered(row.uid, row.question.id, row.question.generation).await.map_err(NodeError::from),
            Ok(false) => return Ok(false),
            Err(error) => Err(error),
        };
        kept.map(|()| true).map_err(|error| {
            let place = row.question.place;
            tracing::warn!(target: "graphwright", %error, place, "`notify` failed; the next sweep tries again");
        })
    }

    async fn notify(&self, keys: &KeyRing, row: &QuestionRow) -> Result<bool, NodeError> {
        let app = self.in_scope(row.scope);
        let desk = &app.inner.desk;
        let view = load::<G>(desk, &desk.key_of(row.uid)).await?;
        let mut image = view.image;
        let Some(address) = image.asking(&row.question) else { return Ok(false) };
        let stored: StoredQuestion = decode(&row.question.body)?;
        let token = sign::<G>(keys, row, row.scope);
        let call = super::session::Call::default();
        let info = super::session::run_info(&app.inner, &call, &image, image.turn.run, Some(row.thread.clone()), row.uid);
        let mut cx = Context::new(Arc::clone(&app.inner.deps), info);
        let Some(leaf) = image.root.leaf(address.branches()) else { return Ok(false) };
        cx.begin_telling(leaf.spot(), (row.question.id, row.question.generation));
        let Some(told) = leaf.notify(&stored.asked, &token, &cx) else { return Ok(false) };
        engine::caught(told).await??;
        Ok(true)
    }
}

fn sign<G: Graph>(keys: &KeyRing, row: &QuestionRow, scope: crate::id::ScopeHash) -> Token {
    keys.sign(&Claims {
        uid: row.uid,
        question: row.question.id,
        generation: row.question.generation,
        scope,
        graph: Claims::graph_hash(<G as NodeMeta>::NAME),
        digest: row.question.digest,
        issued: row.opened_at,
        expires: row.question.expires,
    })
}
