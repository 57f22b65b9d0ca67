//! ByteDance's DeerFlow: nodes that choose, and a person who does.

use super::stub::*;

stubs! {
    model coordinator(Planner, BackgroundInvestigator, Coordinator, End);
    model planner(HumanFeedback, Reporter, End);
    model reporter;
    tools background_investigator;
    plain research_team, researcher, analyst, coder;
    human human_feedback(Planner, ResearchTeam, Reporter, End);
    router continue_to_running_research_team(Planner, Researcher, Analyst, Coder);
}

graph! {
    pub(crate) DeerFlowV1(State, Deps) {
        start -> coordinator;
        coordinator -> match {
            Planner => planner,
            BackgroundInvestigator => background_investigator,
            Coordinator => coordinator,
            End => end,
        };
        background_investigator -> planner;
        planner -> match { HumanFeedback => human_feedback, Reporter => reporter, End => end };
        human_feedback -> match {
            Planner => planner,
            ResearchTeam => research_team,
            Reporter => reporter,
            End | Declined | Cancelled => end,
        };
        research_team -> match continue_to_running_research_team {
            Planner => planner,
            Researcher => researcher,
            Analyst => analyst,
            Coder => coder,
        };
        researcher | analyst | coder -> research_team;
        reporter -> end;
    }
}
