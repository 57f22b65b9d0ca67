//! Drives a graph.
