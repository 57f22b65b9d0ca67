//! Questions: as a model sends them, and as they are stored.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::{ContractError, count, distinct, length};
use super::text::{display_block, display_line, display_text};
use crate::state::Ingest;

/// Checks a text and cleans it. Both lengths count: of the text as it came, and of what a person will see of it.
fn shown(field: &'static str, text: &mut String, min: usize, max: usize, clean: fn(&str) -> String) -> Result<(), ContractError> {
    length(field, text.chars().count(), min, max)?;
    *text = clean(text);
    if min > 0 && text.trim().is_empty() {
        return Err(ContractError::Blank { field });
    }
    length(field, text.chars().count(), min, max)
}

/// One of the answers that the user can pick.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "OptionFields")]
pub struct AskUserOption(OptionFields);

/// One of the answers that the user can pick.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AskUserOption")]
struct OptionFields {
    /// What the user picks: a few words, different from the other labels.
    #[schemars(length(min = 1, max = 80))]
    label: String,
    /// What it means; may be empty.
    #[schemars(length(max = 400))]
    description: String,
    /// A longer text to look at before deciding, such as a draft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 4000))]
    preview: Option<String>,
}

impl TryFrom<OptionFields> for AskUserOption {
    type Error = ContractError;
    fn try_from(mut fields: OptionFields) -> Result<Self, ContractError> {
        shown("label", &mut fields.label, 1, 80, display_line)?;
        shown("description", &mut fields.description, 0, 400, display_text)?;
        if let Some(preview) = &mut fields.preview {
            shown("preview", preview, 0, 4000, display_block)?;
        }
        Ok(Self(fields))
    }
}

impl AskUserOption {
    /// A label of 1 to 80 characters, and a description of at most 400.
    ///
    /// # Errors
    /// [`ContractError`] names the field that is too short or too long.
    pub fn new(label: impl Into<String>, description: impl Into<String>) -> Result<Self, ContractError> {
        OptionFields { label: label.into(), description: description.into(), preview: None }.try_into()
    }

    /// And a preview of at most 4000 characters.
    ///
    /// # Errors
    /// [`ContractError::Length`] if it is longer.
    pub fn with_preview(self, preview: impl Into<String>) -> Result<Self, ContractError> {
        OptionFields { preview: Some(preview.into()), ..self.0 }.try_into()
    }

    /// What the user picks.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.0.label
    }

    /// What it means; may be empty.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// A longer text to look at before deciding.
    #[must_use]
    pub fn preview(&self) -> Option<&str> {
        self.0.preview.as_deref()
    }
}

/// A question as a model sends it. It has no id: one that is sent is ignored, and one of our own is stamped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "QuestionFields")]
pub struct AskUserQuestionInput(QuestionFields);

/// One question to the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AskUserQuestionInput")]
struct QuestionFields {
    /// The question, in full. It should end with a question mark.
    #[schemars(length(min = 3, max = 500))]
    question: String,
    /// One or two words that stand over it; may be empty.
    #[schemars(length(max = 12))]
    header: String,
    /// The answers to pick from.
    #[schemars(length(min = 2, max = 4))]
    options: Vec<AskUserOption>,
    /// Whether the user may pick several.
    #[serde(default)]
    multi_select: bool,
    /// Whether the user may answer in words of their own.
    #[serde(default)]
    allow_other: bool,
}

impl TryFrom<QuestionFields> for AskUserQuestionInput {
    type Error = ContractError;
    fn try_from(mut fields: QuestionFields) -> Result<Self, ContractError> {
        shown("question", &mut fields.question, 3, 500, display_text)?;
        shown("header", &mut fields.header, 0, 12, display_line)?;
        count("options", fields.options.len(), 2, 4)?;
        // Labels that differ in case are different; those that differ in the space around them look the same.
        distinct("options", fields.options.iter().map(|option| option.label().trim()))?;
        Ok(Self(fields))
    }
}

impl AskUserQuestionInput {
    /// A question of 3 to 500 characters, a header of at most 12, and 2 to 4 options. Labels that differ only in case
    /// are different labels; labels that differ only in the space around them are not.
    ///
    /// # Errors
    /// [`ContractError`] names the field that does not fit.
    pub fn new(
        question: impl Into<String>,
        header: impl Into<String>,
        options: impl IntoIterator<Item = AskUserOption>,
    ) -> Result<Self, ContractError> {
        let (question, header, options) = (question.into(), header.into(), options.into_iter().collect());
        QuestionFields { question, header, options, multi_select: false, allow_other: false }.try_into()
    }

    /// The user may pick several.
    #[must_use]
    pub fn with_multi_select(self) -> Self {
        Self(QuestionFields { multi_select: true, ..self.0 })
    }

    /// The user may answer in words of their own.
    #[must_use]
    pub fn with_other(self) -> Self {
        Self(QuestionFields { allow_other: true, ..self.0 })
    }

    /// The question.
    #[must_use]
    pub fn question(&self) -> &str {
        &self.0.question
    }

    /// What stands over it; may be empty.
    #[must_use]
    pub fn header(&self) -> &str {
        &self.0.header
    }

