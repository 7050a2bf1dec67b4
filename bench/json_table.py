#!/usr/bin/env python3
"""bench/json_table.py FIGURES [--check] - the table of scripts/bench-json. FIGURES has lines of name,
nanoseconds and bytes of JSON, in any order, each name as often as it ran. --check: end with 1 when a
target is missed. --flatten instead of a file: such lines from Google Benchmark's JSON on standard
input."""
import json
import sys

OURS, PEER = "frugal", "dynamicgo"
OPERATIONS = ["write", "read"]
OBJECTS = ["short", "ascii", "chinese", "escaped", "numbers", "prices"]
# How many times as fast as the peer.
TARGETS = {"write": 2.0, "read": 1.8}
HIGHER = {"short": 3.0, "ascii": 3.0}
# A ratio of figures whose median is so far above the best is marked.
SPREAD_MAX = 0.25


def flatten():
    for run in json.load(sys.stdin)["benchmarks"]:
        if run.get("error_occurred"):
            sys.exit("bench-json: %s: %s" % (run["name"], run["error_message"]))
        if run["run_type"] == "iteration":
            size = run["bytes_per_second"] * run["cpu_time"] * 1e-9
            print(run["run_name"], "%.1f" % run["cpu_time"], round(size))


def read(path):
    """{name: (best ns, bytes, how far the median is above the best)}."""
    runs = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            name, ns, size = line.split()
            runs.setdefault(name, []).append((float(ns), int(size)))
    rows = {}
    for name, figures in runs.items():
        figures.sort()
        best, middle = figures[0][0], figures[len(figures) // 2][0]
        rows[name] = (best, figures[0][1], middle / best - 1)
    return rows


def print_row(operation, thing, ours, peer):
    """Returns whether a target was missed."""
    line = "%-14s %9.0f %7.2f" % (operation + " " + thing, ours[0], ours[1] / ours[0])
    if peer is None:
        print(line)
        return False
    ratio = peer[0] / ours[0]
    target = max(TARGETS[operation], HIGHER.get(thing, 0))
    line += " %12.0f %7.2f %7.2fx %6.1fx %s" % (peer[0], peer[1] / peer[0], ratio, target,
                                               "ok" if ratio >= target else "BELOW")
    spread = max(ours[2], peer[2])
    if spread > SPREAD_MAX:
        line = "%-76s noisy: spread %.0f%%" % (line, 100 * spread)
    print(line)
    return ratio < target


def main():
    if sys.argv[1] == "--flatten":
        return flatten()
    rows = read(sys.argv[1])
    print("%-14s %9s %7s %12s %7s %8s %7s" % ("", OURS + " ns", "GB/s", PEER + " ns", "GB/s", "ratio",
                                              "target"))
    missed = compared = 0
    for operation in OPERATIONS:
        for thing in OBJECTS:
            ours, peer = (rows.get("%s/%s/%s" % (operation, who, thing)) for who in (OURS, PEER))
            if ours:
                missed += print_row(operation, thing, ours, peer)
                compared += peer is not None
    if missed:
        print("\n%d target%s missed" % (missed, "" if missed == 1 else "s"))
    return 1 if "--check" in sys.argv[2:] and (missed or not compared) else 0


if __name__ == "__main__":
    sys.exit(main())
