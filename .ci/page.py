"""A page in headless Chromium, or in Firefox, both of which draw on the CPU."""

import os
import re
import subprocess
import tempfile
import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder

WIDTH, HEIGHT = 1280, 720
# Where things are in a window of that size: the menu *View* and its last line, the list of algorithms and its first one.
VIEW, COPY, LIST, FIRST = (940, 674), (973, 647), (1050, 129), (493, 171)

WEBGPU = ["--enable-unsafe-webgpu", "--enable-features=Vulkan", "--use-vulkan=swiftshader", "--use-angle=swiftshader",
          "--use-webgpu-adapter=swiftshader"]
WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
# A browser for WebGL2 has no adapter for WebGPU, and says so; wgpu asks for the adapter's name also where that is deprecated.
EXPECTED = ["No available adapters.", "WEBGL_debug_renderer_info is deprecated in Firefox and will be removed. Please use RENDERER."]

# Ends once what happened before is drawn.
DRAWN = """
const done = arguments[0];
const next = left => left ? requestAnimationFrame(() => next(left - 1)) : done();
next(3);
"""


class Browser:
    """A page in a browser."""

    def __init__(self, name, bundle, address):
        self.bundle, self.address = bundle, address
        self.folder = tempfile.TemporaryDirectory()
        self.files = Path(self.folder.name)
        self.driver = getattr(self, name)()
        outer = self.driver.execute_script("return [outerWidth - innerWidth, outerHeight - innerHeight]")
        self.driver.set_window_size(WIDTH + outer[0], HEIGHT + outer[1])

    def chromium(self):
        options = webdriver.ChromeOptions()
        for option in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", *(WEBGPU if self.bundle == "webgpu" else WEBGL)]:
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        driver.execute_cdp_cmd("Page.setDownloadBehavior", {"behavior": "allow", "downloadPath": self.folder.name})
        return driver

    def firefox(self):
        # Its log has errors and warnings; texts in the console are mixed with those of Firefox itself.
        self.log = self.files / "log"
        # Firefox refuses to run as root in the home of somebody else, as in a container of a workflow.
        home = {**os.environ, "HOME": self.folder.name}
        self.server = subprocess.Popen(["geckodriver", "--port", "0"], stdout=self.log.open("w"), env=home)
        listens = re.compile(r"Listening on ([\d.:]+)")
        while not (found := listens.search(self.log.read_text())):
            time.sleep(0.1)
        options = webdriver.FirefoxOptions()
        # Its panel would take the keys.
        options.set_preference("browser.download.alwaysOpenPanel", False)
        options.set_preference("browser.download.folderList", 2)
        options.set_preference("browser.download.dir", self.folder.name)
        return webdriver.Remote(f"http://{found[1]}", options=options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()
        if hasattr(self, "server"):
            self.server.terminate()
        self.folder.cleanup()

    def check(self):
        """Fails if the page shows a failure, or the console has a complaint."""
        state = self.driver.execute_script("return document.querySelector('#state pre')?.innerText")
        assert not state, f"the page shows: {state}"
        if hasattr(self, "log"):
            complaints = re.findall(r"^JavaScript (?:warning|error): http.*", self.log.read_text(), re.M)
        else:
            complaints = [entry["message"] for entry in self.driver.get_log("browser")]
        complaints = [text for text in complaints if not any(text.endswith(known) for known in EXPECTED)]
        assert not complaints, f"the browser complains: {complaints}"

    def wait(self, what, condition, seconds=60):
        began = time.monotonic()
        while not (found := condition()):
            self.check()
            assert time.monotonic() < began + seconds, f"no {what} after {seconds} s; the title is {self.driver.title!r}"
            time.sleep(0.1)
        return found

    def open(self, query, title):
        """Opens a link. Returns the seconds until there is a picture, which gives the page a title of its own."""
        self.driver.get(query if query.startswith("http") else self.address + query)
        self.driver.set_script_timeout(120)
        seconds = self.driver.execute_async_script("""
            const done = arguments[0];
            const look = () => document.title.includes(" - ") || document.querySelector("#state pre")
                ? done(performance.now() / 1000) : setTimeout(look, 10);
            look();""")
        self.wait(title, lambda: self.driver.title.endswith(title))
        # As the test of a clipboard, which browsers keep from programs.
        self.driver.execute_script("navigator.clipboard.writeText = async text => { window.copied = text; };"
                                   "document.getElementById('canvas').focus();")
        loaded = self.driver.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
        assert any(name.endswith(f"{self.bundle}_bg.wasm") for name in loaded), loaded
        return seconds

    def before(self, script):
        """Runs a script before each page."""
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})

    def shows(self, words, seconds=20):
        """Waits for a failure with these words, and a way out."""
        began, state = time.monotonic(), ""
        while words not in state or "Load again" not in state:
            assert time.monotonic() < began + seconds, f"{words!r} is not shown, but {state!r}"
            time.sleep(0.1)
            state = self.driver.execute_script("return document.getElementById('state').innerText")

    def click(self, x, y):
        # egui takes a long press for none, also where the time is that of a slow picture.
        for act in [lambda mouse: mouse.move_to_location(x, y), lambda mouse: mouse.pointer_down().pointer_up()]:
            actions = ActionBuilder(self.driver, duration=0)
            act(actions.pointer_action)
            actions.perform()
            self.driver.execute_async_script(DRAWN)

    def press(self, keys):
        ActionChains(self.driver).send_keys(keys).perform()

    def download(self, keys, ending):
        """The file that keys save."""
        known = set(self.files.iterdir())
        self.press(keys)
        new = lambda: [file for file in set(self.files.iterdir()) - known if file.suffix == ending and file.stat().st_size]
        # The page plays all steps first, which takes more than a minute on a busy machine.
        return self.wait(f"download of *{ending}", new, 300)[0]

    def link(self):
        """The address that *Copy link* copies."""
        self.driver.execute_script("window.copied = null")
        self.click(*VIEW)
        self.click(*COPY)
        return self.wait("copied link", lambda: self.driver.execute_script("return window.copied"))

    def trajectory(self, query, steps):
        """The hash after some steps, by the program that the page has loaded."""
        self.driver.execute_script("""
            const script = document.createElement("script");
            script.type = "module";
            script.textContent = `import { trajectory } from "./${arguments[0]}.js";
                document.body.dataset.hash = trajectory("${arguments[1]}", ${arguments[2]});`;
            delete document.body.dataset.hash;
            document.body.append(script);""", self.bundle, query, steps)
        return self.wait("hash", lambda: self.driver.execute_script("return document.body.dataset.hash"))
