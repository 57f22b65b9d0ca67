//! Nothing but its target.
