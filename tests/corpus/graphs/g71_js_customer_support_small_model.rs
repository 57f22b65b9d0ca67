//! LangGraph.js: customer support by a small model; in the source the pause is an exception.

use super::stub::*;

stubs! {
    model initial_support, billing_support, technical_support;
    human handle_refund;
    router next_representative(Billing, Technical, Conversational);
    router refund_wanted(Refund, End);
}

graph! {
    pub(crate) JsCustomerSupportSmallModel(State, Deps) {
        start -> initial_support;
        initial_support -> match next_representative {
            Billing => billing_support,
            Technical => technical_support,
            Conversational => end,
        };
        billing_support -> match refund_wanted { Refund => handle_refund, End => end };
        technical_support | handle_refund -> end;
    }
}
