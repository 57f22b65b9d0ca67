use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Draft {
    text: String, // replaced by whoever writes it
    #[state(append)]
    facts: Vec<String>, // grows
}

#[derive(Route)]
enum Verdict {
    Good,
    Vague,
    Wrong,
    Rude,
}

#[node]
async fn write(draft: &Draft) -> NodeResult<Draft> {
    Ok(Draft::update().text(format!("A text about mugs. {}", draft.facts.join(" "))))
}

#[node]
fn research(_: &Draft) -> Update<Draft> {
    Draft::update().facts(["A mug has a handle."])
}

#[router]
fn verdict(draft: &Draft) -> Verdict {
    match draft.facts.len() {
        0 => Verdict::Wrong,
        _ if draft.text.len() < 20 => Verdict::Vague,
        _ => Verdict::Good,
    }
}

graph! {
    Writer(Draft) {
        start -> write;
        write -> match verdict {
            Good  => end,
            Vague => write at_most 3 else end unfinished,
            Wrong => research,
        };
        research -> write;
    }
}

fn main() {}
