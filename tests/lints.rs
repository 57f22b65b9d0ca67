//! Generated code under every lint that a user may deny.
