//! Names that are no identifiers.
#![deny(warnings)]

use graphwright::prelude::*;
use graphwright::Graph;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Draft {
    #[state(sum)]
    rounds: u32,
}

#[node]
pub fn bull(_: &Draft) {}

#[node]
pub fn diagnose(_: &Draft) {}

#[node]
pub fn human(_: &Draft) {}

graph! {
    pub Debate(Draft) {
        start -> bull -> diagnose -> asked -> end;
        bull: as "Bull Researcher";
        diagnose: as "diagnose-error";
        asked: human as "HumanInTheLoop.after_model \"<b>\"";
    }
}

fn main() {
    let titles: Vec<_> = Debate::TOPOLOGY.places.iter().map(|place| place.title.unwrap_or_default()).collect();
    assert_eq!(titles, ["Bull Researcher", "diagnose-error", "HumanInTheLoop.after_model \"<b>\""]);
}
