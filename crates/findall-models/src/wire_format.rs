//! Checks an ONNX file's encoding before it is parsed: numbers that end, lengths that fit, messages not nested without end.
//! The parser behind the models believes both; a file made to harm could keep it busy for ever.

/// Bytes of the longest number.
const MAX_NUMBER_BYTES: usize = 10;
/// Graphs stand in attributes of nodes of graphs.
const MAX_DEPTH: usize = 64;

/// The messages of ONNX that hold others, or packed numbers.
#[derive(Clone, Copy)]
enum MessageKind {
    Model,
    Training,
    Function,
    Graph,
    Node,
    Attribute,
    Tensor,
    SparseTensor,
    ValueInfo,
    TensorAnnotation,
    Type,
    TypeOfElements,
    TypeOfTensor,
    Shape,
    /// Strings and single numbers only.
    Plain,
}

/// What the bytes of a field are.
enum Content {
    Message(MessageKind),
    Numbers,
    Opaque,
}

impl MessageKind {
    /// What the field of this number holds, where it has a length.
    fn content(self, field: u64) -> Content {
        use MessageKind as M;
        let message = match (self, field) {
            (M::Model, 7) | (M::Training, 1 | 2) | (M::Attribute, 6 | 11) => M::Graph,
            (M::Model, 20) => M::Training,
            (M::Model, 25) => M::Function,
            (M::Function, 7) | (M::Graph, 1) => M::Node,
            (M::Function, 11) | (M::Node, 5) => M::Attribute,
            (M::Function, 12) | (M::Graph, 11..=13) => M::ValueInfo,
            (M::Graph, 5) | (M::Attribute, 5 | 10) | (M::SparseTensor, 1 | 2) => M::Tensor,
            (M::Graph, 15) | (M::Attribute, 22 | 23) => M::SparseTensor,
            (M::Graph, 14) => M::TensorAnnotation,
            (M::Attribute, 14 | 15) | (M::ValueInfo, 2) | (M::TypeOfElements, 1 | 2) => M::Type,
            (M::Type, 1 | 8) => M::TypeOfTensor,
            (M::Type, 4 | 5 | 9) => M::TypeOfElements,
            (M::TypeOfTensor, 2) => M::Shape,
            (M::Model, 8 | 14) | (M::Training, 3 | 4) | (M::Function, 9 | 14) | (M::Graph, 16) => M::Plain,
            (M::Node, 9 | 10) | (M::Tensor, 3 | 13 | 16) | (M::ValueInfo, 4) => M::Plain,
            (M::TensorAnnotation, 2) | (M::Shape, 1) => M::Plain,
            (M::Attribute, 8) | (M::Tensor, 1 | 5 | 7 | 11) | (M::SparseTensor, 3) => {
                return Content::Numbers;
            }
            _ => return Content::Opaque,
        };
        Content::Message(message)
    }
}

/// What is wrong with the encoding of an ONNX model, if anything is.
pub(crate) fn check_model(bytes: &[u8]) -> Result<(), &'static str> {
    check(MessageKind::Model, bytes, 0)
}

fn check(kind: MessageKind, mut bytes: &[u8], depth: usize) -> Result<(), &'static str> {
    if depth > MAX_DEPTH {
        return Err("messages are nested too deeply");
    }
    while !bytes.is_empty() {
        let tag = number(&mut bytes)?;
        match tag & 7 {
            0 => {
                number(&mut bytes)?;
            }
            1 => drop(take(&mut bytes, 8)?),
            2 => {
                let length =
                    usize::try_from(number(&mut bytes)?).map_err(|_| "a length is beyond all files")?;
                let mut inner = take(&mut bytes, length)?;
                match kind.content(tag >> 3) {
                    Content::Message(kind) => check(kind, inner, depth + 1)?,
                    Content::Numbers => {
                        while !inner.is_empty() {
                            number(&mut inner)?;
                        }
                    }
                    Content::Opaque => {}
                }
            }
            5 => drop(take(&mut bytes, 4)?),
            _ => return Err("a field is of no known sort"),
        }
    }
    Ok(())
}

fn number(bytes: &mut &[u8]) -> Result<u64, &'static str> {
    let mut value = 0;
    for (at, &byte) in bytes.iter().take(MAX_NUMBER_BYTES).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * at).min(63);
        if byte < 0x80 {
            *bytes = &bytes[at + 1..];
            return Ok(value);
        }
    }
    Err("a number does not end")
}

fn take<'b>(bytes: &mut &'b [u8], length: usize) -> Result<&'b [u8], &'static str> {
    let (taken, rest) = bytes.split_at_checked(length).ok_or("a field goes on beyond the end")?;
    *bytes = rest;
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A field with a length: its number, then what it holds.
    fn field(number: u8, content: &[u8]) -> Vec<u8> {
        [&[number << 3 | 2, content.len() as u8], content].concat()
    }

    #[test]
    fn the_models_that_ship_are_well_encoded() {
        for name in ["encoder", "tagger", "reader", "judge"] {
            let path = format!("{}/../../models/{name}/model.onnx", env!("CARGO_MANIFEST_DIR"));
            assert_eq!(check_model(&std::fs::read(path).unwrap()), Ok(()), "{name}");
        }
    }

    #[test]
    fn numbers_that_never_end_are_refused_wherever_a_number_is_read() {
        let endless = [0xff; 16];
        assert_eq!(check_model(&endless), Err("a number does not end"));
        // Model → graph → node → attribute → ints, and the same bytes as its name, which are nobody's number.
        let attribute = |number| field(7, &field(1, &field(5, &field(number, &endless))));
        assert_eq!(check_model(&attribute(8)), Err("a number does not end"));
        assert_eq!(check_model(&attribute(1)), Ok(()));
        // Model → graph → initializer → dims; raw data may be anything.
        let tensor = |number| field(7, &field(5, &field(number, &endless)));
        assert_eq!(check_model(&tensor(1)), Err("a number does not end"));
        assert_eq!(check_model(&tensor(9)), Ok(()));
    }

    #[test]
    fn lengths_and_depth_are_bounded() {
        assert_eq!(check_model(&[7 << 3 | 2, 100, 1]), Err("a field goes on beyond the end"));
        assert_eq!(check_model(&[7 << 3 | 3]), Err("a field is of no known sort"));
        let mut graph = Vec::new();
        for _ in 0..12 {
            graph = field(1, &field(5, &field(6, &graph)));
        }
        assert_eq!(check_model(&field(7, &graph)), Ok(()));
        for _ in 0..12 {
            let attribute =
                [vec![6 << 3 | 2, graph.len() as u8 | 0x80, (graph.len() >> 7) as u8], graph].concat();
            let node =
                [vec![5 << 3 | 2, attribute.len() as u8 | 0x80, (attribute.len() >> 7) as u8], attribute]
                    .concat();
            graph = [vec![1 << 3 | 2, node.len() as u8 | 0x80, (node.len() >> 7) as u8], node].concat();
        }
        let model = [vec![7 << 3 | 2, graph.len() as u8 | 0x80, (graph.len() >> 7) as u8], graph].concat();
        assert_eq!(check_model(&model), Err("messages are nested too deeply"));
    }
}
