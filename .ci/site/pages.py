"""What the site has beside the repository's pages: schemas as tables, and links that lead on to the repository."""

import glob
import json
import os
import re

from mkdocs.structure.files import File

# Where files that are no pages can be looked at; without it, such links are left as words.
REPOSITORY = os.environ.get("HEAVYWEIGHT_REPOSITORY", "").rstrip("/")
ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def schema_files():
    paths = glob.glob(os.path.join(ROOT, "docs", "*.schema.json")) + [os.path.join(ROOT, "Scenarios", "scenario.schema.json")]
    return {os.path.relpath(path, ROOT): path for path in sorted(paths)}


def on_config(config):
    lists = {
        "Options": sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, "docs", "commands", "*.md"))),
        "Schemas": [relative + ".md" for relative in schema_files()],
    }
    for section in config["nav"]:
        for name in lists:
            if isinstance(section, dict) and name in section:
                section[name] = lists[name]
    return config


def on_files(files, config):
    for relative, path in schema_files().items():
        with open(path) as file:
            files.append(File.generated(config, relative + ".md", content=schema_page(json.load(file))))
    return files


def on_page_markdown(markdown, page, config, files):
    folder = os.path.dirname(page.file.src_uri)

    def replaced(match):
        text, target, anchor = match.group(1), match.group(2), match.group(3) or ""
        if re.match(r"[a-z]+:", target) or not os.path.exists(os.path.join(ROOT, folder, target)):
            return match.group(0)  # Of another place, or broken: MkDocs says so.
        relative = os.path.normpath(os.path.join(folder, target))
        for known in (relative, relative + ".md", relative + "/README.md", "index.md" if relative == "README.md" else relative):
            if files.get_file_from_path(known) is not None and known.endswith(".md"):
                return f"[{text}]({os.path.relpath(known, folder or '.')}{anchor})"
        return f"[{text}]({REPOSITORY}/blob/main/{relative})" if REPOSITORY else text

    parts = re.split(r"(^```.*?^```)", markdown, flags=re.M | re.S)
    return "".join(part if part.startswith("```") else LINK.sub(replaced, part) for part in parts)


def schema_page(schema):
    rows = []
    collect(schema, "", schema, rows, set())
    lines = [f"# {schema['title']}", "", schema.get("description", ""), "", "| key | type | meaning |", "|---|---|---|"]
    return "\n".join(lines + [f"| `{key}` | {kind} | {meaning} |" for key, kind, meaning in rows]) + "\n"


def collect(node, path, schema, rows, seen):
    """Adds a row for each key below a node; what is defined once is opened once."""
    node, name = resolved(node, schema)
    if name in seen:
        return
    seen = seen | {name} if name else seen
    for key, child in node.get("properties", {}).items():
        target, _ = resolved(child, schema)
        place = f"{path}.{key}" if path else key
        kind = escaped(type_words(target))
        required = "" if key not in node.get("required", []) else ", always there"
        rows.append((place, kind + required, escaped(child.get("description") or target.get("description", ""))))
        collect(target, place, schema, rows, seen)
    if isinstance(node.get("items"), dict):
        collect(node["items"], path + "[]", schema, rows, seen)
    if isinstance(node.get("additionalProperties"), dict):
        collect(node["additionalProperties"], path + ".…", schema, rows, seen)


def resolved(node, schema):
    reference = node.get("$ref", "") if isinstance(node, dict) else ""
    if not reference.startswith("#/$defs/"):
        return (node if isinstance(node, dict) else {}), None
    name = reference.rsplit("/", 1)[1]
    return schema["$defs"][name], name


def type_words(node):
    if "enum" in node:
        return "one of " + ", ".join(f"`{value}`" for value in node["enum"])
    kind = node.get("type", "any value")
    return " or ".join(kind) if isinstance(kind, list) else kind


def escaped(text):
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
