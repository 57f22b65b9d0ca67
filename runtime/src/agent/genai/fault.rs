//! From the errors of `genai` to ours, without keys and addresses in them.

use std::error::Error;
use std::time::Duration;

use genai::webc::StreamTimeout;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;

use crate::agent::model::ModelError;
use crate::error::Class;

/// So much of what a server says is enough.
const MAX_MESSAGE: usize = 300;

/// Makes errors of one model.
pub(super) struct Fault<'a> {
    pub(super) model: &'a str,
    /// Taken out of every text.
    pub(super) key: Option<&'a str>,
}

impl Fault<'_> {
    pub(super) fn of(&self, error: genai::Error) -> ModelError {
        use genai::Error as E;
        let model = self.model.to_owned();
        match error {
            E::HttpError { status, body, headers, .. } => self.status(status, &body, &headers),
            E::WebModelCall { webc_error, .. } | E::WebAdapterCall { webc_error, .. } => self.web(webc_error),
            E::WebStream { error, .. } => self.stream(error),
            E::StreamParse { serde_error, .. } | E::SerdeJson(serde_error) => self.malformed(&serde_error.to_string()),
            E::JsonValueExt(error) => self.malformed(&error.to_string()),
            E::InvalidJsonResponseElement { info } => self.malformed(info),
            E::ChatResponse { body, .. } => self.other(&self.said(&body.to_string()), Class::Unknown),
            E::RequiresApiKey { .. } | E::NoAuthResolver { .. } | E::NoAuthData { .. } => {
                ModelError::Unauthorized { model, hint: "there is none: give one with `api_key`".to_owned() }
            }
            E::Resolver { resolver_error: genai::resolver::Error::ApiKeyEnvNotFound { env_name }, .. } => ModelError::Unauthorized {
                model,
                hint: format!("there is none: set the variable `{env_name}`, or give one with `api_key`"),
            },
            // These texts hold addresses.
            E::Internal(_) => self.other("its address is no URL", Class::Fatal),
            other => self.other(&self.shown(&other.to_string()), Class::Unknown),
        }
    }

    pub(super) fn other(&self, text: &str, class: Class) -> ModelError {
        ModelError::Other { model: self.model.to_owned(), source: text.into(), class }
    }

    fn malformed(&self, what: &str) -> ModelError {
        ModelError::Malformed { model: self.model.to_owned(), what: self.shown(what) }
    }

    fn web(&self, error: genai::webc::Error) -> ModelError {
        use genai::webc::Error as E;
        match error {
            E::ResponseFailedStatus { status, body, headers } => self.status(status, &body, &headers),
            E::Reqwest(error) => self.transport(&error),
            E::ResponseFailedInvalidJson { cause, .. } => self.malformed(&cause),
            E::ResponseFailedNotJson { content_type, .. } => self.malformed(&format!("it is `{content_type}`")),
            E::JsonValueExt(error) => self.malformed(&error.to_string()),
        }
    }

    fn stream(&self, error: genai::BoxError) -> ModelError {
        if error.is::<StreamTimeout>() {
            return ModelError::TimedOut { model: self.model.to_owned() };
        }
        match error.downcast::<genai::Error>() {
            Ok(error) => self.of(*error),
            Err(error) => match error.downcast_ref::<reqwest::Error>() {
                Some(error) => self.transport(error),
                None => self.malformed(&error.to_string()),
            },
        }
    }

    fn transport(&self, error: &reqwest::Error) -> ModelError {
        let model = self.model.to_owned();
        if error.is_timeout() {
            return ModelError::TimedOut { model };
        }
        if error.is_builder() {
            return self.other("its address or its key cannot be sent", Class::Fatal);
        }
        // The innermost cause: those around it hold the address.
        let mut cause: &dyn Error = error;
        while let Some(inner) = cause.source() {
            cause = inner;
        }
        let cause = if cause.is::<reqwest::Error>() { "the connection failed".to_owned() } else { self.shown(&cause.to_string()) };
        ModelError::Unreachable { model, cause }
    }

    fn status(&self, status: StatusCode, body: &str, headers: &HeaderMap) -> ModelError {
        let model = self.model.to_owned();
        match status.as_u16() {
            // Servers repeat the key here, or part of it.
            code @ (401 | 403) => {
                ModelError::Unauthorized { model, hint: format!("HTTP {code}: is it the right one, and good for this model?") }
            }
            408 | 504 => ModelError::TimedOut { model },
            429 => ModelError::RateLimited { model, retry_after: retry_after(headers) },
            code @ 500.. => ModelError::Server { model, status: code, message: self.said(body) },
            code @ 300..=399 => ModelError::Refused { model, status: code, message: "redirects are not followed".to_owned() },
            code => ModelError::Refused { model, status: code, message: self.said(body) },
        }
    }

    /// The message in what a server says, wherever it puts it.
    fn said(&self, body: &str) -> String {
        let json: Value = serde_json::from_str(body).unwrap_or_default();
        let message = ["/error/message", "/message", "/error"].iter().find_map(|at| json.pointer(at)?.as_str());
        self.shown(message.unwrap_or(body))
    }

    /// A text from outside: no key, no control characters, not long.
    fn shown(&self, text: &str) -> String {
        let text = match self.key {
            Some(key) if !key.is_empty() => text.replace(key, "(key)"),
            _ => text.to_owned(),
        };
        text.trim().chars().take(MAX_MESSAGE).map(|c| if c.is_control() || crate::id::is_bidi_or_invisible(c) { ' ' } else { c }).collect()
    }
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds))
}
