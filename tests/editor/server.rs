//! A language server as a child process: requests go in, answers come out, and what the server wants in between it gets.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// Nothing is heard for so long only from a server that hangs.
const PATIENCE: Duration = Duration::from_secs(300);
/// The server has read a change meanwhile: ask again.
const CONTENT_MODIFIED: i64 = -32801;

pub(crate) struct Server {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    last: u64,
    /// What it last said of itself.
    status: Value,
}

impl Server {
    /// Starts it on a crate, and waits until it has read all of it.
    pub(crate) fn start(program: &str, root: &Path, target: &Path) -> Self {
        let mut child = Command::new(program)
            .current_dir(root)
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_NET_OFFLINE", "true")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{program}: {error}"));
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = message(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut server = Self { child, input, messages, last: 0, status: Value::Null };
        server.request(
            "initialize",
            &json!({
                "processId": std::process::id(),
                "rootUri": uri(root),
                "capabilities": {
                    "experimental": { "serverStatusNotification": true },
                    "textDocument": { "completion": { "completionItem": { "snippetSupport": false } }, "rename": { "prepareSupport": true } },
                    "workspace": { "configuration": true },
                },
                "initializationOptions": { "checkOnSave": false, "procMacro": { "enable": true, "attributes": { "enable": true } } },
            }),
        );
        server.notify("initialized", &json!({}));
        while server.status.get("quiescent") != Some(&Value::Bool(true)) {
            server.hear();
        }
        server
    }

    /// The result of a request.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        loop {
            self.last += 1;
            self.send(&json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }));
            let mut answer = loop {
                if let Some(answer) = self.hear() {
                    break answer;
                }
            };
            match answer.get("error") {
                None => return answer["result"].take(),
                Some(error) if error["code"] == CONTENT_MODIFIED => {}
                Some(error) => panic!("{method} is refused: {error}; the server says of itself: {}", self.status),
            }
        }
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    /// Takes the next message in; the answer, if it is one to the last request.
    fn hear(&mut self) -> Option<Value> {
        let message =
            self.messages.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("the server is silent; it said last: {}", self.status));
        match (message.get("method").and_then(Value::as_str), message.get("id")) {
            (Some(method), Some(id)) => {
                let items = message["params"]["items"].as_array().map_or(0, Vec::len);
                let result = if method == "workspace/configuration" { json!(vec![Value::Null; items]) } else { Value::Null };
                self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
                None
            }
            (Some("experimental/serverStatus"), None) => {
                self.status = message["params"].clone();
                None
            }
            (None, Some(id)) if *id == self.last => Some(message),
            _ => None,
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next message, `None` at the end of the stream.
fn message(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            None => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse().ok()?,
            Some(_) => {}
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}
