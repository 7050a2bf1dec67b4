"""Reads what codec_bench wrote with --benchmark_format=json and prints two tables: the best of all
repetitions of each benchmark, and how many times as fast as Apache Thrift C++ that is.

Usage: table.py FILE [--check]
--check: end with 1 when a target is not met. Python 3, no packages."""
import json
import sys

OURS, PEER, TEMPLATES = "frugal-interpreter", "apache-cpp", "apache-cpp-templates"
IMPLEMENTATIONS = [OURS, PEER, TEMPLATES, "memcpy"]
OPERATIONS = ["decode", "decode_nocopy", "encode", "append", "copy"]
OBJECTS = ["small", "medium", "large", "short", "wide", "i64list", "unknown", "shuffled"]

# How many times as fast as the peer (operation, object); other objects have no target.
TARGETS = {
    ("decode", "small"): 3.0,
    ("decode", "medium"): 5.0,
    ("decode", "large"): 7.0,
    ("decode", "wide"): 2.0,
    ("decode", "unknown"): 2.0,
    ("encode", "small"): 1.8,
    ("encode", "medium"): 1.8,
    ("encode", "large"): 1.8,
    ("encode", "wide"): 2.0,
}
# A ratio of figures that vary more than this is marked.
SPREAD_MAX = 0.25
# These of ours allocate nothing: a decode with a warm arena, an encode into a buffer with room.
WITHOUT_HEAP = ("decode", "decode_nocopy", "encode", "append")


def place_of(name):
    """Where a benchmark stands in the tables: they ran in random order."""
    operation, implementation, thing = name.split("/")
    return (OPERATIONS.index(operation), OBJECTS.index(thing),
            IMPLEMENTATIONS.index(implementation))


def best_of(path):
    """The context, {name: (ns, GB/s, allocations, how far the median is above the best)}, and how
    many repetitions there were."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    runs = {}
    for run in report["benchmarks"]:
        if run.get("error_occurred"):
            sys.exit("bench: %s: %s" % (run["name"], run["error_message"]))
        if run["run_type"] == "iteration":
            runs.setdefault(run["run_name"], []).append(run)
    rows = {}
    for name in sorted(runs, key=place_of):
        all_runs = runs[name]
        all_runs.sort(key=lambda run: run["cpu_time"])
        best, median = all_runs[0], all_runs[len(all_runs) // 2]
        rows[name] = (best["cpu_time"], best["bytes_per_second"] * 1e-9,
                      max(run["allocations"] for run in all_runs),
                      median["cpu_time"] / best["cpu_time"] - 1)
    return report["context"], rows, max((len(all_runs) for all_runs in runs.values()), default=0)


def print_all(rows):
    print("%-40s %12s %8s %12s %8s" % ("operation/implementation/object", "ns", "GB/s",
                                       "allocations", "spread"))
    for name in rows:
        ns, rate, allocations, spread = rows[name]
        print("%-40s %12.1f %8.2f %12.1f %7.0f%%" % (name, ns, rate, allocations, 100 * spread))


def print_ratios(rows):
    """Prints, and returns the number of targets that were missed. They are for PEER, the form that
    thrift-compiler generates."""
    missed = 0
    print("\n%-16s %10s %12s %8s %20s %8s %8s"
          % ("", "frugal ns", PEER, "ratio", TEMPLATES, "ratio", "target"))
    for name in rows:
        operation, implementation, thing = name.split("/")
        compared = [rows.get("%s/%s/%s" % (operation, other, thing))
                    for other in (OURS, PEER, TEMPLATES)]
        if implementation != OURS or None in compared:
            continue
        ours, peer, templates = (row[0] for row in compared)
        line = ("%-16s %10.1f %12.1f %7.2fx %20.1f %7.2fx"
                % (operation + " " + thing, ours, peer, peer / ours, templates, templates / ours))
        target = TARGETS.get((operation, thing))
        if target is not None:
            line += " %7.1fx %s" % (target, "ok" if peer / ours >= target else "BELOW")
            missed += peer / ours < target
        spread = max(row[3] for row in compared)
        if spread > SPREAD_MAX:
            line = "%-95s noisy: spread %.0f%%" % (line, 100 * spread)
        print(line)
    return missed


def print_heap(rows):
    """The same for allocations."""
    missed = 0
    print()
    for operation in WITHOUT_HEAP:
        counts = [row[2] for name, row in rows.items()
                  if name.startswith("%s/%s/" % (operation, OURS))]
        if not counts:
            continue
        missed += max(counts) > 0
        print("allocations of %-14s at most %.3f in any object %s"
              % (operation + ":", max(counts), "ok" if max(counts) == 0 else "BELOW"))
    return missed


def main():
    context, rows, repetitions = best_of(sys.argv[1])
    print("%s\n%s\nminimum of %d repetitions; spread: how far the median is above it\n"
          % (context["date"], context.get(PEER, ""), repetitions))
    print_all(rows)
    missed = print_ratios(rows) + print_heap(rows)
    if missed:
        print("\n%d target%s missed" % (missed, "" if missed == 1 else "s"))
    return 1 if missed and "--check" in sys.argv[2:] else 0


if __name__ == "__main__":
    sys.exit(main())
