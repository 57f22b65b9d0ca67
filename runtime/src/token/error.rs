//! Why a token was refused.

use crate::app::RunError;
use crate::error::BadAnswer;
use crate::store::{Seq, StoreError};

/// Why a token was refused, or the answer that came with it. The question is as it was, and so is the token.
///
/// No text of it tells anything of a thread that the token is not for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// It is no token, was changed, was signed with a key that is not or no longer known, or is of another kind.
    #[error("this is no valid token: take the link or the text as it was sent, or ask for a new one")]
    Invalid,
    /// The question's time is up.
    #[error("the question could be answered until a time that has passed: `{setting}` of its place sets it; `reissue` gives a new token")]
    Expired {
        /// What sets the time.
        setting: &'static str,
    },
    /// It is for another scope.
    #[error("this token is not for this scope: redeem it with the app of the scope that it was issued for")]
    Forbidden,
    /// The question was answered before.
    #[error(
        "the question was answered before, at row {seq}, {}",
        if *.same_answer { "with this answer: there is nothing more to do" } else { "with another answer, which stands" }
    )]
    Spent {
        /// Whether that answer was the same: then a client that lost the reply may take it for its own.
        same_answer: bool,
        /// The row of that answer.
        seq: Seq,
    },
    /// The question was given up or asked anew, or the token was voided by another one.
    #[error("the question is no longer open as it was asked: see what the thread waits for now, with `app.pending(..)`")]
    Superseded,
    /// The thread is gone.
    #[error("the thread of this token is gone: it was deleted, or kept in `Memory`, which ends with its process; use a durable store")]
    Lost,
    /// The answer does not fit. The token can be used again.
    #[error(transparent)]
    BadAnswer(#[from] BadAnswer),
    /// The answer is typed for another interrupt.
    #[error("the answer is for `{given}`, and the question was asked by `{asked}`: answer with `{asked}::answer(..)`")]
    WrongInterrupt {
        /// Who asked.
        asked: &'static str,
        /// For whom the answer is.
        given: &'static str,
    },
    /// The thread waits at a place that this build of the graph does not have, or asks otherwise.
    #[error("`{graph}` has changed under the thread: {what}; redeem the token with a build that knows the place")]
    GraphChanged {
        /// The graph.
        graph: &'static str,
        /// What does not fit.
        what: String,
    },
    /// The app has no keys.
    #[error("the app has no keys to verify tokens with: give it some with `app.keys(..)`")]
    NoKeys,
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
    /// The answer is taken or not for a reason that has nothing to do with the token.
    #[error(transparent)]
    Run(RunError),
}

impl TokenError {
    pub(super) const fn expired() -> Self {
        Self::Expired { setting: "expires(..)" }
    }

    /// The status code with which a server says it: BEHAVIOUR's table.
    #[must_use]
    pub fn status(&self) -> u16 {
        match self {
            Self::WrongInterrupt { .. } => 400,
            Self::Invalid => 401,
            Self::Forbidden => 403,
            Self::Lost => 404,
            Self::Superseded | Self::GraphChanged { .. } => 409,
            Self::Expired { .. } | Self::Spent { .. } => 410,
            Self::BadAnswer(_) => 422,
            Self::NoKeys => 500,
            Self::Store(_) => 503,
            Self::Run(error) => error.status(),
        }
    }
}

impl From<RunError> for TokenError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::BadAnswer(bad) => Self::BadAnswer(bad),
            RunError::Spent { same_answer, seq } => Self::Spent { same_answer, seq },
            RunError::Expired => Self::expired(),
            RunError::Superseded => Self::Superseded,
            RunError::NoThread | RunError::NoQuestion => Self::Lost,
            RunError::WrongInterrupt { asked, given } => Self::WrongInterrupt { asked, given },
            RunError::GraphChanged { graph, what } => Self::GraphChanged { graph, what },
            RunError::OtherGraph { .. } => Self::Invalid,
            RunError::Store(error) => Self::Store(error),
            other => Self::Run(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_has_its_status() {
        let cases: [(TokenError, u16); 14] = [
            (TokenError::Invalid, 401),
            (TokenError::expired(), 410),
            (TokenError::Forbidden, 403),
            (RunError::Spent { same_answer: true, seq: 3 }.into(), 410),
            (RunError::Expired.into(), 410),
            (RunError::Superseded.into(), 409),
            (RunError::NoThread.into(), 404),
            (RunError::BadAnswer(BadAnswer::new("too much")).into(), 422),
            (RunError::WrongInterrupt { asked: "Approve", given: "Review" }.into(), 400),
            (RunError::GraphChanged { graph: "Refunds", what: "`approve` is gone".into() }.into(), 409),
            (TokenError::NoKeys, 500),
            (RunError::Store(StoreError::Full).into(), 503),
            (RunError::Unknown.into(), 503),
            (RunError::Displaced.into(), 409),
        ];
        for (error, status) in cases {
            assert_eq!(error.status(), status, "{error}");
        }
    }

    #[test]
    fn a_client_that_lost_the_reply_can_tell() {
        let said = |same_answer| TokenError::Spent { same_answer, seq: 3 }.to_string();
        assert_eq!(said(true), "the question was answered before, at row 3, with this answer: there is nothing more to do");
        assert_eq!(said(false), "the question was answered before, at row 3, with another answer, which stands");
    }
}
