//! The tokens of a page's content (ISO 32000-1, 7.8.2): bytes in, operators with their operands out. Producers break the
//! rules here more than anywhere, so nothing is an error: what makes no sense is passed over, and the next operator counts.

/// Arrays and dictionaries within each other are followed this deep.
const MAX_NESTING: usize = 16;
/// Operands kept for one operator; the last ones count.
const MAX_OPERANDS: usize = 64;
/// Items kept of one array; a line of text has fewer.
const MAX_ARRAY_ITEMS: usize = 1 << 16;

/// Something that an operator works on.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operand {
    Number(f32),
    Text(Vec<u8>),
    Name(Vec<u8>),
    List(Vec<Operand>),
    /// Keys and values in turn.
    Dictionary(Vec<Operand>),
}

impl Operand {
    /// The number, or nothing.
    pub fn number(&self) -> f32 {
        if let Operand::Number(number) = self { *number } else { 0.0 }
    }

    pub fn name(&self) -> Option<&[u8]> {
        if let Operand::Name(name) = self { Some(name) } else { None }
    }

    /// The value under a key of a dictionary.
    pub fn entry(&self, key: &[u8]) -> Option<&Operand> {
        let Operand::Dictionary(pairs) = self else { return None };
        pairs.chunks_exact(2).find(|pair| pair[0].name() == Some(key)).map(|pair| &pair[1])
    }
}

/// One operator of a content stream.
#[derive(Debug, PartialEq)]
pub(super) struct Operator<'b> {
    pub name: &'b [u8],
    pub operands: Vec<Operand>,
}

impl Operator<'_> {
    /// The number at a place among the operands.
    pub fn number(&self, at: usize) -> f32 {
        self.operands.get(at).map_or(0.0, Operand::number)
    }

    /// The first operand, when it is a name.
    pub fn first_name(&self) -> &[u8] {
        self.operands.first().and_then(Operand::name).unwrap_or(b"")
    }
}

/// All operators of a content stream, in order.
pub(super) struct Operators<'b> {
    bytes: &'b [u8],
    at: usize,
}

enum ContentToken<'b> {
    Value(Operand),
    Word(&'b [u8]),
    Close,
}

impl<'b> Operators<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Operators { bytes, at: 0 }
    }

    fn token(&mut self, depth: usize) -> Option<ContentToken<'b>> {
        loop {
            let rest = &self.bytes[self.at..];
            let (&first, next) = (rest.first()?, rest.get(1));
            self.at += 1;
            return Some(match first {
                b'%' => {
                    self.at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len()) - 1;
                    continue;
                }
                b'(' => ContentToken::Value(Operand::Text(self.literal())),
                b'[' if depth > MAX_NESTING => continue,
                b'<' if next == Some(&b'<') && depth > MAX_NESTING => {
                    self.at += 1;
                    continue;
                }
                b'<' if next == Some(&b'<') => {
                    self.at += 1;
                    ContentToken::Value(Operand::Dictionary(self.items(depth)))
                }
                b'<' => {
                    let end = memchr::memchr(b'>', rest).unwrap_or(rest.len());
                    self.at += (end + 1).min(rest.len()) - 1;
                    ContentToken::Value(Operand::Text(super::cmap::bytes_of_hex(&rest[1..end])))
                }
                b'>' => {
                    self.at += usize::from(next == Some(&b'>'));
                    ContentToken::Close
                }
                b'[' => ContentToken::Value(Operand::List(self.items(depth))),
                b']' => ContentToken::Close,
                b'/' => {
                    let length = regular_length(&rest[1..]);
                    self.at += length;
                    ContentToken::Value(Operand::Name(unescape_name(&rest[1..1 + length])))
                }
                b'{' | b'}' | b')' | b' ' | b'\t' | b'\r' | b'\n' | 0 | 12 => continue,
                _ => {
                    let length = regular_length(rest).max(1);
                    self.at += length - 1;
                    match number(&rest[..length]) {
                        Some(number) => ContentToken::Value(Operand::Number(number)),
                        None => ContentToken::Word(&rest[..length]),
                    }
                }
            });
        }
    }

    /// The items up to the closing bracket. Operators among them have no meaning there, unless the bracket is missing.
    fn items(&mut self, depth: usize) -> Vec<Operand> {
        let mut items = Vec::new();
        loop {
            let before = self.at;
            match self.token(depth + 1) {
                Some(ContentToken::Value(_)) if items.len() >= MAX_ARRAY_ITEMS => {}
                Some(ContentToken::Value(value)) => items.push(value),
                Some(ContentToken::Word(b"TJ" | b"ET" | b"BT" | b"Q")) => {
                    self.at = before;
                    return items;
                }
                Some(ContentToken::Word(_)) => {}
                Some(ContentToken::Close) | None => return items,
            }
        }
    }

    /// A string in parentheses, which may hold pairs of them and escapes.
    fn literal(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut open = 1usize;
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'(' => open += 1,
                b')' => {
                    open -= 1;
                    if open == 0 {
                        break;
                    }
                }
                b'\\' => {
                    self.escape(&mut text);
                    continue;
                }
                _ => {}
            }
            text.push(byte);
        }
        text
    }

    fn escape(&mut self, text: &mut Vec<u8>) {
        let Some(&byte) = self.bytes.get(self.at) else { return };
        self.at += 1;
        text.push(match byte {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'b' => 8,
            b'f' => 12,
            b'0'..=b'7' => {
                let more = self.bytes[self.at..].iter().take(2).take_while(|b| (b'0'..=b'7').contains(b));
                let (length, code) = more.fold((0, u32::from(byte - b'0')), |(n, code), b| {
                    (n + 1, code * 8 + u32::from(b - b'0'))
                });
                self.at += length;
                code as u8
            }
            b'\r' => {
                self.at += usize::from(self.bytes.get(self.at) == Some(&b'\n'));
                return;
            }
            b'\n' => return,
            other => other,
        });
    }

    /// Passes over the pixels of an inline image, from `ID` to an `EI` that stands alone.
    fn skip_image(&mut self) {
        let rest = &self.bytes[self.at..];
        let blank = |byte: Option<&u8>| byte.is_none_or(|b| b.is_ascii_whitespace() || *b == 0);
        let end = memchr::memmem::find_iter(rest, b"EI")
            .find(|&at| at > 0 && blank(rest.get(at - 1)) && blank(rest.get(at + 2)));
        self.at += end.map_or(rest.len(), |at| at + 2);
    }
}

