/**
 * Puts a page's text together piece by piece, as the engine does with documents: blocks owe line ends, cells owe tabs,
 * whitespace collapses to one space, and what is owed is paid only when text follows.
 */

import type { Span } from "../engine/engine";
import { PageText, type Segments } from "./text";

/** Pieces joined at a time: joining the many pieces of a long page all at once would take a while. */
const MAX_PIECES_A_CHUNK = 4096;

export class TextBuilder {
  private readonly chunks: string[] = [];
  private pieces: string[] = [];
  private readonly segments: Segments = { text: [], nodes: [], offsets: [], lengths: [] };
  private readonly headings: Span[] = [];
  private length = 0;
  private last = "";
  private standingNewlines = 0;
  private owedNewlines = 0;
  private owedTab = false;
  private owedSpace: { node: Text; offset: number } | undefined;

  get position(): number {
    return this.length;
  }

  /** Text that stands in `node` at `offset`, unit by unit. */
  verbatim(piece: string, node: Text, offset: number): void {
    if (piece === "") return;
    this.settle();
    this.fromNode(piece, node, offset);
  }

  /** Whitespace that becomes one space if more text follows in this block. */
  space(node: Text, offset: number): void {
    if (this.owedNewlines > 0 || this.owedTab || this.owedSpace || this.length === 0) return;
    if (this.last === " " || this.last === "\n" || this.last === "\t") return;
    this.owedSpace = { node, offset };
  }

  /** The words of a field or a picture, apart from what stands around it. */
  ofElement(words: string, element: Element): void {
    if (words === "") return;
    this.endCell();
    this.settle();
    this.fromNode(words, element, 0);
    this.endCell();
  }

  /** Separates table cells. */
  endCell(): void {
    this.owedTab = true;
    this.owedSpace = undefined;
  }

  /** Ends a block: at least this many line ends before the next text. */
  endBlock(newlines: number): void {
    this.owedNewlines = Math.max(this.owedNewlines, newlines);
    this.owedTab = false;
    this.owedSpace = undefined;
  }

  /** A line end inside a block, as `<br>` gives. */
  lineBreak(): void {
    this.owedSpace = undefined;
    if (this.owedNewlines > 0 || this.length === 0) return;
    this.append("\n");
  }

  addHeading(start: number): void {
    if (start < this.length) this.headings.push({ start, end: this.length });
  }

  finish(roots: readonly (Document | ShadowRoot)[], closed: readonly string[], folded: number): PageText {
    this.join();
    return new PageText(this.chunks.join(""), this.segments, this.headings, roots, closed, folded);
  }

  private settle(): void {
    if (this.owedNewlines > 0) {
      if (this.length > 0) {
        for (let standing = this.standingNewlines; standing < this.owedNewlines; standing++)
          this.append("\n");
      }
    } else if (this.owedTab) {
      if (this.length > 0 && this.last !== "\n" && this.last !== "\t") this.append("\t");
    } else if (this.owedSpace) {
      this.fromNode(" ", this.owedSpace.node, this.owedSpace.offset);
    }
    this.owedNewlines = 0;
    this.owedTab = false;
    this.owedSpace = undefined;
  }

  private fromNode(piece: string, node: Text | Element, offset: number): void {
    const { text, nodes, offsets, lengths } = this.segments;
    const at = nodes.length - 1;
    const length = lengths[at] ?? 0;
    const joins =
      nodes[at] === node &&
      (offsets[at] ?? 0) + length === offset &&
      (text[at] ?? 0) + length === this.length;
    if (joins) lengths[at] = length + piece.length;
    else {
      text.push(this.length);
      nodes.push(node);
      offsets.push(offset);
      lengths.push(piece.length);
    }
    this.append(piece);
  }

  private join(): void {
    this.chunks.push(this.pieces.join(""));
    this.pieces = [];
  }

  private append(piece: string): void {
    if (this.pieces.push(piece) >= MAX_PIECES_A_CHUNK) this.join();
    this.length += piece.length;
    this.last = piece.charAt(piece.length - 1);
    this.standingNewlines = piece === "\n" ? this.standingNewlines + 1 : countTrailingNewlines(piece);
  }
}

function countTrailingNewlines(piece: string): number {
  let count = 0;
  while (count < piece.length && piece.charAt(piece.length - 1 - count) === "\n") count++;
  return count;
}
