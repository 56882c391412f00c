//! A reader of the finite-state transducers that the `fst` crate writes, safe on any bytes.
//!
//! That crate's own reader trusts its input and panics on crafted bytes; a knowledge base may come from anywhere, so
//! here every read is checked and a contradiction is [`None`]. Nodes point only backwards, which bounds every walk.

use std::ops::ControlFlow;

/// Bytes that a single-transition node codes in its first byte, in the order of their codes from 1 (`fst` format 3).
const COMMON_KEY_BYTES: &[u8; 63] = b"te/oasripcnw.hlm-du012g=:bf3y5&_4v9678k%?xCDASFIBEjPTzRNM+LOqHG";

/// Nodes with more transitions than this carry an index of 256 bytes.
const MIN_INDEXED_TRANSITIONS: usize = 33;

/// A map from byte strings to numbers over borrowed bytes.
#[derive(Clone, Copy)]
pub(super) struct Automaton<'d> {
    data: &'d [u8],
    root: usize,
    keys: u64,
}

/// One state. Transitions are numbered in key order.
struct Node<'d> {
    data: &'d [u8],
    is_final: bool,
    final_output: u64,
    transitions: usize,
    shape: Shape,
}

enum Shape {
    /// One transition, all of it decoded.
    One { input: u8, output: u64, target: usize },
    /// Any number: where inputs, addresses and outputs end, and their sizes.
    Many {
        inputs: usize,
        index: Option<usize>,
        addresses: usize,
        address_size: usize,
        outputs: usize,
        output_size: usize,
        end: usize,
    },
    /// The shared final state without transitions.
    Empty,
}

impl<'d> Automaton<'d> {
    /// Checks the frame; the nodes are checked as they are met.
    pub(super) fn new(data: &'d [u8]) -> Option<Self> {
        if data.len() < 36 || number(data, 0, 8)? != 3 {
            return None;
        }
        let end = data.len() - 4;
        let root = usize::try_from(number(data, end - 8, 8)?).ok()?;
        let keys = number(data, end - 16, 8)?;
        (root < end - 16).then_some(Self { data: &data[..end - 16], root, keys })
    }

    /// How many keys it says it holds.
    pub(super) fn len(&self) -> u64 {
        self.keys
    }

    /// The number of `key`; `None` for a key that is not there, or damage on the way to it.
    pub(super) fn get(&self, key: &[u8]) -> Option<u64> {
        let (node, output) = self.descend(key)?;
        if node.is_final { output.checked_add(node.final_output) } else { None }
    }

    fn descend(&self, key: &[u8]) -> Option<(Node<'d>, u64)> {
        let mut node = self.node(self.root)?;
        let mut output = 0u64;
        for &byte in key {
            let (step, target) = node.follow(byte)?;
            output = output.checked_add(step)?;
            node = self.node(target)?;
        }
        Some((node, output))
    }

    /// Visits keys that begin with `prefix`, in order. Stops when told to, or after `most_steps` states.
    pub(super) fn walk(
        &self,
        prefix: &[u8],
        most_steps: usize,
        visit: &mut dyn FnMut(&[u8], u64) -> ControlFlow<()>,
    ) -> Option<()> {
        let (start, output) = self.descend(prefix)?;
        let mut key = prefix.to_vec();
        let mut stack = vec![(start, output, 0usize)];
        let mut steps = 0;
        while let Some((node, output, next)) = stack.last_mut() {
            steps += 1;
            if steps > most_steps {
                return None;
            }
            if *next == 0 && node.is_final && visit(&key, output.checked_add(node.final_output)?).is_break() {
                return Some(());
            }
            if *next < node.transitions {
                let (byte, step, target) = node.transition(*next)?;
                *next += 1;
                let output = output.checked_add(step)?;
                key.push(byte);
                stack.push((self.node(target)?, output, 0));
            } else {
                stack.pop();
                key.pop();
            }
        }
        Some(())
    }

    fn node(&self, at: usize) -> Option<Node<'d>> {
        if at == 0 {
            return Some(Node {
                data: self.data,
                is_final: true,
                final_output: 0,
                transitions: 0,
                shape: Shape::Empty,
            });
        }
        let state = *self.data.get(at)?;
        let code = usize::from(state & 0x3f);
        if state & 0x80 != 0 {
            let (input, below) = match code {
                0 => (*self.data.get(at.checked_sub(1)?)?, at.checked_sub(1)?),
                _ => (*COMMON_KEY_BYTES.get(code - 1)?, at),
            };
            let (output, target) = if state & 0x40 != 0 {
                (0, below.checked_sub(1)?)
            } else {
                let sizes = *self.data.get(below.checked_sub(1)?)?;
                let (address_size, output_size) = (usize::from(sizes >> 4), usize::from(sizes & 15));
                let addresses = below.checked_sub(1 + address_size)?;
                let end = addresses.checked_sub(output_size)?;
                (
                    number(self.data, end, output_size)?,
                    target(end, number(self.data, addresses, address_size)?)?,
                )
            };
            return Some(Node {
                data: self.data,
                is_final: false,
                final_output: 0,
                transitions: 1,
                shape: Shape::One { input, output, target },
            });
        }
        let (transitions, below) = match code {
            0 => match *self.data.get(at.checked_sub(1)?)? {
                1 => (256, at - 1),
                count => (usize::from(count), at - 1),
            },
            _ => (code, at),
        };
        let sizes = *self.data.get(below.checked_sub(1)?)?;
        let (address_size, output_size) = (usize::from(sizes >> 4), usize::from(sizes & 15));
        let index_size = if transitions >= MIN_INDEXED_TRANSITIONS { 256 } else { 0 };
        let inputs = below.checked_sub(1 + index_size)?;
        let addresses = inputs.checked_sub(transitions)?;
        let outputs = addresses.checked_sub(transitions * address_size)?;
        let is_final = state & 0x40 != 0;
        let mut end = outputs.checked_sub(transitions * output_size)?;
        let mut final_output = 0;
        if is_final {
            end = end.checked_sub(output_size)?;
            final_output = number(self.data, end, output_size)?;
        }
        let index = (index_size > 0).then_some(inputs);
        let shape = Shape::Many { inputs, index, addresses, address_size, outputs, output_size, end };
        Some(Node { data: self.data, is_final, final_output, transitions, shape })
    }
}

