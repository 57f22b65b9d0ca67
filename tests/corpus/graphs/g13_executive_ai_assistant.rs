//! LangChain's assistant for mail: four places where a person is asked, and one router behind all of them.

use super::stub::*;

pub(super) mod find_meeting_time_agent {
    use super::super::stub::{Inner as State, *};

    stubs! {
        model agent;
        tools tools;
        router tool_calls(Tools, End);
    }

    graph! {
        pub(crate) FindMeetingTimeAgent(State, Deps) {
            start -> agent;
            agent -> match tool_calls { Tools => tools, End => end };
            tools -> agent;
        }
    }
}

pub(super) mod general_reflection_graph {
    use super::super::stub::{Inner as State, *};

    stubs! {
        model update_general;
    }

    graph! {
        pub(crate) GeneralReflectionGraph(State, Deps) { start -> update_general -> end; }
    }
}

pub(super) mod multi_reflection_graph {
    use super::super::stub::*;
    use super::general_reflection_graph::GeneralReflectionGraph;

    stubs! {
        model determine_what_to_update;
        list memory_types;
    }

    graph! {
        pub(crate) MultiReflectionGraph(State, Deps) {
            start -> determine_what_to_update -> each memory_types { reflection } -> end;

            reflection: graph GeneralReflectionGraph, enter(open_item), exit(close), writes(notes);
        }
    }
}

stubs! {
    model triage_input, draft_response, rewrite;
    plain human_node, mark_as_read_node, send_email_node, bad_tool_name, send_cal_invite_node, find_meeting_time;
    human send_message, send_email_draft, notify, send_cal_invite;
    router route_after_triage(DraftResponse, MarkAsReadNode, Notify);
    router take_action(SendMessage, Rewrite, MarkAsReadNode, FindMeetingTime, SendCalInvite, BadToolName);
    router enter_after_human(MarkAsReadNode, DraftResponse, SendEmailNode, SendCalInviteNode);
}

graph! {
    pub(crate) ExecutiveAiAssistant(State, Deps) {
        start -> triage_input;
        triage_input -> match route_after_triage {
            DraftResponse => draft_response,
            MarkAsReadNode => mark_as_read_node,
            Notify => notify,
        };
        draft_response -> match take_action {
            SendMessage => send_message,
            Rewrite => rewrite,
            MarkAsReadNode => mark_as_read_node,
            FindMeetingTime => find_meeting_time,
            SendCalInvite => send_cal_invite,
            BadToolName => bad_tool_name,
        };
        rewrite -> send_email_draft;
        send_message | send_cal_invite | send_email_draft | notify -> human_node;
        human_node -> match enter_after_human {
            MarkAsReadNode => mark_as_read_node,
            DraftResponse => draft_response,
            SendEmailNode => send_email_node,
            SendCalInviteNode => send_cal_invite_node,
        };
        find_meeting_time | bad_tool_name | send_cal_invite_node -> draft_response;
        send_email_node -> mark_as_read_node -> end;
    }
}
