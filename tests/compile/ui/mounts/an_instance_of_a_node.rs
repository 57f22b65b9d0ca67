//! An instance of what is no graph.

include!("../report.rs");

graphwright::graph! { pub Desk = search<Report, Deps>; }
