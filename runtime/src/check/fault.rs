//! The kinds of mistakes, and their codes.

/// What is wrong with a place, a fork, a way or a graph.
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
    /// The way leads out of a branch, and not to its join.
    LeavesBranch,
    /// The way leads out of a branch, back to its fork or to one around it.
    OwnFork,
    /// The place stands in two branches of one fork.
    SharedPlace,
    /// The way leads to what ends a branch, and has no way on where this one comes from.
    NoWayHere,
    /// Branches of the fork may write one field at once.
    BothWrite,
    /// A node in a branch of the fork does not say what it writes.
    Undeclared,
    /// The way leads from a model to tools that somebody must approve, and may not have.
    Unapproved,
    /// The way leads from an elicitation to another model than the one that asked.
    AnswerElsewhere,
    /// The place and those around it lead to each other, and nothing counts how often.
    UnboundedLoop,
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
            Self::LeavesBranch => "GW051",
            Self::OwnFork => "GW052",
            Self::SharedPlace => "GW053",
            Self::NoWayHere => "GW054",
            Self::BothWrite => "GW055",
            Self::Undeclared => "GW056",
            Self::Unapproved => "GW057",
            Self::AnswerElsewhere => "GW058",
            Self::UnboundedLoop => "GW059",
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
    ("GW051", "a way out of a branch that does not lead to its join"),
    ("GW052", "a branch that leads back to its own fork"),
    ("GW053", "a place in two branches of one fork"),
    ("GW054", "a way to a place that has no way on there"),
    ("GW055", "branches that write one field at once"),
    ("GW056", "a node in a branch that does not say what it writes"),
    ("GW057", "tools that may run before somebody approved them"),
    ("GW058", "an answer that goes to another model"),
    ("GW059", "a loop without a budget"),
];
