//! `enter` wants an item where there is none.

include!("../report.rs");

fn open_link(_: &Report, link: &String) -> Update<Section> {
    Section::update().title(link.clone())
}

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> writer -> end;
        writer: graph Writer, enter(open_link), exit(take);
    }
}
