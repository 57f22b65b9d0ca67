//! Options that are unknown, said twice, or not numbers.

include!("../mail.rs");

graphwright::graph! {
    #[graph(verzion = 2, steps = 0)]
    #[graph(endless, endless, allow(unreachable_plaec))]
    #[graph(input)]
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end;
    }
}
