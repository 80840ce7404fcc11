//! A browser under remote control: the part of W3C's `WebDriver` protocol that the check needs.
//!
//! It speaks plain HTTP over a socket, so that the project builds no HTTP client for one script.
//!
//! Source: <https://www.w3.org/TR/webdriver2/>.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

pub(crate) type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The key of an element's number in the protocol.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Keys that are not characters.
pub(crate) const ENTER: char = '\u{E007}';
pub(crate) const ESCAPE: char = '\u{E00C}';
pub(crate) const TAB: char = '\u{E004}';

/// One window of a browser, closed on drop.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts the driver, and through it a headless browser.
    pub(crate) fn start() -> Result<Self> {
        let driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut driver = driver.map_err(|error| format!("chromedriver: {error}; apt-get install chromium-driver"))?;
        let mut lines = BufReader::new(driver.stdout.take().ok_or("no output")?).lines();
        let port = lines.find_map(|line| {
            let port = line.ok()?.rsplit_once("started successfully on port ")?.1.trim_end_matches('.').parse();
            port.ok()
        });
        let mut browser = Self { driver, port: port.ok_or("chromedriver did not start")?, session: String::new() };
        let mut args = vec!["--headless=new", "--window-size=1400,1000", "--disable-gpu"];
        // Chromium's sandbox does not work for the superuser, whom continuous integration often is.
        if is_superuser() {
            args.push("--no-sandbox");
        }
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": args}, "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let session = browser.call("POST", "/session", &wanted)?;
        browser.session = format!("/session/{}", session["sessionId"].as_str().ok_or("no session")?);
        Ok(browser)
    }

    pub(crate) fn open(&self, address: &str) -> Result<()> {
        self.of_session("POST", "/url", &json!({"url": address})).map(drop)
    }

    /// Sets the size of the window, in pixels.
    pub(crate) fn resize(&self, width: u32, height: u32) -> Result<()> {
        self.of_session("POST", "/window/rect", &json!({"width": width, "height": height})).map(drop)
    }

    /// Runs a script in the page and returns its result.
    pub(crate) fn run(&self, script: &str) -> Result<Value> {
        self.of_session("POST", "/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Runs a script in the page that ends by calling its last argument, and returns what it passes.
    pub(crate) fn wait_for(&self, script: &str) -> Result<Value> {
        self.of_session("POST", "/execute/async", &json!({"script": script, "args": []}))
    }

    /// Shows the page as on another medium, `print` or `screen`, and in a colour scheme.
    pub(crate) fn show_as(&self, medium: &str, scheme: &str) -> Result<()> {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        let command = json!({"cmd": "Emulation.setEmulatedMedia", "params": {"media": medium, "features": features}});
        self.of_session("POST", "/goog/cdp/execute", &command).map(drop)
    }

    /// Clicks on the first element that matches a selector, as a person does, and waits until what follows is done.
    pub(crate) fn click(&self, selector: &str) -> Result<()> {
        let element = self.element(selector)?;
        let clicked = self.of_session("POST", &format!("/element/{element}/click"), &json!({}));
        clicked.map_err(|error| format!("{selector}: {error}"))?;
        // A change of the address is an event of its own, and a picture may move on in the next frame.
        self.wait_for("const done = arguments[arguments.length - 1]; setTimeout(() => requestAnimationFrame(() => done(true)), 20)")
            .map(drop)
    }

    /// Empties a field and types a text into it.
    pub(crate) fn fill(&self, selector: &str, text: &str) -> Result<()> {
        let element = self.element(selector)?;
        self.of_session("POST", &format!("/element/{element}/clear"), &json!({}))?;
        self.of_session("POST", &format!("/element/{element}/value"), &json!({"text": text})).map(drop)
    }

    /// Gives a field of files the path of a file, or of a folder.
    pub(crate) fn give(&self, selector: &str, path: &str) -> Result<()> {
        let element = self.element(selector)?;
        self.of_session("POST", &format!("/element/{element}/value"), &json!({"text": path})).map(drop)
    }

    /// Presses a key wherever the focus is.
    pub(crate) fn press(&self, key: char) -> Result<()> {
        let actions = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        let keyboard = json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]});
        self.of_session("POST", "/actions", &keyboard).map(drop)
    }

    /// The messages that the browser has logged since the last call.
    pub(crate) fn complaints(&self) -> Result<Vec<Value>> {
        let log = self.of_session("POST", "/se/log", &json!({"type": "browser"}))?;
        Ok(log.as_array().cloned().unwrap_or_default())
    }

    fn element(&self, selector: &str) -> Result<String> {
        let found = self.of_session("POST", "/element", &json!({"using": "css selector", "value": selector}));
        let found = found.map_err(|error| format!("{selector}: {error}"))?;
        Ok(found[ELEMENT].as_str().ok_or("no element")?.to_owned())
    }

    fn of_session(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        self.call(method, &format!("{}{path}", self.session), body)
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let body = body.to_string();
        let mut socket = TcpStream::connect(("127.0.0.1", self.port))?;
        write!(
            socket,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )?;
        let mut answer = BufReader::new(socket);
        let mut length = 0;
        for line in answer.by_ref().lines() {
            let line = line?;
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        answer.read_exact(&mut body)?;
        let mut answer: Value = serde_json::from_slice(&body)?;
        let value = answer["value"].take();
        match value["error"].as_str() {
            Some(error) => Err(format!("{error}: {}", value["message"].as_str().unwrap_or_default()).into()),
            None => Ok(value),
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver closes the browser; if that fails, nothing more can be done.
        let _ = self.of_session("DELETE", "", &json!({}));
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

#[cfg(unix)]
fn is_superuser() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

#[cfg(not(unix))]
fn is_superuser() -> bool {
    false
}
