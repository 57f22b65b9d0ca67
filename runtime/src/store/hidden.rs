//! Bodies hold what people and models said: a `Debug` tells their length and no more.

use std::fmt;

pub(super) struct Hidden(pub(super) usize);

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} bytes>", self.0)
    }
}
