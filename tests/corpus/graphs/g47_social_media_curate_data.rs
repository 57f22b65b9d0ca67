//! LangChain's agent for social media, where it collects: some of four branches, of unequal length, one of them a map.

use super::stub::*;

stubs! {
    tools ingestData, extractAINewsletterContent, verifyGeneralContent[item], verifyGitHubContent, verifyRedditPost;
    model verifyBulkTweets, groupTweetsByContent, reflectOnTweetGroups, reGroupTweets;
    plain generatePostsSubgraph, formatData;
    list generalUrls;
    set verifyContentWrapper(VerifyGeneralContent, VerifyGitHubContent, VerifyRedditPost, GroupTweetsByContent);
    router generatePostOrContinue(GeneratePostsSubgraph, VerifyBulkTweets);
    router reGroupOrContinue(ReGroupTweets, FormatData);
}

graph! {
    pub(crate) SocialMediaCurateData(State, Deps) {
        start -> ingestData;
        ingestData -> match generatePostOrContinue {
            GeneratePostsSubgraph => generatePostsSubgraph,
            VerifyBulkTweets => verifyBulkTweets,
        };
        verifyBulkTweets -> extractAINewsletterContent -> some verifyContentWrapper {
            VerifyGeneralContent => each generalUrls { verifyGeneralContent },
            VerifyGitHubContent => verifyGitHubContent,
            VerifyRedditPost => verifyRedditPost,
            GroupTweetsByContent => groupTweetsByContent -> reflectOnTweetGroups,
        } -> formatData;
        reflectOnTweetGroups -> match reGroupOrContinue { ReGroupTweets => reGroupTweets, FormatData => formatData };
        reGroupTweets -> formatData;
        generatePostsSubgraph | formatData -> end;
    }
}
