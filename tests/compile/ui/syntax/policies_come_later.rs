//! Policies are refused by name; a misspelt one is known, too.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> draft -> end;
        read: retry(3), timeout(60s);
        draft: timeuot(60s);
        _: expires(48h);
    }
}
