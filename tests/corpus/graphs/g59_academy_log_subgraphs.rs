//! LangChain Academy's reader of logs: two mounted graphs at once, each with a state of its own.

use super::stub::*;

mod failure_analysis {
    use super::super::stub::{Inner as State, *};

    stubs! {
        plain get_failures;
        model generate_summary;
    }

    graph! {
        pub(crate) FailureAnalysis(State, Deps) { start -> get_failures -> generate_summary -> end; }
    }
}

mod question_summarization {
    use super::super::stub::{Inner as State, *};

    stubs! {
        model generate_summary;
        tools send_to_slack;
    }

    graph! {
        pub(crate) QuestionSummarization(State, Deps) { start -> generate_summary -> send_to_slack -> end; }
    }
}

use failure_analysis::FailureAnalysis;
use question_summarization::QuestionSummarization;

stubs! {
    plain clean_logs;
}

graph! {
    pub(crate) AcademyLogSubgraphs(State, Deps) {
        start -> clean_logs -> [failure_analysis, question_summarization] -> end;

        failure_analysis: graph FailureAnalysis, enter(open), exit(close), writes(notes);
        question_summarization: graph QuestionSummarization, enter(open), exit(close), writes(notes);
    }
}
