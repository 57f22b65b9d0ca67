//! A name that stands for something only under a `#[cfg]`.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> first;
        first -> end;
        #[cfg(unix)]
        first: read;
    }
}
