/**
 * Speaks HTTP with `findall serve`, and nothing else does. A path and a body in, checked JSON out; failures carry the
 * server's code and message, or say that there is no server.
 */

import { type Failure, isRecord } from "../messages";

export interface Connection {
  base: string;
  token: string | undefined;
}

export class CallError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

export interface CallOptions {
  method?: "GET" | "POST" | "PUT";
  body?: unknown;
  signal?: AbortSignal;
  /** Called with every line of a streamed answer; the last line is also returned. */
  onEvent?: (event: Record<string, unknown>) => void;
}

/** A line of a streamed answer longer than this is refused. */
const MAX_LINE_UNITS = 64 << 20;

const LOOPBACK_HOSTS = new Set(["127.0.0.1", "localhost"]);

/** The server's address, or undefined when it is not on this computer. */
export function parseLoopback(address: string): string | undefined {
  try {
    const { protocol, hostname, origin } = new URL(address);
    return protocol === "http:" && LOOPBACK_HOSTS.has(hostname) ? origin : undefined;
  } catch {
    return undefined;
  }
}

export async function call(
  { base, token }: Connection,
  path: string,
  { method = "POST", body, signal, onEvent }: CallOptions = {},
): Promise<Record<string, unknown>> {
  const headers: Record<string, string> = {
    Accept: onEvent ? "application/x-ndjson" : "application/json",
  };
  if (token !== undefined) headers["Authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(base + path, {
      method,
      headers,
      credentials: "omit",
      redirect: "error",
      cache: "no-store",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    throw signal?.aborted ? error : noServerError(base);
  }
  if (!response.ok) throw new CallError(await failureOf(response));
  try {
    if (onEvent) return await readLines(response, onEvent);
    const value: unknown = await response.json();
    if (isRecord(value)) return value;
  } catch (error) {
    if (signal?.aborted || error instanceof CallError) throw error;
    if (error instanceof TypeError) throw noServerError(base);
  }
  throw new CallError({
    code: "malformed",
    message: "the server's answer could not be read; is it up to date?",
  });
}

function noServerError(base: string): CallError {
  return new CallError({
    code: "no_server",
    message: `no server at ${base}; start it with: findall serve`,
  });
}

async function failureOf(response: Response): Promise<Failure> {
  const fallback = { code: `http_${response.status}`, message: `the server answered ${response.status}` };
  try {
    const value: unknown = await response.json();
    const error = isRecord(value) ? value["error"] : undefined;
    if (!isRecord(error) || typeof error["code"] !== "string") return fallback;
    const message = typeof error["message"] === "string" ? error["message"] : fallback.message;
    return { code: error["code"], message: message.slice(0, 500) };
  } catch {
    return fallback;
  }
}

/** Reads newline-delimited JSON; the last line is the answer. */
async function readLines(
  response: Response,
  onEvent: (event: Record<string, unknown>) => void,
): Promise<Record<string, unknown>> {
  if (!response.headers.get("content-type")?.includes("ndjson") || !response.body) {
    const value: unknown = await response.json();
    if (isRecord(value)) return value;
    throw new CallError({ code: "malformed", message: "the server's answer could not be read" });
  }
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let rest = "";
  let last: Record<string, unknown> | undefined;
  const take = (line: string): void => {
    if (line.trim() === "") return;
    const value: unknown = JSON.parse(line);
    if (!isRecord(value)) return;
    if (value["event"] === "error" && isRecord(value["error"])) {
      const { code, message } = value["error"];
      throw new CallError({ code: String(code), message: String(message).slice(0, 500) });
    }
    last = value;
    onEvent(value);
  };
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    if (rest.length > MAX_LINE_UNITS)
      throw new CallError({ code: "malformed", message: "the server's answer is too long" });
    const parts = rest.split("\n");
    rest = done ? "" : (parts.pop() ?? "");
    parts.forEach(take);
    if (done) break;
  }
  if (!last) throw new CallError({ code: "malformed", message: "the server's answer is empty" });
  return last;
}
