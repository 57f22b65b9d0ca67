//! Dependencies that cannot be shared.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, std::rc::Rc<u8>) {
        start -> read;
        read -> end;
    }
}
