/** Stands between the extension and a server, passes everything on as it is, and remembers what was said. */

import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface Exchange {
  method: string;
  /** With what follows the question mark. */
  path: string;
  body: Record<string, unknown>;
  status: number;
  /** The answer, or the last line of a streamed one. */
  answer: Record<string, unknown>;
}

export class Relay {
  readonly said: Exchange[] = [];

  private constructor(
    private readonly web: Server,
    private readonly to: string,
  ) {}

  static async start(to: string): Promise<Relay> {
    const web = createServer((incoming, outgoing) => relay.pass(incoming, outgoing));
    const relay = new Relay(web, to);
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    return relay;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.web.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.web.closeAllConnections();
    await new Promise((resolve) => this.web.close(resolve));
  }

  /** What was last said under a path, of which `wanted` may ask more. */
  last(path: string, wanted: (exchange: Exchange) => boolean = () => true): Exchange | undefined {
    return this.said.findLast((exchange) => exchange.path.startsWith(path) && wanted(exchange));
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = "GET", url: path = "/" } = incoming;
    const host = new URL(this.to).host;
    const onward = request(this.to + path, { method, headers: { ...incoming.headers, host } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      const pieces = collect(answer);
      answer.pipe(outgoing);
      answer.on("end", () =>
        this.said.push({
          method,
          path,
          body: parsed(asked),
          status: answer.statusCode ?? 0,
          answer: parsed(pieces),
        }),
      );
    });
    const asked = collect(incoming);
    // A dead server is a broken line here, too; and what the extension gives up is given up onward.
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  }
}

function collect(from: IncomingMessage): Buffer[] {
  const pieces: Buffer[] = [];
  from.on("data", (piece: Buffer) => pieces.push(piece));
  return pieces;
}

function parsed(pieces: readonly Buffer[]): Record<string, unknown> {
  const last = Buffer.concat(pieces).toString().trim().split("\n").at(-1) ?? "";
  return last === "" ? {} : (JSON.parse(last) as Record<string, unknown>);
}
