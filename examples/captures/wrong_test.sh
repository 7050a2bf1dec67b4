#!/bin/sh
# wrong_test.sh READ_CAPTURES DATA [EMULATOR...] - what the example says about captures that are not well formed, and
# about wrong usage. Each capture cut after every byte must be refused, with its name and an offset.
set -u
read_captures=$1
data=$2
shift 2
emulator=$*
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

failed() {
    echo "FAILED: $1" >&2
    exit 1
}

# expect STATUS WORDS ARGUMENT...: the exit status, and words that its output must have.
expect() {
    status=$1
    words=$2
    shift 2
    $emulator "$read_captures" "$@" >"$folder/output" 2>&1
    got=$?
    [ $got -eq "$status" ] || { cat "$folder/output"; failed "status $got, not $status: $*"; }
    grep -q -e "$words" "$folder/output" || { cat "$folder/output"; failed "no '$words': $*"; }
}

# copy CAPTURE OFFSET OCTAL: a copy with one byte changed, in $folder/changed.bin.
copy() {
    cp "$data/$1" "$folder/changed.bin" && chmod u+w "$folder/changed.bin"
    printf "\\$3" | dd of="$folder/changed.bin" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# ---- every truncation ----
for capture in buffered-echofull.0.c2s framed-fail.0.s2c ttheader-meta-biz.0.s2c \
               ttheaderframed-mixed.0.c2s buffered-unknown.0.s2c; do
    mkdir "$folder/cut"
    size=$(wc -c <"$data/$capture.bin")
    length=1
    while [ $length -lt "$size" ]; do
        head -c $length "$data/$capture.bin" >"$folder/cut/$(printf '%04d' $length).bin"
        length=$((length + 1))
    done
    expect 1 "$((size - 1)) files, 0 messages, $((size - 1)) problems" --quiet "$folder/cut"
    clear=$(grep -c -E 'cut/[0-9]+\.bin: at byte [0-9]+: FRUGAL_[A-Z]+: .+' "$folder/output")
    [ "$clear" -eq $((size - 1)) ] || failed "$capture: $clear clear messages for $((size - 1)) files"
    rm -r "$folder/cut"
done

# ---- one wrong byte ----
copy buffered-echo.0.c2s.bin 3 006
expect 1 'at byte .*: FRUGAL_MESSAGE_TYPE' "$folder/changed.bin"
copy buffered-echo.0.c2s.bin 8 130
expect 1 'FRUGAL_NOTFOUND: no such method: Xcho' "$folder/changed.bin"
copy framed-ping.0.c2s.bin 3 022
expect 1 'at byte 0: FRUGAL_FRAME: a frame of 18 bytes' "$folder/changed.bin"
copy ttheader-ping.0.c2s.bin 13 377
expect 1 'at byte 12: FRUGAL_HEADER' "$folder/changed.bin"
copy ttheader-meta-biz.0.s2c.bin 16 011
expect 1 'at byte 16: FRUGAL_HEADER: unknown kind of header block: 9' "$folder/changed.bin"
copy ttheaderframed-ping.0.c2s.bin 21 020
expect 1 'at byte 18: FRUGAL_FRAME: the frame inside has 16 bytes, 17 are left' "$folder/changed.bin"
copy buffered-mixed.0.c2s.bin 20 002 # a bool of 2 is true, and written as 1
expect 1 'at byte 20: FRUGAL_MALFORMED: encoded again, the message differs' "$folder/changed.bin"

# ---- usage ----
expect 0 'usage: read_captures' --help
expect 2 'unknown option --fast' --fast "$data"
expect 2 'no capture is named'
mkdir "$folder/empty"
expect 1 'no captures' "$folder/empty"
expect 1 'cannot read it' "$folder/nowhere.bin"
expect 2 'not a count from 1: 0' --batch 0 "$data"
expect 0 '1 files, 0 messages: nothing was sent' "$data/framed-notifyonly.0.s2c.bin"
expect 0 'all ' --quiet --batch 3 "$data/framed-echo.0.c2s.bin"
echo 'all as expected'
