//! A yes or no that is answered with a text.

include!("../mail.rs");

#[derive(Debug)]
pub struct Confirm;

#[node]
impl Interrupt<Mail, Deps> for Confirm {
    type Question = Draft;
    type Answer = bool;

    async fn ask(mail: &Mail, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(Draft { text: mail.text.clone() }))
    }

    fn resume(_: &Mail, _: &Draft, _: Answer<bool>) -> NodeResult<Self> {
        Ok(Mail::update())
    }
}

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> Confirm -> end;
    }
}

pub fn answer(question: Question<Desk>) -> graphwright::Given {
    match question {
        Question::<Desk>::Confirm(question) => question.accept("yes".to_owned()),
    }
}
