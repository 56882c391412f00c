/** What leaves the bar: text to the clipboard, files to where the browser saves them. */

/** The older way, which a page's policy cannot forbid: a selection that is copied. */
export function copyText(text: string): void {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.setAttribute("aria-label", "What is copied");
  field.className = "unseen";
  document.body.append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the newer way needs the page's permission
  document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
}

export function saveFile(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
