//! The tools that a model is offered, and the one place where they are called.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::ask_user::ASK_USER;
use super::message::{Call, ToolResult, ToolSpec, ToolStatus};
use super::tool::{Tool, ToolReturn as _, contain, cut, fit, join, parse, render};
use crate::context::Context;
use crate::observe::{EventKind, Mark};

/// Names that every provider takes.
const MAX_NAME_BYTES: usize = 64;

/// A tool's own error, as the model reads it.
const MAX_ERROR_BYTES: usize = 4096;

/// Calls of one message that run at the same time.
const AT_ONCE: usize = 8;

type Run<D> = for<'a> fn(Value, &'a Context<D>) -> Pin<Box<dyn Future<Output = Result<String, String>> + Send + 'a>>;

struct Entry<D> {
    spec: Arc<ToolSpec>,
    run: Run<D>,
}

/// Tools over dependencies `D`, each name once. Cheap to clone. [`toolset!`](crate::toolset) makes one.
///
/// ```
/// use graphwright::agent::{ToolError, Toolset};
/// use graphwright::{tool, toolset};
///
/// /// Tells how late the train is.
/// #[tool]
/// async fn delay() -> Result<String, ToolError> { Ok("five minutes".to_owned()) }
///
/// let tools: Toolset<()> = toolset![delay]?;
/// assert_eq!(tools.names().collect::<Vec<_>>(), ["delay"]);
/// # Ok::<(), graphwright::agent::ToolsetError>(())
/// ```
pub struct Toolset<D> {
    entries: Arc<Vec<Entry<D>>>,
}

/// Why a tool cannot be in a toolset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToolsetError {
    /// Two tools share a name.
    #[error("two tools are called `{name}`: give one of them another name")]
    Duplicate {
        /// The name.
        name: &'static str,
    },
    /// The name is that of the built-in question to the user.
    #[error("no tool may be called `ask_user`: that is the built-in question to the user")]
    Reserved,
    /// Providers would refuse the name.
    #[error("`{name}` cannot name a tool: use 1 to {MAX_NAME_BYTES} ASCII letters, digits, `_` and `-`")]
    Name {
        /// The name.
        name: &'static str,
    },
    /// The arguments are no object, so that a model cannot name them.
    #[error("the arguments of `{name}` are no struct with named fields: models send an object")]
    Arguments {
        /// The tool.
        name: &'static str,
    },
}

impl<D> Toolset<D> {
    /// No tools yet.
    #[must_use]
    pub fn new() -> Self {
        Self { entries: Arc::default() }
    }

    /// The tools as a model is told of them, in the order given.
    pub fn specs(&self) -> impl Iterator<Item = &Arc<ToolSpec>> {
        self.entries.iter().map(|entry| &entry.spec)
    }

    /// Their names, in the order given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.specs().map(|spec| spec.name.as_str())
    }
}

