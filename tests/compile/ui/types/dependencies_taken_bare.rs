//! A node that takes the dependencies by themselves: what stands behind the state is the item of an `each`.

include!("../mail.rs");

/// Reads with them.
#[node]
pub fn read_with(_: &Mail, _deps: &Deps) {}

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> read_with -> end;
    }
}
