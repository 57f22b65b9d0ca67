//! Whether a thread as it was read is the thread as it was: looked at after each commit, in tests that ask for it.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::app::RunError;
use crate::engine::acts::swap::{Desk, load_past};
use crate::engine::log::row;
use crate::engine::thread::image::Image;
use crate::graph::Graph;
use crate::store::{Seq, StoreError, Uid};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on each commit of this process is read back, and compared with what is in memory.
pub fn read_back() {
    ASKED.store(true, Ordering::Relaxed);
}

/// Panics if what was written does not tell what is in memory.
pub(in crate::engine) async fn reads_back<G: Graph>(desk: &Desk, uid: Uid, seq: Seq, image: &Image<G>) {
    if !ASKED.load(Ordering::Relaxed) {
        return;
    }
    let value = |image: &Image<G>| -> Option<serde_json::Value> { row::decode(&image.snapshot().ok()?).ok() };
    let read = match load_past::<G>(desk, &desk.key_of(uid), seq).await {
        Err(RunError::Store(error)) if !matches!(error, StoreError::Corrupt { .. }) => return,
        // Others have deleted it meanwhile, or what is below their snapshot.
        Err(RunError::NoThread | RunError::NoRow { .. }) => return,
        read => read.map(|(_, read)| value(&read)),
    };
    let differs = match &read {
        Ok(read) => *read != value(image),
        Err(_) => true,
    };
    assert!(!differs, "row {seq} is read as\n{read:?}\nand was\n{:?}", value(image));
}
