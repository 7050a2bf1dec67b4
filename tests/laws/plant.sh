#!/bin/bash
# tests/laws/plant.sh - are the laws worth something? Plants faults of one line each into a copy of the
# interpreter and of the lowering to machine code, and runs the law that should see it. First the copy as
# it is must pass, or a failure would say nothing. Fails when a fault is not caught, and when a line to be
# changed is not there any more. Needs gcc (or $CC) and cmocka; takes a few minutes; part of
# scripts/test --full. With words as arguments: only the faults in whose line one of them is.
set -eu
cd "$(dirname "$0")/../.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
compiler=${CC:-gcc}
flags="-std=c11 -D_DEFAULT_SOURCE -O1 -g -Iinclude -I$copy/src -Itests"
rooms="core schema wire plan jit codec"

#       file                  law         what becomes what (a sed expression)            in words
plants="
src/codec/resync.c     | rewrite    | s/if (.*PLAN_REQUIRED.*seen_has.*{/if (0) {/    | a missing required field passes
src/codec/decode_loop.h | roundtrip | s/record\[s->has\] = 1;/record[s->has] = 0;/    | a present field is marked absent
src/codec/decode_loop.h | truncation | s/<= (uintptr_t)end)/<= (uintptr_t)end + 1)/   | one byte behind the input is read
src/codec/resync.c     | rewrite    | s/flags .= PLAN_INIT;/flags += 0;/               | a repeated struct is merged into the first
src/codec/encode_loop.h | room      | s/(size_t)(end - p) < (size_t)(fixed)/(size_t)(end - p) + 1 < (size_t)(fixed)/ | one byte behind the output is written
src/jit/decode.c       | mutation   | s/target_decode_byte(c, 3, step->tag, short_)/(void)short_/ | machine code: after a miss no element type is looked at
"

# Faults of the lowering are one CPU's.
[ "$(uname -m)" != x86_64 ] || plants+="
src/jit/lower_x64_decode.c | roundtrip | /^void target_decode_span/,/^}/ s/RSI, RBX, behind)/RSI, RBX, behind + 1)/ | machine code: integers are read one byte further
src/jit/lower_x64.c | truncation | /^void target_room/,/^}/ s/X64_CMP, RAX, R12/X64_CMP, RAX, RAX/ | machine code: nobody looks for room
src/jit/lower_x64.h | roundtrip  | /^static inline void load_swapped64/,/^}/ s/x64_bswap64/x64_bswap32/ | machine code without MOVBE: half of an i64 is swapped
src/jit/lower_x64.c | roundtrip  | /^void target_record(/,/^}/ s/X64_SUB, R8, (int32_t)depth/X64_SUB, R8, 0/ | machine code: a struct is no level
src/jit/lower_x64_decode.c | scarcity | /^static void allocate/,/^}/ s/0x29, RDX, R13/0x39, RDX, R13/ | machine code: the budget is not charged
src/jit/lower_x64_encode.c | room | /^void target_encode_text(/,/^}/ s/RCX, (int32_t)at + 4/RCX, (int32_t)at + 3/ | machine code: text ends one byte behind the output
"

objects_of() { # sources... -> their objects, compiled when they are not there
    local source
    for source; do
        local object=$copy/objects/${source//\//_}.o
        [ -f "$object" ] || echo "$compiler $flags -c $source -o $object" >>"$copy/commands"
        echo "$object"
    done
}

build() { # name of the law -> $copy/law
    : >"$copy/commands"
    local objects sources=()
    for room in $rooms; do sources+=("$copy/src/$room"/*.c); done
    objects=$(objects_of "${sources[@]}" tests/support/engines.c tests/support/gen_*.c tests/support/law*.c \
        tests/laws/"$1"_test.c)
    xargs -P2 -I{} bash -c '{}' <"$copy/commands"
    $compiler $objects -o "$copy/law" -lcmocka -lpthread
}

# What is compiled from a file; from a header is everything.
forget() {
    case $1 in
    *.h) rm -f "$copy"/objects/* ;;
    *) rm -f "$copy/objects/"*"_${1//\//_}.o" ;;
    esac
}

is_wanted() { # line -- words...
    local line=$1 word
    shift
    [ $# -gt 0 ] || return 0
    for word; do [[ $line != *$word* ]] || return 0; done
    return 1
}

# The shell that says that a law was ended by a signal is silenced, too.
run() {
    FRUGAL_LAW_ROUNDS=1 FRUGAL_SHARED='' bash -c "timeout 300 $copy/law; exit \$?" >"$copy/log" 2>&1
}

first_failure() { grep -m1 -oE '(does not hold|FAILED  \]|Segmentation|Abort).*' "$copy/log" || true; }

mkdir "$copy/objects"
cp -r src "$copy/src"
for law in rewrite roundtrip truncation room mutation scarcity; do
    build "$law"
    run || { tail -n 40 "$copy/log"; echo "$law: fails without any fault"; exit 1; }
    echo "$law: holds"
done

missed=0
while IFS='|' read -r file law change words; do
    [ -n "${file// /}" ] && is_wanted "$file$law$words" "$@" || continue
    file=${file// /} law=${law// /} change=$(sed 's/^ *//; s/ *$//' <<<"$change")
    cp "$file" "$copy/$file"
    sed -i "$change" "$copy/$file"
    if cmp -s "$file" "$copy/$file"; then
        echo "$file has no line for '$change'"
        exit 1
    fi
    forget "$file"
    build "$law"
    if run; then
        echo "NOT CAUGHT by $law:$words"
        missed=1
    else
        echo "caught by $law:$words ($(first_failure))"
    fi
    cp "$file" "$copy/$file"
    forget "$file"
done <<<"$plants"
exit $missed
