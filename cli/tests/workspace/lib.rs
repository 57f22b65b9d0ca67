//! Graphs at every place where one can stand.
#![deny(warnings, missing_docs)]
#![allow(dead_code)]

mod nodes;

use nodes::{Mail, answer, is_done, read};
use renamed::graph;

graph! {
    /// Reads mail, and answers it.
    pub Inbox(Mail) {
        start -> read -> desk -> answer -> end;
        desk: graph desk::Desk;
    }
}

graph! {
    Patient(Mail) {
        start -> read;
        read -> end if is_done;
        read -> answer -> read;
    }
}

#[renamed::node(crate = renamed)]
fn pass<S: renamed::State>(_: &S) {}

graph! {
    /// Over any state.
    pub(crate) Relay<S: renamed::State>(S) {
        start -> pass -> end;
    }
}

graph! {
    pub(crate) Relayed = Relay<Mail, ()>;
}

mod desk {
    use super::{Mail, read};
    // Whoever has another test of this name.
    use std::println as test;

    renamed::graph! {
        pub(crate) Desk(Mail) {
            start -> read -> end;
        }
    }

    fn f() {
        test!();
    }
}

mod night_desk {
    use super::{Mail, answer};

    renamed::graph! {
        Desk(Mail) {
            start -> answer -> end;
        }
    }
}

#[cfg(feature = "night")]
mod night {
    use super::{Mail, read};

    renamed::graph! {
        Late(Mail) {
            start -> read -> end;
        }
    }
}

graph! {
    #[cfg(any())]
    Never(Nothing) {
        start -> nowhere -> end;
    }
}

fn f() {
    graph! {
        Local(Mail) {
            start -> read -> end;
        }
    }
    let _ = Local;
}
