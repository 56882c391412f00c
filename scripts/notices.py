#!/usr/bin/env python3
"""Whose work is in the binary, and under which terms: what has to be shipped beside it.

    scripts/notices.py > NOTICES.txt     every crate that `findall` links, its licence, and the texts that come with it
    scripts/notices.py --check           only say whether every crate names a licence; part of the gate

Crates with the same text share it. The models and the knowledge base have notices of their own beside them.
"""

import json
import pathlib
import subprocess
import sys

PROGRAM = "findall-cli"
TEXTS = ("license", "licence", "copying", "notice", "copyright", "unlicense")
MAX_TEXT_BYTES = 200_000


def linked():
    """Packages that the program links on this machine: no build scripts, no tests."""
    root = pathlib.Path(__file__).resolve().parent.parent
    host = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    host = next(line.split()[1] for line in host.splitlines() if line.startswith("host:"))
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", host]
    metadata = json.loads(subprocess.run(command, cwd=root, capture_output=True, check=True).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    needs = {node["id"]: node["deps"] for node in metadata["resolve"]["nodes"]}
    start = next(id for id, package in packages.items() if package["name"] == PROGRAM and package["source"] is None)
    seen, waiting = set(), [start]
    while waiting:
        package = waiting.pop()
        if package in seen:
            continue
        seen.add(package)
        for need in needs[package]:
            if any(kind["kind"] is None for kind in need["dep_kinds"]):
                waiting.append(need["pkg"])
    foreign = [packages[id] for id in seen if packages[id]["source"] is not None]
    return sorted(foreign, key=lambda package: (package["name"], package["version"]))


def texts_of(package):
    """The licence files in a package's folder."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = [file for file in folder.iterdir() if file.is_file() and file.name.lower().startswith(TEXTS)]
    named = package.get("license_file")
    if named and (folder / named).is_file() and folder / named not in files:
        files.append(folder / named)
    files = [file for file in files if file.suffix not in (".rs", ".py") and file.stat().st_size < MAX_TEXT_BYTES]
    return [file.read_text("utf-8", "replace").strip() for file in sorted(files)]


def main():
    packages = linked()
    nameless = [package["name"] for package in packages if not package["license"] and not texts_of(package)]
    if nameless:
        sys.exit(f"notices.py: no licence is named by {', '.join(nameless)}; leave it out, or add what it says by hand")
    if "--check" in sys.argv[1:]:
        return
    users = {}
    print("findall is made with the work of others. These crates are linked into the program:\n")
    for package in packages:
        name = f"{package['name']} {package['version']}"
        print(f"{name}  {package['license'] or 'see its text'}  {package['repository'] or ''}".rstrip())
        for text in texts_of(package):
            users.setdefault(text, []).append(name)
    for text, names in users.items():
        print(f"\n{'-' * 80}\n{', '.join(names)}\n{'-' * 80}\n\n{text}")


if __name__ == "__main__":
    main()
