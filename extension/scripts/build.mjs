// Builds the extension: dist/ is the folder Chrome loads, findall-extension.zip is what a store takes.
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
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
        options: join(root, "options.html"),
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
const zip = zipSync(files, { level: 9, mtime: new Date("2026-01-01T00:00:00") });
await writeFile(join(root, "findall-extension.zip"), zip);
console.log(
  `dist: ${Object.keys(files).length} files; findall-extension.zip: ${Math.ceil(zip.length / 1024)} KB`,
);
