//! Open Deep Research, the older form that plans and writes: a map over a mounted graph, behind a question.

use super::stub::*;

mod section_builder {
    use super::super::stub::{Inner as State, *};

    stubs! {
        model generate_queries, write_section(Pass, Again);
        tools search_web;
    }

    graph! {
        pub(crate) SectionBuilder(State, Deps) {
            start -> generate_queries -> search_web -> write_section;
            write_section -> match { Pass => end, Again => search_web at_most 3 else end };
        }
    }
}

use section_builder::SectionBuilder;

stubs! {
    model generate_report_plan, write_final_sections[item];
    human human_feedback(Approve, Revise);
    plain gather_completed_sections, compile_final_report;
    list sections_to_research, initiate_final_section_writing;
}

graph! {
    pub(crate) OpenDeepResearchLegacyPlan(State, Deps) {
        start -> generate_report_plan -> human_feedback;
        human_feedback -> match {
            Approve => each sections_to_research { build_section_with_web_research } -> gather_completed_sections,
            Revise => generate_report_plan,
            Declined | Cancelled => never,
        };
        gather_completed_sections -> each initiate_final_section_writing { write_final_sections } -> compile_final_report -> end;

        build_section_with_web_research: graph SectionBuilder, enter(open_item), exit(close), writes(notes);
    }
}
