#!/usr/bin/env bash
# Makes the machine ready: checks the Go version and installs the Debian packages that are missing.
# usage: setup.sh GROUP...      groups: build, test, ci
# Says nothing when there is nothing to do. As root or with sudo it installs; otherwise it names the packages, and goes on
# if they are only for tests (those tests then skip and say why).
set -euo pipefail
cd "$(dirname "$0")/.."

build=(gcc libc6-dev pkg-config libgl1-mesa-dev libx11-dev libxcursor-dev libxi-dev libxinerama-dev libxrandr-dev libxxf86vm-dev)
# shellcheck disable=SC2034 # test and ci are read by name below
test=(xvfb x11-utils libgl1-mesa-dri fuse3 attr acl libcap2-bin e2fsprogs xfsprogs btrfs-progs exfat-fuse exfatprogs trash-cli)
# shellcheck disable=SC2034
ci=(xorg-dev openbox pcmanfm xdotool wmctrl dbus-x11 imagemagick rsync strace file desktop-file-utils appstream shellcheck)

check_go() {
  local go=${GO:-go} need have
  need=$(sed -nE 's/^go ([0-9.]+)$/\1/p' go.mod)
  if ! command -v "$go" >/dev/null; then
    echo "setup: Go $need or newer is needed and not found (https://go.dev/doc/install)" >&2
    return 1
  fi
  have=$(GOTOOLCHAIN=local "$go" env GOVERSION)
  have=${have#go}
  have=${have%%[!0-9.]*}
  if [ "$(printf '%s\n' "$need" "$have" | sort -V | head -n 1)" != "$need" ] && [ "$need" != "$have.0" ]; then
    echo "setup: Go $need or newer is needed, this is $have (https://go.dev/doc/install)" >&2
    return 1
  fi
}

missing() { # of the packages given, those that are not installed
  local p
  for p; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || echo "$p"
  done
}

# On other systems the packages have other names: pkg-config tells whether what the window needs is there.
check_without_dpkg() {
  local lib absent=()
  command -v "${CC:-cc}" >/dev/null || absent+=("a C compiler")
  command -v pkg-config >/dev/null || absent+=(pkg-config)
  for lib in gl x11 xcursor xi xinerama xrandr xxf86vm; do
    pkg-config --exists "$lib" 2>/dev/null || absent+=("the development files of $lib")
  done
  [ ${#absent[@]} -eq 0 ] && return
  echo "setup: please install what building the window needs:" >&2
  printf '  %s\n' "${absent[@]}" >&2
  return 1
}

install() {
  local as=() log
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null || { [ ! -t 0 ] && ! sudo -n true 2>/dev/null; }; then
      echo "setup: please install: sudo apt-get install $*" >&2
      return 1
    fi
    as=(sudo)
  fi
  echo "setup: installing $*" >&2
  log=$(mktemp)
  if ! { "${as[@]}" apt-get update -q &&
    "${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"; } </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

check_go
if ! command -v dpkg-query >/dev/null; then
  check_without_dpkg
  exit
fi
wanted=()
for group; do
  declare -n list=$group
  wanted+=("${list[@]}")
done
mapfile -t lacking < <(missing "${wanted[@]}")
[ ${#lacking[@]} -eq 0 ] && exit
if ! install "${lacking[@]}"; then
  mapfile -t vital < <(missing "${build[@]}")
  [ ${#vital[@]} -eq 0 ]
fi
