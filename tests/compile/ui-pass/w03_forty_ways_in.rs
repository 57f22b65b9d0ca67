//! A place with forty ways in.
#![deny(warnings)]

use graphwright::prelude::*;
use graphwright::Graph;
use graphwright::topology::Target;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Draft {
    #[state(sum)]
    rounds: u32,
}

#[node]
pub fn write(_: &Draft) {}

#[node]
pub fn print(_: &Draft) {}

macro_rules! forty {
    ($first:ident $($name:ident)*) => {
        graph! {
            #[graph(endless)]
            pub Desk(Draft) {
                start -> $first;
                $first -> print on error;
                $first $(-> $name)* -> print;
                $($name -> print on error;)*
                print -> end;
                $first: write;
                $($name: write;)*
            }
        }
    };
}

forty!(n0 n1 n2 n3 n4 n5 n6 n7 n8 n9 n10 n11 n12 n13 n14 n15 n16 n17 n18 n19 n20 n21 n22 n23 n24 n25 n26 n27 n28 n29 n30 n31 n32 n33 n34 n35 n36 n37 n38 n39);

fn main() {
    let into = |way: &graphwright::topology::Way| way.to == Target::Place(1);
    assert_eq!(Desk::TOPOLOGY.places[1].name, "print");
    assert_eq!(Desk::TOPOLOGY.ways.iter().filter(|way| into(way)).count(), 41);
}
