#!/bin/sh
# Rebuilds kb/default.kb from its sources.
#   sh kb/rebuild.sh ENTITIES.jsonl.xz WRITTEN.tsv.xz WORK_DIR [findall]
set -eu
entities=$1 written=$2 work=$3 findall=${4:-findall}
here=$(dirname "$0")
[ -d "$work/packages" ] || sh "$here/fetch_packages.sh" "$work/packages"
python3 "$here/prepare_sources.py" --entities "$entities" --written "$written" --packages "$work/packages" --out "$work"
"$findall" kb build --out "$here/default.kb" \
  --tsv "$work/written.tsv" --jsonl "$work/entities.jsonl" --jsonl "$work/popular.jsonl" --redirects "$work/redirects.tsv" \
  --phrase-words 30 --shown-names 6 --bare-popularity 1 \
  --note "name=findall default knowledge base" \
  --note "sources=Wikipedia, Wikidata, WordNet, GeoNames, DBpedia titles, company and film lists, descriptions written for findall" \
  --note "licence=facts; compilation CC BY-SA 4.0, see kb/README.md for attribution"
"$findall" kb verify --kb "$here/default.kb"
