//! The browser as a system: its clock, its storage, its downloads and its file chooser.

use super::{Answer, Dialogs, Files, Platform, Question, Threads};
use crate::format::megabytes;
use js_sys::{Array, Uint8Array};
use measure::{Clock, Input, InputError, MIN_STEPS, step_of_clock_ns};
use sim::SceneDocument;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, File, HtmlAnchorElement, HtmlInputElement, Url};

/// Most bytes of a file that is opened: what reads it, and the recording that is played, take twice as much for a moment.
const MAX_BYTES: u32 = 256 << 20;

/// The files that the user opened, by name. What is written is downloaded, and settings are stored.
#[derive(Default)]
pub struct Browser {
    opened: Mutex<BTreeMap<PathBuf, Arc<[u8]>>>,
    shortest_ns: OnceLock<u64>,
}

impl Browser {
    /// The system of the page, for ever.
    pub fn new() -> &'static Self {
        Box::leak(Box::default())
    }

    /// Its clock, its lack of threads, its files and its dialogs.
    pub fn platform(&'static self) -> Platform {
        Platform { clock: self, threads: self, files: self, dialogs: self }
    }

    /// Sets the title of the page.
    pub fn set_title(title: &str) {
        if let Some(document) = web_sys::window().and_then(|window| window.document()) {
            document.set_title(title);
        }
    }

    /// Lets the page show a fault that ends the viewer.
    pub fn show_fault(fault: &str) {
        let show = js_sys::Reflect::get(&js_sys::global(), &"showFault".into());
        if let Some(show) = show.ok().as_ref().and_then(|show| show.dyn_ref::<js_sys::Function>()) {
            // A page without it has the console.
            let _ = show.call1(&JsValue::NULL, &fault.into());
        }
    }

    /// The text of an error.
    pub(crate) fn words_of(error: &JsValue) -> String {
        error.as_string().unwrap_or_else(|| format!("{error:?}"))
    }

    /// Reads a file that the user chose or dropped, and keeps it by its name.
    pub(crate) async fn read(&self, file: &File) -> Result<PathBuf, String> {
        let (name, size) = (file.name(), file.size());
        if size > f64::from(MAX_BYTES) {
            let [has, most] = [size, f64::from(MAX_BYTES)].map(megabytes);
            return Err(format!(
                "{name} has {has}: a page opens files of at most {most}, the program larger ones"
            ));
        }
        let bytes = JsFuture::from(file.array_buffer()).await;
        let bytes =
            bytes.map_err(|error| format!("cannot read {name}: {}", Self::words_of(&error)))?;
        let kept = self.keep(Path::new(&name), &Uint8Array::new(&bytes).to_vec());
        kept.map(|()| name.into()).map_err(|error| error.to_string())
    }

    fn opened(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Arc<[u8]>>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The element of the page that chooses a file.
    fn chooser() -> Option<HtmlInputElement> {
        let document = web_sys::window()?.document()?;
        document.get_element_by_id("file")?.dyn_into().ok()
    }

    /// Calls `opened` with each file that the user chooses from now on, once it is read.
    pub(crate) fn open_chosen(
        &'static self,
        opened: impl Fn(Vec<Result<PathBuf, String>>) + 'static,
    ) {
        let Some(chooser) = Self::chooser() else { return };
        let (opened, of) = (Rc::new(opened), chooser.clone());
        let chosen = Closure::<dyn Fn()>::new(move || {
            let Some(file) = of.files().and_then(|files| files.get(0)) else { return };
            let opened = Rc::clone(&opened);
            spawn_local(async move { opened(vec![self.read(&file).await]) });
            // So that the same file can be chosen again.
            of.set_value("");
        });
        chooser.set_onchange(Some(chosen.into_js_value().unchecked_ref()));
    }
}

