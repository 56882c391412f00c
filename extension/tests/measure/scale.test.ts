/**
 * Size: pages of five megabytes stay responsive while they are read, searched, painted, stepped through and changed.
 * What the browser does on such a page without us is measured beside it.
 */

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { withStandIn } from "../browser/setup";
import { book, huge } from "../pages/huge";
import { type Figure, figuresAbout, record, tenths } from "./record";
import { type Task, Tracing } from "./tasks";

/** A task longer than this is felt. */
const LONG_MS = 50;

const its = withStandIn({ "/huge.html": huge, "/book.html": book }, { shipped: true });

test("five megabytes: everything is found, and no task of ours is long", { timeout: 600_000 }, async () => {
  await its.harness.connect("http://127.0.0.1:9");
  const figures: Figure[] = [];
  for (const name of ["huge", "book"]) {
    const page = await its.harness.visit(`${name}.html`);
    const elements = await page.evaluate(() => document.getElementsByTagName("*").length);
    const tasks = await tasksOf(page);
    figures.push(...figuresOf(tasks, `5 MB in ${elements.toLocaleString("en")} elements`));
    for (const { phase, thread, scriptCpu } of tasks)
      expect(scriptCpu, `${name}, ${phase}, in the ${thread}'s thread`).toBeLessThan(LONG_MS);
    await its.harness.closePages();
  }
  await record("extension-long-tasks", figures);
});

/** All tasks of a page and its bar, from the page alone to the bar closed. */
async function tasksOf(page: Page): Promise<Task[]> {
  await page.waitForTimeout(1500);
  const browser = its.harness.context.browser();
  if (!browser) throw new Error("no browser");
  const tracing = await Tracing.start(browser, page);
  // A little rest, so that what a phase brings about is over when the next one starts.
  const phase = async (name: string, rest: number, work: () => Promise<unknown>): Promise<void> => {
    await tracing.phase(name);
    await work();
    await page.waitForTimeout(rest);
  };

  await phase("page alone: a paragraph is added", 500, () => addParagraph(page));
  await phase("page alone: a style of the root changes", 500, () =>
    page.evaluate(() => document.documentElement.style.setProperty("--any", "1")),
  );
  await phase("page alone: scrolled to the end", 500, () => page.evaluate(() => scrollTo(0, 1e9)));
  await phase("page alone: scrolled back", 500, () => page.evaluate(() => scrollTo(0, 0)));

  await tracing.phase("bar opened, page read");
  const bar = await its.harness.open(page);
  await tracing.bar(bar.frame);
  await page.waitForTimeout(3000);
  await phase("one place found", 1000, async () => {
    await bar.find("needle");
    await bar.counts("1 of 1");
  });
  await phase("ten thousand places found", 1500, async () => {
    await bar.find("violin");
    await bar.counts("1 of 10,000+");
    await page.waitForFunction(() => CSS.highlights.has("findall-current"));
  });
  await phase("ten steps", 500, async () => {
    for (let step = 2; step <= 11; step++) {
      await bar.query.press("Enter");
      await bar.counts(`${step} of`);
    }
  });
  await phase("step to the last place", 1000, async () => {
    for (let step = 0; step < 11; step++) await bar.query.press("Shift+Enter");
    await bar.counts("10,000 of");
  });
  await phase("a paragraph is added, page read again", 4000, () => addParagraph(page));
  await phase("bar closed", 500, () => bar.escape());
  return tracing.stop();
}

async function addParagraph(page: Page): Promise<void> {
  await page.evaluate(() => {
    const added = document.createElement("p");
    added.textContent = "A violin that was not here before.";
    document.body.insertBefore(added, document.body.children[400] ?? null);
  });
}

function figuresOf(tasks: readonly Task[], page: string): Figure[] {
  const phases = [...new Set(tasks.map(({ phase }) => phase))].filter((phase) => phase !== "");
  return phases.flatMap((definition) =>
    (["page", "bar"] as const).flatMap((thread): Figure[] => {
      const here = tasks.filter((task) => task.phase === definition && task.thread === thread);
      if (here.length === 0) return [];
      const figure = figuresAbout(definition, `${thread}'s thread, ${page}`);
      const longest = (metric: string, of: (task: Task) => number): Figure =>
        figure(metric, tenths(Math.max(...here.map(of))), "ms");
      return [
        figure(`tasks over ${LONG_MS} ms`, here.filter(({ ms }) => ms > LONG_MS).length, "count"),
        longest("longest task", ({ ms }) => ms),
        longest("longest task, CPU", ({ cpu }) => cpu),
        longest("longest run of our scripts", ({ script }) => script),
        longest("longest run of our scripts, CPU", ({ scriptCpu }) => scriptCpu),
      ];
    }),
  );
}
