//! A mounted graph has no limit as a whole.

include!("../mail.rs");

graphwright::graph! {
    pub Writer(Mail, Deps) {
        start -> draft -> end;
    }
}

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> writer -> end;
        writer: graph Writer, timeout(5s);
    }
}
