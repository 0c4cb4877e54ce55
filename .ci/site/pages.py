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
    rows = {}
    collect(schema, "", schema, rows, {})
    lines = [f"# {schema['title']}", "", schema.get("description", ""), "", "| key | type | meaning |", "|---|---|---|"]
    return "\n".join(lines + [f"| {key_cell(key)} | {kind} | {meaning} |" for key, (kind, meaning) in rows.items()]) + "\n"


def key_cell(key):
    """A key that is broken only where another begins."""
    return f'<code style="word-break: normal">{key.replace(".", "<wbr>.")}</code>'


def collect(node, path, schema, rows, opened):
    """Adds a row for each key below a node; what is defined once is opened once, and named where it comes again."""
    node, name = resolved(node, schema)
    if name is not None:
        if opened.setdefault(name, path) != path:
            if path in rows and has_keys(node, schema, set()):
                kind, meaning = rows[path]
                rows[path] = (kind, f"{meaning} Keys as in `{opened[name]}`.".strip())
            return
    for key, child in node.get("properties", {}).items():
        add(child, f"{path}.{key}" if path else key, schema, rows, opened, key in node.get("required", []))
    for child in node.get("patternProperties", {}).values():
        add(child, path + ".…", schema, rows, opened)
    if isinstance(node.get("additionalProperties"), dict):
        add(node["additionalProperties"], path + ".…", schema, rows, opened)
    if isinstance(node.get("items"), dict):
        collect(node["items"], path + "[]", schema, rows, opened)
    for child in alternatives(node):
        collect(child, path, schema, rows, opened)


def add(child, place, schema, rows, opened, is_required=False):
    target, _ = resolved(child, schema)
    kind = escaped(type_words(target, schema)) + (", required" if is_required else "")
    meaning = escaped(child.get("description") or target.get("description", "")) if isinstance(child, dict) else ""
    if place not in rows and not (place.endswith("…") and not meaning and not has_keys(target, schema, set())):
        rows[place] = (kind, meaning)
    collect(child, place, schema, rows, opened)


def alternatives(node):
    return [child for kind in ("anyOf", "oneOf", "allOf") for child in node.get(kind, []) if isinstance(child, dict)]


def has_keys(node, schema, seen):
    """Whether a node opens to rows of its own."""
    node, name = resolved(node, schema)
    if name in seen:
        return False
    seen = seen | {name}
    items = [node["items"]] if isinstance(node.get("items"), dict) else []
    return bool(node.get("properties") or node.get("patternProperties")) or any(
        has_keys(child, schema, seen) for child in items + alternatives(node)
    )


def resolved(node, schema):
    reference = node.get("$ref", "") if isinstance(node, dict) else ""
    if not reference.startswith("#/$defs/"):
        return (node if isinstance(node, dict) else {}), None
    name = reference.rsplit("/", 1)[1]
    return schema["$defs"][name], name


def type_words(node, schema):
    if "enum" in node:
        return "one of " + ", ".join(f"`{value}`" for value in node["enum"])
    if "const" in node:
        return f"`{json.dumps(node['const'])}`".replace('"', "")
    if "type" in node:
        return " or ".join(node["type"]) if isinstance(node["type"], list) else node["type"]
    words = [type_words(resolved(child, schema)[0], schema) for child in alternatives(node)]
    words = [word for word in dict.fromkeys(words) if word != "any value"]
    return " or ".join(words).replace("string or number or boolean", "text") if words else "any value"


def escaped(text):
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
