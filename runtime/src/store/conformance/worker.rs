//! Who is alive, and what time it is.

use super::Verdict;
use super::bench::{Bench, ensure, now, same};
use crate::id::WorkerId;
use crate::store::Liveness;

pub(super) async fn its_own_worker_lives(bench: Bench) -> Verdict {
    let worker = bench.store.worker();
    same("the worker, asked again", bench.store.worker(), worker)?;
    same("its liveness", bench.store.alive(worker).await?, Liveness::Alive)
}

pub(super) async fn a_stranger_does_not_live(bench: Bench) -> Verdict {
    for stranger in [WorkerId([0; 16]), WorkerId([255; 16]), WorkerId(bench.id())] {
        let found = bench.store.alive(stranger).await?;
        ensure(found != Liveness::Alive, || format!("worker {stranger}, which never was, is {found:?}"))?;
    }
    Ok(())
}

pub(super) async fn its_time_is_near(bench: Bench) -> Verdict {
    let Some(time) = bench.store.now().await? else { return Ok(()) };
    let apart = time.since(now()).max(now().since(time));
    ensure(apart.as_secs() < 3600, || format!("the store's time is {apart:?} away"))
}
