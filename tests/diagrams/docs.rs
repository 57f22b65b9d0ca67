//! The picture that `graph!` puts into the docs, held against the one that is drawn of the topology: the macro sees no roles
//! of nodes, and everything else.

use std::collections::BTreeMap;

use graphwright_tests::graphs::CORPUS;
use pulldown_cmark::{Event, Options, Parser, Tag};

use super::xml::{self, Element};

/// As rustdoc reads it: the HTML, and where the names lead.
fn read(markdown: &str) -> (Element, Vec<String>) {
    assert!(!markdown.contains('\n'), "it would end at a blank line");
    let (mut html, mut links) = (String::new(), Vec::new());
    for event in Parser::new_ext(markdown, Options::all()) {
        match event {
            Event::InlineHtml(tag) => html.push_str(&tag),
            Event::Text(text) => {
                html.push_str(&text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;"))
            }
            Event::Start(Tag::Link { dest_url, .. }) => links.push(dest_url.to_string()),
            _ => {}
        }
    }
    (xml::read(&html), links)
}

/// How often each text stands there, and how often each form; signs of what asks somebody aside.
fn seen(svg: &Element) -> BTreeMap<String, usize> {
    fn walk(element: &Element, seen: &mut BTreeMap<String, usize>) {
        let text = if element.name == "text" { element.texts() } else { String::new() };
        if element.name == "text" && text.trim() != "?" {
            *seen.entry(format!("text {}", text.trim())).or_default() += 1;
        }
        let dash = element.get("stroke-dasharray").filter(|_| element.get("marker-end").is_some());
        for form in dash.into_iter().chain(element.get("class")).chain(element.get("marker-end").map(|_| "arrow")) {
            *seen.entry(form.to_owned()).or_default() += 1;
        }
        element.children.iter().for_each(|child| walk(child, seen));
    }
    let mut all = BTreeMap::new();
    walk(svg, &mut all);
    all
}

#[test]
fn it_is_the_picture_of_the_graph() {
    let (mut held, mut links) = (0, 0);
    for written in CORPUS {
        let (docs, found) = read(written.picture);
        let drawn = xml::read(&written.graph.diagram().svg());
        let (docs, drawn) = (seen(&docs), seen(&drawn));
        assert_eq!(docs, drawn, "{}", written.facts);
        held += docs.values().sum::<usize>();
        // A long name has several lines.
        assert!(found.len() >= written.graph.places.len(), "{}: {found:?}", written.facts);
        assert!(found.iter().all(|link| link.starts_with("type@")), "{found:?}");
        links += found.len();
    }
    assert!(held > 2_000 && links > 300, "{held} forms, {links} links");
}

#[test]
fn what_the_graph_says_of_a_place_is_seen() {
    let written = CORPUS.iter().find(|written| written.facts.starts_with("01-")).unwrap();
    let (svg, links) = read(written.picture);
    let labels: Vec<&str> = svg.all("g", "gw-node").into_iter().filter_map(|node| node.get("aria-label")).collect();
    assert!(labels.contains(&"react: model, may ask the user"), "{labels:?}");
    assert!(labels.contains(&"elicitation: asks somebody, and pauses"), "{labels:?}");
    assert!(labels.contains(&"elicitation_condition: a choice"), "{labels:?}");
    assert!(links.contains(&"type@tools".to_owned()), "{links:?}");
    // The gate.
    assert!(written.picture.contains("stroke=\"#d97706\" stroke-width=\"2.4\""));
}
