/**
 * Keys that the page caught while the bar was about to get the focus. They come in one message or in several, and each
 * was pressed after those caught before and ahead of what was typed in the bar since.
 */
export class CaughtKeys {
  private caught = "";
  /** The query that the next key replaces. */
  private markedQuery: string | undefined;
  /** The query when the bar got the focus, until the page says what for. */
  private queryAtFocus: string | undefined = "";

  /** The bar has got the focus. */
  noteFocus(query: string): void {
    this.queryAtFocus = query;
  }

  /** The page says what the bar got the focus for: whether the person has typed in it meanwhile. */
  endFocus(query: string): boolean {
    const isOther = this.queryAtFocus !== undefined && query !== this.queryAtFocus;
    this.queryAtFocus = undefined;
    return isOther;
  }

  /** The whole query has been marked. */
  mark(query: string): void {
    this.caught = "";
    this.markedQuery = query;
  }

  /** The query with these keys at their place. */
  join(keys: string, query: string): string {
    const since = query === this.markedQuery ? "" : query;
    this.markedQuery = undefined;
    const before = since.startsWith(this.caught) ? this.caught : "";
    this.caught = before + keys;
    return this.caught + since.slice(before.length);
  }
}
