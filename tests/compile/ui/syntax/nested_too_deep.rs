//! More brackets in each other than are read, and a head that is too long.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail) {
        start -> [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[read]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]] -> read;
        read -> end;
    }
}

graphwright::graph! {
    pub Other(Mail, (
        u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8,
        u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8,
        u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8,
    )) {
        start -> read;
        read -> end;
    }
}
