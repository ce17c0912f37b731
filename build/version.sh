#!/usr/bin/env bash
# Prints the version of this tree: the tag, if there is one; else the newest version that CHANGELOG.md names, marked as
# being on the way to it. Works without git and in a clone that belongs to another user.
set -euo pipefail
cd "$(dirname "$0")/.."
git_() { git -c safe.directory="$PWD" "$@" 2>/dev/null; }

if tag=$(git_ describe --tags --match 'v[0-9]*' --dirty); then
  echo "${tag#v}"
  exit
fi
version=$(sed -nE 's/^## ([0-9]+\.[0-9]+\.[0-9]+).*/\1/p' CHANGELOG.md | head -n 1)
if commit=$(git_ rev-parse --short=10 HEAD); then
  version=$version-dev+$commit
fi
echo "$version"
