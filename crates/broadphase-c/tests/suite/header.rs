//! The committed header is the one that cbindgen generates from the sources.

use cbindgen::{Builder, Config};
use std::env;
use std::fs;
use std::path::Path;

/// The header of the sources as they are.
fn generated(folder: &Path) -> String {
    let config = Config::from_file(folder.join("cbindgen.toml")).unwrap();
    // Its modules are followed. `with_crate` would also load the manifests of all dependencies.
    let builder = Builder::new().with_config(config).with_src(folder.join("src/lib.rs"));
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    String::from_utf8(header).unwrap()
}

/// With `UPDATE_HEADER=1` in the environment, the header is written instead.
#[test]
fn committed_header_is_the_generated_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = folder.join("include/broadphase.h");
    let generated = generated(folder);
    if env::var_os("UPDATE_HEADER").is_some_and(|value| value == "1") {
        fs::write(path, generated).unwrap();
        return;
    }
    let committed = fs::read_to_string(&path).unwrap();
    let lines = committed.lines().zip(generated.lines()).enumerate();
    let first = lines.into_iter().find(|(_, (old, new))| old != new);
    assert!(
        committed == generated,
        "{} is not what cbindgen generates; the first difference (line, committed, generated) is \
         {first:?}. Renew it with UPDATE_HEADER=1 cargo test -p broadphase-c --test suite header",
        path.display()
    );
}
