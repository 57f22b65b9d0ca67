//! The gallery of the book is drawn from the graphs that it shows. `GALLERY=write` writes it anew.

use std::fs;
use std::path::{Path, PathBuf};

use graphwright_tests::graphs::{CORPUS, Written};

const BOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../book/src");

/// Which graphs, by their numbers; how far they are opened up; and what there is to see.
const SHOWN: [(&str, usize, &str); 10] = [
    ("07", 0, "LangGraph's template: a model, its tools, and a router that says whether there is more to do."),
    ("01", 0, "The gate, a strong amber arrow, is the first way out of the model: the user is asked before a tool runs."),
    ("50", 0, "Google's research agent: a map, one branch for each query, and a loop with a budget that maps again."),
    ("25", 0, "Retrieval that judges itself, and begins again where it does not believe what it wrote."),
    ("14", 1, "An assistant for mail that shows its work to somebody; the graph that stands in it is opened up."),
    ("47", 0, "LangChain's agent for social media: some of four branches, of unequal length, and one of them a map."),
    ("53", 0, "A trading firm: analysts one after the other, a debate with a judge, and three who weigh the risk."),
    ("83", 0, "Microsoft's agent framework: all branches at once, twice."),
    ("88", 1, "Google's ADK: a loop as a graph in another one, with a budget."),
    ("92", 1, "Mastra's research: a graph that pauses twice, in a loop."),
];

fn written(number: &str) -> &'static Written {
    CORPUS.iter().find(|written| written.facts.starts_with(&format!("{number}-"))).unwrap_or_else(|| panic!("no graph {number}"))
}

/// The `graph!` of the graph itself, which is the last one of its file.
fn source(written: &Written) -> String {
    let file = format!("{}/corpus/graphs/g{}.rs", env!("CARGO_MANIFEST_DIR"), written.facts.replace('-', "_"));
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let graphs: Vec<&str> = text.match_indices("graph! {").map(|(at, _)| &text[at..]).collect();
    let own = graphs.into_iter().find(|graph| graph.lines().any(|line| line.contains(&format!(" {}(", written.graph.name)))).unwrap();
    let end = own.find("\n}\n").unwrap_or_else(|| panic!("{file}: the graph does not stand at the margin")) + 3;
    own[..end].replace("pub(crate) ", "pub ")
}

fn gallery() -> Vec<(PathBuf, String)> {
    let mut page = String::from(
        "# Gallery\n\nTen agents that people run, of six frameworks, as graphs. Their sources were written after the originals and are held against\nthem by a test; the pictures were drawn from the same constants that the compiler checked. Boxes are tinted by role: models\nblue, tools green, who is asked amber and with a badge, mounted graphs cyan. A hexagon is a choice, a bar a fork or its join,\na stack one for each item. Loops are dashed.\n",
    );
    let mut files = Vec::new();
    for (number, depth, seen) in SHOWN {
        let written = written(number);
        let (name, file) = (written.graph.name, format!("gallery/{}.svg", written.facts));
        page.push_str(&format!("\n## {name}\n\n{seen}\n\n![{name} as a picture]({file})\n\n```rust,ignore\n{}```\n", source(written)));
        files.push((Path::new(BOOK).join(file), written.graph.diagram().depth(depth).svg() + "\n"));
    }
    files.push((Path::new(BOOK).join("gallery.md"), page));
    files
}

#[test]
fn the_gallery_is_what_would_be_drawn() {
    let gallery = gallery();
    if std::env::var("GALLERY").is_ok_and(|word| word == "write") {
        fs::create_dir_all(Path::new(BOOK).join("gallery")).unwrap();
        gallery.iter().for_each(|(file, text)| fs::write(file, text).unwrap());
    }
    for (file, text) in &gallery {
        let there = fs::read_to_string(file).unwrap_or_default();
        assert!(there == *text, "{} is stale: run this test with GALLERY=write", file.display());
    }
    let pictures = fs::read_dir(Path::new(BOOK).join("gallery")).unwrap().count();
    assert_eq!(pictures, SHOWN.len(), "a picture that no page shows");
    assert!(fs::read_to_string(Path::new(BOOK).join("SUMMARY.md")).unwrap().contains("(gallery.md)"));
}
