//! Routes and routers.

use graphwright::__private::{Chosen, ChosenKind, OneWay};
use graphwright::prelude::*;
use graphwright::{Router, RouterMeta};

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    n: u64,
}

/// Neither `Copy` nor `Clone`: a route need not be.
#[derive(Debug, PartialEq, Route)]
pub enum Next {
    Again,
    r#Self_,
    Done,
}

/// Where to.
#[router]
pub fn next(order: &Order) -> Next {
    if order.n < 3 { Next::Again } else { Next::Done }
}

#[router]
fn enough(order: &Order, turn: &Turn) -> bool {
    turn.steps() > 100 || order.n > 1
}

#[router]
fn always<S: State>(_: &S) -> bool {
    true
}

#[test]
fn a_router_is_still_a_function() {
    assert_eq!(next(&Order { n: 1 }), Next::Again);
    assert_eq!(next(&Order { n: 3 }), Next::Done);
    assert!(always(&Order::default()));
}

#[test]
fn a_router_tells_about_itself() {
    fn about<R: RouterMeta>() -> (&'static str, &'static str, bool) {
        (R::NAME, R::DOCS, R::GATE)
    }
    fn over<S: State, R: Router<S>>() {}
    assert_eq!(about::<next>(), ("next", "Where to.", false));
    assert_eq!(about::<enough>(), ("enough", "", false));
    over::<Order, next>();
    over::<Order, enough>();
    over::<Order, always>();
}

#[test]
fn a_route_is_its_own_arm() {
    fn names_a_way<R, T: OneWay<R>>(_: &T) {}
    names_a_way::<next, _>(&Next::Done);
    assert_eq!(Next::Again.arm(), Next::Again);
    assert_eq!(Next::Done.chosen(), Next::Done);
    assert_eq!(Next::Self_.chosen_kind(), Next::Self_);
}

#[derive(Clone, Debug, Serialize, Deserialize, Route)]
pub enum Decision {
    Approve,
    Edit(String),
    Reject { why: String },
}

type Arm = <Decision as Route>::Arm;
type AnswerArm = <Decision as Route>::AnswerArm;

#[test]
fn an_answer_may_carry_data_that_its_arms_leave_out() {
    fn number(decision: &Decision) -> u8 {
        match decision.arm() {
            Arm::Approve => 0,
            Arm::Edit => 1,
            Arm::Reject => 2,
        }
    }
    let all = [Decision::Approve, Decision::Edit("x".to_owned()), Decision::Reject { why: "y".to_owned() }];
    assert_eq!(all.each_ref().map(number), [0, 1, 2]);

    let answer = |answer: Answer<Decision>| match answer.chosen() {
        AnswerArm::Approve => 0,
        AnswerArm::Edit => 1,
        AnswerArm::Reject => 2,
        AnswerArm::Declined => 3,
        AnswerArm::Cancelled => 4,
    };
    assert_eq!(all.map(|decision| answer(Answer::Accepted(decision))), [0, 1, 2]);
    assert_eq!((answer(Answer::Declined), answer(Answer::Cancelled)), (3, 4));
}

/// A variant that is called as an arm that every interrupt has takes that arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Route)]
pub enum Review {
    Accepted,
    Declined,
}

#[test]
fn one_name_is_one_arm() {
    type Arm = <Review as Route>::AnswerArm;
    let answer = |answer: Answer<Review>| match answer.chosen() {
        Arm::Accepted => 0,
        Arm::Declined => 1,
        Arm::Cancelled => 2,
    };
    assert_eq!(answer(Answer::Accepted(Review::Accepted)), 0);
    assert_eq!(answer(Answer::Accepted(Review::Declined)), 1);
    assert_eq!(answer(Answer::Declined), 1);
    assert_eq!(answer(Answer::Cancelled), 2);
}

/// Generic, with data.
#[derive(Clone, Debug, Route)]
pub enum Given<T: Clone> {
    Nothing,
    This(T),
}

#[test]
fn an_answer_may_be_generic() {
    type Arm = <Given<u8> as Route>::Arm;
    assert!(matches!(Given::This(1_u8).arm(), Arm::This));
    assert!(matches!(Given::<u8>::Nothing.arm(), Arm::Nothing));
}
