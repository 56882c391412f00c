/** The options page: pairing in one step, which pages nothing is kept about, and forgetting. */

import { type TemplateResult, html, nothing, render } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { isRecord } from "../messages";
import { Remote } from "../remote";

type ServerState = "checking" | "none" | "loading" | "unpaired" | "ready";

interface OptionsState {
  server: ServerState;
  base: string;
  code: string;
  deny: string;
  rememberQueries: boolean;
  inside: boolean;
  shortcut: string;
  /** Whether the settings are here: what is typed before would be overwritten by them. */
  loaded: boolean;
  busy: boolean;
  problem: string;
  done: string;
}

const remote = new Remote();
const root = document.querySelector("main");
const options: OptionsState = {
  server: "checking",
  base: "",
  code: "",
  deny: "",
  rememberQueries: true,
  inside: true,
  shortcut: "",
  loaded: false,
  busy: false,
  problem: "",
  done: "",
};

function update(change: Partial<OptionsState>): void {
  Object.assign(options, change);
  if (root) render(view(), root);
}

async function load(): Promise<void> {
  const settings = await remote.call("settings");
  // They were asked for twice, and somebody may be changing them.
  if (options.loaded) return;
  if (isRecord(settings)) {
    update({
      base: String(settings["base"]),
      deny: Array.isArray(settings["deny"]) ? settings["deny"].join("\n") : "",
      rememberQueries: settings["rememberQueries"] !== false,
      inside: settings["inside"] !== false,
      loaded: true,
    });
  }
  const commands = await chrome.commands.getAll();
  update({ shortcut: commands.find(({ name }) => name === "_execute_action")?.shortcut ?? "" });
}

async function check(): Promise<void> {
  const value = await remote.call("connection").catch(() => undefined);
  const state = isRecord(value) ? value["state"] : "none";
  const known = (["none", "loading", "unpaired", "ready"] as const).find((name) => name === state);
  if (known !== options.server) update({ server: known ?? "none" });
}

/** Runs one action and says how it went. */
async function act(done: string, action: () => Promise<unknown>): Promise<void> {
  update({ busy: true, problem: "", done: "" });
  try {
    await action();
    update({ done });
  } catch (error) {
    update({ problem: error instanceof Error ? error.message : "That did not work." });
  }
  await check();
  update({ busy: false });
}

function pair(event: Event): void {
  event.preventDefault();
  void act("Paired. Open any page and press the shortcut.", async () => {
    await remote.call("pair", { code: options.code });
    update({ code: "" });
  });
}

function save(event: Event): void {
  event.preventDefault();
  void act("Saved.", async () => {
    const deny = options.deny
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
    const { base, rememberQueries, inside } = options;
    await remote.call("save", { base, deny, rememberQueries, inside });
  });
}

function valueOf(event: Event): string {
  return (event.target as HTMLInputElement | HTMLTextAreaElement).value;
}

function view(): TemplateResult {
  return html`
    <header>
      <img src="icons/128.png" alt="" />
      <div>
        <h1>findall</h1>
        <p class="soft">The Ctrl+F that understands. Everything stays on this computer.</p>
      </div>
    </header>
    <p role="status" class="done" ?hidden=${options.done === ""}>${options.done}</p>
    <p role="alert" class="problem" ?hidden=${options.problem === ""}>${options.problem}</p>
    ${serverView()} ${useView()} ${privacyView()}
  `;
}

const STATE_WORDS: Readonly<Record<ServerState, string>> = {
  checking: "Looking for the server",
  none: "No server is running",
  loading: "The server is starting",
  unpaired: "The server is running; this browser is not paired",
  ready: "Connected and paired",
};

function serverView(): TemplateResult {
  const { server } = options;
  return html`
    <section aria-labelledby="server-title">
      <h2 id="server-title">Server</h2>
      <p class="state ${server}" role="status" id="state">${STATE_WORDS[server]}</p>
      ${
        server === "ready"
          ? html`<button
              id="unpair"
              ?disabled=${options.busy}
              @click=${() => void act("This browser is no longer paired.", () => remote.call("unpair"))}
            >
              Unpair
            </button>`
          : pairView()
      }
    </section>
  `;
}

