#![allow(unused)]

use graphwright::prelude::*;

struct Shop;

impl Shop {
    #[tool]
    fn refund(&self) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
