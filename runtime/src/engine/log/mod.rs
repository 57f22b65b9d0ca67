//! Rows: how what happened is stored, and everything that is read out of it.

#[cfg(debug_assertions)]
pub(super) mod check;
pub(super) mod fitting;
pub(super) mod fold;
#[cfg(feature = "diagrams")]
pub(super) mod follow;
#[cfg(feature = "diagrams")]
pub(super) mod frames;
pub(super) mod names;
#[cfg(feature = "testing")]
pub(super) mod replay;
pub(super) mod row;
pub(super) mod tale;
pub(super) mod told;
