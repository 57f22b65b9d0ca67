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
