//! What a reader of a stream wants to hear: filters over the one event type.

use super::{Event, EventKind};

/// A kind of events. The first and the last event of a run belong to none, and come in every stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// The whole state: at the start, and whenever the root's has changed. Only for streams that ask for it.
    Values,
    /// The update of each step. Only for streams that ask for it.
    Updates,
    /// What models say, piece by piece, the tools that they call, and what that costs.
    Messages,
    /// Events of the user's own, and the progress of tools.
    Custom,
    /// Places and tools that begin, end and fail, and the ways between.
    Tasks,
    /// What is durable: commits, questions, pauses.
    Checkpoints,
}

impl EventKind {
    /// The mode that it belongs to; none for the first and the last event of a run.
    #[must_use]
    pub fn mode(&self) -> Option<Mode> {
        Some(match self {
            Self::RunStarted { .. } | Self::RunEnded { .. } => return None,
            Self::State { .. } => Mode::Values,
            Self::Updated { .. } => Mode::Updates,
            Self::ModelStarted { .. }
            | Self::ModelEnded { .. }
            | Self::TextDelta { .. }
            | Self::ThinkingDelta { .. }
            | Self::ToolCallStarted { .. }
            | Self::ToolCallDelta { .. }
            | Self::RewriteDropped { .. }
            | Self::Usage(_) => Mode::Messages,
            Self::Custom { .. } | Self::ToolProgress { .. } => Mode::Custom,
            Self::NodeStarted { .. }
            | Self::NodeEnded { .. }
            | Self::NodeFailed { .. }
            | Self::Cached { .. }
            | Self::EdgeTaken { .. }
            | Self::ToolStarted { .. }
            | Self::ToolEnded { .. } => Mode::Tasks,
            Self::Committed { .. }
            | Self::Paused { .. }
            | Self::Resumed { .. }
            | Self::AskUserQuestion { .. }
            | Self::AskUserAnswered { .. }
            | Self::AskUserExpired { .. } => Mode::Checkpoints,
        })
    }
}

impl Event {
    /// Whether it comes from this place, or from inside of the branch or the mounted graph of this name.
    #[must_use]
    pub fn is_within(&self, name: &str) -> bool {
        self.path.split('/').any(|segment| segment == name || segment.split_once(':').is_some_and(|(_, key)| key == name))
    }
}

/// What a stream takes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    /// Everything but what is in the state, if none.
    pub(crate) modes: Option<Vec<Mode>>,
    pub(crate) within: Option<String>,
}

impl Filter {
    /// Whether it asks for a mode by its name.
    pub(crate) fn asks_for(&self, mode: Mode) -> bool {
        self.modes.as_ref().is_some_and(|modes| modes.contains(&mode))
    }

    pub(super) fn takes(&self, event: &Event) -> bool {
        let Some(mode) = event.kind.mode() else { return true };
        let wanted = match &self.modes {
            None => !matches!(mode, Mode::Values | Mode::Updates),
            Some(modes) => modes.contains(&mode),
        };
        wanted && self.within.as_ref().is_none_or(|name| event.is_within(name))
    }
}
