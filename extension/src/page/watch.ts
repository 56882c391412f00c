/** Notices that a page has changed: calls back once it has been quiet for a moment, or has changed for too long. */

/** Quiet time before a change counts as done. */
const MIN_QUIET_MS = 250;
/** A page that never rests is read again this often at most, or after five times what reading it takes. */
const MAX_RESTLESS_MS = 2000;

const WATCHED_ATTRIBUTES = ["class", "style", "hidden", "open", "aria-hidden", "slot"];

export class Watcher {
  private readonly observer: MutationObserver;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private firstChange = 0;
  private readingMs = 0;

  constructor(
    private readonly onChange: () => void,
    private readonly isOurs: (node: Node) => boolean,
  ) {
    this.observer = new MutationObserver((records) => {
      if (records.some((record) => !this.isNoise(record))) this.notice();
    });
  }

  /** Watches these roots from now on; `readingMs` is what reading them took. */
  watch(roots: readonly (Document | ShadowRoot)[], readingMs: number): void {
    this.observer.disconnect();
    this.readingMs = readingMs;
    for (const root of roots) {
      this.observer.observe(root, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
        attributeFilter: WATCHED_ATTRIBUTES,
      });
    }
  }

  /** Something has changed that the browser does not tell observers. */
  touch(): void {
    this.notice();
  }

  stop(): void {
    this.observer.disconnect();
    clearTimeout(this.timer);
    this.timer = undefined;
    this.firstChange = 0;
  }

  private isNoise({ type, target, addedNodes, removedNodes }: MutationRecord): boolean {
    if (this.isOurs(target)) return true;
    if (type !== "childList") return false;
    return [...addedNodes, ...removedNodes].every((node) => this.isOurs(node));
  }

  private notice(): void {
    const now = performance.now();
    this.firstChange ||= now;
    const patience = Math.max(MAX_RESTLESS_MS, this.readingMs * 5);
    const wait = Math.min(MIN_QUIET_MS, Math.max(0, this.firstChange + patience - now));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.firstChange = 0;
      this.timer = undefined;
      this.onChange();
    }, wait);
  }
}