    /// The answers to pick from.
    #[must_use]
    pub fn options(&self) -> &[AskUserOption] {
        &self.0.options
    }

    /// Whether several may be picked.
    #[must_use]
    pub fn multi_select(&self) -> bool {
        self.0.multi_select
    }

    /// Whether the user may answer in words of their own.
    #[must_use]
    pub fn allow_other(&self) -> bool {
        self.0.allow_other
    }
}

/// What a model sends when it asks: 1 to 4 questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "RequestInputFields")]
pub struct AskUserRequestInput(RequestInputFields);

/// Questions to the user, put together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AskUserRequestInput")]
struct RequestInputFields {
    /// The questions.
    #[schemars(length(min = 1, max = 4))]
    questions: Vec<AskUserQuestionInput>,
}

impl TryFrom<RequestInputFields> for AskUserRequestInput {
    type Error = ContractError;
    fn try_from(fields: RequestInputFields) -> Result<Self, ContractError> {
        count("questions", fields.questions.len(), 1, 4)?;
        Ok(Self(fields))
    }
}

impl AskUserRequestInput {
    /// 1 to 4 questions.
    ///
    /// # Errors
    /// [`ContractError::Count`] if there are none or more.
    pub fn new(questions: impl IntoIterator<Item = AskUserQuestionInput>) -> Result<Self, ContractError> {
        RequestInputFields { questions: questions.into_iter().collect() }.try_into()
    }

    /// The questions.
    #[must_use]
    pub fn questions(&self) -> &[AskUserQuestionInput] {
        &self.0.questions
    }

    /// Gives each question an id, different within the request whatever the generator does.
    #[must_use]
    pub fn stamp(self, ingest: &mut Ingest<'_>) -> AskUserRequest {
        let mut questions: Vec<AskUserQuestion> = Vec::with_capacity(self.0.questions.len());
        for asked in self.0.questions {
            let mut number = ingest.fresh().iter().fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
            let id = loop {
                let id = format!("q-{:012x}", number & 0xffff_ffff_ffff);
                if questions.iter().all(|question| question.id() != id) {
                    break id;
                }
                number = number.wrapping_add(1);
            };
            questions.push(AskUserQuestion(StampedFields { id, asked }));
        }
        AskUserRequest(RequestFields { questions })
    }
}

/// A question with its id, as it is stored and shown. Made by [`AskUserRequestInput::stamp`], or read from storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "StampedFields")]
pub struct AskUserQuestion(StampedFields);

/// One question to the user, with the id to answer it by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AskUserQuestion")]
struct StampedFields {
    /// The id to answer it by.
    #[schemars(regex(pattern = r"^q-[0-9a-f]{12}$"))]
    id: String,
    #[serde(flatten)]
    asked: AskUserQuestionInput,
}

impl TryFrom<StampedFields> for AskUserQuestion {
    type Error = ContractError;
    fn try_from(fields: StampedFields) -> Result<Self, ContractError> {
        question_id("id", &fields.id)?;
        Ok(Self(fields))
    }
}

impl AskUserQuestion {
    /// The id to answer it by.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// The question.
    #[must_use]
    pub fn question(&self) -> &str {
        self.0.asked.question()
    }

    /// What stands over it; may be empty.
    #[must_use]
    pub fn header(&self) -> &str {
        self.0.asked.header()
    }

    /// The answers to pick from.
    #[must_use]
    pub fn options(&self) -> &[AskUserOption] {
        self.0.asked.options()
    }

    /// Whether several may be picked.
    #[must_use]
    pub fn multi_select(&self) -> bool {
        self.0.asked.multi_select()
    }

    /// Whether the user may answer in words of their own.
    #[must_use]
    pub fn allow_other(&self) -> bool {
        self.0.asked.allow_other()
    }
}

/// 1 to 4 questions with different ids: what is stored, and what a front end draws.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "RequestFields")]
pub struct AskUserRequest(RequestFields);

/// Questions to the user, put together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AskUserRequest")]
struct RequestFields {
    /// The questions.
    #[schemars(length(min = 1, max = 4))]
    questions: Vec<AskUserQuestion>,
}

impl TryFrom<RequestFields> for AskUserRequest {
    type Error = ContractError;
    fn try_from(fields: RequestFields) -> Result<Self, ContractError> {
        count("questions", fields.questions.len(), 1, 4)?;
        distinct("id", fields.questions.iter().map(AskUserQuestion::id))?;
        Ok(Self(fields))
    }
}

impl AskUserRequest {
    /// The questions, in the order in which they were asked.
    #[must_use]
    pub fn questions(&self) -> &[AskUserQuestion] {
        &self.0.questions
    }
}

/// `q-` and twelve lower-case hexadecimal digits.
pub(super) fn question_id(field: &'static str, text: &str) -> Result<(), ContractError> {
    let digits = text.strip_prefix("q-").unwrap_or_default();
    if digits.len() == 12 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return Ok(());
    }
    Err(ContractError::NotAnId { field, value: text.chars().take(64).collect() })
}
