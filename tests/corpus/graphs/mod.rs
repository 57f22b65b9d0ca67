//! The graphs of the corpus, a file each, and what they compile to.

// A place has the name that it has in its source, and stands for a type or a function of that name.
#![allow(non_snake_case, non_camel_case_types)]

#[macro_use]
mod stub;

mod g01_symfonic_react_loop_ask_user;
mod g02_symfonic_react_loop_full;
mod g04_open_deep_research_legacy_plan;
mod g05_open_deep_research_legacy_multi;
mod g07_react_agent_template;
mod g08_memory_agent;
mod g10_rag_research_agent;
mod g11_data_enrichment;
mod g13_executive_ai_assistant;
mod g14_email_assistant_hitl_memory;
mod g16_customer_support_v2;
mod g17_customer_support_v3;
mod g19_plan_and_execute;
mod g20_reflexion;
mod g22_lats;
mod g23_self_rag;
mod g25_adaptive_rag;
mod g26_agentic_rag;
mod g28_supervisor_prebuilt;
mod g29_hierarchical_agent_teams;
mod g31_multi_agent_collaboration;
mod g32_code_assistant;
mod g34_web_voyager;
mod g35_llm_compiler;
mod g37_tree_of_thoughts;
mod g38_usaco_human_in_the_loop;
mod g40_chatbot_simulation;
mod g41_tnt_llm;
mod g43_gpt_researcher_multi_agents;
mod g44_company_researcher;
mod g46_social_media_generate_post;
mod g47_social_media_curate_data;
mod g49_open_canvas;
mod g50_gemini_fullstack_quickstart;
mod g52_prebuilt_react_agent;
mod g53_trading_agents;
mod g55_deer_flow_v1;
mod g56_open_swe_programmer;
mod g58_academy_research_assistant;
mod g59_academy_log_subgraphs;
mod g61_agent_toolkit_interrupt;
mod g62_agent_toolkit_research_assistant;
mod g64_bigtool;
mod g65_computer_use_agent;
mod g67_fastapi_production_template;
mod g68_js_wait_user_input_agent;
mod g70_js_multi_turn_multi_agent;
mod g71_js_customer_support_small_model;
mod g73_js_defer_node;
mod g74_pydantic_graph_question;
mod g76_pydantic_ai_agent_graph;
mod g77_pydantic_graph_map_decision_joins;
mod g79_graph_flow_recommendation;
mod g80_graph_flow_medical;
mod g82_msaf_switch_case;
mod g83_msaf_map_reduce;
mod g85_msaf_agents_with_hitl;
mod g86_msaf_subworkflow_parallel_requests;
mod g88_adk_doc_improvement_loop;
mod g89_adk_parallel_research;
mod g91_adk_human_in_loop;
mod g92_mastra_deep_research;
mod g94_xstate_email_clarification;
mod g95_xstate_newspaper;
mod g97_xstate_tic_tac_toe;

use graphwright::Graph;
use graphwright::topology::Topology;

/// A file of facts, and the graph that is written of it.
pub struct Written {
    /// The name of the file, without its ending.
    pub facts: &'static str,
    pub graph: &'static Topology,
    /// What stands in the docs of its type.
    pub picture: &'static str,
    /// The other graphs of the file that are not mounted in it: a node runs them, or they stand alone.
    pub others: &'static [&'static Topology],
}

/// The picture that `graph!` puts into the docs.
trait Drawn: Graph {
    const PICTURE: &'static str;
}

const fn of<G: Drawn>(facts: &'static str) -> Written {
    with::<G>(facts, &[])
}

