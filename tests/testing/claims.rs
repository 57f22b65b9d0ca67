//! A graph with one of everything, in several builds: what is given to `claims!` is what somebody changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use graphwright::prelude::*;
use graphwright::testing::TestApp;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Claim {
    pub amount: u32,
    pub papers: Vec<String>,
    #[state(append)]
    pub filed: Vec<String>,
    pub paid: bool,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Page {
    pub text: String,
}

/// How often each node was called, and how often the bank refuses before it pays.
#[derive(Clone, Debug, Default)]
pub struct Office {
    pub called: Arc<AtomicU32>,
    pub refusals: Arc<AtomicU32>,
}

impl Office {
    fn call(&self) {
        self.called.fetch_add(1, Ordering::Relaxed);
    }
}

#[derive(Route)]
pub enum Size {
    Small,
    Large,
}

#[node]
pub fn appraise(claim: &Claim, cx: &Context<Office>) -> (Update<Claim>, Size) {
    cx.deps().call();
    (Claim::update(), if claim.amount < 100 { Size::Small } else { Size::Large })
}

/// Asks how much to pay.
#[derive(Debug)]
pub struct Clerk;

#[node]
impl Interrupt<Claim, Office> for Clerk {
    type Question = u32;
    type Answer = u32;

    async fn ask(claim: &Claim, cx: &Context<Office>) -> Result<Ask<Self>, NodeError> {
        cx.deps().call();
        Ok(Ask::question(claim.amount))
    }

    fn resume(_: &Claim, _: &u32, answer: Answer<u32>) -> NodeResult<Self> {
        Ok(match answer {
            Answer::Accepted(amount) => Claim::update().amount(amount),
            Answer::Declined | Answer::Cancelled => Claim::update(),
        })
    }
}

/// Asks whether it is so.
#[derive(Debug)]
pub struct Judge;

#[node(writes(filed))]
impl Interrupt<Claim, Office> for Judge {
    type Question = String;
    type Answer = bool;

    async fn ask(_: &Claim, _: &Context<Office>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question("Is it so?".to_owned()))
    }

    fn resume(_: &Claim, _: &String, answer: Answer<bool>) -> NodeResult<Self> {
        Ok(Claim::update().filed([format!("{answer:?}")]))
    }
}

#[node(writes(filed))]
pub async fn file(_: &Claim, paper: &String, cx: &Context<Office>) -> NodeResult<file> {
    cx.deps().call();
    Ok(Claim::update().filed([format!("filed {paper}")]))
}

#[node]
pub async fn pay(_: &Claim, cx: &Context<Office>) -> NodeResult<Claim> {
    cx.deps().call();
    let refuses = |left: u32| left.checked_sub(1);
    match cx.deps().refusals.fetch_update(Ordering::Relaxed, Ordering::Relaxed, refuses) {
        Ok(_) => Err("the bank is closed")?,
        Err(_) => Ok(Claim::update().paid(true)),
    }
}

#[node]
pub fn write(page: &Page) -> NodeResult<Page> {
    Ok(Page::update().text(format!("Dear Sir, {}", page.text)))
}

#[node]
pub fn refuse(_: &Claim) {}

#[node]
pub fn lapse(_: &Claim) {}

#[router]
pub fn paid(claim: &Claim) -> bool {
    claim.paid
}

pub fn begin(claim: &Claim) -> Update<Page> {
    Page::update().text(format!("we pay {}", claim.amount))
}

/// A build: from which amount on there is a letter, what goes before each paper, and how a letter is signed.
macro_rules! claims {
    ($build:ident, $letter_from:literal, $mark:literal, $signed:literal) => {
        pub mod $build {
            use super::*;

            #[router]
            pub fn wants_letter(claim: &Claim) -> bool {
                claim.amount >= $letter_from
            }

            #[router]
            pub fn papers(claim: &Claim) -> Vec<String> {
                claim.papers.iter().map(|paper| format!("{}{paper}", $mark)).collect()
            }

            pub fn sign(page: &Page) -> Update<Claim> {
                Claim::update().filed([format!("{}, {}", page.text, $signed)])
            }

            graph! {
                pub Letter(Page, Office) {
                    start -> write -> end;
                }
            }

            graph! {
                pub Claims(Claim, Office) {
                    start -> appraise;
                    appraise -> match { Small => pay, Large => clerk };
                    clerk -> match {
                        Accepted             => each papers { file } -> sorted,
                        Declined | Cancelled => refuse,
                    };
                    clerk -> lapse on expiry;
                    sorted -> letter if wants_letter;
                    sorted -> pay;
                    letter -> pay;
                    pay -> match paid { true => end, false => never };
                    pay -> refuse on error;
                    refuse -> end;
                    lapse -> end;

                    clerk: Clerk, expires(48h);
                    sorted: refuse;
                    letter: graph Letter, enter(begin), exit(sign), writes(filed);
                    pay: retry(2, backoff(10s));
                }
            }
        }
    };
}

claims!(now, 500, "", "the office");
claims!(higher_limit, 1_000, "", "the office");
claims!(other_papers, 500, "copy of ", "the office");
claims!(other_signature, 500, "", "your office");

/// The same without the places that a letter needs, and without a field.
pub mod smaller {
    use super::*;

    graph! {
        pub Claims(Claim, Office) {
            start -> appraise;
            appraise -> match { Small => pay, Large => refuse };
            pay -> match paid { true => end, false => never };
            refuse -> end;
        }
    }
}

pub mod without_papers {
    use super::{Deserialize, Serialize, State, graph, node};

    #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
    pub struct Claim {
        pub amount: u32,
    }

    #[node]
    pub fn appraise(_: &Claim) {}

    graph! {
        pub Claims(Claim) {
            start -> appraise -> end;
        }
    }
}

pub fn office() -> (Office, TestApp<now::Claims>) {
    let office = Office::default();
    (office.clone(), TestApp::new(office))
}

pub fn claim(amount: u32, papers: &[&str]) -> Update<Claim> {
    Claim::update().amount(amount).papers(papers.iter().map(|paper| (*paper).to_owned()).collect::<Vec<_>>())
}
