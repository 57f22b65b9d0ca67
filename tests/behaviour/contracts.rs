//! Cases 1 to 16: questions and answers hold what their type says, built or read.
//!
//! Case 17 asks for defaults in the claims of a token. A claim that is missing must not mean a more privileged kind, so
//! there are none: what a token says is in its own fixed format, and tested beside it.

use std::collections::HashSet;

use graphwright::agent::{
    AnswerFault, AskUserAnswer, AskUserOption, AskUserQuestionInput, AskUserRequest, AskUserRequestInput, AskUserResponse, ContractError,
    ask_user_tool, display_text, validate_against_request,
};
use graphwright::{Ingest, RandomIds, Timestamp, TurnId};
use serde_json::{Value, json};

/// Characters of four bytes each: lengths count characters.
fn wide(length: usize) -> String {
    "🦀".repeat(length)
}

fn option(label: &str) -> Value {
    json!({"label": label, "description": "d"})
}

fn question(options: &[Value]) -> Value {
    json!({"question": "Which?", "header": "H", "options": options})
}

fn two() -> [Value; 2] {
    [option("A"), option("B")]
}

fn with(mut value: Value, key: &str, set: Value) -> Value {
    value[key] = set;
    value
}

fn without(mut value: Value, key: &str) -> Value {
    value.as_object_mut().unwrap().remove(key);
    value
}

/// What is wrong with it, if anything; read twice, since what is stored must be readable again.
fn fault<T: serde::de::DeserializeOwned + serde::Serialize>(value: Value) -> Option<String> {
    match serde_json::from_value::<T>(value) {
        Ok(read) => {
            let stored = serde_json::to_string(&read).unwrap();
            let again: T = serde_json::from_str(&stored).unwrap();
            assert_eq!(serde_json::to_string(&again).unwrap(), stored);
            None
        }
        Err(error) => Some(error.to_string()),
    }
}

#[track_caller]
fn takes<T: serde::de::DeserializeOwned + serde::Serialize>(value: Value) {
    assert_eq!(fault::<T>(value.clone()), None, "{value}");
}

#[track_caller]
fn refuses<T: serde::de::DeserializeOwned + serde::Serialize>(value: Value, names: &str) {
    let error = fault::<T>(value.clone()).unwrap_or_else(|| panic!("{value} was taken"));
    assert!(error.contains(names), "{error:?} does not name {names}");
}

fn request(questions: &[Value]) -> AskUserRequest {
    let input: AskUserRequestInput = serde_json::from_value(json!({ "questions": questions })).unwrap();
    input.stamp(&mut Ingest::new(&RandomIds, Timestamp(0), TurnId::default()))
}

fn answer(question: &str, selections: &[&str], other: Option<&str>) -> AskUserAnswer {
    AskUserAnswer::new(question, selections.iter().copied(), other.map(str::to_owned)).unwrap()
}

fn faults(answers: impl IntoIterator<Item = AskUserAnswer>, request: &AskUserRequest) -> Vec<AnswerFault> {
    let response = AskUserResponse::new(answers).unwrap();
    match validate_against_request(&response, request) {
        Ok(()) => Vec::new(),
        Err(faults) => faults.faults().to_vec(),
    }
}

#[test]
fn b001_label_has_1_to_80_characters() {
    takes::<AskUserOption>(option(&wide(80)));
    refuses::<AskUserOption>(option(&wide(81)), "`label` has 81 characters: 1 to 80");
    refuses::<AskUserOption>(option(""), "`label` has 0 characters: 1 to 80");
    assert!(matches!(AskUserOption::new("", "d"), Err(ContractError::Length { field: "label", found: 0, .. })));
}

#[test]
fn b002_description_and_preview_are_bounded_and_description_is_required() {
    takes::<AskUserOption>(with(option("A"), "description", wide(400).into()));
    takes::<AskUserOption>(with(option("A"), "description", "".into()));
    refuses::<AskUserOption>(with(option("A"), "description", wide(401).into()), "`description`");
    refuses::<AskUserOption>(without(option("A"), "description"), "`description`");
    takes::<AskUserOption>(with(option("A"), "preview", wide(4000).into()));
    takes::<AskUserOption>(with(option("A"), "preview", Value::Null));
    refuses::<AskUserOption>(with(option("A"), "preview", wide(4001).into()), "`preview`");
    assert_eq!(AskUserOption::new("A", "").unwrap().with_preview("p\nq").unwrap().preview(), Some("p\nq"));
}

