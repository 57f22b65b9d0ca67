//! Answers, and whether they fit what was asked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::{AnswerFault, AnswerFaults, ContractError, count, distinct, length};
use super::question::{AskUserQuestion, AskUserRequest, question_id};

/// The answer to one question: labels, or words of the user's own, or both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "AnswerFields")]
pub struct AskUserAnswer(AnswerFields);

/// The answer to one question: at least one selection, or a text in `other`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AskUserAnswer")]
struct AnswerFields {
    /// The id of the question.
    #[schemars(regex(pattern = r"^q-[0-9a-f]{12}$"))]
    question_id: String,
    /// Labels of the question's options.
    #[serde(default)]
    #[schemars(length(max = 4), extend("uniqueItems" = true))]
    selections: Vec<String>,
    /// Words of the user's own, where the question takes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1000))]
    other: Option<String>,
}

impl TryFrom<AnswerFields> for AskUserAnswer {
    type Error = ContractError;
    fn try_from(mut fields: AnswerFields) -> Result<Self, ContractError> {
        question_id("question_id", &fields.question_id)?;
        count("selections", fields.selections.len(), 0, 4)?;
        distinct("selections", fields.selections.iter().map(String::as_str))?;
        length("other", fields.other.as_deref().unwrap_or_default().chars().count(), 0, 1000)?;
        // A form sends an empty field for a question that takes no words: nothing was said in it.
        fields.other = fields.other.filter(|other| !other.trim().is_empty());
        if fields.selections.is_empty() && fields.other.is_none() {
            return Err(ContractError::NoAnswer { question: fields.question_id });
        }
        Ok(Self(fields))
    }
}

impl AskUserAnswer {
    /// Labels for the question with this id.
    ///
    /// # Errors
    /// [`ContractError`] if the id is none, or there are no labels, more than four, or one twice.
    pub fn select<L: Into<String>>(question: impl Into<String>, labels: impl IntoIterator<Item = L>) -> Result<Self, ContractError> {
        Self::new(question, labels, None)
    }

    /// Labels and words for the question with this id; one of them may be missing.
    ///
    /// # Errors
    /// [`ContractError`] names the field that does not fit.
    pub fn new<L: Into<String>>(
        question: impl Into<String>,
        labels: impl IntoIterator<Item = L>,
        other: Option<String>,
    ) -> Result<Self, ContractError> {
        AnswerFields { question_id: question.into(), selections: labels.into_iter().map(Into::into).collect(), other }.try_into()
    }

    /// The question's id.
    #[must_use]
    pub fn question_id(&self) -> &str {
        &self.0.question_id
    }

    /// The labels.
    #[must_use]
    pub fn selections(&self) -> &[String] {
        &self.0.selections
    }

    /// Words of the user's own.
    #[must_use]
    pub fn other(&self) -> Option<&str> {
        self.0.other.as_deref()
    }
}

/// The answers to all questions of a request, in any order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "ResponseFields")]
pub struct AskUserResponse(ResponseFields);

/// The answers to all questions of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AskUserResponse")]
struct ResponseFields {
    /// One answer for each question.
    #[schemars(length(min = 1, max = 4))]
    answers: Vec<AskUserAnswer>,
}

impl TryFrom<ResponseFields> for AskUserResponse {
    type Error = ContractError;
    fn try_from(fields: ResponseFields) -> Result<Self, ContractError> {
        count("answers", fields.answers.len(), 1, 4)?;
        distinct("question_id", fields.answers.iter().map(AskUserAnswer::question_id))?;
        Ok(Self(fields))
    }
}

impl AskUserResponse {
    /// 1 to 4 answers to different questions.
    ///
    /// # Errors
    /// [`ContractError`] if there are none, more, or two for one question.
    pub fn new(answers: impl IntoIterator<Item = AskUserAnswer>) -> Result<Self, ContractError> {
        ResponseFields { answers: answers.into_iter().collect() }.try_into()
    }

    /// The answers, as given.
    #[must_use]
    pub fn answers(&self) -> &[AskUserAnswer] {
        &self.0.answers
    }

    fn answer_to(&self, question: &AskUserQuestion) -> Option<&AskUserAnswer> {
        self.answers().iter().find(|answer| answer.question_id() == question.id())
    }

    /// What the model reads: each question with its answer, in the order asked.
    pub(crate) fn report(&self, request: &AskUserRequest) -> String {
        #[derive(Serialize)]
        struct Report<'a> {
            answers: Vec<Line<'a>>,
        }
        #[derive(Serialize)]
        struct Line<'a> {
            question: &'a str,
            header: &'a str,
            selections: &'a [String],
            #[serde(skip_serializing_if = "Option::is_none")]
            other: Option<&'a str>,
        }
        let answers = request
            .questions()
            .iter()
            .filter_map(|asked| {
                let answer = self.answer_to(asked)?;
                Some(Line { question: asked.question(), header: asked.header(), selections: answer.selections(), other: answer.other() })
            })
            .collect();
        // Texts and lists of texts: there is nothing in them that JSON cannot say.
        serde_json::to_string(&Report { answers }).unwrap_or_default()
    }
}

/// Whether `response` fits `request`: every question answered and no other; labels that exist; one of them where one is
/// allowed; words of one's own only where they are. The order of answers does not matter.
///
/// # Errors
/// All faults at once, each with its question.
pub fn validate_against_request(response: &AskUserResponse, request: &AskUserRequest) -> Result<(), AnswerFaults> {
    let mut faults = Vec::new();
    for asked in request.questions() {
        let question = asked.id().to_owned();
        let Some(answer) = response.answer_to(asked) else {
            faults.push(AnswerFault::Missing { question });
            continue;
        };
        for label in answer.selections() {
            if asked.options().iter().all(|option| option.label() != label) {
                faults.push(AnswerFault::UnknownLabel { question: question.clone(), label: label.clone() });
            }
        }
        if !asked.multi_select() && answer.selections().len() > 1 {
            faults.push(AnswerFault::TooMany { question: question.clone(), found: answer.selections().len() });
        }
        if !asked.allow_other() && answer.other().is_some() {
            faults.push(AnswerFault::OtherNotAllowed { question });
        }
    }
    for answer in response.answers() {
        if request.questions().iter().all(|asked| asked.id() != answer.question_id()) {
            faults.push(AnswerFault::Unknown { question: answer.question_id().to_owned() });
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(AnswerFaults(faults)) }
}
