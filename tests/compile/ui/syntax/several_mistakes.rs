//! Several mistakes are said at once, each once.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> draft when is_short;
        read -> match next {
            Again => ,
            Ask => draft,
            Done => end,
        };
        draft -> drfat
        send: as "Sends it", as "Sends";
        draft: retyr(3);
    }
}
