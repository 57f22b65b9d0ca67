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
    let page = page(&args.code).ok_or_else(|| {
        let last = PAGES.last().map_or("GW001", |(code, _)| *code);
        Failure::Code(args.code.clone(), last)
    })?;
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
