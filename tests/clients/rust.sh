#!/usr/bin/env bash
# Runs the Rust clients `pjrt` and `ryft-pjrt`, as they are published, on the plugin:
#     MILLRACE_LIBRARY=.../libpjrt_millrace.so tests/clients/rust.sh [work folder]
# The crates are fetched by cargo and built in the work folder; nothing of theirs stays here. What fails is held against
# the .exceptions files of this folder. Wants cargo, clang, protoc and its include files (Debian: protobuf-compiler,
# libprotobuf-dev, libclang-dev).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mkdir -p "${1:-$root/build/clients}" && cd "${1:-$root/build/clients}" && pwd)
: "${MILLRACE_LIBRARY:?the plugin to test}"
export MILLRACE_LIBRARY RUST_BACKTRACE=0 CARGO_TERM_COLOR=never CARGO_TARGET_DIR="$work/rust-target"
PJRT=0.2.0 RYFT=0.0.2

# A copy of a crate's published files in the work folder.
fetch_crate() {
  local name=$1 version=$2 probe=$work/fetch-$1 source
  if [ ! -d "$work/$name-$version" ]; then
    mkdir -p "$probe/src"
    : >"$probe/src/lib.rs"
    printf '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n%s = "=%s"\n' \
      "$name" "$version" >"$probe/Cargo.toml"
    (cd "$probe" && cargo fetch --quiet)
    source=$(find "${CARGO_HOME:-$HOME/.cargo}/registry/src" -maxdepth 2 -name "$name-$version" | head -1)
    cp -r "$source" "$work/$name-$version"
  fi
}

# pjrt: no tests, two examples. They look for pjrt_c_api_cpu_plugin.so where the loader does, and one wants two devices.
run_pjrt() {
  fetch_crate pjrt $PJRT
  mkdir -p "$work/plugin"
  ln -sf "$MILLRACE_LIBRARY" "$work/plugin/pjrt_c_api_cpu_plugin.so"
  (cd "$work/pjrt-$PJRT" && cargo test --quiet --lib 2>&1 && cargo build --quiet --examples 2>&1) >"$work/pjrt-build.log" || {
    tail -40 "$work/pjrt-build.log"
    return 1
  }
  local example
  for example in "$work/pjrt-$PJRT"/examples/*.rs; do
    example=$(basename "$example" .rs)
    if MILLRACE_NUM_DEVICES=2 LD_LIBRARY_PATH="$work/plugin" timeout 60 "$CARGO_TARGET_DIR/debug/examples/$example"; then
      echo "PASS $example"
    else
      echo "FAIL $example"
    fi
  done >"$work/pjrt.out" 2>&1
  echo "== pjrt $PJRT"
  python3 "$here/compare.py" "$here/pjrt.exceptions" "$work/pjrt.out" || { cat "$work/pjrt.out"; return 1; }
}

# ryft: its tests load "the built-in CPU plugin", which is whatever its native archive brings.
run_ryft() {
  fetch_crate ryft-pjrt $RYFT
  mkdir -p "$work/ryft-archive/lib"
  cc -std=gnu17 -O1 -fPIC -I"$root" -c "$here/ryft_archive.c" -o "$work/ryft_archive.o"
  rm -f "$work/ryft-archive/lib/libryft-xla-sys.a"
  ar rcs "$work/ryft-archive/lib/libryft-xla-sys.a" "$work/ryft_archive.o"
  export RYFT_XLA_SYS_ARCHIVE=$work/ryft-archive XDG_CACHE_HOME=$work/cache
  test_ryft "ryft-pjrt-$RYFT" ryft-pjrt || return 1
  # Once more from a copy with one word changed, which has the tests use what XLA's plugin for the CPU does not have.
  rm -rf "$work/ryft-as-cuda"
  cp -r "$work/ryft-pjrt-$RYFT" "$work/ryft-as-cuda"
  sed -i 's/let $platform = $crate::tests::TestPlatform::Cpu;/let $platform = $crate::tests::TestPlatform::Cuda12;/' \
    "$work/ryft-as-cuda/src/lib.rs"
  test_ryft ryft-as-cuda ryft-pjrt-as-cuda
}

# test_ryft FOLDER EXCEPTIONS
test_ryft() {
  (cd "$work/$1" && touch src/lib.rs && cargo test --quiet --no-run) >"$work/ryft-build.log" 2>&1 || {
    tail -40 "$work/ryft-build.log"
    return 1
  }
  (cd "$work/$1" && timeout 300 cargo test --lib) >"$work/$2.out" 2>&1 || true
  echo "== $2 $RYFT"
  python3 "$here/compare.py" "$here/$2.exceptions" "$work/$2.out" || { tail -30 "$work/$2.out"; return 1; }
}

status=0
run_pjrt || status=1
run_ryft || status=1
exit $status
