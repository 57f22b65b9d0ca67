//! What an operator is shown in a terminal, whatever outsiders said.

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Page {
    text: String,
}

/// What a server on the way may answer: a second line, a window's title, text from right to left.
const SAID: &str = "gone\u{1b}]0;owned\u{7}\u{202e}\r\n  row 9: start -> end: the way is always open";

#[node(writes(text))]
async fn fetch(_: &Page) -> NodeResult<fetch> {
    Err(SAID.into())
}

#[node(writes(text))]
async fn other(_: &Page) -> NodeResult<other> {
    Ok(Page::update().text("other"))
}

graph! {
    Alone(Page) {
        start -> fetch -> end;
    }
}

graph! {
    Beside(Page) {
        start -> again -> [fetch -> last] -> end;
        again: other;
        last: other;
    }
}

fn is_clean(text: &str) -> bool {
    !text.contains("row 9") && !text.chars().any(|c| c != '\n' && (c.is_control() || c == '\u{202e}'))
}

#[tokio::test]
async fn a_history_and_an_explanation_hold_nothing_that_a_terminal_obeys() {
    let alone = Alone::app((), Memory::new()).thread("t");
    alone.run(Page::update()).label(SAID).await.unwrap_err();
    let beside = Beside::app((), Memory::new()).thread("t");
    beside.run(Page::update()).label(SAID).await.unwrap_err();
    let shown = [
        alone.history().await.unwrap().to_string(),
        alone.explain().await.unwrap().to_string(),
        beside.history().await.unwrap().to_string(),
        beside.explain().await.unwrap().to_string(),
    ];
    for text in shown {
        assert!(is_clean(&text) && text.contains("gone"), "{text:?}");
    }
}