impl<D: Send + Sync + 'static> Toolset<D> {
    /// And this tool.
    ///
    /// # Errors
    /// [`ToolsetError`] if its name is taken, reserved or not one that providers take, or if its arguments are no object.
    pub fn with<T: Tool<D>>(mut self) -> Result<Self, ToolsetError> {
        let name = T::NAME;
        if name == ASK_USER {
            return Err(ToolsetError::Reserved);
        }
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if name.is_empty() || name.len() > MAX_NAME_BYTES || !name.bytes().all(fits) {
            return Err(ToolsetError::Name { name });
        }
        if self.names().any(|other| other == name) {
            return Err(ToolsetError::Duplicate { name });
        }
        let entry = Entry { spec: Arc::new(spec::<D, T>()?), run: run::<D, T> };
        let mut entries: Vec<Entry<D>> = self.entries.iter().map(Entry::clone).collect();
        entries.push(entry);
        self.entries = Arc::new(entries);
        Ok(self)
    }

    /// Runs one call. Whatever goes wrong is in the result, for the model to read: there is no such tool, its arguments
    /// do not fit, it failed, it panicked.
    ///
    /// Tells [`EventKind::ToolStarted`] and [`EventKind::ToolEnded`], also when it is dropped halfway.
    pub async fn call(&self, call: &Call, cx: &Context<D>) -> ToolResult {
        let done = self.try_call(call, cx).await;
        let (status, content) = match done {
            Ok(content) => (ToolStatus::Ok, content),
            Err(fault) => (ToolStatus::Error, format!("error: {fault}")),
        };
        ToolResult::new(call, status, content)
    }

    /// Runs every call, some at a time, in this task; the results are in the order of the calls.
    pub async fn call_all<'a>(&self, calls: impl IntoIterator<Item = &'a Call>, cx: &Context<D>) -> Vec<ToolResult> {
        // Made first: a closure held over an await makes this future one that rustc cannot prove `Send`.
        let runs: Vec<_> = calls.into_iter().map(|call| self.call(call, cx)).collect();
        join(AT_ONCE, runs).await
    }

    async fn try_call(&self, call: &Call, cx: &Context<D>) -> Result<String, String> {
        let entry = self.entries.iter().find(|entry| entry.spec.name == call.name).ok_or_else(|| self.unknown(&call.name))?;
        fit(&call.arguments)?;
        let cx = cx.for_call(&call.id);
        let (id, tool) = (call.id.clone(), call.name.clone());
        let start = EventKind::ToolStarted { call: id.clone(), tool: tool.clone() };
        let span = cx.span(start, move |outcome| EventKind::ToolEnded { call: id, tool, outcome }).await;
        let done = contain((entry.run)(call.arguments.clone(), &cx)).await;
        // What it panicked with may hold anything: it stays with the panic hook.
        let done = done.unwrap_or_else(|_| Err("the tool failed inside; calling it again the same way will not help".to_owned()));
        span.end(if done.is_ok() { Mark::Completed } else { Mark::Failed });
        done
    }

    fn unknown(&self, name: &str) -> String {
        if name == ASK_USER {
            return "nobody was asked: the user cannot be asked here; go on without asking".to_owned();
        }
        let name = cut(name.escape_debug().to_string(), MAX_NAME_BYTES);
        let known: Vec<&str> = self.names().collect();
        match known.as_slice() {
            [] => format!("there is no tool `{name}`, and no other either: answer without one"),
            known => format!("there is no tool `{name}`; there are: {}", known.join(", ")),
        }
    }
}

/// Made once per tool and toolset.
fn spec<D, T: Tool<D>>() -> Result<ToolSpec, ToolsetError> {
    let mut settings = SchemaSettings::draft2020_12();
    // Models read one object better than references, and some providers take no others.
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T::Args>();
    schema.remove("title");
    let arguments = ToolsetError::Arguments { name: T::NAME };
    if schema.get("type").and_then(Value::as_str).is_some_and(|kind| kind != "object") {
        return Err(arguments);
    }
    let schema = serde_json::value::to_raw_value(&schema).map_err(|_| arguments)?;
    Ok(ToolSpec { name: T::NAME.to_owned(), description: T::DESCRIPTION.to_owned(), schema })
}

/// One tool without its types.
fn run<'a, D: Send + Sync, T: Tool<D>>(
    arguments: Value,
    cx: &'a Context<D>,
) -> Pin<Box<dyn Future<Output = Result<String, String>> + Send + 'a>> {
    Box::pin(async move {
        let arguments = parse::<T::Args>(arguments)?;
        let output = T::call(arguments, cx).await.into_result().map_err(|error| cut(error.to_string(), MAX_ERROR_BYTES))?;
        render(&output)
    })
}

impl<D> Clone for Entry<D> {
    fn clone(&self) -> Self {
        Self { spec: Arc::clone(&self.spec), run: self.run }
    }
}

impl<D> Clone for Toolset<D> {
    fn clone(&self) -> Self {
        Self { entries: Arc::clone(&self.entries) }
    }
}

impl<D> Default for Toolset<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D> fmt::Debug for Toolset<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// Dependencies that have tools: what the ready-made nodes ask for.
#[diagnostic::on_unimplemented(
    message = "the dependencies `{Self}` have no tools",
    label = "`HasTools` is missing",
    note = "implement it: `impl HasTools for {Self} {{ fn tools(&self) -> &Toolset<Self> {{ &self.tools }} }}`"
)]
pub trait HasTools: Sized {
    /// The tools.
    fn tools(&self) -> &Toolset<Self>;
}

/// Makes a [`Toolset`](crate::agent::Toolset) of tools by name: `toolset![look_up_order, quote_refund]?`.
///
/// It is a `Result`: a name that is there twice, or reserved, is a [`ToolsetError`](crate::agent::ToolsetError).
#[macro_export]
macro_rules! toolset {
    ($($tool:ty),* $(,)?) => {
        ::core::result::Result::<_, $crate::agent::ToolsetError>::Ok($crate::agent::Toolset::new())
            $(.and_then(|set: $crate::agent::Toolset<_>| set.with::<$tool>()))*
    };
}
