//! What the cases of `ui/` share.

pub mod mail;
