//! Nothing lies over anything else: measured in the SVG as it is written.

use std::fmt;

use super::graphs;
use super::xml::{self, Element};

#[test]
fn nothing_lies_over_anything_else() {
    let (mut held, mut faults) = (0, Vec::new());
    for (name, topology) in graphs::all() {
        for depth in [0, 1, 3] {
            let svg = topology.diagram().depth(depth).svg();
            let (compared, found) = faults_of(&svg);
            held += compared;
            faults.extend(found.into_iter().map(|fault| format!("{name}, depth {depth}: {fault}")));
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.iter().take(40).cloned().collect::<Vec<_>>().join("\n"));
    assert!(held > 100_000, "only {held} pairs were compared");
}

#[test]
fn what_is_moved_over_something_else_is_found() {
    let svg = graphs::support().diagram().svg();
    assert_eq!(faults_of(&svg).1, [""; 0]);
    let read = xml::read(&svg);
    let boxes = read.all("g", "gw-node");
    let mut found = 0;
    for node in &boxes {
        let Some(rect) = node.children.iter().find(|child| child.get("rx") == Some("10")) else { continue };
        for way in [-60.0, 60.0, 90.0] {
            let (before, after) =
                (format!("<rect x=\"{}\" y=\"{}\"", rect.get("x").unwrap(), rect.get("y").unwrap()), rect.number("x") + way);
            let moved = svg.replacen(&before, &format!("<rect x=\"{after}\" y=\"{}\"", rect.get("y").unwrap()), 1);
            assert_ne!(moved, svg);
            found += usize::from(!faults_of(&moved).1.is_empty());
        }
    }
    assert!(found >= 8, "only {found} of twelve");

    // A label that has grown, and a line that runs straight from its beginning to its end.
    let longer = svg.replace(">Tools<", ">Tools and very many other things that nobody expects<");
    assert!(faults_of(&longer).1.iter().any(|fault| fault.contains("Tools")));
    let mut over = 0;
    for line in read.all("g", "gw-edges").iter().flat_map(|edges| &edges.children).filter(|line| line.name == "path") {
        let path = line.get("d").unwrap();
        let points = sampled(path, (0.0, 0.0));
        let ((x1, y1), (x2, y2)) = (points[0], points[points.len() - 1]);
        let straight = svg.replacen(path, &format!("M{x1} {y1}L{x2} {y2}"), 1);
        over += usize::from(faults_of(&straight).1.iter().any(|fault| fault.contains("runs over")));
    }
    assert!(over > 0, "no straight line runs over anything");
}

/// A rectangle, and what it is.
#[derive(Clone, Debug)]
struct Area {
    what: String,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:.0}..{:.0}, {:.0}..{:.0})", self.what, self.left, self.right, self.top, self.bottom)
    }
}

impl Area {
    fn overlaps(&self, other: &Self) -> bool {
        const TOUCH: f64 = 0.2;
        self.left + TOUCH < other.right
            && other.left + TOUCH < self.right
            && self.top + TOUCH < other.bottom
            && other.top + TOUCH < self.bottom
    }

    fn holds(&self, (x, y): (f64, f64), rim: f64) -> bool {
        x > self.left + rim && x < self.right - rim && y > self.top + rim && y < self.bottom - rim
    }

    fn is_in(&self, other: &Self) -> bool {
        self.left >= other.left - 0.2 && self.right <= other.right + 0.2 && self.top >= other.top - 0.2 && self.bottom <= other.bottom + 0.2
    }
}

/// What lies in one frame, or in the whole picture.
#[derive(Debug, Default)]
struct Level {
    boxes: Vec<Area>,
    labels: Vec<Area>,
    lines: Vec<Vec<(f64, f64)>>,
    inner: Vec<(Area, Level)>,
}

/// Pairs that were compared, and what lies over something else.
fn faults_of(svg: &str) -> (usize, Vec<String>) {
    let svg = xml::read(svg);
    let size: Vec<f64> = svg.get("viewBox").unwrap().split(' ').map(|part| part.parse().unwrap()).collect();
    let whole = Area { what: "the picture".to_owned(), left: 0.0, top: 0.0, right: size[2], bottom: size[3] };
    let root = svg.children.iter().find(|child| child.name == "g").unwrap();
    let mut faults = Vec::new();
    let level = level(root, shift(root, (0.0, 0.0)), &mut faults);
    let compared = compare(&level, &whole, &mut faults);
    (compared, faults)
}

