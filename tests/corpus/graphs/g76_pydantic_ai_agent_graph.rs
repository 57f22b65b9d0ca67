//! pydantic-ai's own agent: a node to which nothing leads.

use super::stub::*;

stubs! {
    plain UserPromptNode(ModelRequestNode, CallToolsNode);
    model ModelRequestNode(CallToolsNode, ModelRequestNode);
    tools CallToolsNode(ModelRequestNode, End);
    plain SetFinalResult;
}

graph! {
    #[graph(allow(unreachable_place))]
    pub(crate) PydanticAiAgentGraph(State, Deps) {
        start -> UserPromptNode;
        UserPromptNode -> match { ModelRequestNode => ModelRequestNode, CallToolsNode => CallToolsNode };
        ModelRequestNode -> match { CallToolsNode => CallToolsNode, ModelRequestNode => ModelRequestNode };
        CallToolsNode -> match { ModelRequestNode => ModelRequestNode, End => end };
        SetFinalResult -> end;
    }
}
