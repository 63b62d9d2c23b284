//! A sandbox on a free port, with an HTTP client.

use std::time::Duration;

use reqwest::{Client, ClientBuilder, RequestBuilder, Response};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::state::{StateStore, kind};
use crate::{Sandbox, SandboxOptions};

/// ID of objects that tests put into the state.
pub const ID: &str = "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69";

pub struct TestServer {
    pub base: String,
    pub client: Client,
    stop: Option<oneshot::Sender<()>>,
    done: Option<tokio::task::JoinHandle<()>>,
}

impl TestServer {
    pub async fn start(options: SandboxOptions) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let (stop, stopped) = oneshot::channel::<()>();
        let sandbox = Sandbox::open(options).unwrap();
        let done = tokio::spawn(sandbox.serve(listener, async move {
            let _ = stopped.await;
        }));
        // The tests do not use TLS, but the client needs a provider. Another test may have installed it already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = ClientBuilder::new()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_secs(60))
            .build()
            .unwrap();
        Self { base, client, stop: Some(stop), done: Some(done) }
    }

    /// Starts a sandbox with the default options and no state directory.
    pub async fn ephemeral() -> Self {
        Self::start(SandboxOptions { ephemeral: true, ..SandboxOptions::default() }).await
    }

    /// Starts a sandbox that returns each text unchanged.
    pub async fn echo() -> Self {
        Self::start(SandboxOptions { engine: crate::Engine::Echo, ..SandboxOptions::default() }).await
    }

    pub async fn stop(mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        self.done.take().unwrap().await.unwrap();
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.client.get(format!("{}{path}", self.base)).header("Authorization", "Service-Auth-Key sandbox")
    }

    pub fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        self.post_text(path, "application/json", &body.to_string())
    }

    pub fn post_text(&self, path: &str, content_type: &str, body: &str) -> RequestBuilder {
        self.client
            .post(format!("{}{path}", self.base))
            .header("Authorization", "Service-Auth-Key sandbox")
            .header("Content-Type", content_type)
            .body(body.to_owned())
    }

    /// Uploads a document in a form with the boundary `x`, waits for its result and returns it.
    pub async fn document(&self, form: &str) -> String {
        let request = self.post_text("/v2/document", "multipart/form-data; boundary=x", form);
        let (status, handle) = answer(request.send().await.unwrap()).await;
        assert_eq!(status, 200, "{handle}");
        let path = format!("/v2/document/{}/result", handle["document_id"].as_str().unwrap());
        let key = serde_json::json!({"document_key": handle["document_key"]});
        loop {
            let response = self.post(&path, &key).send().await.unwrap();
            if response.status() != 503 {
                return response.text().await.unwrap();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub async fn translate(&self, body: Value) -> (u16, Value) {
        answer(self.post("/v2/translate", &body).send().await.unwrap()).await
    }
}

pub async fn answer(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

pub fn dir_with(objects: &[(&str, &str, Value)]) -> tempfile::TempDir {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let state = StateStore::open(Some(dir.path())).unwrap();
    for (kind, id, body) in objects {
        state.put(kind, id, "sandbox", body).unwrap();
    }
    dir
}

pub fn dir_with_glossary() -> tempfile::TempDir {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    put_glossary(&StateStore::open(Some(dir.path())).unwrap(), "kettle\tWasserkocher");
    dir
}

/// Stores the glossary [`ID`] with one dictionary from English to German.
pub fn put_glossary(state: &StateStore, entries: &str) {
    let dictionary = serde_json::json!({"source_lang": "en", "target_lang": "de", "entry_count": 1});
    let body = serde_json::json!({"name": "Kitchen", "dictionaries": [dictionary]});
    state.put(kind::GLOSSARY, ID, "sandbox", &body).unwrap();
    state.with_tables(|tables| tables.put_text(kind::GLOSSARY, ID, "en-de", entries)).unwrap();
}
