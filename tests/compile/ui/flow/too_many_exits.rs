mod parts;
use parts::*;

macro_rules! agent {
    ($($label:ident => $exit:ident),* $(,)?) => {
        #[derive(Route)]
        pub enum Grade { $($label),* }

        #[router]
        pub fn grade(_: &Order) -> Grade {
            unimplemented!()
        }

        graph! {
            /// Each grade has an exit of its own.
            pub Agent(Order, ()) {
                start -> draft;
                draft -> match grade { $($label => end $exit),* };
            }
        }
    };
}

agent! {
    G0 => g0, G1 => g1, G2 => g2, G3 => g3, G4 => g4, G5 => g5, G6 => g6, G7 => g7,
    G8 => g8, G9 => g9, G10 => g10, G11 => g11, G12 => g12, G13 => g13, G14 => g14, G15 => g15,
    G16 => g16, G17 => g17, G18 => g18, G19 => g19, G20 => g20, G21 => g21, G22 => g22, G23 => g23,
    G24 => g24, G25 => g25, G26 => g26, G27 => g27, G28 => g28, G29 => g29, G30 => g30, G31 => g31,
    G32 => g32, G33 => g33, G34 => g34, G35 => g35, G36 => g36, G37 => g37, G38 => g38, G39 => g39,
    G40 => g40, G41 => g41, G42 => g42, G43 => g43, G44 => g44, G45 => g45, G46 => g46, G47 => g47,
    G48 => g48, G49 => g49, G50 => g50, G51 => g51, G52 => g52, G53 => g53, G54 => g54, G55 => g55,
    G56 => g56, G57 => g57, G58 => g58, G59 => g59, G60 => g60, G61 => g61, G62 => g62, G63 => g63,
    G64 => g64,
}

fn main() {}
