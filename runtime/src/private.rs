//! The one door for generated code. Nothing here is stable.

pub use crate::__graph_face as graph_face;
#[cfg(feature = "agent")]
pub use crate::agent::{ConversationDelta, HasConversation, NoArgs, Talk, Tool, ToolError, cap, needs_approval};
pub use crate::check;
pub use crate::context::Context;
pub use crate::contract::{Dependencies, InputOf, OutputOf, SettingsOf, Sound};
#[cfg(debug_assertions)]
pub use crate::engine::read_back;
pub use crate::error::{BadAnswer, NodeError};
pub use crate::graph::{Body, Branch, Came, Flag, Graph, Next, Notified, Out, To};
pub use crate::interrupt::{Answer, Ask, Asks, Interrupt, InterruptEach, Open, OpenRecord, TypedAnswer, notify, resume};
pub use crate::item::{Item, Items, chosen, for_each, load_item, no_item, store_item};
pub use crate::mount::{Entry, Family, Instance, Left, Mount, MountVisitor, Part, Waits, enter_by, leave_by, question};
pub use crate::node::{Accepts, AskedOf, IntoStep, Node, NodeMeta, Refused, Resumed, Step, Then};
pub use crate::placed::{Vacant, misplaced, notified, one_of, resumed, resumed_by, silent, step, step_by};
pub use crate::policy::{self, CacheKey, Policy, Retry};
pub use crate::route::{AnswerKind, Chosen, ChosenKind, Guard, OneWay, PlainRoute, Route, Router, RouterMeta, Set, SomeWays, Unchosen};
pub use crate::state::{
    Anything, Append, AppendDelta, Closing, FieldAt, FieldInfo, FieldSet, Ingest, IntoOption, Kind, Max, Merge, MergeDelta, MergeWith, Min,
    Reducer, Replace, Returns, State, Sum, Update, With, WithDelta, Writes, apply_to, written,
};
pub use crate::token::Token;
pub use crate::topology::told::{tell, warnings};
pub use crate::topology::{Facts, Fork, ForkKind, Lints, Origin, Place, Role, Target, Topology, Way, WayKind};
pub use crate::turn::Turn;
pub use graphwright_macros::graph as graph_macro;
#[cfg(feature = "diagrams")]
pub use graphwright_macros::picture as picture_macro;
pub use std::string::String;
pub use {serde, serde_json};

/// What a place that does not ask holds in `Question<G>`: nothing, so its arm may be left out.
#[derive(Debug, Clone, Copy)]
pub enum Never {}
