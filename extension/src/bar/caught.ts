/**
 * Keys that the page caught while the bar was about to get the focus. They come in one message or in several, and each
 * was pressed after those caught before and ahead of what was typed in the bar since.
 */
export class CaughtKeys {
  private caught = "";

  /** The query with these keys at their place. */
  join(keys: string, query: string): string {
    const before = query.startsWith(this.caught) ? this.caught : "";
    this.caught = before + keys;
    return this.caught + query.slice(before.length);
  }
}
