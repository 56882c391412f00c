/** Calls from the extension's pages to its service worker or its engine: a name and parameters in, a promise out. */

import { type Call, type Failure, type FromWorker, WORKER_PORT, isRecord } from "./messages";

export class RemoteError extends Error {
  readonly code: string;

  constructor({ code, message }: Failure) {
    super(message);
    this.code = code;
  }
}

export interface RemoteOptions {
  signal?: AbortSignal;
  onEvent?: (event: unknown) => void;
}

interface PendingCall {
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  onEvent: ((event: unknown) => void) | undefined;
}

export class Remote {
  private port: chrome.runtime.Port | undefined;
  private readonly waiting = new Map<number, PendingCall>();
  private lastId = 0;

  constructor(private readonly name: string = WORKER_PORT) {}

  call(call: Call, params: unknown = {}, { signal, onEvent }: RemoteOptions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const id = ++this.lastId;
      this.waiting.set(id, { resolve, reject, onEvent });
      const port = this.openPort();
      port.postMessage({ id, call, params });
      signal?.addEventListener("abort", () => {
        if (!this.waiting.delete(id)) return;
        this.port?.postMessage({ id, cancel: true });
        reject(signal.reason as Error);
      });
    });
  }

  /** The browser ends idle workers; the next call starts one again. */
  private openPort(): chrome.runtime.Port {
    if (this.port) return this.port;
    const port = chrome.runtime.connect({ name: this.name });
    this.port = port;
    port.onMessage.addListener((message: unknown) => this.receive(message));
    port.onDisconnect.addListener(() => {
      this.port = undefined;
      const lost = [...this.waiting.values()];
      this.waiting.clear();
      for (const { reject } of lost) {
        reject(new RemoteError({ code: "interrupted", message: "the extension was interrupted; try again" }));
      }
    });
    return port;
  }

  private receive(raw: unknown): void {
    if (!isRecord(raw)) return;
    const message = raw as FromWorker;
    const waiting = this.waiting.get(message.id);
    if (!waiting) return;
    if ("event" in message) return waiting.onEvent?.(message.event);
    this.waiting.delete(message.id);
    if ("error" in message) waiting.reject(new RemoteError(message.error));
    else waiting.resolve(message.value);
  }
}
