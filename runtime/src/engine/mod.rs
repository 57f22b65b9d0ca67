//! Drives a graph: one loop, generic over where a step is made durable.
//!
//! `image` is a thread in memory, `row` how a change of it is stored, `drive` the loop, `journal` what the loop hands
//! its steps to: nothing, or `durable`. Whoever else changes a thread does it through `swap`.

mod answer;
mod claim;
mod drive;
mod durable;
mod fold;
mod image;
mod journal;
mod recent;
mod registry;
mod row;
mod swap;
mod watch;

pub(crate) use answer::{AnswerTaken, Answering, answer, claimed_by_answer, reissue};
pub(crate) use claim::{Claimed, Proceed, Start, abandon, proceed, start, stop};
pub(crate) use drive::{Drive, Ending, Failed, Fault, caught, caught_now, drive};
pub(crate) use durable::Durable;
pub(crate) use image::{Cursor, Image, name};
pub(crate) use journal::{Broken, Volatile};
pub(crate) use recent::Recent;
pub(crate) use registry::{Lease, cancel, ended, owner_is_dead, settle};
pub use row::CodecError;
pub(crate) use row::{StopWhy, StoredQuestion, decode, graph_ref};
pub(crate) use swap::{Desk, load};
