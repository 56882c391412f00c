// Builds the extension: dist/ is the folder Chrome loads, findall-extension.zip is what a store takes.
import { existsSync } from "node:fs";
import { cp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const common = { root, configFile: false, logLevel: "warn" };
const output = { target: "chrome130", outDir: dist, sourcemap: false, modulePreload: false };

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

// What runs inside pages is one classic script.
await build({
  ...common,
  publicDir: false,
  build: {
    ...output,
    emptyOutDir: false,
    lib: {
      entry: join(root, "src/page/main.ts"),
      formats: ["iife"],
      name: "findall",
      fileName: () => "page.js",
    },
  },
});

// What finds by meaning inside the browser: the engine, its weights, a small knowledge base.
const repository = join(root, "..");
const built = join(process.env.CARGO_TARGET_DIR ?? join(repository, "target"), "edge");
const edge = ["engine.wasm", "edge.kb"].map((name) => [name, join(built, name)]);
for (const kind of ["encoder", "tagger"])
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
const manifest = JSON.parse(await readFile(join(dist, "manifest.json"), "utf8"));
await writeFile(join(dist, "manifest.json"), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);

const files = {};
for (const entry of (await readdir(dist, { recursive: true, withFileTypes: true })).sort((a, b) =>
  join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1,
)) {
  if (!entry.isFile()) continue;
  const path = join(entry.parentPath, entry.name);
  files[relative(dist, path)] = new Uint8Array(await readFile(path));
}
// The same sources give the same bytes.
const zip = zipSync(files, { level: 6, mtime: new Date("2026-01-01T00:00:00") });
await writeFile(join(root, "findall-extension.zip"), zip);
console.log(
  `dist: ${Object.keys(files).length} files; findall-extension.zip: ${Math.ceil(zip.length / 1024)} KB`,
);
