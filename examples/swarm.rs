//! A swarm: agents that hand a customer over to each other. `cargo run --example swarm`
//!
//! Each agent is a graph with exits of its own. It says what a case is about, and not who takes it: the graph around the
//! agents binds every exit. An exit that nobody binds does not compile, and a budget ends it when somebody is sent to and
//! fro. It prints, for each message, the agents that had it, the last word, and the end. The model is scripted: it needs
//! no network.

use graphwright::BoxError;
use graphwright::agent::{ChatRequest, Conversation, JsonSchema, Message, Model, Reply, Scripted, schemars};
use graphwright::prelude::*;
use serde_json::json;

/// One customer.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Customer {
    #[state(conversation)]
    talk: Conversation,
    #[state(append, per_turn)]
    pub seen_by: Vec<String>,
}

/// What a case is about now.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, Route)]
enum About {
    Money,
    Product,
    Nothing,
}

/// What an agent says, as JSON of the model.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Said {
    text: String,
    about: About,
}

/// What all agents have in common: one speaks, and says what is left.
async fn speak(who: &str, task: &str, customer: &Customer, cx: &Context<Model>) -> Result<(Update<Customer>, About), NodeError> {
    let said = cx.deps().chat(&customer.talk).system(format!("{who}: {task}")).json::<Said>().repair().send(cx).await?.value;
    Ok((Customer::update().seen_by([who]).talk(Reply::text(said.text)), said.about))
}

#[node(model)]
async fn greet(customer: &Customer, cx: &Context<Model>) -> Result<(Update<Customer>, About), NodeError> {
    speak("front desk", "find out what it is about", customer, cx).await
}

#[node(model)]
async fn correct(customer: &Customer, cx: &Context<Model>) -> Result<(Update<Customer>, About), NodeError> {
    speak("billing", "correct the invoice", customer, cx).await
}

#[node(model)]
async fn repair(customer: &Customer, cx: &Context<Model>) -> Result<(Update<Customer>, About), NodeError> {
    speak("technician", "repair the app", customer, cx).await
}

#[node]
fn call_a_human(_: &Customer) -> Update<Customer> {
    Customer::update().seen_by(["a human"]).talk(Reply::text("Somebody will call you."))
}

graph! {
    FrontDesk(Customer, Model) {
        start -> greet -> match { Nothing => end, Money => end money, Product => end product };
    }
}

graph! {
    Billing(Customer, Model) {
        start -> correct -> match { Nothing | Money => end, Product => end not_money };
    }
}

graph! {
    Technician(Customer, Model) {
        start -> repair -> match { Nothing | Product => end, Money => end not_technical };
    }
}

graph! {
    /// Who gets whom: only here.
    #[graph(version = 1, steps = 50)]
    pub Swarm(Customer, Model) {
        start -> front_desk -> match { end => end, money => billing, product => technician };
        billing -> match { end => end, not_money => technician at_most 2 else call_a_human };
        technician -> match { end => end, not_technical => billing at_most 2 else call_a_human };
        call_a_human -> end to_a_human;

        front_desk: graph FrontDesk as "front desk";
        billing: graph Billing;
        technician: graph Technician;
    }
}

/// What the model says, by plain rules.
pub fn rules(request: &ChatRequest<'_>) -> Reply {
    let asked = request.messages().filter_map(|message| match message {
        Message::User { text } => Some(text.as_str()),
        _ => None,
    });
    let (text, who) = (asked.last().unwrap_or_default(), request.system.and_then(|system| system.split(':').next()));
    let (money, app) = (text.contains("invoice"), text.contains("app"));
    let (text, about) = match who {
        Some("front desk") if money => ("I ask billing.", About::Money),
        Some("front desk") if app => ("I ask a technician.", About::Product),
        Some("front desk") => ("You are welcome.", About::Nothing),
        Some("billing") if app => ("That is the app.", About::Product),
        Some("billing") => ("The invoice is corrected.", About::Nothing),
        _ if text.contains("charges") => ("That is a price.", About::Money),
        _ => ("Please restart it.", About::Nothing),
    };
    Reply::text(json!(Said { text: text.to_owned(), about }).to_string())
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let app = Swarm::app(Model::new(Scripted::by(rules)), Memory::new());
    let customers = [
        ("ana", "My invoice is wrong"),
        ("ana", "Thank you"),
        ("ben", "The invoice does not open in the app"),
        ("eva", "The app charges me twice"),
    ];
    for (name, text) in customers {
        let done = app.thread(name).run(text).await?.completed().ok_or("it was stopped")?;
        let Customer { seen_by, talk } = done.output;
        println!("{name}: {text}\n  {}: {} ({:?})", seen_by.join(" -> "), talk.last_text().unwrap_or_default(), done.exit);
    }
    Ok(())
}
