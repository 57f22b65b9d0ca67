//! Stately's tic-tac-toe: states in states, and a game without an end.

use super::stub::*;

stubs! {
    model playing_x, playing_o;
    human winner, draw;
    guard won, full;
    router valid(Valid, Invalid);
}

graph! {
    #[graph(endless)]
    pub(crate) XstateTicTacToe(State, Deps) {
        start -> playing_x;
        playing_x | playing_o -> winner if won;
        playing_x | playing_o -> draw if full;
        playing_x -> match valid { Valid => playing_o, Invalid => playing_x };
        playing_o -> match valid { Valid => playing_x, Invalid => playing_o };
        winner | draw -> playing_x;

        playing_x: as "playing.x";
        playing_o: as "playing.o";
        winner: as "gameOver.winner";
        draw: as "gameOver.draw";
    }
}