impl Node<'_> {
    /// Output and target of the transition on `byte`.
    fn follow(&self, byte: u8) -> Option<(u64, usize)> {
        match &self.shape {
            Shape::Empty => None,
            Shape::One { input, output, target } => (*input == byte).then_some((*output, *target)),
            Shape::Many { inputs, index, .. } => {
                let place = match index {
                    Some(index) => usize::from(*self.data.get(index + usize::from(byte))?),
                    // Inputs are stored last first.
                    None => {
                        let stored = self.data.get(inputs.checked_sub(self.transitions)?..*inputs)?;
                        let from_last = stored.iter().position(|&input| input == byte)?;
                        self.transitions.checked_sub(1 + from_last)?
                    }
                };
                if place >= self.transitions {
                    return None;
                }
                let (input, output, target) = self.transition(place)?;
                (input == byte).then_some((output, target))
            }
        }
    }

    fn transition(&self, place: usize) -> Option<(u8, u64, usize)> {
        match &self.shape {
            Shape::Empty => None,
            Shape::One { input, output, target } => (place == 0).then_some((*input, *output, *target)),
            Shape::Many { inputs, addresses, address_size, outputs, output_size, end, .. } => {
                let input = *self.data.get(inputs.checked_sub(place + 1)?)?;
                let delta =
                    number(self.data, addresses.checked_sub((place + 1) * address_size)?, *address_size)?;
                let output =
                    number(self.data, outputs.checked_sub((place + 1) * output_size)?, *output_size)?;
                Some((input, output, target(*end, delta)?))
            }
        }
    }
}

/// A stored distance backwards; 0 is the empty final state.
fn target(end: usize, delta: u64) -> Option<usize> {
    if delta == 0 { Some(0) } else { end.checked_sub(usize::try_from(delta).ok()?) }
}

/// A little-endian number of `size` bytes, at most 8.
fn number(data: &[u8], at: usize, size: usize) -> Option<u64> {
    if size > 8 {
        return None;
    }
    let bytes = data.get(at..at.checked_add(size)?)?;
    Some(bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(keys: &[(Vec<u8>, u64)]) -> Vec<u8> {
        let mut builder = fst::MapBuilder::memory();
        for (key, value) in keys {
            builder.insert(key, *value).unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn sample() -> Vec<(Vec<u8>, u64)> {
        let mut keys: Vec<Vec<u8>> =
            (0..3000u32).map(|n| format!("key {} {}", n * 7919 % 3001, n % 17).into_bytes()).collect();
        // Every byte as a first byte makes a node with an index; bytes over 127 and the empty key are legal too.
        keys.extend((0..=255u8).map(|byte| vec![byte, b'x']));
        keys.push(Vec::new());
        keys.sort();
        keys.dedup();
        keys.into_iter().enumerate().map(|(n, key)| (key, n as u64 * 5)).collect()
    }

    #[test]
    fn it_reads_what_the_crate_writes() {
        let keys = sample();
        let bytes = built(&keys);
        let automaton = Automaton::new(&bytes).unwrap();
        assert_eq!(automaton.len(), keys.len() as u64);
        for (key, value) in &keys {
            assert_eq!(automaton.get(key), Some(*value));
        }
        assert_eq!(automaton.get(b"key"), None);
        assert_eq!(automaton.get(b"keyx 1"), None);
        let mut seen = Vec::new();
        automaton.walk(b"", usize::MAX, &mut |key, value| {
            seen.push((key.to_vec(), value));
            ControlFlow::Continue(())
        });
        assert_eq!(seen, keys);
    }

    #[test]
    fn damaged_bytes_never_panic() {
        let keys = sample();
        let bytes = built(&keys);
        for round in 0..400usize {
            let mut torn = bytes.clone();
            for hit in 0..8 {
                let at = (round * 7919 + hit * 104_729) % torn.len();
                torn[at] = torn[at].wrapping_mul(31).wrapping_add(round as u8);
            }
            if let Some(automaton) = Automaton::new(&torn) {
                for (key, _) in keys.iter().step_by(97) {
                    automaton.get(key);
                }
                automaton.walk(b"", 20_000, &mut |_, _| ControlFlow::Continue(()));
            }
            Automaton::new(&bytes[..round]);
        }
    }
}
