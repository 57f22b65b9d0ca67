//! Drives a graph: one loop, generic over where a step is made durable.
//!
//! `image` is a thread in memory: a tree of frames (`frame`), each of one graph; `guest` is what can be asked of a frame
//! whose graph is not known. `course` is one change of it, decided by routers or told by a row (`decide`), and carried out
//! by `moves`. `row` and `stored` are how it is kept, `fold` how it is read. `drive` and `strands` are the loop, `journal`
//! what the loop hands its steps to: nothing, or `durable` with `commit`. Whoever else changes a thread does it through
//! `swap`.

mod activation;
mod address;
mod answer;
mod bodies;
mod breaks;
#[cfg(debug_assertions)]
mod check;
mod claim;
mod commit;
mod course;
mod decide;
mod drive;
mod durable;
mod edit;
mod expire;
mod failure;
mod fitting;
mod fold;
#[cfg(feature = "diagrams")]
mod follow;
mod frame;
#[cfg(feature = "diagrams")]
mod frames;
mod ghost;
mod guest;
mod image;
mod journal;
mod keep;
mod lanes;
mod looks;
mod moves;
mod names;
mod origin;
mod recent;
mod registry;
#[cfg(feature = "testing")]
mod replay;
mod results;
mod row;
mod stored;
mod strands;
mod swap;
mod tale;
mod tell;
mod told;
mod trail;
mod watch;

pub(crate) use answer::{AnswerTaken, Answering, answer, claimed_by_answer, reissue};
pub(crate) use breaks::Breaks;
#[cfg(debug_assertions)]
pub use check::read_back;
pub(crate) use claim::{Claimed, Proceed, Start, abandon, begin, proceed, start, stop};
pub(crate) use drive::{Drive, Ending, caught, caught_now, drive, rest};
pub(crate) use durable::Durable;
pub(crate) use edit::{Edit, edit};
pub(crate) use expire::expire;
pub(crate) use failure::{Failed, Fault};
#[cfg(feature = "diagrams")]
pub(crate) use follow::{Trace, follow};
pub(crate) use frame::Cursor;
pub(crate) use guest::{Activation, Stands};
pub(crate) use image::Image;
pub(crate) use journal::{Broken, Volatile};
pub(crate) use names::{find_place, is_mount, name};
pub(crate) use origin::fork;
pub(crate) use recent::Recent;
pub(crate) use registry::{Lease, cancel, drain, ended, owner_is_dead, settle};
#[cfg(feature = "testing")]
pub(crate) use replay::{Differs, How, replay};
pub(crate) use results::Results;
pub use row::CodecError;
pub(crate) use row::{StopWhy, StoredQuestion, decode, graph_ref, is_too_deep, raw, without_value};
pub(crate) use swap::{Desk, fold, load, load_past};
pub(crate) use tale::{Decision, Tale};
pub(crate) use told::{rests, told};
pub(crate) use watch::Beat;
#[cfg(feature = "testing")]
pub(crate) use {
    course::WayTaken,
    names::{origin as way_from, target as way_to},
};
