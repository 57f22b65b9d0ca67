//! Every sentence that `#[tool]` says. The code ends the first line.

/// The codes of this file, and of the traits in the runtime that `#[tool]` implements.
#[cfg(test)]
pub(crate) const CODES: std::ops::RangeInclusive<u16> = 90..=96;

const SHAPE: &str = "help: `async fn name(args: Args, cx: &Context<Deps>) -> Result<T, ToolError>`";

pub(crate) fn not_here() -> String {
    format!("`#[tool]` stands on a function [GW090]\n{SHAPE}")
}

pub(crate) fn method() -> String {
    format!("a tool is a free function, not a method [GW090]\n{SHAPE}")
}

pub(crate) fn kind_of_function(word: &str) -> String {
    format!("a tool is an ordinary function, not `{word}` [GW090]\nhelp: a model calls it with whatever it likes: wrap what is `{word}`")
}

pub(crate) fn said_elsewhere(word: &str) -> String {
    let place = if word == "name" { "name" } else { "doc comment" };
    format!("`{word}` is not a word of `#[tool]` [GW091]\nhelp: the {word} of a tool is its function's {place}")
}

pub(crate) fn reserved() -> String {
    "`ask_user` is the name of the built-in tool by which a model asks [GW092]\nhelp: call the tool otherwise".to_owned()
}

pub(crate) fn name(length: usize) -> String {
    let found = if length > 64 { format!("{length} characters") } else { "letters that are not ASCII".to_owned() };
    format!(
        "a tool's name has at most 64 ASCII letters, digits and `_`, not {found} [GW092]\nhelp: providers take no other names: rename the function"
    )
}

pub(crate) fn reference() -> String {
    format!("this is neither the arguments, which a tool takes by value, nor `&Context<Deps>`, written out [GW093]\n{SHAPE}")
}

pub(crate) fn context_by_value() -> String {
    "a tool borrows its context [GW093]\nhelp: write `&Context<Deps>`".to_owned()
}

pub(crate) fn too_many() -> String {
    "a tool takes its arguments as one type, and after it `&Context<Deps>` if it wants to: no more [GW093]\nhelp: put what the model sends into one struct: its fields are what the model sees".to_owned()
}

pub(crate) fn loose_parameter() -> String {
    "only the dependencies of a tool can be generic [GW094]\nhelp: `async fn name<D: Trait>(args: Args, cx: &Context<D>)`".to_owned()
}

pub(crate) fn returns_nothing() -> String {
    "a tool returns what the model reads [GW095]\nhelp: `Result<T, ToolError>`; `T` is text, or anything that implements `Serialize`"
        .to_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::CODES;

    #[test]
    fn every_code_is_ours_and_ends_a_line() {
        let mut seen = 0;
        let source = include_str!("tool_messages.rs").split("mod tests").next().unwrap();
        for (at, _) in source.match_indices("[GW0") {
            let code: u16 = source[at + 3..at + 6].parse().unwrap();
            assert!(CODES.contains(&code), "{code}");
            assert!(source[at + 6..].starts_with("]\\n"), "{code}");
            seen += 1;
        }
        assert!(seen >= 10, "{seen}");
    }
}
