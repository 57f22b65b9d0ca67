//! What can be wrong with a question or an answer.

use std::fmt;

use crate::error::BadAnswer;

/// Why a value of a contract cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContractError {
    /// A text is too short or too long.
    #[error("`{field}` has {found} characters: {min} to {max} are allowed")]
    Length {
        /// The field.
        field: &'static str,
        /// Its length in characters, invisible ones not counted where it is too short.
        found: usize,
        /// The least.
        min: usize,
        /// The most.
        max: usize,
    },
    /// A list is too short or too long.
    #[error("`{field}` has {found} entries: {min} to {max} are allowed")]
    Count {
        /// The field.
        field: &'static str,
        /// Its length.
        found: usize,
        /// The least.
        min: usize,
        /// The most.
        max: usize,
    },
    /// A text has nothing in it that a person can see.
    #[error("`{field}` shows nothing: write something that can be seen")]
    Blank {
        /// The field.
        field: &'static str,
    },
    /// Two entries are the same.
    #[error("`{field}` has {value:?} twice: each must differ from the others")]
    Repeated {
        /// The field.
        field: &'static str,
        /// What is there twice.
        value: String,
    },
    /// A text is not the id of a question.
    #[error("`{field}` is {value:?}, which is not the id of a question: `q-` and twelve of `0123456789abcdef`")]
    NotAnId {
        /// The field.
        field: &'static str,
        /// What is there instead, cut to 64 characters.
        value: String,
    },
    /// An answer says nothing.
    #[error("the answer to `{question}` is empty: name at least one label in `selections`, or write a text into `other`")]
    NoAnswer {
        /// The question.
        question: String,
    },
}

/// Within these bounds?
pub(super) fn length(field: &'static str, found: usize, min: usize, max: usize) -> Result<(), ContractError> {
    if (min..=max).contains(&found) { Ok(()) } else { Err(ContractError::Length { field, found, min, max }) }
}

/// Within these bounds?
pub(super) fn count(field: &'static str, found: usize, min: usize, max: usize) -> Result<(), ContractError> {
    if (min..=max).contains(&found) { Ok(()) } else { Err(ContractError::Count { field, found, min, max }) }
}

/// All different? Lists are short, so no set.
pub(super) fn distinct<'a>(field: &'static str, values: impl Iterator<Item = &'a str>) -> Result<(), ContractError> {
    let mut seen = Vec::new();
    for value in values {
        if seen.contains(&value) {
            return Err(ContractError::Repeated { field, value: value.to_owned() });
        }
        seen.push(value);
    }
    Ok(())
}

/// One thing that does not fit between an answer and what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerFault {
    /// A question has no answer.
    #[error("question `{question}` is not answered: every question needs an answer")]
    Missing {
        /// The question's id.
        question: String,
    },
    /// An answer is for a question that was not asked.
    #[error("there is no question `{question}`")]
    Unknown {
        /// The id that was given.
        question: String,
    },
    /// A selection is none of the labels.
    #[error("question `{question}` has no option {label:?}")]
    UnknownLabel {
        /// The question's id.
        question: String,
        /// What was selected.
        label: String,
    },
    /// More than one label where one is allowed.
    #[error("question `{question}` takes one selection, not {found}")]
    TooMany {
        /// The question's id.
        question: String,
        /// How many were selected.
        found: usize,
    },
    /// A free text where none is allowed.
    #[error("question `{question}` takes no `other`: select one of its options")]
    OtherNotAllowed {
        /// The question's id.
        question: String,
    },
}

/// Everything that does not fit, in the order of the questions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerFaults(pub(super) Vec<AnswerFault>);

impl AnswerFaults {
    /// One by one; there is at least one.
    #[must_use]
    pub fn faults(&self) -> &[AnswerFault] {
        &self.0
    }
}

impl fmt::Display for AnswerFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if n > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for AnswerFaults {}

impl From<AnswerFaults> for BadAnswer {
    fn from(faults: AnswerFaults) -> Self {
        Self::all(faults.0.iter().map(AnswerFault::to_string))
    }
}