const fn with<G: Drawn>(facts: &'static str, others: &'static [&'static Topology]) -> Written {
    Written { facts, graph: G::TOPOLOGY, picture: G::PICTURE, others }
}

pub const CORPUS: &[Written] = &[
    of::<g01_symfonic_react_loop_ask_user::SymfonicReactLoopAskUser>("01-symfonic-react-loop-ask-user"),
    of::<g02_symfonic_react_loop_full::SymfonicReactLoopFull>("02-symfonic-react-loop-full"),
    of::<g04_open_deep_research_legacy_plan::OpenDeepResearchLegacyPlan>("04-open-deep-research-legacy-plan"),
    of::<g05_open_deep_research_legacy_multi::OpenDeepResearchLegacyMulti>("05-open-deep-research-legacy-multi"),
    of::<g07_react_agent_template::ReactAgentTemplate>("07-react-agent-template"),
    of::<g08_memory_agent::MemoryAgent>("08-memory-agent"),
    with::<g10_rag_research_agent::RagResearchAgent>(
        "10-rag-research-agent",
        &[g10_rag_research_agent::researcher_graph::ResearcherGraph::TOPOLOGY],
    ),
    of::<g11_data_enrichment::DataEnrichment>("11-data-enrichment"),
    with::<g13_executive_ai_assistant::ExecutiveAiAssistant>(
        "13-executive-ai-assistant",
        &[
            g13_executive_ai_assistant::find_meeting_time_agent::FindMeetingTimeAgent::TOPOLOGY,
            g13_executive_ai_assistant::general_reflection_graph::GeneralReflectionGraph::TOPOLOGY,
            g13_executive_ai_assistant::multi_reflection_graph::MultiReflectionGraph::TOPOLOGY,
        ],
    ),
    of::<g14_email_assistant_hitl_memory::EmailAssistantHitlMemory>("14-email-assistant-hitl-memory"),
    of::<g16_customer_support_v2::CustomerSupportV2>("16-customer-support-v2"),
    of::<g17_customer_support_v3::CustomerSupportV3>("17-customer-support-v3"),
    with::<g19_plan_and_execute::PlanAndExecute>("19-plan-and-execute", &[g19_plan_and_execute::agent_executor::AgentExecutor::TOPOLOGY]),
    of::<g20_reflexion::Reflexion>("20-reflexion"),
    of::<g22_lats::Lats>("22-lats"),
    of::<g23_self_rag::SelfRag>("23-self-rag"),
    of::<g25_adaptive_rag::AdaptiveRag>("25-adaptive-rag"),
    of::<g26_agentic_rag::AgenticRag>("26-agentic-rag"),
    of::<g28_supervisor_prebuilt::SupervisorPrebuilt>("28-supervisor-prebuilt"),
    with::<g29_hierarchical_agent_teams::HierarchicalAgentTeams>(
        "29-hierarchical-agent-teams",
        &[
            g29_hierarchical_agent_teams::research_graph::ResearchGraph::TOPOLOGY,
            g29_hierarchical_agent_teams::paper_writing_graph::PaperWritingGraph::TOPOLOGY,
        ],
    ),
    of::<g31_multi_agent_collaboration::MultiAgentCollaboration>("31-multi-agent-collaboration"),
    of::<g32_code_assistant::CodeAssistant>("32-code-assistant"),
    of::<g34_web_voyager::WebVoyager>("34-web-voyager"),
    of::<g35_llm_compiler::LlmCompiler>("35-llm-compiler"),
    of::<g37_tree_of_thoughts::TreeOfThoughts>("37-tree-of-thoughts"),
    of::<g38_usaco_human_in_the_loop::UsacoHumanInTheLoop>("38-usaco-human-in-the-loop"),
    of::<g40_chatbot_simulation::ChatbotSimulation>("40-chatbot-simulation"),
    of::<g41_tnt_llm::TntLlm>("41-tnt-llm"),
    with::<g43_gpt_researcher_multi_agents::GptResearcherMultiAgents>(
        "43-gpt-researcher-multi-agents",
        &[g43_gpt_researcher_multi_agents::draft_graph::DraftGraph::TOPOLOGY],
    ),
    of::<g44_company_researcher::CompanyResearcher>("44-company-researcher"),
    of::<g46_social_media_generate_post::SocialMediaGeneratePost>("46-social-media-generate-post"),
    of::<g47_social_media_curate_data::SocialMediaCurateData>("47-social-media-curate-data"),
    of::<g49_open_canvas::OpenCanvas>("49-open-canvas"),
    of::<g50_gemini_fullstack_quickstart::GeminiFullstackQuickstart>("50-gemini-fullstack-quickstart"),
    of::<g52_prebuilt_react_agent::PrebuiltReactAgent>("52-prebuilt-react-agent"),
    of::<g53_trading_agents::TradingAgents>("53-trading-agents"),
    of::<g55_deer_flow_v1::DeerFlowV1>("55-deer-flow-v1"),
    of::<g56_open_swe_programmer::OpenSweProgrammer>("56-open-swe-programmer"),
    of::<g58_academy_research_assistant::AcademyResearchAssistant>("58-academy-research-assistant"),
    of::<g59_academy_log_subgraphs::AcademyLogSubgraphs>("59-academy-log-subgraphs"),
    of::<g61_agent_toolkit_interrupt::AgentToolkitInterrupt>("61-agent-toolkit-interrupt"),
    of::<g62_agent_toolkit_research_assistant::AgentToolkitResearchAssistant>("62-agent-toolkit-research-assistant"),
    of::<g64_bigtool::Bigtool>("64-bigtool"),
    of::<g65_computer_use_agent::ComputerUseAgent>("65-computer-use-agent"),
    of::<g67_fastapi_production_template::FastapiProductionTemplate>("67-fastapi-production-template"),
    of::<g68_js_wait_user_input_agent::JsWaitUserInputAgent>("68-js-wait-user-input-agent"),
    of::<g70_js_multi_turn_multi_agent::JsMultiTurnMultiAgent>("70-js-multi-turn-multi-agent"),
    of::<g71_js_customer_support_small_model::JsCustomerSupportSmallModel>("71-js-customer-support-small-model"),
    of::<g73_js_defer_node::JsDeferNode>("73-js-defer-node"),
    of::<g74_pydantic_graph_question::PydanticGraphQuestion>("74-pydantic-graph-question"),
    of::<g76_pydantic_ai_agent_graph::PydanticAiAgentGraph>("76-pydantic-ai-agent-graph"),
    of::<g77_pydantic_graph_map_decision_joins::PydanticGraphMapDecisionJoins>("77-pydantic-graph-map-decision-joins"),
    of::<g79_graph_flow_recommendation::GraphFlowRecommendation>("79-graph-flow-recommendation"),
    of::<g80_graph_flow_medical::GraphFlowMedical>("80-graph-flow-medical"),
    of::<g82_msaf_switch_case::MsafSwitchCase>("82-msaf-switch-case"),
    of::<g83_msaf_map_reduce::MsafMapReduce>("83-msaf-map-reduce"),
    of::<g85_msaf_agents_with_hitl::MsafAgentsWithHitl>("85-msaf-agents-with-hitl"),
    of::<g86_msaf_subworkflow_parallel_requests::MsafSubworkflowParallelRequests>("86-msaf-subworkflow-parallel-requests"),
    of::<g88_adk_doc_improvement_loop::AdkDocImprovementLoop>("88-adk-doc-improvement-loop"),
    of::<g89_adk_parallel_research::AdkParallelResearch>("89-adk-parallel-research"),
    of::<g91_adk_human_in_loop::AdkHumanInLoop>("91-adk-human-in-loop"),
    of::<g92_mastra_deep_research::MastraDeepResearch>("92-mastra-deep-research"),
    of::<g94_xstate_email_clarification::XstateEmailClarification>("94-xstate-email-clarification"),
    of::<g95_xstate_newspaper::XstateNewspaper>("95-xstate-newspaper"),
    of::<g97_xstate_tic_tac_toe::XstateTicTacToe>("97-xstate-tic-tac-toe"),
];

/// Every graph that was compiled, with the name of its file: also those that stand in others.
pub fn all() -> Vec<(&'static str, &'static Topology)> {
    fn add(file: &'static str, graph: &'static Topology, all: &mut Vec<(&'static str, &'static Topology)>) {
        all.push((file, graph));
        graph.places.iter().filter_map(|place| place.graph).for_each(|part| add(file, part, all));
    }
    let mut all = Vec::new();
    for written in CORPUS {
        std::iter::once(&written.graph).chain(written.others).for_each(|graph| add(written.facts, graph, &mut all));
    }
    all
}
