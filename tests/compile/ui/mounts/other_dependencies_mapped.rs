//! A graph over other dependencies and another state: functions do not help with the first.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> filer -> end;
        filer: graph Filer, enter(open), exit(take);
    }
}
