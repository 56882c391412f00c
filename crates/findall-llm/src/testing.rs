//! A scripted endpoint for tests: a real socket on this machine that answers as told, well or badly.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What one call gets.
#[derive(Clone, Debug)]
pub enum ScriptedAct {
    /// A completion with this text.
    Says(String),
    /// A completion with these pieces and their log-probabilities.
    SaysLikely(Vec<(String, f32)>),
    /// This status, these headers and this body.
    Answers(u16, &'static str, String),
    /// Nothing, for as long as the caller waits.
    Hangs,
    /// Half of an answer, then the end of the connection.
    Dies,
}

/// An endpoint that acts out a script, one act a call; the last one is repeated.
pub struct ScriptedEndpoint {
    /// Its address, as `--llm` takes it.
    pub url: String,
    /// The bodies of all requests so far.
    pub asked: Arc<Mutex<Vec<String>>>,
}

impl ScriptedEndpoint {
    /// Opens the endpoint; it lives as long as the process.
    pub fn start(acts: Vec<ScriptedAct>) -> std::io::Result<ScriptedEndpoint> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}/v1", listener.local_addr()?);
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let seen = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (acts, seen) = (acts.clone(), Arc::clone(&seen));
                std::thread::spawn(move || {
                    let _ = serve(stream, &acts, &seen);
                });
            }
        });
        Ok(ScriptedEndpoint { url, asked })
    }

    /// How many calls came.
    pub fn calls(&self) -> usize {
        self.asked.lock().map_or(0, |asked| asked.len())
    }
}

fn serve(mut stream: TcpStream, acts: &[ScriptedAct], seen: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let number = {
        let mut seen = seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        seen.push(String::from_utf8_lossy(&body).into_owned());
        seen.len() - 1
    };
    let usage = serde_json::json!({"prompt_tokens": 100, "completion_tokens": 10});
    match &acts[number.min(acts.len() - 1)] {
        ScriptedAct::Says(text) => {
            let choice = serde_json::json!({"message": {"role": "assistant", "content": text}});
            let body = serde_json::json!({"choices": [choice], "usage": usage}).to_string();
            answer(&mut stream, 200, "", &body)
        }
        ScriptedAct::SaysLikely(pieces) => {
            let text: String = pieces.iter().map(|(piece, _)| piece.as_str()).collect();
            let tokens: Vec<_> = (pieces.iter())
                .map(|(piece, likely)| serde_json::json!({"token": piece, "logprob": likely}))
                .collect();
            let choice = serde_json::json!({"message": {"content": text}, "logprobs": {"content": tokens}});
            let body = serde_json::json!({"choices": [choice], "usage": usage}).to_string();
            answer(&mut stream, 200, "", &body)
        }
        ScriptedAct::Answers(status, headers, body) => answer(&mut stream, *status, headers, body),
        ScriptedAct::Hangs => {
            std::thread::sleep(Duration::from_secs(600));
            Ok(())
        }
        ScriptedAct::Dies => {
            write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{{\"choices\": [")?;
            stream.flush()
        }
    }
}

fn answer(stream: &mut TcpStream, status: u16, headers: &str, body: &str) -> std::io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {status} Said\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    )?;
    stream.flush()
}
