// Builds the extension: dist/ is the folder Chrome loads, dist-firefox/ the one for Firefox; findall-extension.zip and
// findall-firefox.zip are what their stores take.
import { existsSync } from "node:fs";
import { cp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const common = { root, configFile: false, logLevel: "warn" };
const output = { target: ["chrome130", "firefox140"], outDir: dist, sourcemap: false, modulePreload: false };

await rm(dist, { recursive: true, force: true });

// Pages and the service worker are modules.
await build({
  ...common,
  publicDir: join(root, "public"),
  base: "./",
  build: {
    ...output,
    emptyOutDir: false,
    rollupOptions: {
      input: {
        bar: join(root, "bar.html"),
        closed: join(root, "closed.html"),
        engine: join(root, "src/offscreen/engine.ts"),
        offscreen: join(root, "offscreen.html"),
        options: join(root, "options.html"),
        pattern: join(root, "src/bar/pattern.ts"),
        reader: join(root, "reader.html"),
        worker: join(root, "src/worker/main.ts"),
      },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name].js",
        assetFileNames: "[name][extname]",
      },
    },
  },
});

// What runs inside pages is one classic script; so is the thread of letters, which is there sooner without imports.
for (const [name, entry] of [
  ["page", "src/page/main.ts"],
  ["letters", "src/engine/edge/thread.ts"],
])
  await build({
    ...common,
    publicDir: false,
    build: {
      ...output,
      emptyOutDir: false,
      lib: { entry: join(root, entry), formats: ["iife"], name: "findall", fileName: () => `${name}.js` },
    },
  });

// What finds by letters: without it there is no extension.
const repository = join(root, "..");
const built = join(process.env.CARGO_TARGET_DIR ?? join(repository, "target"), "edge");
const lexical = join(built, "lexical.wasm");
if (!existsSync(lexical)) throw new Error("lexical.wasm is not built: scripts/build-edge.sh builds it");
await cp(lexical, join(dist, "lexical.wasm"));

// What finds by meaning inside the browser: the engine, its weights, a small knowledge base.
const edge = ["engine.wasm", "edge.kb"].map((name) => [name, join(built, name)]);
for (const kind of ["encoder", "tagger", "judge"])
  for (const name of ["model.json", "model.onnx", "model.data"])
    edge.push([`${kind}/${name}`, join(repository, "models", kind, name)]);
edge.push(["tokenizer.json", join(repository, "models/tokenizer.json")]);
const missing = edge.filter(([, path]) => !existsSync(path)).map(([, path]) => relative(repository, path));
if (missing.length > 0)
  console.warn(
    `without ${missing.join(", ")} it finds by letters only when there is no server: scripts/build-edge.sh`,
  );
else for (const [name, path] of edge) await cp(path, join(dist, "edge", name));

const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const manifest = { ...JSON.parse(await readFile(join(dist, "manifest.json"), "utf8")), version };

/** What Firefox says otherwise: a page in the background, no pages that are not seen, no private windows. */
function forFirefox(chrome) {
  const { background, permissions, web_accessible_resources } = chrome;
  const { minimum_chrome_version, cross_origin_embedder_policy, ...rest } = chrome;
  void [minimum_chrome_version, cross_origin_embedder_policy];
  return {
    ...rest,
    permissions: permissions.filter((name) => name !== "offscreen"),
    background: { scripts: [background.service_worker], type: "module" },
    // Its addresses are drawn anew for every installation.
    web_accessible_resources: web_accessible_resources.map(({ resources, matches }) => ({
      resources,
      matches,
    })),
    // One background serves all windows there, which could not tell a private one.
    incognito: "not_allowed",
    browser_specific_settings: {
      gecko: {
        id: "findall@findall.invalid",
        strict_min_version: "140.0",
        data_collection_permissions: { required: ["none"] },
      },
    },
  };
}

/** Writes the manifest of a folder and packs it; the same sources give the same bytes. */
async function pack(folder, manifest, zipName) {
  await writeFile(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const files = {};
  for (const entry of (await readdir(folder, { recursive: true, withFileTypes: true })).sort((a, b) =>
    join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1,
  )) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // Weights hardly shrink, and take longest.
    const level = path.endsWith(".data") ? 0 : 6;
    files[relative(folder, path)] = [new Uint8Array(await readFile(path)), { level }];
  }
  const zip = zipSync(files, { mtime: new Date("2026-01-01T00:00:00") });
  await writeFile(join(root, zipName), zip);
  console.log(
    `${relative(root, folder)}: ${Object.keys(files).length} files; ${zipName}: ${Math.ceil(zip.length / 1024)} KB`,
  );
}

const firefox = join(root, "dist-firefox");
await rm(firefox, { recursive: true, force: true });
await cp(dist, firefox, { recursive: true });
await pack(dist, manifest, "findall-extension.zip");
await pack(firefox, forFirefox(manifest), "findall-firefox.zip");
