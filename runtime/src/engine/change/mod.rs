//! One change of a thread: decided by routers, or as a row tells it, and carried out the same way.

pub(super) mod course;
pub(super) mod decide;
pub(super) mod moves;
