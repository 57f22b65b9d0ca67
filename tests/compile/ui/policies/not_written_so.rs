//! Each policy, and each of them wrongly.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> sum_up -> end;
        plan: retry(), timeout(soon), expires(3), at_once(many), was(old), cache(10min), writes(3);
        sum_up: retry(3, 500ms), retry(0), retry(3, backoff(1s, 2s, 3s)), cache(is_done), timeout(1s, 2s), enter(3), exit();
    }
}
