/** Calls from the extension's pages to its service worker or its engine: a name and parameters in, a promise out. */

import {
  type Call,
  type Failure,
  type FromWorker,
  REPEATABLE_CALLS,
  WORKER_PORT,
  isRecord,
} from "./messages";

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

/** What is neither answered nor lost after this is sent once more, if it may be: the browser may have ended the worker unsaid. */
const MAX_SILENCE_MS = 5000;
/** So often a call is sent before it counts as interrupted. */
const MAX_SENDS = 3;

interface PendingCall {
  message: { id: number; call: Call; params: unknown };
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  onEvent: ((event: unknown) => void) | undefined;
  /** Where it was sent last. */
  port: chrome.runtime.Port | undefined;
  sends: number;
  silence: ReturnType<typeof setTimeout> | undefined;
}

export class Remote {
  private port: chrome.runtime.Port | undefined;
  private readonly pendingCalls = new Map<number, PendingCall>();
  private lastId = 0;

  constructor(private readonly name: string = WORKER_PORT) {}

  call(call: Call, params: unknown = {}, { signal, onEvent }: RemoteOptions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const id = ++this.lastId;
      const pending: PendingCall = {
        message: { id, call, params },
        resolve,
        reject,
        onEvent,
        port: undefined,
        sends: 0,
        silence: undefined,
      };
      this.pendingCalls.set(id, pending);
      this.send(pending);
      signal?.addEventListener("abort", () => {
        if (!this.settle(id)) return;
        pending.port?.postMessage({ id, cancel: true });
        reject(signal.reason as Error);
      });
    });
  }

  private send(pending: PendingCall): void {
    clearTimeout(pending.silence);
    pending.sends += 1;
    try {
      const port = this.openPort();
      pending.port = port;
      port.postMessage(pending.message);
      if (!mayRepeat(pending)) return;
      pending.silence = setTimeout(() => {
        // Others may still be answered there.
        if (this.port === port) this.port = undefined;
        this.send(pending);
      }, MAX_SILENCE_MS);
    } catch (error) {
      // The extension was updated, and this page belongs to the one before.
      this.settle(pending.message.id);
      pending.reject(error);
    }
  }

  /** The browser ends idle workers; the next call starts one again. */
  private openPort(): chrome.runtime.Port {
    if (this.port) return this.port;
    const port = chrome.runtime.connect({ name: this.name });
    this.port = port;
    port.onMessage.addListener((message: unknown) => this.receive(message));
    port.onDisconnect.addListener(() => this.lose(port));
    return port;
  }

  /** A port has ended: what was sent there is sent again where it may be. */
  private lose(port: chrome.runtime.Port): void {
    if (this.port === port) this.port = undefined;
    const lost = [...this.pendingCalls.values()].filter((pending) => pending.port === port);
    for (const pending of lost) {
      if (mayRepeat(pending)) {
        this.send(pending);
        continue;
      }
      this.settle(pending.message.id);
      pending.reject(
        new RemoteError({ code: "interrupted", message: "the extension was interrupted; try again" }),
      );
    }
  }

  /** Nothing more is expected for a call; nothing when nothing was. */
  private settle(id: number): PendingCall | undefined {
    const pending = this.pendingCalls.get(id);
    clearTimeout(pending?.silence);
    this.pendingCalls.delete(id);
    return pending;
  }

  private receive(raw: unknown): void {
    if (!isRecord(raw)) return;
    const message = raw as FromWorker;
    if ("event" in message) return this.pendingCalls.get(message.id)?.onEvent?.(message.event);
    const pending = this.settle(message.id);
    if ("error" in message) pending?.reject(new RemoteError(message.error));
    else pending?.resolve(message.value);
  }
}

function mayRepeat({ message, sends }: PendingCall): boolean {
  return REPEATABLE_CALLS.has(message.call) && sends < MAX_SENDS;
}
