#!/usr/bin/env bash
# Runs the Go client gopjrt, and go-xla, as which it goes on, on the plugin:
#     MILLRACE_LIBRARY=.../libpjrt_millrace.so tests/clients/go.sh [work folder]
# The modules come through the Go module proxy and are tested in copies in the work folder; nothing of theirs stays here.
# What fails is held against the .exceptions files of this folder. Wants go and a C compiler.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mkdir -p "${1:-$root/build/clients}" && cd "${1:-$root/build/clients}" && pwd)
: "${MILLRACE_LIBRARY:?the plugin to test}"

fetch_module() {
  local module=$1 version=$2 name=$3 folder
  if [ ! -d "$work/$name" ]; then
    folder=$(cd "$work" && go mod download -json "$module@$version" | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p')
    cp -r "$folder" "$work/$name"
    chmod -R u+w "$work/$name"
  fi
}

# The plugin goes by the name that the clients look for. go-xla's tests would rather download one and go on without.
mkdir -p "$work/plugin"
ln -sf "$MILLRACE_LIBRARY" "$work/plugin/pjrt_c_api_cpu_plugin.so"
export PJRT_PLUGIN_LIBRARY_PATH=$work/plugin

# run NAME PACKAGES...: with one device, on which what wants several skips itself, unless MILLRACE_NUM_DEVICES says how many.
# -vet=off: what a newer vet says of the client's format strings is not ours to judge.
run() {
  local name=$1
  shift
  (cd "$work/$name" && timeout 500 go test -v -count=1 -vet=off "$@") >"$work/$name.out" 2>&1 || true
  echo "== $name"
  python3 "$here/compare.py" "$here/$name.exceptions" "$work/$name.out" || { tail -30 "$work/$name.out"; return 1; }
}

status=0
fetch_module github.com/gomlx/gopjrt v0.10.0 gopjrt
fetch_module github.com/gomlx/go-xla v0.1.4 go-xla
run gopjrt ./pjrt ./dtypes/... || status=1
run go-xla ./pkg/pjrt ./pkg/stablehlo ./internal/tests ./internal/shapeinference || status=1
# Once more those that want several: programs with collectives and Shardy's shardings.
MILLRACE_NUM_DEVICES=8 run go-xla ./internal/tests || status=1
exit $status