#[test]
fn b003_question_has_3_to_500_characters() {
    for (length, fits) in [(2, false), (3, true), (500, true), (501, false)] {
        let value = with(question(&two()), "question", wide(length).into());
        if fits { takes::<AskUserQuestionInput>(value) } else { refuses::<AskUserQuestionInput>(value, "`question`") }
    }
    takes::<AskUserQuestionInput>(with(question(&two()), "question", "no question mark".into()));
}

#[test]
fn b004_header_has_at_most_12_characters() {
    takes::<AskUserQuestionInput>(with(question(&two()), "header", wide(12).into()));
    takes::<AskUserQuestionInput>(with(question(&two()), "header", "".into()));
    refuses::<AskUserQuestionInput>(with(question(&two()), "header", wide(13).into()), "`header`");
    refuses::<AskUserQuestionInput>(without(question(&two()), "header"), "`header`");
}

#[test]
fn b005_there_are_2_to_4_options() {
    let options: Vec<Value> = ["A", "B", "C", "D", "E"].map(option).into();
    for (count, fits) in [(0, false), (1, false), (2, true), (4, true), (5, false)] {
        let value = question(&options[..count]);
        if fits { takes::<AskUserQuestionInput>(value) } else { refuses::<AskUserQuestionInput>(value, "`options`") }
    }
}

#[test]
fn b006_labels_differ() {
    refuses::<AskUserQuestionInput>(question(&[option("Yes"), option("No"), option("Yes")]), "\"Yes\" twice");
    takes::<AskUserQuestionInput>(question(&[option("Yes"), option("yes")]));
    // They would look the same.
    refuses::<AskUserQuestionInput>(question(&[option("Yes"), option(" Yes ")]), "twice");
    refuses::<AskUserQuestionInput>(question(&[option("Yes"), option("Y\u{200b}es")]), "twice");
}

#[test]
fn b007_there_are_1_to_4_questions() {
    for (count, fits) in [(0, false), (1, true), (4, true), (5, false)] {
        let value = json!({"questions": vec![question(&two()); count]});
        if fits { takes::<AskUserRequestInput>(value) } else { refuses::<AskUserRequestInput>(value, "`questions`") }
    }
}

