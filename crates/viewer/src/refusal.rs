//! Files that the window cannot open.

use sim::trace::is_trace;
use std::path::Path;

/// Why a file is refused before it is read as a scene: it is a trace.
pub(crate) fn trace_refusal(path: &Path) -> Option<String> {
    let shown = path.display();
    is_trace(path).then(|| {
        format!(
            "{shown} is a trace, recorded boxes, which the window cannot show; check the algorithms \
             on it by `harness verify {shown}`, time them by `harness run {shown}`"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trace_is_refused_by_its_first_bytes_and_other_files_are_not() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes, refused) in [
            ("a.bpt", &b"BPTRACE1\x01\0\0\0"[..], true),
            ("named.scene", b"BPTRACE1", true),
            ("b.bpt", b"i -1 -1 -1  2 2 2  100 t\n", false),
            ("empty", b"", false),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            let refusal = trace_refusal(&path);
            assert_eq!(refusal.is_some(), refused, "{name}");
            assert!(refusal.is_none_or(|text| text.contains("harness verify")));
        }
        assert_eq!(trace_refusal(&folder.path().join("missing.bpt")), None);
    }
}
