//! Vector code against the same sums written plainly, and graphs that are no transformer.

use rten_simd::SimdOp;

use super::attention::{AttentionBuffers, DistanceBias, SequenceAttention};
use super::kernels::{AddAndNormalize, Normalization, Quantization, Rescaling};
use super::linear::{ExcessWeight, InputRange, Linear, Multiplier, take_excess};
use super::*;

/// Numbers between -1 and 1, the same in every run.
fn numbers(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

fn assert_near(ours: &[f32], plain: &[f32]) {
    assert_eq!(ours.len(), plain.len());
    for (at, (ours, plain)) in ours.iter().zip(plain).enumerate() {
        assert!((ours - plain).abs() < 1e-4, "at {at}: {ours} {plain}");
    }
}

/// One sequence of joined rows, head by head and pair by pair.
fn attend_plainly(joined: &[f32], hidden: usize, heads: usize, distance: Option<&DistanceBias>) -> Vec<f32> {
    let (width, stride) = (hidden / heads, 3 * hidden);
    let tokens = joined.len() / stride;
    let part = |token: usize, which: usize, head: usize| {
        let start = token * stride + which * hidden + head * width;
        &joined[start..start + width]
    };
    let mut context = vec![0.0; tokens * hidden];
    for head in 0..heads {
        for token in 0..tokens {
            let likeness = |other: usize| {
                let product: f32 =
                    part(token, 0, head).iter().zip(part(other, 1, head)).map(|(q, k)| q * k).sum();
                let bias = distance.map_or(0.0, |d| d.table[(head * d.longest + token) * d.longest + other]);
                (product + bias).exp()
            };
            let shares: Vec<f32> = (0..tokens).map(likeness).collect();
            let total: f32 = shares.iter().sum();
            let out = &mut context[token * hidden + head * width..][..width];
            for (other, share) in shares.iter().enumerate() {
                out.iter_mut()
                    .zip(part(other, 2, head))
                    .for_each(|(sum, value)| *sum += share / total * value);
            }
        }
    }
    context
}

#[test]
fn attention_is_the_plain_one_for_any_number_of_tokens() {
    let (hidden, heads) = (64, 2);
    for tokens in [1, 2, 7, 8, 9, 31, 33, 70] {
        let joined = numbers(tokens * 3 * hidden, tokens as u32);
        let longest = 70;
        let bias = DistanceBias { table: numbers(heads * longest * longest, 5), longest };
        for distance in [None, Some(&bias)] {
            let mut context = vec![f32::NAN; tokens * hidden];
            // Buffers that another sequence left.
            let mut buffers = AttentionBuffers::default();
            for joined in [&numbers(90 * 3 * hidden, 3)[..], &joined] {
                let context = &mut vec![0.0; joined.len() / 3];
                let distance = distance.filter(|d| joined.len() / 3 / hidden <= d.longest);
                let buffers = &mut buffers;
                SequenceAttention { joined, hidden, heads, distance, buffers, context }.dispatch();
            }
            let buffers = &mut buffers;
            SequenceAttention { joined: &joined, hidden, heads, distance, buffers, context: &mut context }
                .dispatch();
            assert_near(&context, &attend_plainly(&joined, hidden, heads, distance));
        }
    }
}

#[test]
fn bytes_and_back_are_the_plain_sums_for_any_width() {
    for width in [1, 15, 64, 100] {
        let (rows, factors) = (numbers(3 * width, 1), numbers(width, 2));
        let mut bytes = vec![0; rows.len()];
        Quantization { rows: &rows, factors: &factors, inverse_scale: 300.0, zero: 120, bytes: &mut bytes }
            .dispatch();
        for (at, (&value, &byte)) in rows.iter().zip(&bytes).enumerate() {
            let plain = (value * factors[at % width] * 300.0).round_ties_even() + 120.0;
            assert_eq!(byte, plain.clamp(0.0, 255.0) as u8, "{value}");
        }
        let sums: Vec<i32> = (0..3 * width as i32).map(|n| n * 1000 - 7).collect();
        let (corrections, scales, bias) = (vec![11; width], numbers(width, 3), numbers(width, 4));
        let mut floats = vec![0.0; sums.len()];
        let (corrections_of, rows) = (&corrections, &mut floats);
        Rescaling { sums: &sums, corrections: corrections_of, scales: &scales, bias: &bias, rows }.dispatch();
        for (at, (&sum, &float)) in sums.iter().zip(&floats).enumerate() {
            let plain = (sum + 11) as f32 * scales[at % width] + bias[at % width];
            assert!((float - plain).abs() <= plain.abs() * 1e-6 + 1e-4, "{float} {plain}");
        }
    }
}

#[test]
fn rows_are_added_and_normalised_for_any_width() {
    for width in [2, 16, 50] {
        let norm = Normalization { scale: numbers(width, 1), bias: numbers(width, 2), epsilon: 1e-12 };
        let (before, added) = (numbers(4 * width, 3), numbers(4 * width, 4));
        let mut rows = before.clone();
        AddAndNormalize { norm: &norm, added: Some(&added), rows: &mut rows }.dispatch();
        for (index, row) in rows.chunks(width).enumerate() {
            let sums: Vec<f32> =
                (index * width..(index + 1) * width).map(|at| before[at] + added[at]).collect();
            let mean = sums.iter().sum::<f32>() / width as f32;
            let variance = sums.iter().map(|sum| (sum - mean).powi(2)).sum::<f32>() / width as f32;
            let plain: Vec<f32> = (0..width)
                .map(|at| (sums[at] - mean) / variance.sqrt() * norm.scale[at] + norm.bias[at])
                .collect();
            assert_near(row, &plain);
        }
    }
}

#[test]
fn layers_of_bytes_and_of_floats_multiply_alike() {
    let (inputs, outputs, rows) = (96, 40, BLOCK_ROWS + 3);
    let mut multiplier = Multiplier::default();
    let int8: Vec<i8> = numbers(inputs * outputs, 1).iter().map(|n| (n * 127.0) as i8).collect();
    let floats: Vec<f32> = int8.iter().map(|&weight| f32::from(weight) / 64.0).collect();
    let (input, bias) = (numbers(rows * inputs, 2), numbers(outputs, 3));
    let range = InputRange { factors: vec![1.0; inputs], scale: 1.0 / 127.0, zero: 128 };
    let of_bytes = Linear::int8(&multiplier, &int8, range, &vec![1.0 / 64.0; outputs], bias.clone());
    let of_floats = Linear::float(&multiplier, &floats, inputs, bias);
    let (mut ours, mut plain) = (vec![0.0; rows * outputs], vec![0.0; rows * outputs]);
    of_bytes.apply(&input, &mut ours, &mut multiplier);
    of_floats.apply(&input, &mut plain, &mut multiplier);
    for (ours, plain) in ours.iter().zip(&plain) {
        assert!((ours - plain).abs() < 0.15, "{ours} {plain}");
    }
}

#[test]
fn the_largest_bytes_and_weights_do_not_overflow() {
    let (inputs, outputs, rows) = (70, 33, 5);
    let mut multiplier = Multiplier::default();
    for weight in [127i8, -127, -128] {
        let weights: Vec<i8> = (0..inputs * outputs).map(|at| if at % 7 == 6 { 1 } else { weight }).collect();
        let range = InputRange { factors: vec![1.0; inputs], scale: 1.0, zero: 0 };
        let layer = Linear::int8(&multiplier, &weights, range, &vec![1.0; outputs], vec![0.0; outputs]);
        let (input, mut ours) = (vec![255.0; rows * inputs], vec![0.0; rows * outputs]);
        layer.apply(&input, &mut ours, &mut multiplier);
        for (at, ours) in ours.iter().enumerate() {
            let column = weights.iter().skip(at % outputs).step_by(outputs);
            assert_eq!(*ours, column.map(|&weight| 255.0 * f32::from(weight)).sum::<f32>());
        }
    }
}

#[test]
fn what_a_pair_of_weights_has_too_much_is_kept() {
    let (inputs, outputs) = (7, 3);
    let whole: Vec<i8> = numbers(inputs * outputs, 5).iter().map(|n| (n * 127.0) as i8).collect();
    let whole: Vec<i8> = whole.iter().enumerate().map(|(at, &n)| if at < 6 { 120 } else { n }).collect();
    let mut weights = whole.clone();
    let excess = take_excess(&mut weights, outputs);
    assert!(excess.len() >= 3);
    for pair in weights.chunks(2 * outputs) {
        let (above, below) = pair.split_at(outputs);
        for (&one, &other) in above.iter().zip(below) {
            assert!(one.signum() != other.signum() || (i32::from(one) + i32::from(other)).abs() <= 128);
        }
    }
    for ExcessWeight { input, output, weight } in excess {
        let at = input as usize * outputs + output as usize;
        weights[at] = i8::try_from(i32::from(weights[at]) + weight).unwrap();
    }
    assert_eq!(weights, whole);
}

/// The judge's graph after a change, and what is said of it.
fn refusal(change: impl FnOnce(&mut rten_onnx::onnx::GraphProto)) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/judge/model.onnx");
    let mut model = ModelProto::parse_buf(&std::fs::read(&path).unwrap()).unwrap();
    change(model.graph.as_mut().unwrap());
    let files = WeightFiles::mapped(path.parent().unwrap(), ["model.data"].into_iter()).unwrap();
    match graph::read(&model.graph.unwrap(), &files) {
        Ok(_) => panic!("a graph that is no transformer was read"),
        Err(reason) => reason,
    }
}