#[test]
fn b008_ids_are_stamped_and_never_shared() {
    let input: AskUserRequestInput = serde_json::from_value(json!({"questions": [question(&two())]})).unwrap();
    let mut ingest = Ingest::new(&RandomIds, Timestamp(0), TurnId::default());
    let mut seen = HashSet::new();
    for _ in 0..10_000 {
        let id = input.clone().stamp(&mut ingest).questions()[0].id().to_owned();
        let digits = id.strip_prefix("q-").unwrap();
        assert!(digits.len() == 12 && digits.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f')), "{id}");
        assert!(seen.insert(id));
    }
}

#[test]
fn b008_ids_differ_within_a_request_even_if_the_generator_repeats_itself() {
    #[derive(Debug)]
    struct Stuck;
    impl graphwright::IdGen for Stuck {
        fn fresh(&self) -> [u8; 16] {
            [0xff; 16]
        }
    }
    let input: AskUserRequestInput = serde_json::from_value(json!({"questions": vec![question(&two()); 4]})).unwrap();
    let stamped = input.stamp(&mut Ingest::new(&Stuck, Timestamp(0), TurnId::default()));
    takes::<AskUserRequest>(serde_json::to_value(stamped).unwrap());
}

#[test]
fn b009_an_id_from_the_model_is_ignored() {
    let value = with(with(question(&two()), "id", "q-0123456789ab".into()), "mood", json!({"deep": [1]}));
    let input: AskUserQuestionInput = serde_json::from_value(value.clone()).unwrap();
    assert!(!serde_json::to_string(&input).unwrap().contains("q-0123456789ab"));
    assert_ne!(request(&[value]).questions()[0].id(), "q-0123456789ab");
}

#[test]
fn b010_a_stored_request_with_an_id_twice_is_refused() {
    let one = with(question(&two()), "id", "q-0123456789ab".into());
    let other = with(question(&two()), "id", "q-0123456789ac".into());
    takes::<AskUserRequest>(json!({"questions": [one, other]}));
    refuses::<AskUserRequest>(json!({"questions": [one, one]}), "\"q-0123456789ab\" twice");
    refuses::<AskUserRequest>(json!({"questions": [question(&two())]}), "`id`");
}

#[test]
fn b011_an_answer_says_something_and_not_too_much() {
    let answer = |selections: Value, other: Value| json!({"question_id": "q-0123456789ab", "selections": selections, "other": other});
    takes::<AskUserAnswer>(answer(json!(["A", "B", "C", "D"]), Value::Null));
    takes::<AskUserAnswer>(answer(json!([]), wide(1000).into()));
    takes::<AskUserAnswer>(json!({"question_id": "q-0123456789ab", "other": "own words", "extra": 1}));
    refuses::<AskUserAnswer>(answer(json!([]), Value::Null), "q-0123456789ab");
    refuses::<AskUserAnswer>(answer(json!([]), "".into()), "empty");
    refuses::<AskUserAnswer>(answer(json!([]), " \n ".into()), "empty");
    refuses::<AskUserAnswer>(answer(json!(["A", "B", "C", "D", "E"]), Value::Null), "`selections`");
    refuses::<AskUserAnswer>(answer(json!(["A", "A"]), Value::Null), "\"A\" twice");
    refuses::<AskUserAnswer>(answer(json!(["A"]), wide(1001).into()), "`other`");
}

#[test]
fn b012_a_question_id_has_its_shape() {
    let answer = |id: &str| json!({"question_id": id, "selections": ["A"]});
    takes::<AskUserAnswer>(answer("q-0123456789ab"));
    for id in [
        "q-0123456789AB",
        "Q-0123456789ab",
        "q-01234567-9ab",
        "q-0123456789a",
        "q-0123456789abc",
        "0123456789ab",
        "",
        "q-",
        "q-é123456789a",
    ] {
        refuses::<AskUserAnswer>(answer(id), "question_id");
    }
}

#[test]
fn b013_a_response_answers_each_question_once() {
    let answer = |id: &str| json!({"question_id": id, "selections": ["A"]});
    takes::<AskUserResponse>(json!({"answers": [answer("q-000000000001"), answer("q-000000000002")]}));
    refuses::<AskUserResponse>(json!({"answers": [answer("q-000000000001"), answer("q-000000000001")]}), "\"q-000000000001\" twice");
    refuses::<AskUserResponse>(json!({"answers": []}), "`answers`");
    let five: Vec<Value> = (0..5).map(|n| answer(&format!("q-00000000000{n}"))).collect();
    refuses::<AskUserResponse>(json!({ "answers": five }), "`answers`");
}

#[test]
fn b014_every_question_is_answered_and_no_other() {
    let request = request(&[question(&two()), question(&two()), question(&two())]);
    let id = |nth: usize| request.questions()[nth].id().to_owned();
    let some = faults([answer(&id(1), &["A"], None)], &request);
    assert_eq!(some, [AnswerFault::Missing { question: id(0) }, AnswerFault::Missing { question: id(2) }]);
    let more = (0..3).map(|nth| answer(&id(nth), &["A"], None)).chain([answer("q-ffffffffffff", &["A"], None)]);
    assert_eq!(faults(more, &request), [AnswerFault::Unknown { question: "q-ffffffffffff".into() }]);
}

#[test]
fn b015_selections_fit_the_question() {
    let own = with(question(&two()), "allow_other", true.into());
    let many = with(question(&two()), "multi_select", true.into());
    let asks = request(&[question(&two()), own, many]);
    let [plain, own, many] = [0, 1, 2].map(|nth| asks.questions()[nth].id().to_owned());
    let fitting = [answer(&plain, &["A"], None), answer(&own, &["B"], Some("and more")), answer(&many, &["A", "B"], None)];
    assert_eq!(faults(fitting, &asks), []);

    // All faults at once, each with its question and the offender.
    let wrong = [answer(&plain, &["A", "B"], Some("x")), answer(&own, &["C"], None), answer(&many, &["a"], Some("x"))];
    assert_eq!(
        faults(wrong, &asks),
        [
            AnswerFault::TooMany { question: plain.clone(), found: 2 },
            AnswerFault::OtherNotAllowed { question: plain },
            AnswerFault::UnknownLabel { question: own, label: "C".into() },
            AnswerFault::UnknownLabel { question: many.clone(), label: "a".into() },
            AnswerFault::OtherNotAllowed { question: many },
        ]
    );
}

#[test]
fn b015_an_offender_is_named_without_harm() {
    let asks = request(&[question(&two())]);
    let id = asks.questions()[0].id();
    let faults = validate_against_request(&AskUserResponse::new([answer(id, &["\u{1b}[2J\u{202e}"], None)]).unwrap(), &asks).unwrap_err();
    let text = faults.to_string();
    assert!(text.contains(id) && !text.chars().any(|c| c.is_control() || c == '\u{202e}'), "{text:?}");
}

#[test]
fn b016_the_order_of_answers_does_not_matter() {
    let request = request(&[question(&two()), question(&two())]);
    let id = |nth: usize| request.questions()[nth].id().to_owned();
    assert_eq!(faults([answer(&id(1), &["B"], None), answer(&id(0), &["A"], None)], &request), []);
}

#[test]
fn what_a_person_is_shown_is_clean() {
    for (given, shown) in [
        ("plain Grüße 你好", "plain Grüße 你好"),
        ("\u{1b}[31;1mred\u{1b}[0m", "red"),
        ("\u{9b}2Kgone", "gone"),
        // Not a word of what a terminal would hide is lost.
        ("\u{1b}]8;;http://evil\u{1b}\\click\u{7}", "]8;;http://evil\\click"),
        ("a\u{0}b\u{8}c\u{7f}d\u{90}e", "abcde"),
        ("\u{202e}abc\u{2066}d\u{2069}\u{61c}", "abcd"),
        ("a\u{200b}b\u{200d}c\u{feff}d\u{ad}e\u{e0041}f", "abcdef"),
        ("1\n2\r\n3\r4\u{2028}5\u{85}6\n7\n8", "1\n2\n3\n4\n5\n6 7 8"),
    ] {
        assert_eq!(display_text(given), shown, "{given:?}");
        assert_eq!(display_text(shown), shown, "cleaning twice changes nothing");
    }
    let option = AskUserOption::new("Yes\n2) No", "d").unwrap();
    assert_eq!(option.label(), "Yes 2) No", "a label cannot fake another entry");
    assert_eq!(AskUserOption::new("\u{200b}\u{200b}", "d"), Err(ContractError::Blank { field: "label" }));
    assert!(AskUserOption::new("  ", "d").is_err());
}

#[test]
fn what_became_too_short_by_cleaning_is_refused_when_it_is_built() {
    let value = with(question(&two()), "question", "a\u{200b}\u{200b}b".into());
    refuses::<AskUserQuestionInput>(value, "`question` has 2 characters");
}

#[test]
fn schemas_carry_the_constraints() {
    let tool = ask_user_tool();
    assert_eq!(tool.name, "ask_user");
    let schema: Value = serde_json::from_str(tool.schema.get()).unwrap();
    assert!(!tool.schema.get().contains("$ref"), "not every provider follows references");
    let questions = &schema["properties"]["questions"];
    assert_eq!((&questions["minItems"], &questions["maxItems"]), (&json!(1), &json!(4)));
    let question = &questions["items"]["properties"];
    assert_eq!((&question["question"]["minLength"], &question["question"]["maxLength"]), (&json!(3), &json!(500)));
    assert_eq!(question["header"]["maxLength"], 12);
    assert_eq!((&question["options"]["minItems"], &question["options"]["maxItems"]), (&json!(2), &json!(4)));
    let option = &question["options"]["items"]["properties"];
    assert_eq!((&option["label"]["minLength"], &option["label"]["maxLength"]), (&json!(1), &json!(80)));
    assert_eq!(questions["items"]["required"], json!(["question", "header", "options"]));
    assert!(question.get("id").is_none());

    let answer = serde_json::to_value(graphwright::agent::schemars::schema_for!(AskUserResponse)).unwrap();
    let text = answer.to_string();
    assert!(text.contains(r"^q-[0-9a-f]{12}$") && text.contains("uniqueItems") && text.contains("1000"), "{text}");
}
