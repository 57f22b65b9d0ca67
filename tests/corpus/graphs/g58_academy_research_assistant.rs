//! LangChain Academy's research assistant: a map over a mounted graph, then three places at once, then one.

use super::stub::*;

mod interview {
    use super::super::stub::{Inner as State, *};

    stubs! {
        model ask_question, answer_question, write_section;
        tools search_web, search_wikipedia;
        plain save_interview;
        router route_messages(AskQuestion, SaveInterview);
    }

    graph! {
        pub(crate) Interview(State, Deps) {
            start -> ask_question -> [search_web, search_wikipedia] -> answer_question;
            answer_question -> match route_messages { AskQuestion => ask_question, SaveInterview => save_interview };
            save_interview -> write_section -> end;
        }
    }
}

use interview::Interview;

stubs! {
    model create_analysts, write_report, write_introduction, write_conclusion;
    human human_feedback;
    plain finalize_report;
    list analysts;
    router initiate_all_interviews(CreateAnalysts, ConductInterview);
}

graph! {
    pub(crate) AcademyResearchAssistant(State, Deps) {
        start -> create_analysts -> human_feedback;
        human_feedback -> match initiate_all_interviews {
            CreateAnalysts => create_analysts,
            ConductInterview => each analysts { conduct_interview }
                -> [write_report, write_introduction, write_conclusion]
                -> finalize_report,
        };
        finalize_report -> end;

        conduct_interview: graph Interview, enter(open_item), exit(close), writes(notes);
    }
}
