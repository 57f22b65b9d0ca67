//! Snapshots, and the states a thread had.

use super::bench::{Bench, same};
use super::{Failure, Verdict};
use crate::store::{Append, Appended, Loaded, NewRow, Point, Seq};

/// A thread of `rows` rows of one byte, with a snapshot after each of `snapshots`. A state is the bytes so far.
pub(super) async fn thread(bench: &Bench, name: &str, rows: Seq, snapshots: &[Seq]) -> Result<Appended, Failure> {
    let mut at = Appended { uid: 0, seq: 0 };
    for seq in 1..=rows {
        let append = if seq == 1 { bench.create(name)? } else { bench.next(at) };
        let row = NewRow { body: vec![byte(seq)], ..bench.row() };
        let snapshot = snapshots.contains(&seq).then(|| state(seq));
        at = bench.send(Append { rows: vec![row], snapshot, ..append }).await?;
    }
    Ok(at)
}

fn byte(seq: Seq) -> u8 {
    seq.to_le_bytes().first().copied().unwrap_or(0)
}

/// The state after `seq` rows.
pub(super) fn state(seq: Seq) -> Vec<u8> {
    (1..=seq).map(byte).collect()
}

/// The state that a load tells.
pub(super) fn fold(loaded: &Loaded) -> Vec<u8> {
    let base = loaded.snapshot.as_ref().map_or(&[][..], |snapshot| &snapshot.body);
    base.iter().copied().chain(loaded.rows.iter().flat_map(|row| row.row.body.clone())).collect()
}

pub(super) async fn a_snapshot_is_loaded_with_the_rows_after_it(bench: Bench) -> Verdict {
    let at = thread(&bench, "t", 5, &[3]).await?;
    let loaded = bench.at(at.uid, Point::Head).await?;
    same("the snapshot", loaded.snapshot.as_ref().map(|snapshot| snapshot.seq), Some(3))?;
    same("the rows", loaded.rows.iter().map(|row| row.seq).collect::<Vec<_>>(), vec![4, 5])?;
    same("the state", fold(&loaded), state(5))?;
    let at = bench.send(Append { snapshot: Some(vec![1]), ..bench.next(at) }).await?;
    let loaded = bench.at(at.uid, Point::Head).await?;
    same("a snapshot of the head", (loaded.snapshot.map(|snapshot| snapshot.seq), loaded.rows.len()), (Some(6), 0))
}

pub(super) async fn the_newest_snapshot_below_a_point(bench: Bench) -> Verdict {
    let at = thread(&bench, "t", 9, &[2, 5, 8]).await?;
    for (point, expected) in [(1, None), (2, Some(2)), (4, Some(2)), (5, Some(5)), (7, Some(5)), (8, Some(8)), (9, Some(8))] {
        let loaded = bench.at(at.uid, Point::Seq(point)).await?;
        same(&format!("the snapshot at {point}"), loaded.snapshot.map(|snapshot| snapshot.seq), expected)?;
    }
    Ok(())
}

pub(super) async fn every_point_is_a_prefix(bench: Bench) -> Verdict {
    let at = thread(&bench, "t", 12, &[4, 7]).await?;
    for point in 1..=12 {
        let loaded = bench.at(at.uid, Point::Seq(point)).await?;
        same(&format!("the state at {point}"), fold(&loaded), state(point))?;
        same("the version now", loaded.seq, 12)?;
    }
    Ok(())
}

pub(super) async fn a_point_above_the_head_is_the_head(bench: Bench) -> Verdict {
    let at = thread(&bench, "t", 3, &[2]).await?;
    let head = bench.at(at.uid, Point::Head).await?;
    for point in [3, 4, 1_000, u64::MAX] {
        same(&format!("at {point}"), bench.at(at.uid, Point::Seq(point)).await?, head.clone())?;
    }
    Ok(())
}

pub(super) async fn after_a_row_come_only_the_rows_behind_it(bench: Bench) -> Verdict {
    let at = thread(&bench, "t", 9, &[2, 5]).await?;
    for known in [0, 1, 4, 5, 8, 9, 10, u64::MAX] {
        let loaded = bench.at(at.uid, Point::After(known)).await?;
        let rows: Vec<_> = loaded.rows.iter().map(|row| row.seq).collect();
        same(&format!("the rows after {known}"), rows, (known.saturating_add(1)..=9).collect())?;
        same("no snapshot, and the version now", (loaded.snapshot, loaded.seq), (None, 9))?;
    }
    Ok(())
}

pub(super) async fn point_zero_is_before_the_first_row(bench: Bench) -> Verdict {
    let at = thread(&bench, "t", 3, &[1]).await?;
    let loaded = bench.at(at.uid, Point::Seq(0)).await?;
    same("snapshot and rows", (loaded.snapshot, loaded.rows), (None, Vec::new()))?;
    same("the version now", loaded.seq, 3)
}

pub(super) async fn debt_grows_and_is_paid(bench: Bench) -> Verdict {
    let begun = bench.send(Append { rows: vec![NewRow { body: vec![0; 10], ..bench.row() }], ..bench.create("t")? }).await?;
    let debt = |loaded: Loaded| (loaded.debt, loaded.snapshot_bytes);
    same("after 10 bytes", debt(bench.loaded("t").await?), (10, 0))?;
    let rows = [5, 0, 7].map(|bytes| NewRow { body: vec![0; bytes], ..bench.row() }).to_vec();
    let at = bench.send(Append { rows, ..bench.next(begun) }).await?;
    same("after 12 more", debt(bench.loaded("t").await?), (22, 0))?;
    let at = bench.send(Append { snapshot: Some(vec![0; 99]), ..bench.next(at) }).await?;
    same("after a snapshot", debt(bench.loaded("t").await?), (0, 99))?;
    let rows = vec![NewRow { body: vec![0; 3], ..bench.row() }];
    let at = bench.send(Append { rows, ..bench.next(at) }).await?;
    same("after 3 more", debt(bench.loaded("t").await?), (3, 99))?;
    same("at a point, it is the head's", debt(bench.at(at.uid, Point::Seq(1)).await?), (3, 99))?;
    let created = Append { snapshot: Some(vec![0; 4]), ..bench.create("forked")? };
    bench.send(created).await?;
    same("of a thread that begins with a snapshot", debt(bench.loaded("forked").await?), (0, 4))
}

pub(super) async fn by_name_and_by_uid_are_one(bench: Bench) -> Verdict {
    let at = thread(&bench, "t", 4, &[2]).await?;
    bench.ask("other", &bench.question()).await?;
    same("the thread", bench.at(at.uid, Point::Head).await?, bench.loaded("t").await?)
}
