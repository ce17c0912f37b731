#!/usr/bin/env bash
# Checks the shell scripts: their syntax always, and with shellcheck where it is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts=(.ci/run build/*.sh assets/icons/*.sh)
for s in "${scripts[@]}"; do bash -n "$s"; done
if command -v shellcheck >/dev/null; then
  shellcheck "${scripts[@]}"
else
  echo "shell-lint: shellcheck is not installed, only the syntax was checked" >&2
fi
