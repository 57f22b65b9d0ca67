//! Which ways the support agent takes, driven without its terminal. Part of the package `graphwright-examples`.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../examples/support/graph.rs"]
mod graph;
#[path = "../examples/support/model.rs"]
mod model;
#[path = "../examples/support/shop.rs"]
mod shop;

use std::path::Path;
use std::time::Duration;

use graphwright::agent::elicitation;
use graphwright::testing::TestApp;

use crate::graph::{Decision, Deps, Manager, SupportAgent};
use crate::shop::{Cents, Shop};

const MUG: &str = "My blue mug arrived broken, please refund it";
const LAMP: &str = "The brass floor lamp arrived broken, I want my money back";

#[tokio::test(start_paused = true)]
async fn every_way_is_taken_but_those_of_a_model_that_repeats_itself() {
    let ledger = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("support-ways-{}", std::process::id()));
    let shop = Shop::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data"), ledger.clone()).unwrap();
    let deps = Deps::new(model::scripted(), shop, Cents(10_000), Duration::from_secs(3)).unwrap();
    let app = TestApp::<SupportAgent>::new(deps);

    assert!(app.thread("plain").run("Where is order K-1008?").await.unwrap().completed().is_some());
    let mug = app.thread("mug");
    assert!(mug.run(MUG).await.unwrap().paused().is_some());
    let open = mug.expect_paused::<elicitation>().await;
    assert!(mug.resume(open.decline()).await.unwrap().completed().is_some());
    for decision in [Decision::Refuse { why: "not today".to_owned() }, Decision::Approve] {
        let lamp = app.thread(format!("lamp {decision:?}"));
        assert!(lamp.run(LAMP).await.unwrap().paused().is_some());
        let open = lamp.expect_paused::<Manager>().await;
        assert_eq!(open.question.total, Cents(24_900));
        assert!(lamp.resume(open.accept(decision)).await.unwrap().completed().is_some());
    }
    let _ = std::fs::remove_dir_all(ledger);

    let coverage = app.coverage().await.unwrap();
    let never: Vec<String> = coverage.never_taken().iter().map(|way| format!("{} -> {}", way.from, way.to)).collect();
    assert_eq!(never, ["react -> close_repeating", "close_repeating -> end"], "{coverage}");
}