function pairView(): TemplateResult {
  return html`
    <p class="soft">
      Finding works without a server, by letters and, with a small knowledge base, by meaning. To know more
      and to ask questions, findall runs beside the browser:
    </p>
    <ol>
      <li>
        In a terminal, run <code>findall serve</code>. It prints a code such as <code>ABCD-1234</code>; where
        it runs already, <code>findall serve --pair</code> prints one.
      </li>
      <li>
        <form class="pair" @submit=${pair}>
          <label for="code">Type the code here</label>
          <div class="line">
            <input
              id="code"
              class="code"
              type="text"
              autocomplete="off"
              spellcheck="false"
              placeholder="ABCD-1234"
              maxlength="64"
              ?disabled=${!options.loaded}
              .value=${live(options.code)}
              @input=${(event: Event) => update({ code: valueOf(event) })}
            />
            <button class="main" ?disabled=${options.busy || options.code.trim() === ""}>Pair</button>
          </div>
        </form>
      </li>
    </ol>
    ${options.server === "none" ? html`<p class="soft">Waiting for a server at ${options.base}. This page notices when it starts.</p>` : nothing}
  `;
}

function useView(): TemplateResult {
  return html`
    <section aria-labelledby="use-title">
      <h2 id="use-title">Shortcut</h2>
      <p>
        ${
          options.shortcut === ""
            ? html`No shortcut is set yet.`
            : html`Press <kbd>${options.shortcut}</kbd> on any page, or the button in the toolbar.`
        }
        To change it, open <code>chrome://extensions/shortcuts</code>.
      </p>
    </section>
  `;
}

function privacyView(): TemplateResult {
  return html`
    <section aria-labelledby="privacy-title">
      <h2 id="privacy-title">Privacy</h2>
      <p class="soft">
        A page is read only when you open the bar on it, and its text goes to the server on this computer and
        nowhere else. In private windows nothing is kept.
      </p>
      <form @submit=${save}>
        <label for="deny">Pages about which nothing is kept, one pattern a line</label>
        <textarea
          id="deny"
          rows="4"
          spellcheck="false"
          placeholder="*.bank.example/*"
          ?disabled=${!options.loaded}
          .value=${live(options.deny)}
          @input=${(event: Event) => update({ deny: valueOf(event) })}
        ></textarea>
        <p>
          <label class="check">
            <input
              id="remember"
              type="checkbox"
              ?disabled=${!options.loaded}
              .checked=${live(options.rememberQueries)}
              @change=${(event: Event) => update({ rememberQueries: (event.target as HTMLInputElement).checked })}
            />
            Bring back the last query of a page, until the browser is closed
          </label>
        </p>
        <p>
          <label class="check">
            <input
              id="inside"
              type="checkbox"
              ?disabled=${!options.loaded}
              .checked=${live(options.inside)}
              @change=${(event: Event) => update({ inside: (event.target as HTMLInputElement).checked })}
            />
            Without a server, find by meaning inside the browser (takes some 600 MB of memory while in use)
          </label>
        </p>
        <label for="base">Address of the server</label>
        <input
          id="base"
          type="text"
          spellcheck="false"
          autocomplete="off"
          ?disabled=${!options.loaded}
          .value=${live(options.base)}
          @input=${(event: Event) => update({ base: valueOf(event) })}
        />
        <div class="line">
          <button id="save" class="main" ?disabled=${options.busy || !options.loaded}>Save</button>
          <button
            id="forget"
            type="button"
            ?disabled=${options.busy}
            @click=${() => void act("Everything asked and answered was forgotten.", () => remote.call("forget", { everything: true }))}
          >
            Forget everything
          </button>
        </div>
      </form>
    </section>
  `;
}

update({});
void load()
  .catch(() => undefined)
  .then(check);
setInterval(() => {
  if (options.busy || document.visibilityState !== "visible") return;
  // Settings that could not be read at first are read now.
  if (!options.loaded) void load().catch(() => undefined);
  void check();
}, 2000);
