//! An instance that does not say of what.

include!("../report.rs");

graphwright::graph! { pub Desk = Sayer; }