/// Nanoseconds since the page was opened.
fn now_ns() -> u64 {
    let performance = web_sys::window().and_then(|window| window.performance());
    performance.map_or(0, |performance| (performance.now() * 1e6).round() as u64)
}

impl Clock for Browser {
    fn now_ns(&self) -> u64 {
        now_ns()
    }

    fn shortest_ns(&self) -> u64 {
        // Not before it is asked for: in Node, where time stands still, that takes ten seconds.
        *self.shortest_ns.get_or_init(|| MIN_STEPS * step_of_clock_ns(now_ns))
    }
}

impl Threads for Browser {
    fn spawn(&self, _: &str, _: Box<dyn FnOnce() + Send>) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "a page has one thread"))
    }
}

impl Files for Browser {
    fn folder(&self) -> io::Result<PathBuf> {
        Ok(PathBuf::new())
    }

    fn open(&self, path: &Path) -> Result<Input, InputError> {
        match self.opened().get(path) {
            Some(bytes) => Input::of_bytes(path, Arc::clone(bytes)),
            None => Input::open(path),
        }
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let stored = path.to_str().and_then(eframe::web::storage::local_storage_get);
        let bytes = stored
            .map(String::into_bytes)
            .or_else(|| self.opened().get(path).map(|bytes| bytes.to_vec()));
        let bytes = bytes.ok_or(io::ErrorKind::NotFound)?;
        if bytes.len() as u64 > most {
            return Err(io::Error::other("too long"));
        }
        Ok(bytes)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if path.extension().is_some_and(|ending| ending == "toml" || ending == "bad") {
            let stored = store(&path.to_string_lossy(), &String::from_utf8_lossy(bytes));
            return stored
                .map_err(|_| io::Error::other("the browser's storage is full, or not allowed"));
        }
        download(path, bytes).map_err(|error| io::Error::other(Self::words_of(&error)))?;
        if path.extension().is_some_and(|ending| ending == "scene") {
            self.keep(path, bytes)
        } else {
            Ok(())
        }
    }

    /// Drops earlier recordings.
    fn keep(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut opened = self.opened();
        opened.retain(|_, bytes| bytes.len() as u64 <= SceneDocument::MAX_BYTES);
        opened.insert(path.to_owned(), bytes.into());
        Ok(())
    }

    fn create_folder(&self, _: &Path) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "a page has no folders"))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.opened().remove(path);
        Ok(())
    }

    fn exists(&self, path: &Path) -> bool {
        self.opened().contains_key(path)
    }

    fn names(&self, _: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn address(&self, query: &str) -> Option<String> {
        let location = web_sys::window()?.location();
        Some(location.origin().ok()? + &location.pathname().ok()? + query)
    }
}

/// Keeps a text until the next visit.
fn store(key: &str, text: &str) -> Result<(), JsValue> {
    let storage = web_sys::window().ok_or("no window")?.local_storage()?;
    storage.ok_or("no storage")?.set_item(key, text)
}

/// Lets the user have a file.
fn download(path: &Path, bytes: &[u8]) -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or("no document")?;
    let blob = Blob::new_with_u8_array_sequence(&Array::of1(&Uint8Array::from(bytes)))?;
    let address = Url::create_object_url_with_blob(&blob)?;
    let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&address);
    link.set_download(&path.file_name().unwrap_or_default().to_string_lossy());
    link.click();
    Url::revoke_object_url(&address)
}

impl Dialogs for Browser {
    fn ask(
        &self,
        question: Question,
        at: Option<&Path>,
        answer: Box<dyn FnOnce(Answer) + Send>,
    ) -> io::Result<()> {
        answer(match question {
            // The chosen file is opened as a dropped one.
            Question::Load => {
                Self::chooser().inspect(|chooser| chooser.click());
                Answer::Cancelled
            }
            Question::Save => {
                Answer::Chosen(question, at.map_or_else(|| "own.scene".into(), Path::to_owned))
            }
        });
        Ok(())
    }
}
