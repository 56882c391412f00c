"""The Python side of `cargo run --release -p findall-models --example bench`: times ONNX Runtime on request.

Reads lines `BATCH TOKENS ROUNDS`, answers `LEAST_SECONDS CPU_SECONDS_A_ROUND`; the first line written is about loading.
"""

import sys
import time

import numpy as np
import onnxruntime

options = onnxruntime.SessionOptions()
options.intra_op_num_threads = int(sys.argv[2])
options.inter_op_num_threads = 1
# Threads that wait must not burn the time of the other program.
options.add_session_config_entry("session.intra_op.allow_spinning", "0")
wall, cpu = time.perf_counter(), time.process_time()
session = onnxruntime.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
print(time.perf_counter() - wall, time.process_time() - cpu, flush=True)
for line in sys.stdin:
    batch, tokens, rounds = map(int, line.split())
    ids = (1000 + np.arange(batch * tokens) * 7919 % 20000).reshape(batch, tokens)
    feed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    least, cpu = float("inf"), time.process_time()
    for _ in range(rounds):
        start = time.perf_counter()
        session.run(["vectors"], feed)
        least = min(least, time.perf_counter() - start)
    print(least, (time.process_time() - cpu) / rounds, flush=True)
