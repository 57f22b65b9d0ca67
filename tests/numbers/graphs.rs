//! Some of the graphs that people really run, to be run: forks, maps, mounted graphs, people who are asked.

// A place has the name that it has in its source, and stands for a type or a function of that name.
#![allow(dead_code, non_snake_case, non_camel_case_types)]

use graphwright::Graph;

/// The picture that `graph!` puts into the docs.
trait Drawn: Graph {
    const PICTURE: &'static str;
}

#[path = "../corpus/graphs/stub.rs"]
#[macro_use]
mod stub;

pub(super) use stub::{Deps, State};

macro_rules! corpus {
    ($($file:literal $module:ident $graph:ident)*) => {
        $(#[path = $file]
        mod $module;
        pub(super) use $module::$graph;)*

        /// Calls an async function of each graph, and gives what it gave by the graph's name.
        macro_rules! each_graph {
            ($call:ident) => { vec![$((stringify!($graph), $call::<crate::graphs::$graph>().await)),*] };
        }
    };
}

corpus! {
    "../corpus/graphs/g04_open_deep_research_legacy_plan.rs" g04 OpenDeepResearchLegacyPlan
    "../corpus/graphs/g10_rag_research_agent.rs" g10 RagResearchAgent
    "../corpus/graphs/g13_executive_ai_assistant.rs" g13 ExecutiveAiAssistant
    "../corpus/graphs/g14_email_assistant_hitl_memory.rs" g14 EmailAssistantHitlMemory
    "../corpus/graphs/g22_lats.rs" g22 Lats
    "../corpus/graphs/g35_llm_compiler.rs" g35 LlmCompiler
    "../corpus/graphs/g37_tree_of_thoughts.rs" g37 TreeOfThoughts
    "../corpus/graphs/g43_gpt_researcher_multi_agents.rs" g43 GptResearcherMultiAgents
    "../corpus/graphs/g44_company_researcher.rs" g44 CompanyResearcher
    "../corpus/graphs/g46_social_media_generate_post.rs" g46 SocialMediaGeneratePost
    "../corpus/graphs/g47_social_media_curate_data.rs" g47 SocialMediaCurateData
    "../corpus/graphs/g50_gemini_fullstack_quickstart.rs" g50 GeminiFullstackQuickstart
    "../corpus/graphs/g55_deer_flow_v1.rs" g55 DeerFlowV1
    "../corpus/graphs/g58_academy_research_assistant.rs" g58 AcademyResearchAssistant
    "../corpus/graphs/g59_academy_log_subgraphs.rs" g59 AcademyLogSubgraphs
    "../corpus/graphs/g61_agent_toolkit_interrupt.rs" g61 AgentToolkitInterrupt
    "../corpus/graphs/g70_js_multi_turn_multi_agent.rs" g70 JsMultiTurnMultiAgent
    "../corpus/graphs/g71_js_customer_support_small_model.rs" g71 JsCustomerSupportSmallModel
    "../corpus/graphs/g73_js_defer_node.rs" g73 JsDeferNode
    "../corpus/graphs/g77_pydantic_graph_map_decision_joins.rs" g77 PydanticGraphMapDecisionJoins
    "../corpus/graphs/g80_graph_flow_medical.rs" g80 GraphFlowMedical
    "../corpus/graphs/g86_msaf_subworkflow_parallel_requests.rs" g86 MsafSubworkflowParallelRequests
    "../corpus/graphs/g89_adk_parallel_research.rs" g89 AdkParallelResearch
    "../corpus/graphs/g97_xstate_tic_tac_toe.rs" g97 XstateTicTacToe
}

#[allow(clippy::single_component_path_imports, reason = "it is what gives the macro a path")]
pub(super) use each_graph;
