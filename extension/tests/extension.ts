/** Copies of the built extension for browsers in tests. */

import { constants } from "node:fs";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Makes of two seconds two minutes: what is awaited ends a test, not what the extension gives up. */
const PATIENCE_FACTOR = 60;

type Manifest = Record<string, unknown>;

/** Copies the extension in `built`, with limits that no busy machine reaches and what else `change` does to its manifest. */
export async function copyPatiently(
  built: string,
  folder: string,
  change: (manifest: Manifest) => Manifest = (manifest) => manifest,
): Promise<string> {
  // Its models are large: where the file system can, the copy shares them.
  await cp(built, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
  const manifest = JSON.parse(await readFile(join(built, "manifest.json"), "utf8")) as Manifest;
  const patient = change({ ...manifest, findall_patience: PATIENCE_FACTOR });
  await writeFile(join(folder, "manifest.json"), JSON.stringify(patient));
  return folder;
}
