//! Crates of any size: nodes, and a graph over them.

use std::fmt::Write;

use serde::Serialize;

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "shape", rename_all = "snake_case")]
pub enum Shape {
    /// From every place three ways, two of them an arm.
    Mesh { places: usize },
    /// One statement.
    Chain { places: usize },
    /// All at once, and together again.
    Fork { branches: usize },
}

impl Shape {
    fn nodes(self) -> usize {
        match self {
            Self::Mesh { places } | Self::Chain { places } => places,
            Self::Fork { branches } => branches + 2,
        }
    }
}

/// What stands before every graph.
const PARTS: &str = "
use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Work {
    #[state(sum)]
    done: u64,
}

#[derive(Clone, Copy, Debug, Route)]
pub enum Side {
    Left,
    Right,
}

#[router]
pub fn side(work: &Work) -> Side {
    if work.done > 3 { Side::Left } else { Side::Right }
}

#[router]
pub fn late(work: &Work) -> bool {
    work.done > 100
}
";

pub fn nodes(shape: Shape) -> String {
    let mut text = PARTS.to_owned();
    for at in 0..shape.nodes() {
        let body = "{ Ok(Work::update().done(1_u64)) }";
        let _ = writeln!(text, "#[node]\npub async fn n{at}(_work: &Work) -> NodeResult<Work> {body}");
    }
    text
}

pub fn graph(shape: Shape) -> String {
    let mut text = "graph! {\n    pub Measured(Work) {\n        start -> n0;\n".to_owned();
    match shape {
        Shape::Mesh { places } => mesh(&mut text, places),
        Shape::Chain { places } => {
            let chain: Vec<String> = (0..places).map(|at| format!("n{at}")).collect();
            let _ = writeln!(text, "        {} -> end;", chain.join(" -> "));
        }
        Shape::Fork { branches } => {
            let all: Vec<String> = (1..=branches).map(|at| format!("n{at}")).collect();
            let _ = writeln!(text, "        n0 -> [{}] -> n{} -> end;", all.join(", "), branches + 1);
        }
    }
    text + "    }\n}\n"
}

fn mesh(text: &mut String, places: usize) {
    let last = places - 1;
    for at in 0..last {
        // Odd and far: so that loops overlap and nothing is a tree.
        let (next, far) = (at + 1, (at * 7 + 3) % places);
        let _ = writeln!(text, "        n{at} -> n{last} if late;\n        n{at} -> match side {{ Left => n{next}, Right => n{far} }};");
    }
    let _ = writeln!(text, "        n{last} -> end;");
}
