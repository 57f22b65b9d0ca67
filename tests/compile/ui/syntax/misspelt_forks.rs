//! `some`, `each` and the `match` behind it, each with a slip.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> somee sources { Web => search, Files => sum_up } -> polish;
        polish -> eahc links { read } -> shorten;
        shorten -> each links mathc size { Short => skim, Long => read } -> end;
    }
}
