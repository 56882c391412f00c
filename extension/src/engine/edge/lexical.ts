/**
 * The engine's search by letters as WebAssembly: a page's text in once, then queries; places out.
 * `crates/findall-wasm-lexical/src/memory.rs` stands on the other side of the door.
 */

import type { Findings } from "../engine";
import type { components } from "./contract";

type LettersAnswer = components["schemas"]["LettersAnswer"];
type LettersRequest = components["schemas"]["LettersRequest"];

/** What is sought; `literal` leaves out other spellings. */
export type LettersQuery = Omit<Extract<LettersRequest, { call: "seek" }>, "call">;

export type SuggestedLetters = components["schemas"]["SuggestedLetters"];

interface LexicalExports {
  memory: WebAssembly.Memory;
  reserve_input(bytes: number): number;
  text(bytes: number, first: number): void;
  call(): number;
  advance(): number;
  read_on(): number;
  answer(): number;
  places(): number;
  places_length(): number;
}

/** What was found, in few objects: a page may hold a million places. */
export interface LettersFindings {
  /** For each place its start, its end, its kind and its score in millionths. */
  places: Uint32Array<ArrayBuffer>;
  /** What the numbers of kinds mean. */
  kinds: readonly components["schemas"]["LettersKind"][];
  correction: Findings["correction"];
}

/** Units of text that go in at once. */
const MAX_PIECE_UNITS = 1 << 16;
const MAX_BYTES_A_UNIT = 3;

let packed: Promise<WebAssembly.Module> | undefined;

/** The packed module, compiled while it is read; once for all who search. */
export function loadModule(): Promise<WebAssembly.Module> {
  const loading = (packed ??= WebAssembly.compileStreaming(fetch("lexical.wasm")));
  loading.catch(() => (packed = undefined));
  return loading;
}

/** Has every sort of place for these: the word itself, other forms, slips, what is written together or apart. */
const WARM_UP_TEXT = "Lamps, a lamp\u2019s lmap, the lamp\nroom: cafe\u0301, Stra\u00dfe.";
const WARM_UP_QUERIES = ["l", "lamp", "lamp room", "lamproom", "limp"];

export class LexicalModule {
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder();
  private readonly kinds: LettersFindings["kinds"];

  private constructor(private readonly door: LexicalExports) {
    const answer = this.call({ call: "kinds" });
    this.kinds = "kinds" in answer ? answer.kinds : [];
  }

  static async open(module: WebAssembly.Module): Promise<LexicalModule> {
    const { exports } = await WebAssembly.instantiate(module, {});
    return new LexicalModule(exports as unknown as LexicalExports);
  }

  /** Does once what pages and queries will have it do: browsers compile each function when it is first called. */
  async warmUp(pause: () => Promise<void>): Promise<void> {
    await this.take(WARM_UP_TEXT, pause);
    await this.readWords(pause);
    for (const query of WARM_UP_QUERIES) {
      await this.find({ query }, pause);
      await pause();
    }
    this.suggest(WARM_UP_TEXT.slice(0, 3), [WARM_UP_TEXT]);
  }

  /** Takes the text of a page in the place of the one before. */
  async take(text: string, pause: () => Promise<void>): Promise<void> {
    let first = 1;
    for (let at = 0; at < text.length || first === 1; first = 0) {
      const end = endOfPiece(text, at);
      // The memory may move to make room: it is looked at afterwards.
      const room = this.door.reserve_input(MAX_PIECE_UNITS * MAX_BYTES_A_UNIT);
      const target = new Uint8Array(this.door.memory.buffer, room, MAX_PIECE_UNITS * MAX_BYTES_A_UNIT);
      const { written } = this.encoder.encodeInto(text.slice(at, end), target);
      this.door.text(written, first);
      at = end;
      await pause();
    }
  }

  /** Gathers the page's words, which a search does, too, where it needs them. */
  async readWords(pause: () => Promise<void>): Promise<void> {
    while (this.door.read_on() !== 0) await pause();
  }

  async find(query: LettersQuery, pause: () => Promise<void>): Promise<LettersFindings> {
    this.call({ call: "seek", ...query });
    while (this.door.advance() !== 0) await pause();
    const answer = this.call({ call: "finish" });
    const correction = "correction" in answer ? answer.correction : undefined;
    const [start, length] = [this.door.places(), this.door.places_length()];
    const places = new Uint32Array(this.door.memory.buffer, start, length).slice();
    return { places, kinds: this.kinds, correction: correction ?? undefined };
  }

  suggest(typed: string, headings: readonly string[]): SuggestedLetters {
    const answer = this.call({ call: "suggest", typed, headings: [...headings] });
    return "headings" in answer ? answer : { headings: [], words: [] };
  }

  private call(request: LettersRequest): LettersAnswer {
    // Half a character is none in UTF-8.
    const whole = (_: string, value: unknown): unknown =>
      typeof value === "string" ? value.toWellFormed() : value;
    const bytes = this.encoder.encode(JSON.stringify(request, whole));
    const room = this.door.reserve_input(bytes.length);
    new Uint8Array(this.door.memory.buffer).set(bytes, room);
    const length = this.door.call();
    const start = this.door.answer();
    const said = new Uint8Array(this.door.memory.buffer, start, length);
    const answer = JSON.parse(this.decoder.decode(said)) as LettersAnswer;
    if ("error" in answer) throw new Error("the engine refused a request");
    return answer;
  }
}

/** Where a piece that begins at `at` ends: never between two surrogates. */
function endOfPiece(text: string, at: number): number {
  const end = Math.min(at + MAX_PIECE_UNITS, text.length);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
