//! LangChain's agent for social media: a map whose branches are chosen item by item, and routers that work.

use super::stub::*;

mod verify_links {
    use super::super::stub::{Inner as State, *};

    stubs! {
        tools verifyYouTubeContent[item], verifyGeneralContent[item], verifyGitHubContent[item], verifyLumaEvent[item];
        plain verifyTweetSubGraph[item], verifyRedditContent[item];
        list routeLinkTypes;
        sort link_type(
            VerifyYouTubeContent, VerifyGeneralContent, VerifyGitHubContent, VerifyTweetSubGraph, VerifyRedditContent, VerifyLumaEvent
        );
    }

    graph! {
        pub(crate) VerifyLinks(State, Deps) {
            start -> each routeLinkTypes match link_type {
                VerifyYouTubeContent => verifyYouTubeContent,
                VerifyGeneralContent => verifyGeneralContent,
                VerifyGitHubContent => verifyGitHubContent,
                VerifyTweetSubGraph => verifyTweetSubGraph,
                VerifyRedditContent => verifyRedditContent,
                VerifyLumaEvent => verifyLumaEvent,
            } -> end;
        }
    }
}

use verify_links::VerifyLinks;

stubs! {
    human authSocialsPassthrough, humanNode;
    model generateContentReport, generatePost, condensePost, rewritePost, updateScheduleDate, rewriteWithSplitUrl;
    plain schedulePost, findAndGenerateImagesSubGraph;
    plain generateReportOrEndConditionalEdge(GenerateContentReport, End);
    plain condenseOrHumanConditionalEdge(CondensePost, FindAndGenerateImagesSubGraph, HumanNode, End);
    plain routeToCuratedInterruptOrContinue(HumanNode, End);
    router routeAfterGeneratingReport(GeneratePost, End);
    router rewriteOrEndConditionalEdge(RewritePost, SchedulePost, UpdateScheduleDate, HumanNode, RewriteWithSplitUrl, End);
}

graph! {
    pub(crate) SocialMediaGeneratePost(State, Deps) {
        start -> authSocialsPassthrough -> verifyLinksSubGraph -> generateReportOrEndConditionalEdge;
        generateReportOrEndConditionalEdge -> match { GenerateContentReport => generateContentReport, End => end };
        generateContentReport -> match routeAfterGeneratingReport { GeneratePost => generatePost, End => end };
        generatePost | condensePost -> condenseOrHumanConditionalEdge;
        condenseOrHumanConditionalEdge -> match {
            CondensePost => condensePost at_most 3 else humanNode,
            FindAndGenerateImagesSubGraph => findAndGenerateImagesSubGraph,
            HumanNode => humanNode,
            End => end,
        };
        findAndGenerateImagesSubGraph -> routeToCuratedInterruptOrContinue;
        routeToCuratedInterruptOrContinue -> match { HumanNode => humanNode, End => end };
        humanNode -> match rewriteOrEndConditionalEdge {
            RewritePost => rewritePost,
            SchedulePost => schedulePost,
            UpdateScheduleDate => updateScheduleDate,
            HumanNode => humanNode,
            RewriteWithSplitUrl => rewriteWithSplitUrl,
            End => end,
        };
        rewritePost | updateScheduleDate | rewriteWithSplitUrl -> humanNode;
        schedulePost -> end;

        verifyLinksSubGraph: graph VerifyLinks, enter(open), exit(close), writes(notes);
    }
}
