//! Models of real providers, through the crate `genai`.

mod calls;
mod fault;
mod message;
mod request;

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use futures_core::Stream as _;
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatResponseFormat, ChatStream, ChatStreamEvent, JsonSpec, StreamEnd};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ServiceTarget, WebConfig};
use serde_json::Value;

use super::model::{BoxFuture, ChatRequest, ModelError, ModelProvider, Part, Parts, ReplyFormat};
use crate::error::Class;
use crate::usage::Usage;
use calls::Calls;
use fault::Fault;

pub use message::NotOurs;

/// A provider that takes longer than this for a connection is not there.
const CONNECT: Duration = Duration::from_secs(10);

/// A model of a real provider: by its name, or of any server that speaks OpenAI's chat protocol.
///
/// ```
/// use graphwright::agent::{GenaiModel, Model};
/// // Of a provider that the name tells; the key is in the provider's usual variable, here `ANTHROPIC_API_KEY`.
/// let claude = Model::new(GenaiModel::new("claude-sonnet-4-5"));
/// // Of a server of one's own.
/// let local = Model::new(GenaiModel::new("smollm2").base_url("http://127.0.0.1:8091/v1/"));
/// # let _ = (claude, local);
/// ```
///
/// Redirects are not followed, so that no key is sent where it was not meant to go. The proxies of the environment
/// (`HTTPS_PROXY` and the like) are used.
#[derive(Clone)]
pub struct GenaiModel {
    name: String,
    base_url: Option<String>,
    key: Option<String>,
    silence: Duration,
    temperature: Option<f64>,
    max_tokens: Option<u32>,
    client: Result<Client, String>,
}

impl GenaiModel {
    /// Of the provider that the name tells; `provider::name` tells it where the name alone does not, as in
    /// `groq::llama-3.3-70b-versatile`.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            base_url: None,
            key: None,
            silence: Duration::from_secs(120),
            temperature: None,
            max_tokens: None,
            client: client(),
        }
    }

    /// Of this server, which speaks OpenAI's chat protocol: `http://127.0.0.1:8091/v1/`. It gets no key unless
    /// [`GenaiModel::api_key`] gives one.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        let url = url.into();
        // Without the slash, `chat/completions` would take the place of the last segment.
        self.base_url = Some(if url.ends_with('/') { url } else { url + "/" });
        self
    }

    /// With this key, in place of the environment's.
    #[must_use]
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Gives up when the server says nothing for so long, before its answer or within it. Two minutes unless said.
    #[must_use]
    pub fn max_silence(mut self, silence: Duration) -> Self {
        self.silence = silence;
        self
    }

    /// How free the model is in its choice of words: 0.0 to 2.0, and the provider's default unless said.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// The longest reply, in tokens; the provider's default unless said.
    #[must_use]
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// Provider, address and key.
    async fn target(&self, client: &Client) -> Result<ServiceTarget, genai::Error> {
        let key = self.key.clone().map(AuthData::Key);
        if let Some(url) = &self.base_url {
            return Ok(ServiceTarget {
                endpoint: Endpoint::from_owned(url.as_str()),
                // The protocol wants one, and never one that was meant for somebody else.
                auth: key.unwrap_or_else(|| AuthData::from_single("none")),
                model: ModelIden::new(AdapterKind::OpenAI, self.name.as_str()),
            });
        }
        let target = client.resolve_service_target(&self.name).await?;
        Ok(ServiceTarget { auth: key.unwrap_or(target.auth), ..target })
    }

    fn options(&self, kind: AdapterKind, format: Option<&ReplyFormat>) -> ChatOptions {
        let mut options = ChatOptions::default()
            .with_capture_usage(true)
            // Only this protocol names calls without arguments nowhere but at the end.
            .with_capture_tool_calls(kind == AdapterKind::OpenAIResp)
            .with_stream_header_timeout(self.silence)
            .with_stream_read_timeout(self.silence);
        options.temperature = self.temperature;
        options.max_tokens = self.max_tokens;
        let schema = format.and_then(|format| Some(JsonSpec::new(&format.name, serde_json::from_str::<Value>(format.schema.get()).ok()?)));
        options.response_format = schema.map(ChatResponseFormat::JsonSpec);
        options
    }

    async fn answer(&self, request: ChatRequest<'_>, out: &mut Parts<'_>) -> Result<(), ModelError> {
        let fault = Fault { model: &self.name, key: self.key.as_deref() };
        let client = self.client.as_ref().map_err(|cause| fault.other(cause.as_str(), Class::Fatal))?;
        let target = self.target(client).await.map_err(|error| fault.of(error))?;
        let options = self.options(target.model.adapter_kind, request.format);
        let response = client.exec_chat_stream(target, request::request(&request), Some(&options)).await;
        let mut stream = response.map_err(|error| fault.of(error))?.stream;
        let mut calls = Calls::default();
        while let Some(event) = next(&mut stream).await {
            match event.map_err(|error| fault.of(error))? {
                ChatStreamEvent::Chunk(chunk) => out.push(Part::Text(chunk.content)).await?,
                ChatStreamEvent::ReasoningChunk(chunk) => out.push(Part::Thinking(chunk.content)).await?,
                ChatStreamEvent::ToolCallChunk(chunk) => {
                    for part in calls.take(chunk.tool_call) {
                        out.push(part).await?;
                    }
                }
                ChatStreamEvent::End(end) => return finish(end, calls, out).await,
                ChatStreamEvent::Start | ChatStreamEvent::ThoughtSignatureChunk(_) | ChatStreamEvent::Heartbeat => {}
            }
        }
        Err(ModelError::CutOff { model: self.name.clone() })
    }
}

async fn finish(end: StreamEnd, mut calls: Calls, out: &mut Parts<'_>) -> Result<(), ModelError> {
    if let Some(usage) = &end.captured_usage {
        let tokens = |count: Option<i32>| count.and_then(|count| u64::try_from(count).ok()).unwrap_or(0);
        out.push(Part::Usage(Usage::new(tokens(usage.prompt_tokens), tokens(usage.completion_tokens)))).await?;
    }
    if let Some(stop) = &end.captured_stop_reason {
        out.push(Part::Stop(stop.raw().to_owned())).await?;
    }
    for call in end.captured_into_tool_calls().unwrap_or_default() {
        for part in calls.late(call) {
            out.push(part).await?;
        }
    }
    Ok(())
}

async fn next(stream: &mut ChatStream) -> Option<Result<ChatStreamEvent, genai::Error>> {
    poll_fn(|cx| Pin::new(&mut *stream).poll_next(cx)).await
}

fn client() -> Result<Client, String> {
    let web = WebConfig::default().with_connect_timeout(CONNECT);
    let builder = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    let web = web.apply_to_builder(builder).build().map_err(|error| format!("no client for HTTP: {error}"))?;
    Client::builder().with_reqwest(web).build().map_err(|error| format!("no client: {error}"))
}

impl ModelProvider for GenaiModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn chat<'a>(&'a self, request: ChatRequest<'a>, out: &'a mut Parts<'_>) -> BoxFuture<'a, Result<(), ModelError>> {
        Box::pin(self.answer(request, out))
    }
}

impl fmt::Debug for GenaiModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // No address: it may hold a password.
        f.debug_struct("GenaiModel").field("name", &self.name).finish_non_exhaustive()
    }
}
