// What the cases of `syntax`, `names`, `shape` and `types` share: something that answers mail.

use graphwright::prelude::*;

/// The state of most graphs here.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Mail {
    /// What was written.
    pub text: String,
    /// How often.
    #[state(sum)]
    pub rounds: u64,
}

/// Another state.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Invoice {
    /// What is owed.
    pub cents: u64,
}

/// What the nodes work with.
#[derive(Debug)]
pub struct Deps;

/// Other dependencies.
#[derive(Debug)]
pub struct Archive;

/// Reads.
#[node]
pub fn read(_: &Mail) {}

/// Writes.
#[node]
pub async fn draft(_mail: &Mail, _cx: &Context<Deps>) -> NodeResult<Mail> {
    Ok(Mail::update().rounds(1_u64))
}

/// Sends.
#[node]
pub async fn send(_mail: &Mail, _cx: &Context<Deps>) -> NodeResult<Mail> {
    Ok(Mail::update())
}

/// Works on something else.
#[node]
pub fn pay(_: &Invoice) {}

/// Works with something else.
#[node]
pub async fn file(_mail: &Mail, _cx: &Context<Archive>) -> NodeResult<Mail> {
    Ok(Mail::update())
}

/// Chooses its way.
#[node]
pub fn judge(_: &Mail) -> Result<(Update<Mail>, Verdict), NodeError> {
    Ok((Mail::update(), Verdict::Good))
}

/// What `judge` chooses.
#[derive(Clone, Copy, Debug, Route)]
pub enum Verdict {
    /// Send it.
    Good,
    /// Write it again.
    Bad,
}

/// Lacks its attribute.
pub fn forgot(_: &Mail) {}

/// Is a type, but no node.
#[derive(Debug)]
pub struct Letter;

/// Where to go.
#[derive(Clone, Copy, Debug, Route)]
pub enum Next {
    /// Once more.
    Again,
    /// Ask first.
    Ask,
    /// That was it.
    Done,
}

/// Decides.
#[router]
pub fn next(mail: &Mail) -> Next {
    if mail.rounds < 3 { Next::Again } else { Next::Done }
}

/// Decides by yes and no.
#[router]
pub fn is_short(mail: &Mail) -> bool {
    mail.text.len() < 80
}

/// Decides over something else.
#[router]
pub fn is_paid(invoice: &Invoice) -> bool {
    invoice.cents == 0
}

/// Lacks its attribute.
pub fn is_long(mail: &Mail) -> bool {
    mail.text.len() > 800
}

/// A draft to be signed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Draft {
    /// It.
    pub text: String,
}

/// What is answered.
#[derive(Clone, Debug, Serialize, Deserialize, Route)]
pub enum Decision {
    /// As it is.
    Approve,
    /// Like this.
    Edit(String),
}

/// Asks for a decision.
#[derive(Debug)]
pub struct Sign;

#[node]
impl Interrupt<Mail, Deps> for Sign {
    type Question = Draft;
    type Answer = Decision;

    async fn ask(mail: &Mail, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(Draft { text: mail.text.clone() }))
    }

    fn resume(_: &Mail, _: &Draft, _: Answer<Decision>) -> NodeResult<Self> {
        Ok(Mail::update())
    }
}

/// Asks for a text, which is no way.
#[derive(Debug)]
pub struct Subject;

#[node]
impl Interrupt<Mail, Deps> for Subject {
    type Question = Draft;
    type Answer = String;

    async fn ask(mail: &Mail, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(Draft { text: mail.text.clone() }))
    }

    fn resume(_: &Mail, _: &Draft, _: Answer<String>) -> NodeResult<Self> {
        Ok(Mail::update())
    }
}

/// Whatever is wrong with the graph, it is one: no second error here.
fn main() {
    let _ = <Desk as graphwright::Graph>::TOPOLOGY;
}
