#!/usr/bin/env bash
# Draws the PNG files of this folder from the two SVG files. Needs rsvg-convert (Debian: librsvg2-bin).
# Run it after a change of the SVG files and commit what it writes.
set -euo pipefail
cd "$(dirname "$0")"
for size in 16 22 24; do rsvg-convert -w $size -h $size drover-small.svg -o drover-$size.png; done
for size in 32 48 64 128 256 512; do rsvg-convert -w $size -h $size drover.svg -o drover-$size.png; done
