//! Replies that are values.

use graphwright::agent::{JsonChat, Message, Model, ModelError, Reply, Scripted};
use graphwright::prelude::*;
use graphwright::{Class, EventKind, Usage};
use schemars::JsonSchema;

use super::kit::Desk;
use super::shop::{Shop, shop, user};
use crate::common::Recorder;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Colour {
    Red,
    Blue,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Mug {
    /// What it is painted with.
    colour: Colour,
    sizes: Vec<u32>,
}

fn says(text: &str) -> Reply {
    let mut reply = Reply::text(text);
    reply.usage = Some(Usage::new(10, 1));
    reply
}

const MUG: &str = r#"{"colour":"red","sizes":[1,2]}"#;

fn mug() -> Mug {
    Mug { colour: Colour::Red, sizes: vec![1, 2] }
}

#[tokio::test]
async fn a_reply_is_a_value_and_the_schema_goes_with_the_call() {
    let script = Scripted::new([says(MUG)]);
    let (model, cx) = (Model::new(script.clone()), Context::test(Shop::default()));
    let talk = [user("a mug, please")];
    let json = model.chat(&talk).system("Sell mugs.").tools(&shop()).ask_user().json::<Mug>().send(&cx).await.unwrap();
    assert_eq!((json.value, json.usage), (mug(), Usage::new(10, 1)));
    let heard = &script.requests()[0];
    let system = heard.system.as_deref().unwrap();
    assert!(system.starts_with("Sell mugs.\n\nAnswer with one JSON value"), "{system}");
    assert!(system.contains("\"What it is painted with.\"") && system.contains("\"red\""), "{system}");
    assert_eq!(heard.tools, [""; 0], "it can only answer");
    assert_eq!(heard.format.as_deref(), Some("Mug"));
}

#[tokio::test]
async fn what_does_not_fit_is_an_error_that_names_the_field_and_not_what_was_said() {
    let cases = [
        (r#"{"colour":"s3cr3t","sizes":[]}"#, "colour", "unknown variant, expected `red` or `blue`"),
        (r#"{"colour":"red","sizes":[1,"s3cr3t"]}"#, "sizes[1]", "invalid type, expected u32"),
        (r#"{"colour":"red"}"#, "", "missing field `sizes`"),
        ("s3cr3t, I would say", "", "it is no JSON: expected value at line 1 column 1"),
        ("", "", "it is no JSON: EOF while parsing a value at line 1 column 0"),
    ];
    for (text, at, what) in cases {
        let model = Model::new(Scripted::new([says(text)]));
        let error = model.chat(&[user("hi")]).json::<Mug>().send(&Context::test(())).await.unwrap_err();
        let ModelError::Misfit { field, fault, .. } = &error else { panic!("{error}") };
        assert_eq!((field.as_str(), fault.as_str()), (at, what));
        assert_eq!(error.class(), Class::Unknown, "another try may give another reply");
        assert!(!format!("{error} {error:?}").contains("s3cr3t"), "{error}");
    }
}

#[tokio::test]
async fn one_repair_and_no_more() {
    let script = Scripted::new([says(r#"{"colour":"green","sizes":[]}"#), says(MUG)]);
    let (recorder, cx) = Recorder::new(());
    let desk = Desk::default().and("a mug, please");
    let json = Model::new(script.clone()).chat(&desk.talk).json::<Mug>().repair().send(&cx).await.unwrap();
    assert_eq!((json.value, json.usage), (mug(), Usage::new(20, 2)));
    let heard = script.requests();
    assert_eq!((heard[1].system.clone(), heard[1].messages.len()), (heard[0].system.clone(), 3));
    let Message::User { text } = &heard[1].messages[2] else { panic!("{:?}", heard[1]) };
    assert!(text.contains("`colour`: unknown variant `green`, expected `red` or `blue`"), "{text}");
    let kinds = recorder.kinds();
    assert_eq!(kinds.iter().filter(|kind| matches!(kind, EventKind::ModelStarted { .. })).count(), 2);

    let script = Scripted::new([says("no"), says("never"), says(MUG)]);
    let error = Model::new(script.clone()).chat(&desk.talk).json::<Mug>().repair().send(&cx).await.unwrap_err();
    assert!(matches!(error, ModelError::Misfit { .. }), "{error}");
    assert_eq!(script.calls(), 2);
}

#[test]
fn the_call_can_be_spawned() {
    fn send<T: Send>(_: T) {}
    let (cx, model, talk) = (Context::test(()), Model::new(Scripted::new([])), [user("hi")]);
    let chat: JsonChat<'_, (), Mug> = model.chat(&talk).json();
    send(chat.repair().send(&cx));
}
