#!/usr/bin/env bash
# Runs a build without its output, so that what the program itself prints can be read; shows the output if the build fails.
# usage: quietly.sh MESSAGE RESULT COMMAND...      The message is shown only while RESULT does not exist yet.
set -euo pipefail
message=$1 result=$2
shift 2
[ -e "$result" ] || echo "$message" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
