//! Google's ADK: three places at once, from the start.

use super::stub::*;

stubs! {
    model RenewableEnergyResearcher, EVResearcher, CarbonCaptureResearcher, SynthesisAgent;
}

graph! {
    pub(crate) AdkParallelResearch(State, Deps) {
        start -> [RenewableEnergyResearcher, EVResearcher, CarbonCaptureResearcher] -> SynthesisAgent -> end;
    }
}
