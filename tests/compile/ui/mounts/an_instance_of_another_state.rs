//! A graph with parameters, over a state that lacks what it asks.

include!("../report.rs");

graphwright::graph! { pub Desk = Sayer<Section, Deps>; }
