//! The browser as a system: its clock, its storage, its downloads and its file chooser.

use super::{Answer, Dialogs, Files, Platform, Question, Threads};
use js_sys::{Array, Uint8Array};
use measure::{Clock, Input, InputError};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, HtmlAnchorElement, Location, Url};

type Opened = Mutex<BTreeMap<PathBuf, Vec<u8>>>;

/// The files that the user opened, by name. What is written is downloaded, and settings are stored.
#[derive(Default)]
pub struct Browser {
    opened: Arc<Opened>,
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

    /// The address of the page with another query.
    pub(crate) fn address(query: &str) -> String {
        let location = web_sys::window().map(|window| window.location());
        let part = |of: fn(&Location) -> Result<String, JsValue>| {
            location.as_ref().and_then(|location| of(location).ok()).unwrap_or_default()
        };
        format!("{}{}{query}", part(Location::origin), part(Location::pathname))
    }

    /// Keeps a file that the user opened.
    pub(crate) fn keep(&self, path: PathBuf, bytes: Vec<u8>) {
        keep(&self.opened, path, bytes);
    }

    fn opened(&self) -> std::sync::MutexGuard<'_, BTreeMap<PathBuf, Vec<u8>>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn keep(opened: &Opened, path: PathBuf, bytes: Vec<u8>) {
    opened.lock().unwrap_or_else(PoisonError::into_inner).insert(path, bytes);
}

impl Clock for Browser {
    fn now_ns(&self) -> u64 {
        let performance = web_sys::window().and_then(|window| window.performance());
        performance.map_or(0, |performance| (performance.now() * 1e6) as u64)
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
            Some(bytes) => {
                Input::of_text(&path.display().to_string(), &String::from_utf8_lossy(bytes))
            }
            None => Input::open(path),
        }
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let stored = path.to_str().and_then(eframe::web::storage::local_storage_get);
        let bytes = stored.map(String::into_bytes).or_else(|| self.opened().get(path).cloned());
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
        download(path, bytes).map_err(|error| io::Error::other(Self::words_of(&error)))
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
        match question {
            Question::Load => {
                let opened = Arc::clone(&self.opened);
                wasm_bindgen_futures::spawn_local(async move {
                    let dialog = rfd::AsyncFileDialog::new().add_filter("Scenes", &["scene"]);
                    answer(match dialog.pick_file().await {
                        Some(file) => {
                            let path = PathBuf::from(file.file_name());
                            keep(&opened, path.clone(), file.read().await);
                            Answer::Chosen(question, path)
                        }
                        None => Answer::Cancelled,
                    });
                });
            }
            Question::Save => {
                let path = at.map_or_else(|| "own.scene".into(), Path::to_owned);
                answer(Answer::Chosen(question, path));
            }
        }
        Ok(())
    }
}
