#!/usr/bin/env bash
# Runs every fuzz target of the module for a while, one after the other (go test fuzzes one target at a time).
# usage: fuzz.sh [TIME, default 10s]
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go} time=${1:-10s} ran=0
while IFS=: read -r file line; do
  target=${line#func }
  target=${target%%(*}
  echo "== ${file%/*} $target"
  "$go" test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "./${file%/*}"
  ran=$((ran + 1))
done < <(git ls-files -co --exclude-standard '*_test.go' | xargs grep -H '^func Fuzz' || true)
echo "$ran fuzz targets ran for $time each"
[ "$ran" -gt 0 ]
