//! A model without a network: it works from the customer's words by plain rules, and understands nothing.

use graphwright::agent::{Message, Model, Reply, Scripted, ToolResult, ToolStatus};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::shop::{Order, Quote, Reason, Receipt};

/// Words by which a reason is known. The first that fits counts.
const REASONS: [(Reason, &[&str]); 3] = [
    (Reason::Broken, &["broke", "damage", "crack", "chip", "torn", "stain", "not work"]),
    (Reason::WrongItem, &["wrong"]),
    (Reason::ChangedMind, &["changed my mind", "no longer", "not want", "n't want", "return", "send it back"]),
];
/// Words of somebody who wants money.
const MONEY: &[&str] = &["refund", "money", "paid back", "pay back", "pay me back", "reimburse"];

/// The scripted model.
pub fn scripted() -> Model {
    Model::new(Scripted::by(|request| match Case::read(request.messages()).settle() {
        Ok(text) => Reply::text(text),
        Err(Call(tool, arguments)) => Reply::text("").call(tool, arguments),
    }))
}

/// A tool that has to be called before anything can be said.
struct Call(&'static str, Value);

/// What the customer said last, and what came of it so far.
#[derive(Default)]
struct Case<'a> {
    /// The message, in small letters.
    words: String,
    /// Answers to questions about it, in small letters.
    answers: Vec<String>,
    results: Vec<&'a ToolResult>,
}

impl<'a> Case<'a> {
    fn read(messages: impl Iterator<Item = &'a Message>) -> Self {
        let mut case = Self::default();
        for message in messages {
            match message {
                // Nobody describes a parcel in more words than this.
                Message::User { text } => case = Self { words: text.to_lowercase().chars().take(2_000).collect(), ..Self::default() },
                Message::Tool(result) => case.results.push(result),
                _ => {}
            }
        }
        case.answers = case.results.iter().filter(|result| result.name == "ask_user").flat_map(|result| answers(result)).collect();
        case
    }

    fn settle(&self) -> Result<String, Call> {
        if let Some(paid) = self.newest::<Receipt>("issue_refund") {
            return Ok(match paid {
                Ok(receipt) => format!("{} for order {} are on their way back to you.", receipt.cents, receipt.order),
                Err(fault) => format!("I am sorry, I cannot pay that back: {fault}."),
            });
        }
        match self.newest::<Quote>("quote_refund") {
            Some(Ok(quote)) if quote.cents.0 > 0 => self.pay(&quote),
            Some(Ok(quote)) => Ok(format!("I am sorry, nothing is paid back for order {}: {}", quote.order, quote.rule)),
            Some(Err(fault)) => Ok(format!("I am sorry, I cannot pay that back: {fault}.")),
            None => self.look_into_it(),
        }
    }

    fn pay(&self, quote: &Quote) -> Result<String, Call> {
        Err(Call("issue_refund", json!({ "order": quote.order, "reason": self.reason(), "cents": quote.cents })))
    }

    fn look_into_it(&self) -> Result<String, Call> {
        if self.results.last().is_some_and(|result| result.status == ToolStatus::NotAnswered) {
            return Ok("Then I leave it as it is. Write again when you know more.".to_owned());
        }
        let Some(order) = self.order()? else {
            return Ok("I cannot find that order. Please tell me its number: it looks like K-1001.".to_owned());
        };
        match self.reason() {
            Some(reason) => Err(Call("quote_refund", json!({ "order": order.order, "reason": reason }))),
            None if self.says(MONEY) => Err(ask("What is wrong with it?", "Reason", &REASON_OPTIONS.map(owned))),
            None => Ok(format!("Order {} ({}) is {}.", order.order, describe(&order), order.status)),
        }
    }

    /// The order that is meant: the only one that fits, or the one that the customer picked.
    fn order(&self) -> Result<Option<Order>, Call> {
        let words = || [&self.words].into_iter().chain(&self.answers).map(String::as_str).collect::<Vec<_>>().join(" ");
        let Some(Ok(orders)) = self.newest::<Vec<Order>>("look_up_order") else {
            return Err(Call("look_up_order", json!({ "words": words() })));
        };
        if orders.len() <= 1 {
            return Ok(orders.into_iter().next());
        }
        let picked = |order: &&Order| self.answers.iter().any(|answer| answer.contains(&order.order.to_lowercase()));
        if let Some(order) = orders.iter().find(picked) {
            return Ok(Some(order.clone()));
        }
        if self.results.last().is_some_and(|result| result.name == "ask_user") {
            // An answer of the customer's own.
            return Err(Call("look_up_order", json!({ "words": words() })));
        }
        let options: Vec<_> = orders.iter().take(4).map(|order| (order.order.clone(), describe(order))).collect();
        Err(ask("Which order is it?", "Order", &options))
    }

    /// The newest result of a tool, or what was said instead of one.
    fn newest<T: DeserializeOwned>(&self, tool: &str) -> Option<Result<T, &'a str>> {
        let result = self.results.iter().rev().find(|result| result.name == tool)?;
        let read = if result.status == ToolStatus::Ok { serde_json::from_str(&result.content).ok() } else { None };
        Some(read.ok_or(result.content.trim_start_matches("error: ")))
    }

    fn says(&self, any: &[&str]) -> bool {
        [&self.words].into_iter().chain(&self.answers).any(|text| any.iter().any(|word| text.contains(word)))
    }

    fn reason(&self) -> Option<Reason> {
        REASONS.iter().find(|(_, words)| self.says(words)).map(|(reason, _)| *reason)
    }
}

const REASON_OPTIONS: [(&str, &str); 3] = [
    ("It is broken", "damaged, or it does not work"),
    ("It is the wrong item", "something else arrived"),
    ("I changed my mind", "it is no longer wanted"),
];

fn owned((label, description): (&str, &str)) -> (String, String) {
    (label.to_owned(), description.to_owned())
}

fn ask(question: &str, header: &str, options: &[(String, String)]) -> Call {
    let options: Vec<_> = options.iter().map(|(label, description)| json!({ "label": label, "description": description })).collect();
    let question = json!({ "question": question, "header": header, "options": options, "allow_other": true });
    Call("ask_user", json!({ "questions": [question] }))
}

fn describe(order: &Order) -> String {
    format!("{} × {}, {}, ordered {}", order.quantity, order.product, order.customer, order.ordered)
}

/// What the customer answered, out of the result of `ask_user`.
fn answers(result: &ToolResult) -> Vec<String> {
    #[derive(Deserialize)]
    struct Report {
        answers: Vec<Answer>,
    }
    #[derive(Deserialize)]
    struct Answer {
        selections: Vec<String>,
        other: Option<String>,
    }
    let report: Option<Report> = serde_json::from_str(&result.content).ok();
    let answers = report.into_iter().flat_map(|report| report.answers);
    answers.flat_map(|answer| answer.selections.into_iter().chain(answer.other)).map(|text| text.to_lowercase()).collect()
}
