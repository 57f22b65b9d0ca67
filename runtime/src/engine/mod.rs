//! Drives a graph: one loop, generic over where a step is made durable.
//!
//! `thread` is a thread in memory: a tree of frames, each of one graph. `change` is one change of it, decided by routers or
//! told by a row, and carried out the same way. `log` is how changes are kept and read. `run` is the loop, and what it hands
//! its steps to: nothing, or a store. Whoever else changes a thread does it by one of `acts`.

mod acts;
mod change;
mod log;
mod run;
mod thread;

pub(crate) use acts::answer::{AnswerTaken, Answering, answer, claimed_by_answer, reissue};
pub(crate) use acts::claim::{Claimed, Proceed, Start, abandon, begin, proceed, start, stop};
pub(crate) use acts::edit::{Edit, edit};
pub(crate) use acts::expire::expire;
pub(crate) use acts::origin::fork;
pub(crate) use acts::recent::Recent;
pub(crate) use acts::registry::{Lease, cancel, drain, ended, owner_is_dead, settle};
pub(crate) use acts::swap::{Desk, fold, load, load_past};
#[cfg(debug_assertions)]
pub use log::check::read_back;
#[cfg(feature = "diagrams")]
pub(crate) use log::follow::{Trace, follow};
pub(crate) use log::names::{find_place, is_mount, name};
#[cfg(feature = "testing")]
pub(crate) use log::replay::{Differs, How, replay};
pub use log::row::CodecError;
pub(crate) use log::row::{StopWhy, StoredQuestion, decode, graph_ref, is_too_deep, raw, without_value};
pub(crate) use log::tale::{Decision, Tale, line};
pub(crate) use log::told::{rests, told};
pub(crate) use run::breaks::Breaks;
pub(crate) use run::drive::{Drive, Ending, caught, caught_now, drive, rest};
pub(crate) use run::durable::Durable;
pub(crate) use run::failure::{Failed, Fault};
pub(crate) use run::journal::{Broken, Volatile};
pub(crate) use run::results::Results;
pub(crate) use run::watch::Beat;
pub(crate) use thread::frame::Cursor;
#[cfg(feature = "tokens")]
pub(crate) use thread::guest::Spot;
pub(crate) use thread::guest::{Activation, Stands};
pub(crate) use thread::image::Image;
#[cfg(feature = "testing")]
pub(crate) use {
    change::course::WayTaken,
    log::names::{origin as way_from, target as way_to},
};
