//! "Did you mean": for the words that are ours. Names and variants get rustc's own.

/// The known word that `word` most likely meant.
pub(crate) fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (word.chars().count() / 3).max(1);
    known.into_iter().map(|k| (distance(word, k), k)).filter(|(d, _)| *d <= allowed).min_by_key(|(d, _)| *d).map(|(_, k)| k)
}

/// A sentence that helps on: the closest word, or all of them if they are few.
pub(crate) fn help(word: &str, known: &[&str]) -> String {
    match closest(word, known.iter().copied()) {
        Some(close) => format!("did you mean `{close}`?"),
        None if known.len() == 1 => format!("the only one is {}", list(known)),
        None => format!("known are {}", list(known)),
    }
}

/// `a`, `b` and `c`, in backticks.
pub(crate) fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|w| format!("`{w}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// Edits between two words, a swap of neighbours counted as one (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let at = |r: usize, c: usize| rows.get(r).and_then(|r| r.get(c)).copied().unwrap_or(usize::MAX - 1);
            let left = row.last().copied().unwrap_or(usize::MAX - 1);
            let mut best = (at(i, j + 1) + 1).min(left + 1).min(at(i, j) + usize::from(x != y));
            if i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x) {
                best = best.min(at(i - 1, j - 1) + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows.last().and_then(|row| row.last()).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised() {
        assert_eq!(closest("modle", ["model", "tools", "asks"]), Some("model"));
        assert_eq!(closest("Tols", ["model", "tools"]), Some("tools"));
        assert_eq!(closest("zebra", ["model", "tools"]), None);
        assert_eq!(help("zebra", &["model", "tools"]), "known are `model` and `tools`");
    }
}
