//! LangGraph's teams of teams: three supervisors of one name.

use super::stub::*;

pub(super) mod research_graph {
    use super::super::stub::{Inner as State, *};

    stubs! {
        model supervisor(Search, WebScraper, Finish);
        plain search, web_scraper;
    }

    graph! {
        pub(crate) ResearchGraph(State, Deps) {
            start -> supervisor;
            supervisor -> match { Search => search, WebScraper => web_scraper, Finish => end };
            search | web_scraper -> supervisor;
        }
    }
}

pub(super) mod paper_writing_graph {
    use super::super::stub::{Inner as State, *};

    stubs! {
        model supervisor(DocWriter, NoteTaker, ChartGenerator, Finish);
        plain doc_writer, note_taker, chart_generator;
    }

    graph! {
        pub(crate) PaperWritingGraph(State, Deps) {
            start -> supervisor;
            supervisor -> match {
                DocWriter => doc_writer,
                NoteTaker => note_taker,
                ChartGenerator => chart_generator,
                Finish => end,
            };
            doc_writer | note_taker | chart_generator -> supervisor;
        }
    }
}

stubs! {
    model supervisor(ResearchTeam, WritingTeam, Finish);
    plain research_team, writing_team;
}

graph! {
    pub(crate) HierarchicalAgentTeams(State, Deps) {
        start -> supervisor;
        supervisor -> match { ResearchTeam => research_team, WritingTeam => writing_team, Finish => end };
        research_team | writing_team -> supervisor;
    }
}
