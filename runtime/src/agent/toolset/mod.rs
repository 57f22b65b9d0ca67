//! The tools that a model is offered.

mod call;
mod error;
mod guard;

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::Value;

pub use error::ToolsetError;
pub use guard::{ToolGuard, Verdict};

pub(in crate::agent) use call::{Came, Leave, ran_before};

use super::approval::ApproveCall;
use super::ask_user::ASK_USER;
use super::message::ToolSpec;
use super::schema::schema_of;
use super::tool::{Fault, Tool, ToolReturn as _, parse, render};
use crate::context::Context;
use crate::error::NodeError;
use crate::token::Token;
use guard::AnyGuard;

/// Names that every provider takes.
const MAX_NAME_BYTES: usize = 64;

/// Calls of one message that run at the same time.
const AT_ONCE: usize = 8;

type Run<D> = for<'a> fn(Value, &'a Context<D>) -> Pin<Box<dyn Future<Output = Result<String, Fault>> + Send + 'a>>;

struct Entry<D> {
    spec: Arc<ToolSpec>,
    /// Tools that must have given a result in an earlier message.
    requires: Vec<&'static str>,
    needs_approval: fn(&Value, &Context<D>) -> bool,
    run: Run<D>,
}

impl<D> Entry<D> {
    /// The first tool that has not run yet and should have.
    fn unmet(&self, ran: &[String]) -> Option<&'static str> {
        self.requires.iter().copied().find(|name| ran.iter().all(|ran| ran != name))
    }
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
    guards: Arc<Vec<Arc<dyn AnyGuard<D>>>>,
}

impl<D> Toolset<D> {
    /// No tools yet.
    #[must_use]
    pub fn new() -> Self {
        Self { entries: Arc::default(), guards: Arc::default() }
    }

    /// The tools as a model is told of them, in the order given.
    pub fn specs(&self) -> impl Iterator<Item = &Arc<ToolSpec>> {
        self.entries.iter().map(|entry| &entry.spec)
    }

    /// Their names, in the order given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.specs().map(|spec| spec.name.as_str())
    }

    fn entry(&self, name: &str) -> Option<&Entry<D>> {
        self.entries.iter().find(|entry| entry.spec.name == name)
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
        let spec = Arc::new(spec::<D, T>()?);
        let entry = Entry { spec, requires: Vec::new(), needs_approval: needs_approval::<D, T>, run: run::<D, T> };
        self.change().push(entry);
        Ok(self)
    }

    /// A call of `T` runs only if `First` gave a result in an earlier message of the conversation. A call that failed, was
    /// refused or was not executed gave none, and neither did one of the same message.
    ///
    /// ```
    /// # use graphwright::agent::{ToolError, Toolset};
    /// # use graphwright::{tool, toolset};
    /// # #[tool] fn look_up_order() -> Result<String, ToolError> { Ok(String::new()) }
    /// # #[tool] fn issue_refund() -> Result<String, ToolError> { Ok(String::new()) }
    /// let tools: Toolset<()> = toolset![look_up_order, issue_refund]?.requires::<issue_refund, look_up_order>()?;
    /// # Ok::<(), graphwright::agent::ToolsetError>(())
    /// ```
    ///
    /// # Errors
    /// [`ToolsetError::Missing`] if one of them is not in the set.
    pub fn requires<T: Tool<D>, First: Tool<D>>(mut self) -> Result<Self, ToolsetError> {
        for name in [T::NAME, First::NAME] {
            self.entry(name).ok_or(ToolsetError::Missing { name })?;
        }
        if let Some(entry) = self.change().iter_mut().find(|entry| entry.spec.name == T::NAME) {
            entry.requires.push(First::NAME);
        }
        Ok(self)
    }

    /// And this guard, behind those that are there: it is asked before any tool of the set runs.
    #[must_use]
    pub fn guarded(mut self, guard: impl ToolGuard<D>) -> Self {
        Arc::make_mut(&mut self.guards).push(Arc::new(guard));
        self
    }

    fn change(&mut self) -> &mut Vec<Entry<D>> {
        Arc::make_mut(&mut self.entries)
    }
}

/// Made once per tool and toolset.
fn spec<D, T: Tool<D>>() -> Result<ToolSpec, ToolsetError> {
    let schema = schema_of::<T::Args>();
    let arguments = ToolsetError::Arguments { name: T::NAME };
    if schema.get("type").and_then(Value::as_str).is_some_and(|kind| kind != "object") {
        return Err(arguments);
    }
    let schema = serde_json::value::to_raw_value(&schema).map_err(|_| arguments)?;
    Ok(ToolSpec { name: T::NAME.to_owned(), description: T::DESCRIPTION.to_owned(), schema })
}

/// Arguments that do not fit never reach the tool: there is nothing to approve.
fn needs_approval<D, T: Tool<D>>(arguments: &Value, cx: &Context<D>) -> bool {
    parse::<T::Args>(arguments.clone()).is_ok_and(|arguments| T::needs_approval(&arguments, cx))
}

/// One tool without its types.
fn run<'a, D: Send + Sync, T: Tool<D>>(
    arguments: Value,
    cx: &'a Context<D>,
) -> Pin<Box<dyn Future<Output = Result<String, Fault>> + Send + 'a>> {
    Box::pin(async move {
        let arguments = parse::<T::Args>(arguments).map_err(Fault::Failed)?;
        let output = T::call(arguments, cx).await.into_result()?;
        render(&output).map_err(Fault::Failed)
    })
}

impl<D> Clone for Entry<D> {
    fn clone(&self) -> Self {
        Self { spec: Arc::clone(&self.spec), requires: self.requires.clone(), needs_approval: self.needs_approval, run: self.run }
    }
}

impl<D> Clone for Toolset<D> {
    fn clone(&self) -> Self {
        Self { entries: Arc::clone(&self.entries), guards: Arc::clone(&self.guards) }
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

    /// Who should decide on a call that needs an approval: labels for inboxes.
    fn approvers(&self, _asked: &ApproveCall) -> Vec<String> {
        Vec::new()
    }

    /// Tells the outside world that a call waits for somebody, after the commit, at least once; the token answers it.
    fn notify_approvers(_asked: &ApproveCall, _token: &Token, _cx: &Context<Self>) -> impl Future<Output = Result<(), NodeError>> + Send {
        std::future::ready(Ok(()))
    }
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
