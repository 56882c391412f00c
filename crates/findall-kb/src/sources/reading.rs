//! Opening a source: plain, gzip, bzip2 or xz by its first bytes, counting what is read for the progress bar, and
//! handing out lines of bounded length.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of the file read so far, shared with the progress bar.
#[derive(Clone, Debug, Default)]
pub struct Position(Arc<AtomicU64>);

impl Position {
    /// How far the reading is.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

struct CountingReader<R> {
    inner: R,
    position: Position,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.position.0.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

/// Opens `path` and undoes its compression, whatever its name says.
pub fn open(path: &Path, position: &Position) -> io::Result<Box<dyn BufRead>> {
    position.0.store(0, Ordering::Relaxed);
    let mut file = BufReader::with_capacity(
        1 << 18,
        CountingReader { inner: File::open(path)?, position: position.clone() },
    );
    let start = file.fill_buf()?;
    let big =
        |reader: Box<dyn Read>| -> Box<dyn BufRead> { Box::new(BufReader::with_capacity(1 << 18, reader)) };
    Ok(match start {
        [0x1f, 0x8b, ..] => big(Box::new(flate2::bufread::MultiGzDecoder::new(file))),
        [b'B', b'Z', b'h', ..] => big(Box::new(bzip2::bufread::MultiBzDecoder::new(file))),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => big(Box::new(lzma_rust2::XzReader::new(file, true))),
        _ => Box::new(file),
    })
}

/// A line read into a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line, its end removed.
    Whole,
    /// The last line, which had no end.
    Unended,
    /// A line longer than allowed; the buffer holds its beginning, the rest is skipped.
    TooLong,
    /// Nothing is left.
    End,
}

/// Reads the next line into `line`, never holding more than `longest` bytes of it.
pub fn next_line(reader: &mut dyn BufRead, line: &mut Vec<u8>, longest: usize) -> io::Result<Line> {
    line.clear();
    let mut too_long = false;
    loop {
        let available = match reader.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(match (line.is_empty(), too_long) {
                (true, false) => Line::End,
                (_, true) => Line::TooLong,
                (false, false) => Line::Unended,
            });
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let take = end.unwrap_or(available.len());
        let room = longest.saturating_sub(line.len());
        line.extend_from_slice(&available[..take.min(room)]);
        too_long |= take > room;
        reader.consume(end.map_or(take, |at| at + 1));
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(if too_long { Line::TooLong } else { Line::Whole });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded_and_ends_are_told() {
        let mut reader: &[u8] = b"one\r\n\ntoo long a line\nlast";
        let mut line = Vec::new();
        let mut all = Vec::new();
        loop {
            let kind = next_line(&mut reader, &mut line, 5).unwrap();
            if kind == Line::End {
                break;
            }
            all.push((kind, String::from_utf8(line.clone()).unwrap()));
        }
        assert_eq!(
            all,
            [
                (Line::Whole, "one".into()),
                (Line::Whole, String::new()),
                (Line::TooLong, "too l".into()),
                (Line::Unended, "last".into())
            ]
        );
    }
}
