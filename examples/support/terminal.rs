//! What a person sees: plain lines, numbered menus, and on a terminal one line that tells who works.

use std::io::{self, BufRead, IsTerminal, Write};

use graphwright::agent::display_text;

/// Standard input and output. Colours and the progress line are only for a person who looks at them.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    person: bool,
}

/// A question with numbered options.
#[derive(Clone, Debug)]
pub struct Menu {
    pub question: String,
    /// Label and description.
    pub options: Vec<(String, String)>,
    /// Whether more than one may be chosen.
    pub several: bool,
    /// Whether words of one's own will do.
    pub other: bool,
}

/// What was chosen from a menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// These options, counted from zero.
    Options(Vec<usize>),
    /// Words of one's own.
    Other(String),
}

impl Terminal {
    pub fn new() -> Self {
        Self { person: io::stdin().is_terminal() && io::stdout().is_terminal() }
    }

    /// What somebody says.
    pub fn say(self, who: &str, text: &str) -> io::Result<()> {
        let (bold, plain) = self.styles("\x1b[1m");
        writeln!(io::stdout(), "{bold}{who}:{plain} {}", display_text(text).replace('\n', "\n  "))
    }

    /// A remark about the run.
    pub fn note(self, text: &str) -> io::Result<()> {
        let (faint, plain) = self.styles("\x1b[2m");
        writeln!(io::stdout(), "{faint}({}){plain}", one_line(text))
    }

    /// Shows who works, in a line that is written over.
    pub fn working(self, place: &str) {
        if self.person {
            // Nothing is lost with a progress line.
            let _ = write!(io::stdout(), "\r\x1b[2K\x1b[2m… {place}\x1b[0m").and_then(|()| io::stdout().flush());
        }
    }

    /// Takes that line away.
    pub fn rest(self) {
        if self.person {
            let _ = write!(io::stdout(), "\r\x1b[2K").and_then(|()| io::stdout().flush());
        }
    }

    /// A line of the person's; `None` at the end of the input.
    pub fn ask(self, prompt: &str) -> io::Result<Option<String>> {
        write!(io::stdout(), "{prompt}")?;
        io::stdout().flush()?;
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line)?;
        // Nobody sees the end of a line that was not typed.
        if !self.person {
            writeln!(io::stdout())?;
        }
        Ok((read > 0).then(|| line.trim().to_owned()))
    }

    /// Draws a menu.
    pub fn menu(self, menu: &Menu) -> io::Result<()> {
        let mut out = io::stdout().lock();
        writeln!(out, "? {}", one_line(&menu.question))?;
        for (number, (label, description)) in (1..).zip(&menu.options) {
            writeln!(out, "  {number}) {}", one_line(&format!("{label}  {description}")).trim_end())?;
        }
        if menu.other { writeln!(out, "  or words of your own") } else { Ok(()) }
    }

    /// Asks until the answer fits the menu; `None` at the end of the input.
    pub fn choose(self, menu: &Menu) -> io::Result<Option<Choice>> {
        let prompt = if menu.several { "numbers, with commas> " } else { "> " };
        while let Some(line) = self.ask(prompt)? {
            match menu.read(&line) {
                Some(choice) => return Ok(Some(choice)),
                None => self.note(&format!("a number from 1 to {}, please", menu.options.len()))?,
            }
        }
        Ok(None)
    }

    fn styles(self, style: &'static str) -> (&'static str, &'static str) {
        if self.person { (style, "\x1b[0m") } else { ("", "") }
    }
}

impl Menu {
    fn read(&self, line: &str) -> Option<Choice> {
        let numbers: Result<Vec<usize>, _> = line.split(',').map(|number| number.trim().parse()).collect();
        match numbers {
            Ok(numbers) => {
                let fits = numbers.iter().all(|number| (1..=self.options.len()).contains(number)) && (self.several || numbers.len() == 1);
                fits.then(|| Choice::Options(numbers.into_iter().map(|number| number - 1).collect()))
            }
            Err(_) => (self.other && !line.is_empty()).then(|| Choice::Other(line.to_owned())),
        }
    }
}

/// Words of a customer or a model without anything that could draw a second menu.
fn one_line(text: &str) -> String {
    display_text(text).replace('\n', " ")
}
