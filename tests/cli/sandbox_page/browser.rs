//! A headless Chromium with one tab, driven through the DevTools protocol.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

pub struct Browser {
    process: Child,
    socket: WebSocketStream<TcpStream>,
    session: String,
    last_id: u64,
    /// Errors of the page: exceptions, console messages, violations of its content security policy.
    pub errors: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Browser {
    pub async fn start(program: PathBuf) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let process = Command::new(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
            .args(["--disable-background-networking", "--remote-debugging-port=0", "about:blank"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let file = profile.path().join("DevToolsActivePort");
        let deadline = Instant::now() + Duration::from_secs(60);
        let (port, path) = loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let Some((port, path)) = text.split_once('\n') {
                break (port.to_owned(), path.trim().to_owned());
            }
            assert!(Instant::now() < deadline, "the browser does not start");
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        let address = format!("127.0.0.1:{port}");
        let stream = TcpStream::connect(&address).await.unwrap();
        let (socket, _) = tokio_tungstenite::client_async(format!("ws://{address}{path}"), stream).await.unwrap();
        let mut browser =
            Self { process, socket, session: String::new(), last_id: 0, errors: Vec::new(), _profile: profile };
        let tab = browser.call("Target.createTarget", json!({"url": "about:blank"})).await;
        let target = json!({"targetId": tab["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", target).await;
        browser.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.call(domain, json!({})).await;
        }
        browser
    }

    pub async fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last_id += 1;
        let mut message = json!({"id": self.last_id, "method": method, "params": parameters});
        if !self.session.is_empty() {
            message["sessionId"] = Value::from(self.session.as_str());
        }
        self.socket.send(Message::text(message.to_string())).await.unwrap();
        loop {
            let next = tokio::time::timeout(Duration::from_secs(60), self.socket.next()).await;
            let Message::Text(text) = next.expect("an answer of the browser").unwrap().unwrap() else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["id"] == self.last_id {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            let is_error = match message["method"].as_str() {
                Some("Runtime.exceptionThrown") => true,
                Some("Runtime.consoleAPICalled") => message["params"]["type"] == "error",
                Some("Log.entryAdded") => message["params"]["entry"]["level"] == "error",
                _ => false,
            };
            if is_error {
                self.errors.push(message["params"].to_string());
            }
        }
    }

    pub async fn open(&mut self, url: &str) {
        let opened = self.call("Page.navigate", json!({"url": url})).await;
        assert!(opened["errorText"].is_null(), "{opened}");
    }

    pub async fn show(&mut self, width: u32, scheme: &str) {
        let size = json!({"width": width, "height": 760, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size).await;
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", features).await;
    }

    pub async fn eval(&mut self, script: &str) -> Value {
        let parameters = json!({"expression": script, "returnByValue": true, "awaitPromise": true});
        let result = self.call("Runtime.evaluate", parameters).await;
        assert!(result["exceptionDetails"].is_null(), "{script}: {result}");
        result["result"]["value"].clone()
    }

    pub async fn wait_for(&mut self, script: &str, expected: Value) {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let value = self.eval(script).await;
            if value == expected {
                return;
            }
            assert!(Instant::now() < deadline, "{script} is {value}, not {expected}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub async fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            let text = if key == "Enter" && kind == "keyDown" { "\r" } else { "" };
            let code = json!({"Enter": 13, "Tab": 9, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38})[key].clone();
            let event = json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text});
            self.call("Input.dispatchKeyEvent", event).await;
        }
    }
}
