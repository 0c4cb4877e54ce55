#!/usr/bin/env bash
# Writes man pages of what the tool says of itself: one for the tool, one for each command.
#
#   .ci/manual.sh TOOL FOLDER
set -euo pipefail
tool=${1:?TOOL is missing} folder=${2:?FOLDER is missing}
mkdir -p "$folder"
version=$("$tool" --version | cut -d' ' -f2)

# Help as a page: headings stay headings, and all else stays as it is laid out.
page() {
  local name=$1 summary=$2
  awk -v name="$name" -v version="$version" -v summary="$summary" '
    function text(line) {
      gsub(/\\/, "\\e", line); gsub(/-/, "\\-", line)
      if (line ~ /^[.\047]/) line = "\\&" line
      return line
    }
    BEGIN {
      printf ".TH \"%s\" 1 \"\" \"heavyweight %s\" \"Heavyweight\"\n.nh\n.SH NAME\n%s \\- %s\n", \
        toupper(name), version, text(name), text(summary)
      print ".SH DESCRIPTION\n.in 0\n.nf"
    }
    NR == 1 && sub(/^OVERVIEW: /, "") { print text($0); next }
    /^USAGE: / { sub(/^USAGE: /, ""); print ".fi\n.SH SYNOPSIS\n.in 0\n.nf\n" text($0); next }
    /^[A-Z][A-Z ]+:?$/ { sub(/:$/, ""); print ".fi\n.SH \"" $0 "\"\n.in 0\n.nf"; next }
    { print text($0) }
    END { print ".fi" }' >"$folder/$name.1"
}

# The commands and their summaries, whose lines go on indented.
commands() {
  "$tool" --help | awk '
    /^SUBCOMMANDS:/ { inside = 1; next }
    inside && /^  [a-z]/ { if (line) print line; line = $0; next }
    inside && /^   +[^ ]/ { sub(/^ +/, " "); line = line $0; next }
    inside { if (line) print line; exit }' | sed 's/^ *//'
}

"$tool" --help | page heavyweight "tests, times and debugs Core Data migration chains"
commands | while read -r command summary; do
  "$tool" "$command" --help | page "heavyweight-$command" "$summary"
done
