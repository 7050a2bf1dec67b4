#!/bin/sh
# bench/gen_size.sh FRUGAL FILE.thrift... - how much code an IDL becomes: lines, and bytes of text and data
# of the objects at -O2, from `frugal gen` (FRUGAL is the command) and from Apache Thrift's compiler for
# C++ and for C with GLib. CFLAGS adds to what is compiled for GLib, when its headers are elsewhere.
# Services of GLib and C++ bring clients and processors along; so there is a line for the file's types alone,
# where the generator puts them into files of their own.
set -eu
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 2; }
frugal=$(realpath "$1")
shift
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# row NAME COMPILE... - the files are in $work/out
row() {
    name=$1
    shift
    lines=$(cat "$work"/out/*.h "$work"/out/*.c* | wc -l)
    set -- "$@" -O2 -fPIC -w -I "$work/out"
    objects=
    for source in "$work"/out/*.c*; do
        if ! "$@" -c "$source" -o "$source.o" 2>"$work/log"; then
            printf '%-14s %-22s %8d %10s %10s %10s\n' "$idl" "$name" "$lines" - - "not compiled"
            sed -n 1,2p "$work/log" >&2
            return
        fi
        objects="$objects $source.o"
    done
    size $objects | awk -v idl="$idl" -v name="$name" -v lines="$lines" 'NR > 1 { text += $1; data += $2 + $3 }
        END { printf "%-14s %-22s %8d %10d %10d %10d\n", idl, name, lines, text, data, text + data }'
}

fresh() {
    rm -rf "$work/out"
    mkdir "$work/out"
}

printf '%-14s %-22s %8s %10s %10s %10s\n' IDL generator lines text data both
for file in "$@"; do
    idl=$(basename "$file" .thrift)
    fresh
    "$frugal" gen -o "$work/out" "$file"
    row "frugal gen" cc -std=c11 -I "$root/include"
    fresh
    thrift -out "$work/out" --gen cpp "$file" >"$work/log" 2>&1 || { cat "$work/log" >&2; continue; }
    rm -f "$work"/out/*skeleton*
    row "Apache cpp" c++ -std=c++17
    fresh
    thrift -out "$work/out" --gen c_glib "$file" >"$work/log" 2>&1 || { cat "$work/log" >&2; continue; }
    flags=$(pkg-config --cflags thrift_c_glib 2>/dev/null || true)
    # shellcheck disable=SC2086 # lists of flags
    row "Apache c_glib" cc $flags ${CFLAGS-}
done