fn shift(element: &Element, (x, y): (f64, f64)) -> (f64, f64) {
    match element.get("transform").and_then(|value| value.strip_prefix("translate(")?.strip_suffix(')')) {
        Some(by) => {
            let by: Vec<f64> = by.split(' ').map(|part| part.parse().unwrap()).collect();
            (x + by[0], y + by[1])
        }
        None => (x, y),
    }
}

fn level(figure: &Element, at: (f64, f64), faults: &mut Vec<String>) -> Level {
    let mut level = Level::default();
    for child in &figure.children {
        match child.get("class").unwrap() {
            "gw-edges" => {
                level
                    .lines
                    .extend(child.children.iter().filter(|line| line.name == "path").map(|line| sampled(line.get("d").unwrap(), at)));
                // Loops from a box to itself have their labels here.
                for label in child.children.iter().filter(|child| child.name == "g") {
                    level.labels.extend(label.children.iter().map(|text| text_area(text, at)));
                }
            }
            "gw-labels" => level.labels.extend(child.children.iter().map(|text| text_area(text, at))),
            "gw-node" => node(child, at, &mut level, faults),
            other => panic!("{other}"),
        }
    }
    level
}

fn node(node: &Element, at: (f64, f64), level: &mut Level, faults: &mut Vec<String>) {
    let name = node.children.iter().find(|child| child.name == "title").map_or(String::new(), |title| title.text.clone());
    let rect = |rect: &Element, what: &str| {
        let (x, y) = (rect.number("x") + at.0, rect.number("y") + at.1);
        Area { what: what.to_owned(), left: x, top: y, right: x + rect.number("width"), bottom: y + rect.number("height") }
    };
    let (mut area, mut names) = (None, Vec::new());
    let inner = node.children.iter().find(|child| child.get("class") == Some("gw-inner"));
    for child in &node.children {
        match child.name.as_str() {
            // A ring around it is no part of it.
            "rect" if child.get("fill") != Some("none") => area = Some(rect(child, &name)),
            "path" if child.get("fill").is_some_and(|fill| fill.starts_with('#')) => area = Some(hull(child.get("d").unwrap(), at, &name)),
            "circle" if child.number("r") > 7.0 && child.get("fill") != Some("#d97706") => {
                let (x, y, r) = (child.number("cx") + at.0, child.number("cy") + at.1, child.number("r"));
                area = Some(Area { what: name.clone(), left: x - r, top: y - r, right: x + r, bottom: y + r });
            }
            "text" if child.get("class") == Some("gw-label") => level.labels.push(text_area(child, at)),
            "text" if child.get("fill").is_none() => names.push(text_area(child, at)),
            "a" => names.extend(child.children.iter().map(|text| text_area(text, at))),
            // The name of a frame, or the edges of a stack.
            "g" => level
                .labels
                .extend(child.children.iter().filter(|text| inner.is_none() && text.name == "text").map(|text| text_area(text, at))),
            _ => {}
        }
    }
    let area = area.unwrap_or_else(|| panic!("nothing is drawn of {name}"));
    for text in names.iter().filter(|text| !text.is_in(&area)) {
        faults.push(format!("the name {text} is wider than its box {area}"));
    }
    if let Some(inner) = inner {
        let mut within = self::level(inner, shift(inner, at), faults);
        let title = node.children.iter().filter(|child| child.name == "g" && child.get("fill").is_some()).flat_map(|child| &child.children);
        within.labels.extend(title.filter(|child| child.name == "text").map(|text| text_area(text, at)));
        level.inner.push((area, within));
    } else {
        level.boxes.push(area);
    }
}

/// About as wide as it is in a usual font.
fn text_area(text: &Element, at: (f64, f64)) -> Area {
    let size = text.get("font-size").map_or(if text.get("class").is_some() { 11.0 } else { 13.0 }, |size| size.parse().unwrap());
    let width: f64 = text
        .text
        .chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' | ' ' => 0.26,
            'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' => 0.35,
            'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.8,
            'A'..='Z' => 0.66,
            ' '..='~' => 0.56,
            _ => 0.7,
        })
        .sum();
    let width = width * size;
    let (x, y) = (text.number("x") + at.0, text.number("y") + at.1);
    let left = if text.get("text-anchor") == Some("start") { x } else { x - width / 2.0 };
    Area { what: format!("\"{}\"", text.text), left, top: y - size * 0.72, right: left + width, bottom: y + size * 0.2 }
}

