/**
 * The reader: a file whose viewer lets no extension in, as plain text by page, on which the bar opens by itself. The
 * file is that of a tab (`?tab=`), or one that the person chooses.
 */

import { type TemplateResult, html, nothing, render } from "lit-html";
import { OPEN_IN_READER } from "../messages";
import { Remote, RemoteError } from "../remote";
import { HIGHLIGHT_STYLE } from "../worker/style";
import { type FileText, fileNameOf, paragraphsOf, parseFileText } from "./text";

/** What the server takes, less what Base64 adds. */
const MAX_FILE_BYTES = 23 << 20;

interface ReaderState {
  busy: boolean;
  problem: string;
  file: FileText | undefined;
}

const remote = new Remote();
const root = document.querySelector("main");
const reader: ReaderState = { busy: false, problem: "", file: undefined };

function update(change: Partial<ReaderState>): void {
  Object.assign(reader, change);
  if (root) render(view(), root);
}

/** Reads a file and shows it; what goes wrong is said with a way out. */
async function show(read: () => Promise<unknown>, name: string): Promise<void> {
  update({ busy: true, problem: "" });
  try {
    const file = parseFileText(await read());
    const title = [file.title, fileNameOf(file.url), name, "A file"].find((each) => each !== "") ?? "";
    update({ file: { ...file, title }, busy: false });
    document.title = title;
    globalThis.findallSource = file.url === "" ? undefined : file.url;
    openBar();
  } catch (error) {
    update({ busy: false, problem: problemOf(error) });
  }
}

function problemOf(error: unknown): string {
  const code = error instanceof RemoteError ? error.code : "";
  if (code === "no_server") return "To read a PDF here, start the server in a terminal: findall serve";
  if (code === "not_paired")
    return "To read a PDF here, pair this browser with the server: open the settings.";
  const message = error instanceof Error ? error.message : "something went wrong";
  return `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, "")}.`;
}

/** The page's script is put in once there is something to read; after that it is told to open. */
function openBar(): void {
  if (globalThis.findallPage) return globalThis.findallPage.open();
  const script = document.createElement("script");
  script.src = "page.js";
  document.head.append(script);
}

async function choose(file: File | undefined): Promise<void> {
  if (!file) return;
  if (file.size > MAX_FILE_BYTES) return update({ problem: "This file is too large to be read here." });
  await show(async () => remote.call("readFile", { file: await base64Of(file), name: file.name }), file.name);
}

function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const bytes = new FileReader();
    bytes.onload = () => resolve((bytes.result as string).replace(/^[^,]*,/, ""));
    bytes.onerror = () => reject(new Error("the file could not be read"));
    bytes.readAsDataURL(file);
  });
}

function view(): TemplateResult {
  const { file, busy, problem } = reader;
  return html`
    <h1>${file?.title ?? "Read a PDF with findall"}</h1>
    ${busy ? html`<p class="note" role="status">Reading the file</p>` : nothing}
    ${problem === "" ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
    ${file ? pagesView(file) : busy ? nothing : chooseView()}
  `;
}

function pagesView({ pages, missing, url }: FileText): TemplateResult {
  return html`
    ${/^https?:/.test(url) ? html`<p class="note"><a href=${url}>${url}</a></p>` : nothing}
    ${missing === "" ? nothing : html`<p class="note" role="note">${missing}</p>`}
    ${pages.map(
      (page, index) => html`
        <div class="page" role="group" aria-label="Page ${index + 1}" data-number="Page ${index + 1}">
          ${paragraphsOf(page).map((paragraph) => html`<p>${paragraph}</p>`)}
        </div>
      `,
    )}
  `;
}

function chooseView(): TemplateResult {
  return html`
    <p class="note">
      Its text is shown here by page and can be searched. It goes to the server on this computer and nowhere
      else.
    </p>
    <div class="choose">
      <label for="file">Choose a PDF, or drop one on this page</label>
      <input
        id="file"
        type="file"
        accept=".pdf,application/pdf"
        @change=${(event: Event) => void choose((event.target as HTMLInputElement).files?.[0])}
      />
    </div>
  `;
}

document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  void choose(event.dataTransfer?.files[0]);
});

// The toolbar button was pressed: no script can be put into an extension's own page, so it is told.
chrome.runtime.onMessage.addListener((message: unknown, { id }, answer) => {
  if (message !== OPEN_IN_READER || id !== chrome.runtime.id) return;
  if (reader.file) openBar();
  answer(true);
});

const style = new CSSStyleSheet();
style.replaceSync(HIGHLIGHT_STYLE);
document.adoptedStyleSheets.push(style);
const tab = Number(new URLSearchParams(location.search).get("tab") ?? NaN);
update({});
if (Number.isSafeInteger(tab)) void show(() => remote.call("readPdf", { tab }), "");
