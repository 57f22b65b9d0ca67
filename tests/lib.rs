//! Nothing but its targets.
