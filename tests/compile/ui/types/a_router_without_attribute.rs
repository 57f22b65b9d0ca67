//! A function without `#[router]`.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end if is_long;
        read -> draft -> end;
    }
}
