//! What a script comes to, by a plain interpreter: branches one after the other on a copy of the state, their updates
//! applied in the order written. No engine, no store, no failure.

use super::script::{Act, CallSpec, Inner, Op, Script, Sign, Spec, Which};
use super::world::World;

/// The parts of the state that scripts write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plain {
    pub lines: Vec<String>,
    pub count: u32,
    pub text: String,
    pub results: Vec<String>,
}

impl From<&World> for Plain {
    fn from(world: &World) -> Self {
        Self { lines: world.lines.clone(), count: world.count, text: world.text.clone(), results: world.results() }
    }
}

#[derive(Clone)]
struct Written {
    line: String,
    count: u32,
    text: String,
    result: Option<String>,
}

/// A frame: what it sees, and what it wrote.
struct Frame {
    sees: Plain,
    wrote: Vec<Written>,
    /// Bodies of nodes that ran, each attempt of one counted once.
    bodies: usize,
}

/// What a branch does.
type Branch<'a> = Box<dyn FnOnce(&mut Frame) + 'a>;

impl Frame {
    fn on(sees: &Plain) -> Self {
        Self { sees: sees.clone(), wrote: Vec::new(), bodies: 0 }
    }

    fn write(&mut self, written: Written) {
        self.sees.lines.push(written.line.clone());
        self.sees.count += written.count;
        self.sees.text = format!("{}|{}", self.sees.text, written.text);
        self.sees.results.extend(written.result.clone());
        self.wrote.push(written);
    }

    /// A node.
    fn work(&mut self, place: &str) {
        self.bodies += 1;
        let line = format!("{place} {}", self.sees.lines.len());
        self.write(Written { line, count: 1, text: place.to_owned(), result: None });
    }

    /// A question and its answer, unless its time was up.
    fn ask(&mut self, place: &str, sign: Sign) -> String {
        if sign == Sign::Expired {
            return String::new();
        }
        let (line, count) = asked(place, self.sees.lines.len(), sign);
        self.write(Written { line: line.clone(), count, text: place.to_owned(), result: None });
        line
    }

    /// The graph that is mounted over the same state.
    fn part(&mut self, inner: &Inner) {
        self.work("inside");
        self.ask("sign_first", inner.signs[0]);
        self.ask("sign_second", inner.signs[1]);
        if !inner.early {
            self.work("inside_then");
        }
    }

    /// The graph with a state of its own.
    fn apart(&mut self, spec: &Spec) {
        self.bodies += 3;
        let notes = ["look 0".to_owned(), "think 1".to_owned(), asked("sign_piece", 2, spec.sign).0, "think_too 1".to_owned()];
        let line = format!("apart {}: {}", spec.label, notes.join(", "));
        self.write(Written { line, count: spec.label, text: "apart".to_owned(), result: None });
    }

    fn call(&mut self, spec: &CallSpec) {
        let sees = self.sees.lines.len();
        match spec.sign {
            Some(sign) => {
                let line = self.ask("ask_call", sign);
                self.result(format!("Ok {line}"));
            }
            None => {
                self.work("run_call");
                self.result(format!("Ok ran at {sees}"));
            }
        }
    }

    fn result(&mut self, result: String) {
        self.sees.results.push(result.clone());
        self.wrote.last_mut().unwrap().result = Some(result);
    }

    /// Branches that begin where this frame stands.
    fn fork(&mut self, branches: Vec<Branch<'_>>) {
        let base = self.sees.clone();
        for branch in branches {
            let mut frame = Self::on(&base);
            branch(&mut frame);
            self.bodies += frame.bodies;
            frame.wrote.into_iter().for_each(|written| self.write(written));
        }
    }
}

fn asked(place: &str, saw: usize, sign: Sign) -> (String, u32) {
    let (heard, count) = match sign {
        Sign::Skip => ("-".to_owned(), 0),
        Sign::Accept(number) => (number.to_string(), number),
        Sign::Decline | Sign::Expired => ("no".to_owned(), 0),
    };
    (format!("{place} {saw}: {heard} at {saw}"), count)
}

