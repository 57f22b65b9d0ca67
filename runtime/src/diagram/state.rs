//! The graph as a Mermaid state diagram.

use std::fmt::Write as _;

use crate::topology::Place;
use crate::topology::mermaid::{escaped, id, named};
use crate::topology::scene::{Scene, Spot, What};

/// Writes a scene. Choices, forks and joins have no room for a name in this form: it stands on the arrow to them. Writing to
/// a text cannot fail.
pub(super) fn write(scene: &Scene<'_>) -> String {
    let mut text = String::from("stateDiagram-v2\n");
    states(&mut text, scene, "", 1);
    text
}

fn states(text: &mut String, scene: &Scene<'_>, prefix: &str, level: usize) {
    let indent = "    ".repeat(level);
    for spot in &scene.spots {
        let id = id(prefix, spot);
        let _ = match spot.what {
            What::Start => Ok(()),
            What::Choice(_) => writeln!(text, "{indent}state {id} <<choice>>"),
            What::Fork(_) => writeln!(text, "{indent}state {id} <<fork>>"),
            What::Join(_) => writeln!(text, "{indent}state {id} <<join>>"),
            What::Exit(_) if is_end(scene, spot) => Ok(()),
            What::Place(_) | What::Exit(_) => {
                let badge = if scene.place(spot).is_some_and(Place::is_asking) { "? " } else { "" };
                writeln!(text, "{indent}state \"{badge}{}\" as {id}", named(&scene.title(spot)))
            }
        };
        if let Some(inner) = &spot.inner {
            let _ = writeln!(text, "{indent}state {id} {{");
            states(text, inner, &format!("{id}_"), level + 1);
            let _ = writeln!(text, "{indent}}}");
        }
    }
    for lane in &scene.lanes {
        let (Some(from), Some(to)) = (scene.spots.get(lane.from), scene.spots.get(lane.to)) else { continue };
        let mut label = lane.label(" ");
        if matches!(to.what, What::Choice(_) | What::Fork(_)) {
            let title = scene.title(to);
            label = if label.is_empty() || title.is_empty() { label + &title } else { format!("{label}, {title}") };
        }
        let label = if label.is_empty() { label } else { format!(" : {}", escaped(&label)) };
        let _ = writeln!(text, "{indent}{} --> {}{label}", end(scene, prefix, from), end(scene, prefix, to));
    }
    for spot in scene.spots.iter().filter(|spot| matches!(spot.what, What::Exit(_)) && !is_end(scene, spot)) {
        let _ = writeln!(text, "{indent}{} --> [*]", id(prefix, spot));
    }
}

fn is_end(scene: &Scene<'_>, spot: &Spot) -> bool {
    scene.title(spot) == "end"
}

/// The start, and the end that is called so, have one sign for both.
fn end(scene: &Scene<'_>, prefix: &str, spot: &Spot) -> String {
    match spot.what {
        What::Start => "[*]".to_owned(),
        What::Exit(_) if is_end(scene, spot) => "[*]".to_owned(),
        _ => id(prefix, spot),
    }
}