impl<'b> Iterator for Operators<'b> {
    type Item = Operator<'b>;

    fn next(&mut self) -> Option<Operator<'b>> {
        let mut operands = Vec::new();
        loop {
            match self.token(0)? {
                ContentToken::Value(value) => {
                    if operands.len() >= MAX_OPERANDS {
                        operands.remove(0);
                    }
                    operands.push(value);
                }
                ContentToken::Close => {}
                ContentToken::Word(name) => {
                    if name == b"ID" {
                        self.skip_image();
                    }
                    return Some(Operator { name, operands });
                }
            }
        }
    }
}

fn regular_length(bytes: &[u8]) -> usize {
    let ends = |byte: &u8| {
        matches!(
            byte,
            b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%' | 0 | 9..=13 | b' '
        )
    };
    bytes.iter().position(ends).unwrap_or(bytes.len())
}

/// A name with its `#41` escapes resolved.
fn unescape_name(name: &[u8]) -> Vec<u8> {
    let digit = |at: usize| name.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut plain = Vec::with_capacity(name.len());
    let mut at = 0;
    while at < name.len() {
        match (name[at], digit(at + 1), digit(at + 2)) {
            (b'#', Some(high), Some(low)) => {
                plain.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                plain.push(byte);
                at += 1;
            }
        }
    }
    plain
}

/// A number, also one with two signs or a sign inside, as some producers write them.
fn number(word: &[u8]) -> Option<f32> {
    if !matches!(word.first()?, b'0'..=b'9' | b'+' | b'-' | b'.') {
        return None;
    }
    let text = std::str::from_utf8(word).ok()?;
    if let Ok(number) = text.parse::<f32>() {
        return number.is_finite().then_some(number);
    }
    let bare = text.trim_start_matches(['-', '+']);
    let end = bare.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(bare.len());
    let number: f32 = bare[..end].parse().unwrap_or(0.0);
    let rest_is_number = bare[end..].bytes().all(|b| matches!(b, b'-' | b'.' | b'0'..=b'9'));
    rest_is_number.then_some(if text.starts_with('-') { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show_content(content: &[u8]) -> Vec<String> {
        Operators::new(content)
            .map(|op| format!("{:?} {}", op.operands, String::from_utf8_lossy(op.name)))
            .collect()
    }

    #[test]
    fn operators_come_with_their_operands() {
        let content = b"% note\n/F#31 -12.5 Tf(a\\(b\\051(c)\\101\\\r\nd)Tj<4 1>Tj --3 0 Td";
        let operators: Vec<Operator<'_>> = Operators::new(content).collect();
        assert_eq!(operators[0].operands, [Operand::Name(b"F1".to_vec()), Operand::Number(-12.5)]);
        assert_eq!(operators[1].operands, [Operand::Text(b"a(b)(c)Ad".to_vec())]);
        assert_eq!(operators[2].operands, [Operand::Text(b"A".to_vec())]);
        assert_eq!(operators[3].number(0), -3.0);
    }

    #[test]
    fn operators_inside_an_array_do_not_end_the_page() {
        assert_eq!(
            show_content(b"[(a) 0.5 Tc (b)] TJ (c) Tj"),
            show_content(b"[(a) 0.5 (b)] TJ (c) Tj"),
            "an operator in an array"
        );
        // A bracket that is missing ends where the line is shown.
        assert_eq!(show_content(b"[(a) TJ (c) Tj"), show_content(b"[(a)] TJ (c) Tj"));
    }

    #[test]
    fn pixels_are_passed_over() {
        assert_eq!(show_content(b"BI /W 1 ID \x01(EIx\xff EI (a) Tj").last(), show_content(b"(a) Tj").last());
    }

    #[test]
    fn dictionaries_can_be_asked() {
        let mut operators = Operators::new(b"/Span << /MCID 0 /ActualText (fi) >> BDC");
        let operator = operators.next().expect("one");
        let text = operator.operands[1].entry(b"ActualText");
        assert_eq!(text, Some(&Operand::Text(b"fi".to_vec())));
    }

    #[test]
    fn brackets_without_end_are_only_long() {
        for piece in ["[", "<<", "(", "<", "[<<", "/", "((\\"] {
            let content = piece.repeat(100_000);
            assert!(Operators::new(content.as_bytes()).count() <= 100_000, "{piece}");
        }
    }
}
