//! `cargo graphwright explain GW031`.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::failure::Failure;
use crate::pages::PAGES;

/// Prints the page of the book about a diagnostic
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The code in brackets at the end of the message: GW031, or just 31
    #[arg(value_name = "CODE")]
    code: String,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let page = page(&args.code).ok_or_else(|| Failure::Code(args.code.clone(), instead(&args.code)))?;
    io::stdout().write_all(page.as_bytes()).map_err(Failure::output)?;
    Ok(ExitCode::SUCCESS)
}

/// The page of a code, however it is written: `GW031`, `gw31`, `[GW031]`, `31`.
fn page(code: &str) -> Option<&'static str> {
    let code = code.trim_matches(['[', ']']).to_ascii_uppercase();
    let number: u32 = code.strip_prefix("GW").unwrap_or(&code).parse().ok()?;
    let code = format!("GW{number:03}");
    PAGES.iter().find(|(of, _)| *of == code).map(|(_, page)| *page)
}

/// What to do about a code that has no page.
fn instead(code: &str) -> String {
    let code = code.trim_matches(['[', ']']).to_ascii_uppercase();
    let is_of_rustc = code.strip_prefix('E').is_some_and(|number| number.len() == 4 && number.bytes().all(|byte| byte.is_ascii_digit()));
    if is_of_rustc {
        return format!("it is one of rustc's, so `rustc --explain {code}`; ours stands at the end of the line, in brackets");
    }
    let [first, last] = [PAGES.first(), PAGES.last()].map(|page| page.map_or("", |(code, _)| *code));
    format!("the codes are {first} to {last}, and some of these numbers are not given")
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::pages::PAGES;

    #[test]
    fn every_code_of_the_library_has_its_page() {
        let codes: Vec<&str> = graphwright::diagnostics::CODES.iter().map(|(code, _)| *code).collect();
        assert_eq!(PAGES.iter().map(|(code, _)| *code).collect::<Vec<_>>(), codes);
        for (code, title) in graphwright::diagnostics::CODES {
            assert_eq!(page(code).and_then(|page| page.lines().next()), Some(format!("# {code}: {title}").as_str()));
        }
    }

    #[test]
    fn a_code_is_found_however_it_is_written() {
        for written in ["GW031", "gw031", "gw31", "31", "[GW031]"] {
            assert_eq!(page(written), page("GW031"), "{written}");
        }
        for none in ["GW999", "", "GW", "E0080", "-1", "GW0311"] {
            assert_eq!(page(none), None, "{none}");
        }
    }
}
