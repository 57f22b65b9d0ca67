//! The agent service toolkit's question: in the source one node asks until it understands the answer.

use super::stub::*;

stubs! {
    model background, generate_response, read_answer(Found, Unclear);
    human determine_birthdate;
}

graph! {
    pub(crate) AgentToolkitInterrupt(State, Deps) {
        start -> background -> determine_birthdate -> read_answer;
        read_answer -> match { Found => generate_response, Unclear => determine_birthdate };
        generate_response -> end;
    }
}
