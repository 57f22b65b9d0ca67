//! The SVG in the docs of an item.

use super::graphs;
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
