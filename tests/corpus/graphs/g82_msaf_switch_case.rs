//! Microsoft's agent framework: cases in order, with a default.

use super::stub::*;

stubs! {
    plain store_email, to_detection_result, submit_to_email_assistant, handle_spam, handle_uncertain, finalize_and_send;
    model spam_detection_agent, email_assistant_agent;
    router decision(NotSpam, Spam, Default);
}

graph! {
    pub(crate) MsafSwitchCase(State, Deps) {
        start -> store_email -> spam_detection_agent -> to_detection_result;
        to_detection_result -> match decision {
            NotSpam => submit_to_email_assistant,
            Spam => handle_spam,
            Default => handle_uncertain,
        };
        submit_to_email_assistant -> email_assistant_agent -> finalize_and_send -> end;
        handle_spam | handle_uncertain -> end;
    }
}
