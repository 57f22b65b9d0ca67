//! LangChain's Open Canvas: the next node is a field of the state.

use super::stub::*;

mod web_search_graph {
    use super::super::stub::{Inner as State, *};

    stubs! {
        model classifyMessage, queryGenerator;
        tools search;
        router searchOrEndConditional(QueryGenerator, End);
    }

    graph! {
        pub(crate) WebSearchGraph(State, Deps) {
            start -> classifyMessage;
            classifyMessage -> match searchOrEndConditional { QueryGenerator => queryGenerator, End => end };
            queryGenerator -> search -> end;
        }
    }
}

use web_search_graph::WebSearchGraph;

stubs! {
    plain generatePath, reflect, cleanState, generateTitle, summarizer;
    model replyToGeneralInput, rewriteArtifact, rewriteArtifactTheme, rewriteCodeArtifactTheme, updateArtifact;
    model updateHighlightedText, generateArtifact, customAction, generateFollowup;
    plain routePostWebSearch(RewriteArtifact, GenerateArtifact);
    router routeNode(
        UpdateArtifact, RewriteArtifactTheme, RewriteCodeArtifactTheme, ReplyToGeneralInput, GenerateArtifact, RewriteArtifact,
        CustomAction, UpdateHighlightedText, WebSearch
    );
    router conditionallyGenerateTitle(End, GenerateTitle, Summarizer);
}

graph! {
    pub(crate) OpenCanvas(State, Deps) {
        start -> generatePath;
        generatePath -> match routeNode {
            UpdateArtifact => updateArtifact,
            RewriteArtifactTheme => rewriteArtifactTheme,
            RewriteCodeArtifactTheme => rewriteCodeArtifactTheme,
            ReplyToGeneralInput => replyToGeneralInput,
            GenerateArtifact => generateArtifact,
            RewriteArtifact => rewriteArtifact,
            CustomAction => customAction,
            UpdateHighlightedText => updateHighlightedText,
            WebSearch => webSearch,
        };
        webSearch -> routePostWebSearch;
        routePostWebSearch -> match { RewriteArtifact => rewriteArtifact, GenerateArtifact => generateArtifact };
        generateArtifact | updateArtifact | updateHighlightedText | rewriteArtifact | rewriteArtifactTheme
            | rewriteCodeArtifactTheme | customAction -> generateFollowup;
        generateFollowup -> reflect -> cleanState;
        replyToGeneralInput -> cleanState;
        cleanState -> match conditionallyGenerateTitle { End => end, GenerateTitle => generateTitle, Summarizer => summarizer };
        generateTitle | summarizer -> end;

        webSearch: graph WebSearchGraph, enter(open), exit(close), writes(notes);
    }
}
