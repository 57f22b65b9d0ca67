//! The kinds of mistakes, and their codes.

/// What is wrong with a place, a way or a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// The graph has no `start`.
    NoStart,
    /// The graph has more exits than can be told apart.
    TooManyExits,
    /// Nothing leads from the start to the place.
    Unreachable,
    /// The place and those around it lead to each other, and nothing leads to any of them.
    UnreachableRing,
    /// The place leads nowhere.
    NoWayOut,
    /// The place leads only to `never`.
    OnlyNever,
    /// The place and those around it lead to each other, and nowhere else.
    Ring,
    /// The place asks, and the graph has no elicitation.
    NoElicitation,
    /// The way leads to tools, and the user may not have been asked.
    Unasked,
    /// The place is an elicitation to which nothing leads that asks.
    NothingAsks,
    /// The way leaves an elicitation from which no model and no tools can be reached.
    AnswerIsLost,
}

impl Fault {
    /// Its code; empty for [`Fault::None`].
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::None => "",
            Self::NoStart => "GW040",
            Self::Unreachable => "GW041",
            Self::UnreachableRing => "GW042",
            Self::NoWayOut => "GW043",
            Self::OnlyNever => "GW044",
            Self::Ring => "GW045",
            Self::NoElicitation => "GW046",
            Self::Unasked => "GW047",
            Self::NothingAsks => "GW048",
            Self::AnswerIsLost => "GW049",
            Self::TooManyExits => "GW050",
        }
    }
}

/// Every code of the checker, with what it stands for.
pub const CODES: &[(&str, &str)] = &[
    ("GW040", "a graph without a start"),
    ("GW041", "a place that cannot be reached"),
    ("GW042", "a ring that cannot be reached"),
    ("GW043", "a place without a way out"),
    ("GW044", "a place that leads only to `never`"),
    ("GW045", "a ring without a way out"),
    ("GW046", "a node that asks in a graph without an elicitation"),
    ("GW047", "tools that may run before the user is asked"),
    ("GW048", "an elicitation to which nothing leads that asks"),
    ("GW049", "an elicitation whose answer reaches nobody"),
    ("GW050", "a graph with too many exits"),
];