/// Points along a line of `M`, `L`, `H`, `V`, `C` and `Q`.
fn sampled(path: &str, (dx, dy): (f64, f64)) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut rest = path;
    while let Some(command) = rest.chars().next() {
        let end = rest[1..].find(|c: char| c.is_ascii_alphabetic()).map_or(rest.len(), |end| end + 1);
        let numbers: Vec<f64> = rest[1..end].split(' ').filter(|part| !part.is_empty()).map(|part| part.parse().unwrap()).collect();
        rest = &rest[end..];
        let (x, y) = points.last().map_or((0.0, 0.0), |(x, y)| (x - dx, y - dy));
        let to = match (command, numbers.as_slice()) {
            ('M' | 'L', [x, y]) => vec![(*x, *y)],
            ('H', [x]) => vec![(*x, y)],
            ('V', [y]) => vec![(x, *y)],
            ('Q', [x1, y1, x2, y2]) => vec![(*x1, *y1), (*x1, *y1), (*x2, *y2)],
            ('C', [x1, y1, x2, y2, x3, y3]) => vec![(*x1, *y1), (*x2, *y2), (*x3, *y3)],
            ('Z', []) => vec![],
            other => panic!("{other:?} in {path}"),
        };
        let curve = |t: f64| match to.as_slice() {
            [] => (x, y),
            [to] => (x + (to.0 - x) * t, y + (to.1 - y) * t),
            [one, other, to] => {
                let (u, tt) = (1.0 - t, t * t);
                let mix = |a: f64, b: f64, c: f64, d: f64| u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * tt * c + tt * t * d;
                (mix(x, one.0, other.0, to.0), mix(y, one.1, other.1, to.1))
            }
            _ => unreachable!(),
        };
        let steps = if points.is_empty() { 1 } else { 24 };
        points.extend((1..=steps).map(|step| curve(f64::from(step) / f64::from(steps))).map(|(x, y)| (x + dx, y + dy)));
    }
    points
}

fn hull(path: &str, at: (f64, f64), what: &str) -> Area {
    let points = sampled(path, at);
    let of = |pick: fn(f64, f64) -> f64, first: f64, axis: fn(&(f64, f64)) -> f64| points.iter().map(axis).fold(first, pick);
    Area {
        what: what.to_owned(),
        left: of(f64::min, f64::MAX, |point| point.0),
        top: of(f64::min, f64::MAX, |point| point.1),
        right: of(f64::max, f64::MIN, |point| point.0),
        bottom: of(f64::max, f64::MIN, |point| point.1),
    }
}

fn compare(level: &Level, around: &Area, faults: &mut Vec<String>) -> usize {
    let mut compared = 0;
    let frames: Vec<&Area> = level.inner.iter().map(|(area, _)| area).collect();
    let areas: Vec<&Area> = level.boxes.iter().chain(frames.iter().copied()).collect();
    let all: Vec<&Area> = areas.iter().copied().chain(&level.labels).collect();
    for (number, one) in all.iter().enumerate() {
        for other in &all[number + 1..] {
            compared += 1;
            if one.overlaps(other) {
                faults.push(format!("{one} lies over {other}"));
            }
        }
        // Starts and ends stand on the edge of their frame.
        let rim = Area {
            left: around.left - 1.0,
            top: around.top - 10.0,
            right: around.right + 1.0,
            bottom: around.bottom + 10.0,
            ..around.clone()
        };
        if !one.is_in(&rim) {
            faults.push(format!("{one} leaves {around}"));
        }
    }
    for line in &level.lines {
        for area in &all {
            compared += 1;
            // At its ends it touches; a hexagon is smaller than the rectangle around it.
            let rim = if level.labels.iter().any(|label| std::ptr::eq(label, *area)) { 0.5 } else { 1.0 };
            let inside = line.iter().filter(|point| area.holds(**point, rim)).count();
            if inside > 0 && !touches_hexagon(line, area) {
                faults.push(format!("a line from {:?} to {:?} runs over {area}", line.first(), line.last()));
            }
        }
        if line.iter().any(|(x, y)| *x < around.left || *x > around.right || *y < around.top - 20.0 || *y > around.bottom + 20.0) {
            faults.push(format!("a line from {:?} to {:?} leaves {around}", line.first(), line.last()));
        }
    }
    for (area, inner) in &level.inner {
        compared += compare(inner, area, faults);
    }
    compared
}

/// A line that ends on the slanted side of a hexagon is in the corner of the rectangle around it.
fn touches_hexagon(line: &[(f64, f64)], area: &Area) -> bool {
    let in_corner = |point: &(f64, f64)| {
        let side = (point.0 - area.left).min(area.right - point.0);
        let edge = (point.1 - area.top).min(area.bottom - point.1);
        side < 17.0 && edge < (area.bottom - area.top) / 2.0 * (1.0 - side / 17.0) + 1.5
    };
    line.iter().filter(|point| area.holds(**point, 1.0)).all(in_corner)
}
