//! What is done to a thread around its runs: each is one swap of its version.

pub(super) mod answer;
pub(super) mod claim;
pub(super) mod edit;
pub(super) mod expire;
pub(super) mod origin;
pub(super) mod recent;
pub(super) mod registry;
pub(super) mod swap;
