//! The page of the sandbox in a real browser: requests appear as they arrive, and their texts are never interpreted as HTML.

#[path = "sandbox_page/browser.rs"]
mod browser;
#[path = "sandbox_page/picture.rs"]
mod picture;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::common::tools::first_of;
use crate::common::{Bench, Server};
use browser::Browser;

const ROWS: &str = "document.querySelectorAll('#rows tr').length";
const TITLE: &str = "document.getElementById('title').textContent";
const STATE: &str = "document.getElementById('state').textContent";

/// Opens the page of a sandbox in a browser. Returns `None` if no browser is installed.
async fn open(server: &Server) -> Option<Browser> {
    let mut browser = Browser::start(first_of(&["chromium", "chromium-browser", "google-chrome"])?).await;
    browser.show(1400, "light").await;
    browser.open(&format!("{}/_sandbox", server.url)).await;
    browser.wait_for("document.getElementById('state')?.textContent", json!("0 requests")).await;
    Some(browser)
}

/// Sends a raw request that an HTTP library would normalize.
fn send(server: &Server, target: &str, headers: &str, body: &str) {
    let mut stream = TcpStream::connect(server.url.trim_start_matches("http://")).unwrap();
    let length = body.len();
    let head = format!(
        "POST {target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Service-Auth-Key sandbox\r\nConnection: close\r\n\
         Content-Type: application/json\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(head.as_bytes()).unwrap();
    // A fault may cut the connection.
    let _ = stream.read_to_end(&mut Vec::new());
}

fn translate(server: &Server, headers: &str, text: &str) {
    send(server, "/v2/translate", headers, &json!({"text": [text], "target_lang": "DE"}).to_string());
}

fn choose_session(value: &str) -> String {
    let value = Value::from(value);
    format!(
        "(() => {{ const s = document.getElementById('session'); s.value = {value}; s.dispatchEvent(new Event('change')); return s.value === {value}; }})()"
    )
}

#[tokio::test]
async fn shows_requests_and_escapes_hostile_text() {
    let bench = Bench::bare();
    let server = bench.serve(&["--engine", "echo"]);
    let Some(mut page) = open(&server).await else { return };
    let hostile = "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>\"'>&amp;";
    let session = "\"><img src=x onerror=window.hacked=1>";
    translate(
        &server,
        &format!("X-Tulk-Sandbox-Session: {session}\r\nX-Note: <script>window.hacked=1</script>\r\n"),
        hostile,
    );
    page.wait_for(ROWS, json!(1)).await;
    page.eval("document.querySelector('#rows button').click()").await;
    page.wait_for(TITLE, json!("POST /v2/translate")).await;
    let shown = page
        .eval("[...document.querySelectorAll('pre, dd, #meta, #rows small')].map((e) => e.textContent).join('\\n')")
        .await;
    let shown = shown.as_str().unwrap();
    let quoted = json!(hostile).to_string();
    assert_eq!(shown.matches(quoted.as_str()).count(), 2, "in the request and in the answer: {shown}");
    assert!(shown.contains("<script>window.hacked=1</script>") && shown.matches(session).count() >= 3, "{shown}");
    for path in
        ["/v2/%22%3E%3Cimg%20src=x%20onerror=window.hacked=1%3E", "/v2/\"onclick=\"window.hacked=1\"", "/v2/{{7*7}}'`"]
    {
        send(&server, path, "", "<svg onload=window.hacked=1>");
    }
    page.wait_for("document.querySelectorAll('#rows tr').length > 1", json!(true)).await;
    page.eval("document.querySelectorAll('#rows button').forEach((button) => button.click())").await;
    let counts = "[document.images.length, document.querySelectorAll('svg, iframe').length, document.scripts.length, window.hacked ?? 0]";
    assert_eq!(page.eval(counts).await, json!([0, 0, 1, 0]));
    assert_eq!(page.errors, Vec::<String>::new());
}

#[tokio::test]
async fn filters_and_resets_sessions() {
    let bench = Bench::bare();
    let server = bench.serve(&["--engine", "echo"]);
    let Some(mut page) = open(&server).await else { return };
    for (session, text) in [("", "none"), ("one", "first"), ("two", "second"), ("one", "third")] {
        translate(&server, &format!("X-Tulk-Sandbox-Session: {session}\r\n"), text);
    }
    page.wait_for(ROWS, json!(4)).await;
    page.eval("document.querySelector('#rows button').click()").await;
    let answer = "document.querySelectorAll('pre')[1].textContent";
    assert!(page.eval(answer).await.as_str().unwrap().contains("\"text\": \"third\""), "the newest one is first");
    assert_eq!(page.eval(&choose_session("name:one")).await, json!(true));
    assert_eq!(page.eval(ROWS).await, json!(2));
    assert_eq!(page.eval(&choose_session("name:")).await, json!(true));
    assert_eq!(page.eval(ROWS).await, json!(1));
    page.eval(&choose_session("name:one")).await;
    page.eval("document.getElementById('reset').click()").await;
    assert!(page.eval("document.getElementById('question').textContent").await.as_str().unwrap().contains("“one”"));
    page.eval("document.getElementById('go').click()").await;
    page.wait_for(ROWS, json!(0)).await;
    page.eval(&choose_session("all")).await;
    page.wait_for(ROWS, json!(2)).await;
    let state = bench.env("TULK_SERVER", &server.url).env("TULK_API_KEY", "sandbox");
    let state = state.run(["api", "GET", "/_sandbox/state"]).code(0).json();
    let used = |n: usize| state["sessions"][n]["usage"].clone();
    assert_eq!((used(0), used(1), used(2)), (json!({"text": 4}), json!({}), json!({"text": 6})));
    page.eval("document.getElementById('reset').click()").await;
    page.eval("document.getElementById('cancel').click()").await;
    page.eval("document.getElementById('reset').click(); document.getElementById('go').click()").await;
    page.wait_for(ROWS, json!(0)).await;
    page.wait_for(STATE, json!("0 requests")).await;
    assert_eq!(page.errors, Vec::<String>::new());
}

#[tokio::test]
async fn supports_narrow_windows_dark_mode_and_the_keyboard() {
    let bench = Bench::bare();
    let server = bench.serve(&["--engine", "echo"]);
    let Some(mut page) = open(&server).await else { return };
    translate(&server, &format!("X-Tulk-Sandbox-Session: {}\r\n", "s".repeat(120)), "first");
    send(
        &server,
        &format!("/v2/{}?{}", "p".repeat(300), "q".repeat(300)),
        "",
        &format!("{{\"a\":\"{}\"}}", "b".repeat(500)),
    );
    page.wait_for(ROWS, json!(2)).await;
    let size = "[document.documentElement.scrollWidth, document.getElementById('list').scrollWidth, document.getElementById('detail').scrollWidth]";
    let colours = "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color].join()";
    let light = page.eval(colours).await;
    for (width, scheme) in [(380, "light"), (1400, "dark")] {
        page.show(width, scheme).await;
        page.eval("document.querySelector('#rows button').click()").await;
        let sizes = page.eval(size).await;
        assert!(
            sizes.as_array().unwrap().iter().all(|size| size.as_u64().unwrap() <= u64::from(width)),
            "{width}: {sizes}"
        );
        page.press("Escape").await;
        let sizes = page.eval(size).await;
        assert!(
            sizes.as_array().unwrap().iter().all(|size| size.as_u64().unwrap() <= u64::from(width)),
            "{width}: {sizes}"
        );
    }
    assert_ne!(page.eval(colours).await, light);
    page.show(380, "light").await;
    page.eval("document.querySelector('#rows button').focus()").await;
    page.press("ArrowDown").await;
    assert_eq!(page.eval(TITLE).await, json!("POST /v2/translate"));
    page.press("Escape").await;
    assert_eq!(page.eval("document.activeElement.closest('tr').rowIndex").await, json!(2));
    page.press("Enter").await;
    assert_eq!(page.eval("document.getElementById('request').hidden").await, json!(false));
    assert_eq!(page.errors, Vec::<String>::new());
}

#[tokio::test]
async fn keeps_requests_while_paused_and_reports_a_lost_connection() {
    let bench = Bench::bare();
    let server = bench.serve(&["--engine", "echo"]);
    let Some(mut page) = open(&server).await else { return };
    page.eval("document.getElementById('pause').click()").await;
    for n in 0..3 {
        translate(&server, "", &n.to_string());
    }
    translate(&server, "X-Tulk-Sandbox-Fault: drop\r\n", "dropped");
    page.wait_for(STATE, json!("paused, 4 new requests")).await;
    assert_eq!(page.eval(ROWS).await, json!(0));
    page.eval("document.getElementById('pause').click()").await;
    page.wait_for(ROWS, json!(4)).await;
    assert_eq!(page.eval("document.querySelector('#rows .status').textContent").await, json!("none"));
    assert_eq!(page.errors, Vec::<String>::new());
    drop(server);
    page.wait_for(STATE, json!("not connected")).await;
    let message = page.eval("document.getElementById('message').textContent").await;
    assert_eq!(message, json!("The sandbox does not answer. Trying again…"));
    assert_eq!(page.eval(ROWS).await, json!(4));
}
