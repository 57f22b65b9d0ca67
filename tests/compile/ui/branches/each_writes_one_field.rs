//! Every item writes the one field.

include!("../report.rs");

/// Picks one.
#[node(writes(summary))]
fn pick(_: &Report, link: &String) -> NodeResult<pick> {
    Ok(Report::update().summary(link.clone()))
}

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> each links { pick } -> sum_up -> end;
    }
}
