//! The SVG: safe in a page, readable in any theme, and told to whoever does not see it.

use graphwright::diagram::Links;
use graphwright::topology::{Place, Role, Topology, Way};

use super::agent::{AGENT, agent, place, routed};
use super::graphs;
use super::labels::{HOSTILE, shown};
use super::random::Random;
use super::xml;

#[test]
fn no_label_leaves_its_element() {
    let mut random = Random(4);
    let mut labels: Vec<&'static str> = HOSTILE.to_vec();
    labels.extend((0..4_000).map(|_| &*random.label().leak()));
    for round in 0..1_500 {
        let topology = random.flat(&labels, round);
        let svg = topology.diagram().svg();
        assert!(!svg.contains(['\n', '\r', '\t']), "{svg}");
        let read = xml::read(&svg);
        only_what_is_drawn(&read);
        let texts = read.texts();
        for label in topology.places.iter().map(|place| place.title.unwrap_or(place.name)).filter(|label| label.len() > 1) {
            let first: String = shown(label).split('\n').next().unwrap().chars().take(2).collect();
            assert!(texts.contains(first.trim_end()), "{label:?}\n{svg}");
        }
    }
}

#[test]
fn a_writer_that_does_not_escape_is_caught() {
    let caught = HOSTILE.iter().filter(|label| label.contains(['<', '&', '"'])).filter(|label| {
        let places = vec![Place { title: Some(label), ..place("a", Role::Plain) }].leak();
        let topology = Topology { places, ways: &[], ..agent() };
        let raw = topology.diagram().svg().replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
        std::panic::catch_unwind(|| only_what_is_drawn(&xml::read(&raw))).is_err()
    });
    assert!(caught.count() > 4);
}

/// No script, no foreign markup, no address but those of markers in the same picture.
fn only_what_is_drawn(element: &xml::Element) {
    const KNOWN: [&str; 13] = ["svg", "title", "desc", "style", "defs", "marker", "path", "g", "rect", "circle", "text", "a", "tspan"];
    assert!(KNOWN.contains(&element.name.as_str()), "<{}>", element.name);
    for (key, value) in &element.attributes {
        assert!(!key.starts_with("on") && key != "src", "{key}");
        assert!(!value.contains("url(") || value.starts_with("url(#g"), "{value}");
    }
    element.children.iter().for_each(only_what_is_drawn);
}

#[test]
fn a_link_leads_to_a_page_and_runs_nothing() {
    let hrefs = |link: &str| {
        let links = Links::new().place("react", link);
        let svg = xml::read(&AGENT.diagram().linked(&links).svg());
        fn find(element: &xml::Element) -> Vec<String> {
            let own = element.get("href").map(str::to_owned);
            own.into_iter().chain(element.children.iter().flat_map(find)).collect()
        }
        find(&svg)
    };
    for link in ["struct.react.html", "../nodes/struct.react.html#x", "https://docs.rs/x/latest/x/?a=b&c=\"d\"", "#react", "/a:b"] {
        assert_eq!(hrefs(link), [link]);
    }
    for link in [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,x",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "",
        "vbscript:x",
    ] {
        assert_eq!(hrefs(link), [""; 0], "{link:?}");
    }
    // Of an opened graph by its path.
    let links = Links::new().place("tool_call/ask", "ask.html");
    assert!(graphs::support().diagram().depth(1).linked(&links).svg().contains("<a href=\"ask.html\">"));
}

#[test]
fn it_is_told_to_whoever_does_not_see_it() {
    let svg = xml::read(&AGENT.diagram().svg());
    let (title, desc) = (&svg.children[0], &svg.children[1]);
    assert_eq!((title.name.as_str(), title.text.as_str()), ("title", "SupportAgent"));
    assert!(desc.text.starts_with("Answers support tickets. start to react. react to elicitation (if ask_user_pending)."), "{}", desc.text);
    assert_eq!(svg.get("aria-labelledby"), Some(format!("{} {}", title.get("id").unwrap(), desc.get("id").unwrap()).as_str()));
    let labels: Vec<&str> = svg.all("g", "gw-node").into_iter().map(|node| node.get("aria-label").unwrap()).collect();
    assert!(labels.contains(&"react: model, may ask the user"), "{labels:?}");
    assert!(labels.contains(&"Run the tools: tools. Runs them."), "{labels:?}");
    assert!(labels.contains(&"elicitation: elicitation, pauses"), "{labels:?}");
    assert!(svg.all("g", "gw-node").iter().all(|node| node.children[0].name == "title"));
}

#[test]
fn one_file_is_light_and_dark() {
    let svg = AGENT.diagram().svg();
    assert!(svg.contains("prefers-color-scheme:dark"));
    // Lines and letters have the colour of the text around them; a fixed one would vanish in one of the themes.
    let fixed = ["#000", "#fff\"", "black", "white"].map(|colour| svg.matches(colour).count());
    let badges = svg.matches(">?</text>").count();
    assert_eq!(fixed, [0, badges, 0, 0], "the sign of a badge stands on amber");
    assert!(svg.matches("currentColor").count() > 4);
    let inline = AGENT.diagram().rustdoc();
    assert!(!inline.contains("<style"), "a style in a page is everybody's");
}

#[test]
fn the_gate_is_seen_at_a_glance() {
    let svg = graphs::support().diagram().svg();
    assert_eq!(svg.matches("stroke=\"#d97706\" stroke-width=\"2.4\"").count(), 2, "before and behind its label");
    assert!(svg.contains("fill=\"#d97706\" font-weight=\"600\">if ask_user_pending</text>"));
    let ways: Vec<Way> = graphs::support().ways.iter().map(|way| Way { kind: routed("x"), ..*way }).collect();
    let ungated = Topology { ways: ways.leak(), ..graphs::support() };
    assert!(!ungated.diagram().svg().contains("stroke-width=\"2.4\""));
}

#[test]
fn it_is_small() {
    for (name, topology) in graphs::all().into_iter().filter(|(_, topology)| topology.places.len() <= 20) {
        let bytes = topology.diagram().svg().len();
        assert!(bytes <= 30_000, "{name}: {bytes} bytes");
    }
}
