#!/usr/bin/env bash
# Tells a running desktop about a changed desktop entry and icon, where the tools for that exist. usage: refresh-desktop.sh PREFIX
set -u
command -v update-desktop-database >/dev/null && update-desktop-database -q "$1/share/applications"
command -v gtk-update-icon-cache >/dev/null && gtk-update-icon-cache -qft "$1/share/icons/hicolor"
exit 0
