//! A small HTTP client: one connection that stays open, one JSON call after another.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// Longest that a client waits for an answer before it hangs up on it.
const MAX_PATIENCE_MS: u64 = 200;

/// One client.
pub struct Client {
    address: String,
    token: String,
    open: Option<BufReader<TcpStream>>,
}

impl Client {
    pub fn new(address: &str, token: &str) -> Self {
        Self { address: address.to_owned(), token: token.to_owned(), open: None }
    }

    /// Status and answer.
    pub fn post(&mut self, path: &str, body: &Value) -> io::Result<(u16, Value)> {
        let answer = self.call("POST", path, &body.to_string())?;
        Ok((answer.0, serde_json::from_str(&answer.1)?))
    }

    /// Status and text.
    pub fn call(&mut self, method: &str, path: &str, body: &str) -> io::Result<(u16, String)> {
        let mut stream = self.take_connection()?;
        stream.get_mut().write_all(self.request(method, path, body).as_bytes())?;
        let answer = read(&mut stream)?;
        self.open = Some(stream);
        Ok(answer)
    }

    /// Goes away in the middle of a call, at a moment that `random` chooses: half of the time while it is being sent,
    /// otherwise while it is being answered.
    pub fn hang_up(&mut self, path: &str, body: &Value, random: u64) -> io::Result<()> {
        let mut stream = self.take_connection()?;
        let request = self.request("POST", path, &body.to_string());
        let sent = (random as usize % (2 * request.len())).min(request.len());
        stream.get_mut().write_all(&request.as_bytes()[..sent])?;
        if sent == request.len() {
            std::thread::sleep(Duration::from_millis(random % MAX_PATIENCE_MS));
        }
        Ok(())
    }

    fn take_connection(&mut self) -> io::Result<BufReader<TcpStream>> {
        if let Some(stream) = self.open.take() {
            return Ok(stream);
        }
        let stream = TcpStream::connect(&self.address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(150)))?;
        Ok(BufReader::new(stream))
    }

    fn request(&self, method: &str, path: &str, body: &str) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            self.token,
            body.len()
        )
    }
}

fn read(stream: &mut impl BufRead) -> io::Result<(u16, String)> {
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let mut line = String::new();
    stream.read_line(&mut line)?;
    let status =
        line.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(|| wrong("no status"))?;
    let mut length = 0;
    loop {
        line.clear();
        stream.read_line(&mut line)?;
        match line.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().map_err(|_| wrong("no length"))?;
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = String::with_capacity(length);
    stream.by_ref().take(length as u64).read_to_string(&mut body)?;
    if body.len() == length { Ok((status, body)) } else { Err(wrong("answer cut short")) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn answers_are_read_whole_or_not_at_all() {
        let mut whole = &b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nX: y\r\n\r\n{}rest"[..];
        assert_eq!(super::read(&mut whole).unwrap(), (404, "{}".to_owned()));
        let mut cut = &b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}"[..];
        assert!(super::read(&mut cut).is_err());
        assert!(super::read(&mut &b""[..]).is_err());
    }
}
