//! The SVG in the docs of an item.

use graphwright_layout::{Edge, Node, Page, Picture};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::graphs;
use super::labels::HOSTILE;
use super::xml;

#[test]
fn it_is_one_div_on_one_line() {
    for (name, topology) in graphs::all() {
        let html = topology.diagram().depth(1).rustdoc();
        // CommonMark ends a block of HTML at a blank line, and reads what is behind it.
        assert!(!html.contains('\n'), "{name}");
        let div = xml::read(&html);
        assert_eq!(div.name, "div", "{name}");
        assert_eq!(div.children.iter().map(|child| child.name.as_str()).collect::<Vec<_>>(), ["svg"], "{name}");
    }
}

/// The nodes have a path, the labels are hostile.
fn hostile() -> Picture {
    let node = |label: &&str| Node {
        label: (*label).to_owned(),
        tooltip: (*label).to_owned(),
        link: Some("crate::nodes::react".to_owned()),
        asks: true,
        ..Node::default()
    };
    let nodes: Vec<Node> = HOSTILE.iter().chain(MARKDOWN).map(node).collect();
    let edge = |(number, label): (usize, &&str)| Edge { from: number / 2, to: number, label: (*label).to_owned(), ..Edge::default() };
    let edges = HOSTILE.iter().chain(MARKDOWN).enumerate().skip(1).map(edge).collect();
    Picture { name: "*Hostile*".to_owned(), description: MARKDOWN.concat(), nodes, edges, ..Picture::default() }
}

const MARKDOWN: &[&str] = &[
    "*a*",
    "_b_",
    "`c`",
    "[d](e)",
    "[f]",
    "![g](h)",
    "~~i~~",
    "<j>",
    "\"k\" -- l...",
    "https://m.n",
    "o\\*p",
    "| q |",
    "&amp;r",
    "[^s]",
    "# t",
    "- [ ] u",
];

#[test]
fn rustdoc_reads_the_links_in_the_markdown_and_nothing_else() {
    let picture = hostile();
    let (markdown, svg) = (picture.markdown(), picture.svg(Page::Inline));
    assert!(!markdown.contains('\n'));
    // What rustdoc reads its Markdown with.
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_SMART_PUNCTUATION;
    let (mut read, mut links) = (String::new(), 0);
    for event in Parser::new_ext(&format!("Docs.\n\n{markdown}\n\nMore."), options) {
        match event {
            Event::InlineHtml(html) => read.push_str(&html),
            Event::Text(text) => read.push_str(&escaped(&text)),
            Event::Start(Tag::Link { dest_url, .. }) => {
                assert_eq!(&*dest_url, "type@crate::nodes::react");
                links += 1;
            }
            Event::End(TagEnd::Link) | Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => {}
            other => panic!("{other:?}"),
        }
    }
    let style = "<style>.gw-node a[href^=&quot;type@&quot;]{color:inherit;pointer-events:none}</style>";
    assert_eq!(read.replace(style, ""), format!("Docs.{svg}More."));
    assert!(read.contains(style), "what rustdoc does not show is no link");
    assert!(links >= picture.nodes.len(), "one for each line of each name");
}

/// As the SVG is written.
fn escaped(text: &str) -> String {
    let mut escaped = text.replace('&', "&amp;");
    for (from, to) in [("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;"), ("\n", "&#10;")] {
        escaped = escaped.replace(from, to);
    }
    escaped
}

#[test]
fn in_markdown_a_link_is_a_path_of_rust() {
    let linked = |link: &str| {
        let node = Node { label: "a".to_owned(), link: Some(link.to_owned()), ..Node::default() };
        Picture { nodes: vec![node], ..Picture::default() }.markdown().contains("](")
    };
    for path in ["react", "nodes::react", "crate::agent::r_2"] {
        assert!(linked(path), "{path}");
    }
    for path in ["javascript:alert(1)", "a)b", "a b", "https://a.b", "", "a:b", "::a"] {
        assert!(!linked(path), "{path}");
    }
}
