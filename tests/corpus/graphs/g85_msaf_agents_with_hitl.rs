//! Microsoft's agent framework: a coordinator that a person speaks through.

use super::stub::*;

stubs! {
    model writer_agent, final_editor_agent;
    human coordinator(Approve, Guide);
}

graph! {
    pub(crate) MsafAgentsWithHitl(State, Deps) {
        start -> writer_agent -> coordinator;
        coordinator -> match { Approve => final_editor_agent, Guide => writer_agent, Declined | Cancelled => end };
        final_editor_agent -> end;
    }
}
