//! A graph that asks, run by itself.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> subject -> end;
        subject: Subject;
    }
}

async fn run() {
    let _ = Desk::run(Deps, Mail::update()).await;
}
