//! A page on which a browser draws labels that try to leave it: `.ci/long browser` opens it.

use std::fmt::Write as _;

use graphwright::topology::Topology;

use super::graphs;
use super::labels::HOSTILE;
use super::random::Random;
use super::xml;

/// What each graph must not do is to be seen by an alarm: a script that runs, or markup that could.
const HEAD: &str = r#"<!doctype html><html><head><meta charset="utf-8"><script src="mermaid.min.js"></script><script>
let alarms = 0;
window.alert = () => { alarms += 1; };
window.addEventListener('load', async () => {
    mermaid.initialize({ startOnLoad: false, securityLevel: 'strict' });
    let drawn = 0, refused = 0;
    for (const source of document.querySelectorAll('pre')) {
        const div = document.createElement('div');
        document.body.append(div);
        try {
            div.innerHTML = (await mermaid.render(`m${drawn}`, source.textContent)).svg;
            drawn += 1;
        } catch (error) {
            refused += 1;
            console.error(error, source.textContent);
        }
    }
    if (location.hash === '#planted') document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)>');
    await new Promise(done => setTimeout(done, 500));
    alarms += document.querySelectorAll('[onerror], [onclick], [onload], [href^="javascript" i], body script, iframe').length;
    document.getElementById('verdict').textContent = `${drawn} drawn, ${refused} refused, ${alarms} alarms`;
});
</script></head><body><output id="verdict">nothing</output>"#;

fn page() -> String {
    let mut random = Random(5);
    let hostile = graphs::all().into_iter().find(|(name, _)| name == "hostile").unwrap().1;
    let flat: Vec<Topology> = (0..HOSTILE.len()).map(|round| random.flat(&HOSTILE, round)).collect();
    let mut page = HEAD.to_owned();
    for topology in std::iter::once(hostile).chain(&flat) {
        let signs = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("\n", "&#10;")];
        let escaped = |text: &str| signs.iter().fold(text.to_owned(), |text, (sign, entity)| text.replace(sign, entity));
        let (flowchart, states) = (escaped(&topology.mermaid()), escaped(&topology.diagram().state_diagram()));
        let _ = write!(page, "{}<pre>{flowchart}</pre><pre>{states}</pre>", topology.diagram().rustdoc());
    }
    page + "</body></html>\n"
}

#[test]
fn every_label_stays_in_its_place_on_the_page() {
    let page = page();
    let body = &page[page.find("<body>").unwrap()..page.rfind("</html>").unwrap()];
    let body = xml::read(body);
    let graphs = HOSTILE.len() + 1;
    assert_eq!((body.all("div", "graphwright-diagram").len(), body.children.len()), (graphs, 1 + 3 * graphs));
    if let Ok(file) = std::env::var("BROWSER_PAGE") {
        std::fs::write(file, &page).unwrap();
    }
}
