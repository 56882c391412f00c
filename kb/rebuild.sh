#!/bin/sh
# Rebuilds kb/default.kb from its sources: a first base without the facts, the facts joined to it, the base with them.
#   sh kb/rebuild.sh ENTITIES.jsonl.xz WRITTEN.tsv.xz FACTS.tsv.xz WORK_DIR [findall]
set -eu
entities=$1 written=$2 facts=$3 work=$4 findall=${5:-findall}
here=$(dirname "$0")
build() {
  out=$1
  shift
  "$findall" kb build --out "$out" \
    --tsv "$work/written.tsv" --jsonl "$work/entities.jsonl" --jsonl "$work/popular.jsonl" --redirects "$work/redirects.tsv" \
    --phrase-words 30 --shown-names 6 --bare-popularity 1 "$@"
}
[ -d "$work/packages" ] || sh "$here/fetch_packages.sh" "$work/packages"
python3 "$here/prepare_sources.py" --entities "$entities" --written "$written" --packages "$work/packages" --out "$work"
build "$work/first.kb"
"$findall" kb dump --kb "$work/first.kb" >"$work/first.jsonl"
python3 "$here/join_facts.py" --base "$work/first.jsonl" --entities "$work/entities.jsonl" --redirects "$work/redirects.tsv" \
  --facts "$facts" --out "$work"
build "$here/default.kb" --jsonl "$work/joined.jsonl" \
  --note "name=findall default knowledge base" \
  --note "sources=Wikipedia, Wikidata, WordNet, GeoNames, DBpedia titles, company and film lists, 55 public sets of facts, descriptions written for findall" \
  --note "licence=facts; compilation CC BY-SA 4.0, see kb/README.md for attribution"
"$findall" kb verify --kb "$here/default.kb"
