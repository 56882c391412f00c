/** When keys go down in the bar and when highlights of a kind change in the page, both on the wall clock. */

import type { Bar } from "../browser/harness";

interface Clock {
  paints: number[];
  pressed: number[];
}

export class KeyClock {
  private constructor(private readonly bar: Bar) {}

  static async install(bar: Bar, kind: string): Promise<KeyClock> {
    await bar.frame.evaluate(() => {
      const clock = window as unknown as Clock;
      clock.pressed = [];
      addEventListener(
        "keydown",
        (event) => clock.pressed.push(performance.timeOrigin + event.timeStamp),
        true,
      );
    });
    await bar.page.evaluate((name) => {
      const clock = window as unknown as Clock;
      clock.paints = [];
      let last: Highlight | undefined;
      const look = (): void => {
        const now = CSS.highlights.get(name);
        if (now !== last) {
          last = now;
          if (now) clock.paints.push(performance.timeOrigin + performance.now());
        }
        requestAnimationFrame(look);
      };
      look();
    }, `findall-${kind}`);
    return new KeyClock(bar);
  }

  /** Milliseconds from the first key that `press` presses to the first highlight after it. */
  async time(press: () => Promise<void>): Promise<number> {
    const { frame, page } = this.bar;
    const [keys, paints] = await Promise.all([
      frame.evaluate(() => (window as unknown as Clock).pressed.length),
      page.evaluate(() => (window as unknown as Clock).paints.length),
    ]);
    await press();
    await page.waitForFunction((n) => (window as unknown as Clock).paints.length > n, paints, { polling: 5 });
    const pressed = await frame.evaluate((n) => (window as unknown as Clock).pressed[n] ?? NaN, keys);
    return (await page.evaluate((n) => (window as unknown as Clock).paints[n] ?? NaN, paints)) - pressed;
  }
}