/// What a turn comes to.
pub struct Came {
    pub state: Plain,
    /// Bodies of nodes that must run, under so many idempotency keys.
    pub bodies: usize,
}

/// One turn on a state.
pub fn interpret(state: &Plain, script: &Script) -> Came {
    interpret_from(state, script, 0)
}

/// What is left of a turn, in which so many lines were worked already.
pub fn interpret_from(state: &Plain, script: &Script, mut lines: usize) -> Came {
    let mut root = Frame::on(state);
    let mut line = |root: &mut Frame| {
        root.work("work");
        lines += 1;
        if lines > 2 {
            root.work("tired");
        }
    };
    for op in &script.ops {
        root.work("choose");
        match op {
            Op::Line(_) | Op::Unrouted => line(&mut root),
            Op::Ask(sign) => {
                root.ask("ask", *sign);
                if *sign == Sign::Expired {
                    root.work("tired");
                }
            }
            Op::All { signs, part, .. } => root.fork(vec![
                Box::new(|branch| {
                    branch.work("left");
                    branch.ask("sign_left", signs[0]);
                    branch.work("left_then");
                }),
                Box::new(|branch| {
                    branch.fork(vec![
                        Box::new(|branch| branch.work("right")),
                        Box::new(|branch| {
                            branch.ask("sign_right", signs[1]);
                        }),
                    ]);
                    branch.work("right_then");
                }),
                Box::new(|branch| branch.part(part)),
            ]),
            Op::Some { ways, sign, deep, .. } => {
                let mut branches: Vec<Branch<'_>> = Vec::new();
                let taken = |which| ways.contains(&which);
                if taken(Which::A) {
                    branches.push(Box::new(|branch| branch.work("a")));
                }
                if taken(Which::B) {
                    branches.push(Box::new(|branch| {
                        branch.ask("sign_b", *sign);
                    }));
                }
                if taken(Which::C) {
                    branches.push(Box::new(|branch| branch.part(deep)));
                }
                root.fork(branches);
            }
            Op::Calls(calls) => {
                let mut branches: Vec<Branch<'_>> = Vec::new();
                for spec in calls {
                    branches.push(Box::new(|branch| branch.call(spec)));
                }
                root.fork(branches);
            }
            Op::Items(specs) => {
                let mut branches: Vec<Branch<'_>> = Vec::new();
                for spec in specs {
                    branches.push(Box::new(|branch| branch.apart(spec)));
                }
                root.fork(branches);
            }
            Op::Whole(inner) => {
                root.part(inner);
                if inner.early {
                    root.work("tired");
                }
            }
            Op::Rescue => {
                // The body that fails, and the one that is sorry for it.
                root.bodies += 2;
                let line = format!("sorry {}: rescue 1 told to fail", root.sees.lines.len());
                root.write(Written { line, count: 1, text: "sorry".to_owned(), result: None });
            }
        }
    }
    root.work("choose");
    Came { state: root.sees, bodies: root.bodies }
}

/// Whether something of it fails until somebody mends it.
pub fn is_broken(script: &Script) -> bool {
    let broken = |act: &Act| matches!(act, Act::Broken | Act::Panics | Act::Poisons);
    script.ops.iter().any(|op| match op {
        Op::Line(act) => broken(act),
        Op::All { acts, part, .. } => acts.iter().any(broken) || broken(&part.act),
        Op::Some { ways, act, deep, .. } => (ways.contains(&Which::A) && broken(act)) || (ways.contains(&Which::C) && broken(&deep.act)),
        Op::Calls(calls) => calls.iter().any(|spec| spec.sign.is_none() && broken(&spec.act)),
        Op::Items(specs) => specs.iter().any(|spec| broken(&spec.act) && spec.act != Act::Poisons),
        Op::Whole(inner) => broken(&inner.act),
        Op::Unrouted => true,
        Op::Ask(_) | Op::Rescue => false,
    })
}
