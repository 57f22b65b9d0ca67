//! Apps, threads and runs.
