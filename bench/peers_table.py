"""The table of scripts/bench-peers. Its input has lines of name, nanoseconds of wall time and of processor
time, bytes on the wire, bytes allocated and allocations of one call, in any order, each name as often as it
ran.

Usage: peers_table.py FIGURES [--check] [--csv OUT], or peers_table.py --flatten <JSON: such lines of what
codec_bench wrote. --check: end with 1 when a target is missed. Python 3, no packages."""
import csv
import json
import sys

from collections import namedtuple

OURS = ["frugal-jit", "frugal", "frugal-interpreter"]
NATIVE = ["apache-cpp", "memcpy"]
PEERS = ["fastcodec-go", "frugal-go", "frugal-go-jit", "apache-go"]
IMPLEMENTATIONS = OURS + PEERS + NATIVE
OPERATIONS = ["encode", "decode", "copy"]
OBJECTS = ["small", "medium", "large", "short"]
# How many times as fast machine code must be, in processor time and in wall time.
TARGETS = {("encode", "fastcodec-go", "small"): 1.1,
           ("encode", "fastcodec-go", "medium"): 2.6,
           ("encode", "fastcodec-go", "large"): 2.6}
TARGETS.update({("decode", "fastcodec-go", thing): 10 for thing in OBJECTS})
TARGETS.update({("encode", peer, thing): 3.5 for peer in ("frugal-go", "frugal-go-jit") for thing in OBJECTS})
TARGETS.update({("decode", peer, thing): 13 for peer in ("frugal-go", "frugal-go-jit") for thing in OBJECTS})
# A figure whose median is so far above the best is marked.
SPREAD_MAX = 0.25

Row = namedtuple("Row", "ns wall size allocated allocations spread")


def flatten():
    for run in json.load(sys.stdin)["benchmarks"]:
        if run.get("error_occurred"):
            sys.exit("bench-peers: %s: %s" % (run["name"], run["error_message"]))
        if run["run_type"] == "iteration":
            print(run["run_name"], "%.2f %.2f" % (run["real_time"], run["cpu_time"]), round(run["size"]),
                  "%.1f %.2f" % (run["allocated"], run["allocations"]))


def place_of(name):
    operation, implementation, thing = name.split("/")
    return (OPERATIONS.index(operation), OBJECTS.index(thing), IMPLEMENTATIONS.index(implementation))


def read(path):
    """{name: Row} in the order of the table, and how often each ran."""
    runs = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            name, *figures = line.split()
            runs.setdefault(name, []).append([float(figure) for figure in figures])
    rows = {}
    for name in sorted(runs, key=place_of):
        processor = sorted(run[1] for run in runs[name])
        rows[name] = Row(processor[0], min(run[0] for run in runs[name]), round(runs[name][0][2]),
                         max(run[3] for run in runs[name]), max(run[4] for run in runs[name]),
                         processor[len(processor) // 2] / processor[0] - 1)
    return rows, max((len(all_runs) for all_runs in runs.values()), default=0)


def print_all(rows):
    print("%-34s %9s %12s %12s %8s %11s %11s %8s" % ("operation/implementation/object", "bytes", "ns",
                                                     "ns, wall", "GB/s", "allocated", "allocations",
                                                     "spread"))
    for name, row in rows.items():
        print("%-34s %9d %12.1f %12.1f %8.2f %11.0f %11.2f %7.0f%%" % (
            name, row.size, row.ns, row.wall, row.size / row.ns, row.allocated, row.allocations,
            100 * row.spread))


def write_csv(rows, path):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["operation", "implementation", "object", "bytes", "ns", "ns_wall", "gb_per_s",
                         "bytes_allocated", "allocations", "spread"])
        for name, row in rows.items():
            writer.writerow(name.split("/") + [
                row.size, "%.2f" % row.ns, "%.2f" % row.wall, "%.3f" % (row.size / row.ns),
                "%.1f" % row.allocated, "%.3f" % row.allocations, "%.3f" % row.spread])


def print_ratios(rows):
    """Returns how many targets were missed. They are for machine code, and for both ratios."""
    missed = 0
    ours = next((who for who in OURS if any("/%s/" % who in name for name in rows)), None)
    if ours is None:
        return 0
    print("\n%-34s %8s %14s %8s %16s" % ("", "ns", ours + " ns", "ratio", "ratio, wall"))
    for name, row in rows.items():
        operation, peer, thing = name.split("/")
        our_row = rows.get("%s/%s/%s" % (operation, ours, thing))
        if peer not in PEERS + ["apache-cpp"] or our_row is None:
            continue
        ratio, wall = row.ns / our_row.ns, row.wall / our_row.wall
        line = "%-34s %8.0f %14.1f %7.2fx %15.2fx" % (name, row.ns, our_row.ns, ratio, wall)
        target = TARGETS.get((operation, peer, thing))
        if target is not None and ours == OURS[0]:
            good = min(ratio, wall) >= target
            missed += not good
            line += " >= %-4.4g %s" % (target, "ok" if good else "BELOW")
        spread = max(row.spread, our_row.spread)
        if spread > SPREAD_MAX:
            line = "%-100s noisy: spread %.0f%%" % (line, 100 * spread)
        print(line)
    return missed


def main():
    if sys.argv[1] == "--flatten":
        return flatten()
    rows, rounds = read(sys.argv[1])
    print("minimum of %d rounds, in each of which one program ran after the other; ns: processor time, with"
          "\nthat of garbage collection; wall: which collects beside the program, on another core;"
          "\nspread: how far the median is above the minimum\n" % rounds)
    print_all(rows)
    missed = print_ratios(rows)
    if "--csv" in sys.argv:
        write_csv(rows, sys.argv[sys.argv.index("--csv") + 1])
    if missed:
        print("\n%d target%s missed" % (missed, "" if missed == 1 else "s"))
    return 1 if missed and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
