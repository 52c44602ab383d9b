//! Files dragged over the window on X11 that cannot be dropped. winit refuses a whole list for one bad name, and says
//! nothing: not even the window learns of the drop. So the list is read here as well, as it arrives.

use percent_encoding::percent_decode;
use std::error::Error;
use std::path::Path;
use std::thread;
use winit::raw_window_handle::{HasWindowHandle as _, RawWindowHandle};
use winit::window::Window;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ConnectionExt as _, EventMask, Property,
};

/// The property of a window by which it gets a list of dragged files.
const LIST: &[u8] = b"XdndSelection";

/// Calls `report` with what is wrong with each list that is dragged over a window on X11, on a thread of its own.
pub(super) fn watch(window: &Window, report: impl Fn(String) + Send + 'static) {
    let window = match window.window_handle().map(|handle| handle.as_raw()) {
        Ok(RawWindowHandle::Xlib(handle)) => u32::try_from(handle.window).unwrap_or_default(),
        Ok(RawWindowHandle::Xcb(handle)) => handle.window.get(),
        _ => return,
    };
    let follow = move || {
        if let Err(error) = follow(window, report) {
            // Also where the display ends, which the window reports.
            log::info!("dragged files are not checked: {error}");
        }
    };
    if let Err(error) = thread::Builder::new().name("drags".to_owned()).spawn(follow) {
        log::error!("dragged files are not checked: {error}");
    }
}

/// Checks each list until the connection to the display ends.
fn follow(window: u32, report: impl Fn(String)) -> Result<(), Box<dyn Error>> {
    let (display, _) = x11rb::connect(None)?;
    let list = display.intern_atom(false, LIST)?.reply()?.atom;
    let changes = ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE);
    display.change_window_attributes(window, &changes)?.check()?;
    loop {
        let Event::PropertyNotify(event) = display.wait_for_event()? else { continue };
        if event.atom == list && event.state == Property::NEW_VALUE {
            let property = display.get_property(false, window, list, AtomEnum::ANY, 0, u32::MAX);
            if let Some(problem) = problem(&property?.reply()?.value) {
                report(problem);
            }
        }
    }
}

/// Problems of the names in a list of URIs, a line for each; `None` if it can be dropped.
fn problem(list: &[u8]) -> Option<String> {
    let Ok(list) = percent_decode(list).decode_utf8() else {
        return Some("the dragged files cannot be dropped: their names are not UTF-8".to_owned());
    };
    let uris: Vec<&str> = list.split("\r\n").filter(|uri| !uri.is_empty()).collect();
    let mut lines: Vec<String> = uris.iter().filter_map(|uri| refusal(uri)).collect();
    if lines.is_empty() && !uris.is_empty() {
        return None;
    }
    lines.push(match uris.len() {
        0 => "what is dragged names no file".to_owned(),
        1 => "it cannot be dropped: open it by its path instead".to_owned(),
        _ => "none of the dragged files can be dropped: drag the others alone".to_owned(),
    });
    Some(lines.join("\n"))
}

/// Why winit does not take a URI.
fn refusal(uri: &str) -> Option<String> {
    match uri.strip_prefix("file://") {
        None => Some(format!("{uri}: not the URI of a file")),
        Some(path) if !path.starts_with('/') => Some(format!("{uri}: it names a host")),
        Some(path) => Path::new(path).canonicalize().err().map(|error| format!("{path}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_that_cannot_be_dropped_has_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let good = folder.path().join("a b.scene");
        std::fs::write(&good, "").unwrap();
        let good = format!("file://{}\r\n", good.display());
        let problem = |list: &str| problem(list.as_bytes());
        assert_eq!(problem(&good), None);
        assert_eq!(problem(&good.replace(' ', "%20")), None);
        let hosted = format!("{good}file://localhost/x.scene\r\nhttp://x/y\r\n");
        let lines = problem(&hosted).unwrap();
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(
            lines,
            [
                "file://localhost/x.scene: it names a host",
                "http://x/y: not the URI of a file",
                "none of the dragged files can be dropped: drag the others alone",
            ]
        );
        let missing = problem("file:///nowhere/x.scene\r\n").unwrap();
        assert!(missing.starts_with("/nowhere/x.scene: No such file"), "{missing}");
        assert!(problem("%ff").is_some() && problem("").is_some());
    }
}
