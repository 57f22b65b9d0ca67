//! Why a tool cannot be in a toolset.

use super::MAX_NAME_BYTES;

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
    /// A tool that is required, or requires another, is not there.
    #[error("`{name}` is not in the toolset: put it in before you say what it requires, or what requires it")]
    Missing {
        /// The tool.
        name: &'static str,
    },
}
