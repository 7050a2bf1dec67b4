#!/bin/bash
# tests/laws/plant.sh - are the laws worth something? Plants faults of one line each into a copy of the
# interpreter and runs the law that should see it. First the copy as it is must pass, or a failure
# would say nothing. Fails when a fault is not caught, and when a line to be changed is not there any
# more. Needs gcc (or $CC) and cmocka; takes about two minutes; part of scripts/test --full.
set -eu
cd "$(dirname "$0")/../.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
compiler=${CC:-gcc}
flags="-std=c11 -D_DEFAULT_SOURCE -O1 -g -Iinclude -I$copy/src -Itests"

#       file                  law         what becomes what (a sed expression)            in words
plants="
src/codec/resync.c     | rewrite    | s/if (.*PLAN_REQUIRED.*seen_has.*{/if (0) {/    | a missing required field passes
src/codec/decode_loop.h | roundtrip | s/record\[s->has\] = 1;/record[s->has] = 0;/    | a present field is marked absent
src/codec/decode_loop.h | truncation | s/<= (uintptr_t)end)/<= (uintptr_t)end + 1)/   | one byte behind the input is read
src/codec/resync.c     | rewrite    | s/flags .= PLAN_INIT;/flags += 0;/               | a repeated struct is merged into the first
src/codec/encode_loop.h | room      | s/(size_t)(end - p) < (size_t)(fixed)/(size_t)(end - p) + 1 < (size_t)(fixed)/ | one byte behind the output is written
"

objects_of() { # sources... -> their objects, compiled
    local source
    for source; do
        local object=$copy/objects/${source//\//_}.o
        echo "$compiler $flags -c $source -o $object" >>"$copy/commands"
        echo "$object"
    done
}

build() { # name of the law -> $copy/law
    : >"$copy/commands"
    local objects
    objects=$(objects_of "$copy"/src/*/*.c tests/support/gen_*.c tests/support/law*.c tests/laws/"$1"_test.c)
    xargs -P2 -I{} bash -c '{}' <"$copy/commands"
    $compiler $objects -o "$copy/law" -lcmocka -lpthread
}

# The shell that says that a law was ended by a signal is silenced, too.
run() {
    FRUGAL_LAW_ROUNDS=1 FRUGAL_SHARED='' bash -c "timeout 300 $copy/law; exit \$?" >"$copy/log" 2>&1
}

first_failure() { grep -m1 -oE '(does not hold|FAILED  \]|Segmentation|Abort).*' "$copy/log" || true; }

mkdir "$copy/objects"
cp -r src "$copy/src"
for law in rewrite roundtrip truncation room; do
    build "$law"
    run || { tail -n 40 "$copy/log"; echo "$law: fails without any fault"; exit 1; }
    echo "$law: holds"
done

missed=0
while IFS='|' read -r file law change words; do
    [ -n "${file// /}" ] || continue
    file=${file// /} law=${law// /} change=$(sed 's/^ *//; s/ *$//' <<<"$change")
    cp "$file" "$copy/$file"
    sed -i "$change" "$copy/$file"
    if cmp -s "$file" "$copy/$file"; then
        echo "$file has no line for '$change'"
        exit 1
    fi
    build "$law"
    if run; then
        echo "NOT CAUGHT by $law:$words"
        missed=1
    else
        echo "caught by $law:$words ($(first_failure))"
    fi
    cp "$file" "$copy/$file"
done <<<"$plants"
exit $missed
