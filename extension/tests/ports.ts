/** Ports to a worker that a test plays, for pages of the extension that are tested without a browser. */

export interface SentCall {
  id: number;
  call: string;
}

/** A port to a worker that a test plays. */
export class FakePort {
  readonly sent: SentCall[] = [];
  private heard: ((message: unknown) => void) | undefined;
  private ended: (() => void) | undefined;
  readonly onMessage = { addListener: (listener: (message: unknown) => void) => (this.heard = listener) };
  readonly onDisconnect = { addListener: (listener: () => void) => (this.ended = listener) };

  postMessage(message: SentCall): void {
    this.sent.push(message);
  }

  /** The worker answers a call, the first unless another is meant. */
  answer(value: unknown, call = this.sent[0]): void {
    this.heard?.({ id: call?.id, value });
  }

  /** The browser ends the worker. */
  end(): void {
    this.ended?.();
  }
}
