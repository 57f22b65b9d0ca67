//! An instance of a graph that has no parameters.

include!("../report.rs");

graphwright::graph! { pub Desk = Lookup<Report, Deps>; }
