//! A thread in memory: a tree of frames, each of one graph, and how it is kept in a snapshot.

pub(super) mod activation;
pub(super) mod address;
pub(super) mod frame;
pub(super) mod ghost;
pub(super) mod guest;
pub(super) mod image;
pub(super) mod keep;
pub(super) mod looks;
pub(super) mod stored;
