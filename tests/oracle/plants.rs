//! plants
