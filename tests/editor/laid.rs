//! The crate in tests/editor/fixture, laid where it can be built: beside nothing of ours, with the same dependencies.

use std::fs;
use std::path::{Path, PathBuf};

/// Where it lies now. What is built there stays for the next run.
pub(crate) fn lay(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(root.join("src")).unwrap();
    let fixture = here.join("editor/fixture");
    let manifest = fs::read_to_string(fixture.join("Cargo.toml")).unwrap();
    fs::write(root.join("Cargo.toml"), manifest.replace("../../../runtime", &here.join("../runtime").to_string_lossy())).unwrap();
    fs::copy(here.join("../Cargo.lock"), root.join("Cargo.lock")).unwrap();
    for file in ["lib.rs", "nodes.rs", "writer.rs"] {
        fs::copy(fixture.join("src").join(file), root.join("src").join(file)).unwrap();
    }
    root
}