#[test]
fn a_graph_of_another_shape_is_refused_where_it_differs() {
    let gelu = |graph: &rten_onnx::onnx::GraphProto| {
        graph.node.iter().position(|node| node.op_type.as_deref() == Some("Gelu")).unwrap()
    };
    let reason = refusal(|graph| {
        let at = gelu(graph);
        graph.node[at].op_type = Some("Relu".into());
    });
    assert!(reason.contains("is Relu where Gelu is expected"), "{reason}");
    let reason = refusal(|graph| graph.node.truncate(gelu(graph)));
    assert_eq!(reason, "ends where Gelu is expected");
    let reason = refusal(|graph| graph.initializer.retain(|t| t.name.as_deref() != Some("constant_26")));
    assert!(reason.contains("constant_26"), "{reason}");
}

#[test]
fn tensors_beyond_their_file_are_refused() {
    let matrix = |graph: &mut rten_onnx::onnx::GraphProto,
                  change: &dyn Fn(&mut rten_onnx::onnx::TensorProto)| {
        let tensors = graph.initializer.iter_mut();
        tensors.filter(|t| t.dims == [384, 1152]).for_each(change);
    };
    let reason = refusal(|graph| matrix(graph, &|tensor| tensor.dims = vec![384, i64::MAX]));
    assert!(reason.contains("too large") || reason.contains("other bytes"), "{reason}");
    let reason = refusal(|graph| matrix(graph, &|tensor| tensor.dims = vec![384, -3]));
    assert!(reason.contains("empty side"), "{reason}");
    let reason = refusal(|graph| {
        matrix(graph, &|tensor| {
            let offset = tensor.external_data.iter_mut().find(|entry| entry.key.as_deref() == Some("offset"));
            offset.unwrap().value = Some("33721900".into());
        });
    });
    assert!(reason.contains("beyond the end"), "{reason}");
}

#[test]
fn tokens_beyond_their_tables_are_refused() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/judge/model.onnx");
    let judge = Transformer::map(&path, &["model.data"]).unwrap();
    let verdict = judge.output("verdict").unwrap();
    let run =
        |ids: &[i32], types: &[i32]| judge.run(&[Tokens { ids, types }], &[verdict], &mut Buffers::default());
    assert_eq!(run(&[101, 102], &[]).unwrap()[0][0].len(), 1);
    assert!(run(&[101, 30_522], &[]).unwrap_err().contains("30522"));
    assert!(run(&[101, -1], &[]).is_err());
    assert!(run(&[101; 161], &[]).is_err());
    assert!(run(&[101, 102], &[0, 2]).unwrap_err().contains("type"));
}
