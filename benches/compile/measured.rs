//! Checks a crate and says how long the processor was at it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use graphwright::BoxError;

/// The best of so many: a busy machine takes longer, never shorter.
const ROUNDS: u32 = 3;
/// `sysconf(_SC_CLK_TCK)`: 100 on every Linux since 2.6.
const TICKS_PER_SECOND: f64 = 100.0;

/// A crate that uses ours and has ready all that it needs.
#[derive(Debug)]
pub struct Checked {
    root: PathBuf,
}

impl Checked {
    pub fn lay() -> Result<Self, BoxError> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile");
        fs::create_dir_all(root.join("src"))?;
        let runtime = here.join("../runtime");
        let manifest = format!(
            "[package]\nname = \"measured\"\nedition = \"2024\"\n\n[dependencies]\ngraphwright = {{ path = {runtime:?} }}\n\
             serde = {{ version = \"1\", features = [\"derive\"] }}\n\n[workspace]\n"
        );
        fs::write(root.join("Cargo.toml"), manifest)?;
        fs::copy(here.join("../Cargo.lock"), root.join("Cargo.lock"))?;
        Ok(Self { root })
    }

    /// Seconds for this text.
    pub fn seconds(&self, text: &str) -> Result<f64, BoxError> {
        let mut best = f64::MAX;
        // The first time it is made ready what it depends on.
        for round in 0..=ROUNDS {
            fs::write(self.root.join("src/lib.rs"), format!("{text}\n// {round}\n"))?;
            let before = children()?;
            let output = self.check()?;
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
            }
            if round > 0 {
                best = best.min(children()? - before);
            }
        }
        Ok(best)
    }

    fn check(&self) -> Result<Output, BoxError> {
        let mut cargo = Command::new(env!("CARGO"));
        // Incremental, the second check of the same graph would be the cache's.
        cargo.args(["check", "--quiet", "--offline"]).current_dir(&self.root).env("CARGO_INCREMENTAL", "0");
        cargo.env_remove("RUSTFLAGS").env("CARGO_TARGET_DIR", self.root.join("target"));
        Ok(cargo.output()?)
    }
}

/// Seconds of the processor, in user mode, that all children of this process have taken which are over, and theirs.
fn children() -> Result<f64, BoxError> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // The name of the program stands in parentheses and may hold anything; `cutime` is the fourteenth field behind it.
    let (_, fields) = stat.rsplit_once(") ").ok_or("no name in /proc/self/stat")?;
    let ticks: u32 = fields.split(' ').nth(13).ok_or("no time in /proc/self/stat")?.parse()?;
    Ok(f64::from(ticks) / TICKS_PER_SECOND)
}
