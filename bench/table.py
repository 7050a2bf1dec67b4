"""Reads what codec_bench wrote with --benchmark_format=json and prints three tables: the best of all
repetitions of each benchmark; ours against memcpy and against Apache Thrift C++, with the targets; and how
many times as fast as the other peers that is.

Usage: table.py FILE [--check] [--csv OUT]
--check: end with 1 when a target is not met. Python 3, no packages."""
import csv
import json
import sys

from collections import namedtuple

# What the library does by default has the first name when there is machine code, else the second.
JIT, PLAIN, INTERPRETER = "frugal-jit", "frugal", "frugal-interpreter"
PEER, MEMCPY = "apache-cpp", "memcpy"
OTHERS = ["apache-cpp-templates", "apache-cpp-fresh", "c-glib", "protobuf-cpp"]
IMPLEMENTATIONS = [JIT, PLAIN, INTERPRETER, PEER, *OTHERS, MEMCPY]
OPERATIONS = ["decode", "decode_nocopy", "encode", "append", "copy"]
OBJECTS = ["small", "medium", "large", "short", "wide", "i64list", "unknown", "shuffled", "event",
           "features", "strings", "i64map", "deep"]
OBJECTS += [kind + "x" + count for kind in ("i16", "i32", "i64", "f64", "bool")
            for count in ("8", "1024", "100000")]

# How many times as fast as apache-cpp; other objects have no target.
INTERPRETER_TARGETS = {
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
JIT_TARGETS = {
    ("decode", "small"): 4.2,
    ("decode", "medium"): 8.5,
    ("decode", "large"): 11.0,
    ("decode", "wide"): 4.0,
    ("encode", "small"): 3.2,
    ("encode", "medium"): 3.4,
    ("encode", "large"): 2.8,
    ("encode", "wide"): 2.5,
}
# How many times the time of memcpy machine code may take, and what we aim at.
JIT_COSTS = {
    ("encode", "small"): (2.2, 1.5),
    ("encode", "medium"): (2.7, 2.0),
    ("encode", "large"): (1.7, 1.4),
    ("encode", "short"): (12.0, 7.0),
    ("encode", "i64list"): (1.6, 1.2),
    ("decode", "small"): (1.85, 1.5),
    ("decode", "medium"): (2.5, 2.0),
    ("decode", "large"): (1.55, 1.3),
    ("decode", "short"): (11.5, 7.0),
    ("decode", "i64list"): (1.6, 1.2),
    ("decode_nocopy", "small"): (1.15, 0),
    ("decode_nocopy", "medium"): (1.2, 0),
    ("decode_nocopy", "large"): (1.1, 0),
    ("decode_nocopy", "short"): (10.0, 0),
}
# How many times as fast as the interpreter machine code must be, there and everywhere else.
JIT_GAINS = {("encode", "short"): 1.6, ("decode", "short"): 1.6}
JIT_GAIN_MIN = 0.95
# A ratio of figures that vary more than this is marked.
SPREAD_MAX = 0.25
# These of ours allocate nothing: a decode with a warm arena, an encode into a buffer with room.
WITHOUT_HEAP = ("decode", "decode_nocopy", "encode", "append")

# `spread`: how far the median is above the best. `size`: bytes of the message on the wire.
Row = namedtuple("Row", "ns rate allocated allocations spread size")


def place_of(name):
    """Where a benchmark stands in the tables: they ran in random order."""
    operation, implementation, thing = name.split("/")
    return (OPERATIONS.index(operation), OBJECTS.index(thing),
            IMPLEMENTATIONS.index(implementation))


def best_of(path):
    """The context, {name: Row}, and how many repetitions there were."""
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
        all_runs = sorted(runs[name], key=lambda run: run["cpu_time"])
        best, median = all_runs[0], all_runs[len(all_runs) // 2]
        rows[name] = Row(best["cpu_time"], best["bytes_per_second"] * 1e-9,
                         max(run["allocated"] for run in all_runs),
                         max(run["allocations"] for run in all_runs),
                         median["cpu_time"] / best["cpu_time"] - 1, round(best["size"]))
    return report["context"], rows, max((len(all_runs) for all_runs in runs.values()), default=0)


def print_context(context, repetitions):
    loads = " ".join("%.1f" % load for load in context.get("load_avg", []))
    print("%s, load %s" % (context["date"], loads))
    for name in (PLAIN, "compiler", PEER, "c-glib", "protobuf-cpp"):
        if name in context:
            print("%s: %s" % (name, context[name]))
    print("minimum of %d repetitions; spread: how far the median is above it\n" % repetitions)


def print_all(rows):
    print("%-40s %9s %12s %8s %11s %11s %8s" % ("operation/implementation/object", "bytes", "ns", "GB/s",
                                                "allocated", "allocations", "spread"))
    for name, row in rows.items():
        print("%-40s %9d %12.1f %8.2f %11.0f %11.2f %7.0f%%" % (
            name, row.size, row.ns, row.rate, row.allocated, row.allocations, 100 * row.spread))


def write_csv(rows, path):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["operation", "implementation", "object", "bytes", "ns", "gb_per_s",
                         "bytes_allocated", "allocations", "spread"])
        for name, row in rows.items():
            writer.writerow(name.split("/") + [row.size, "%.2f" % row.ns, "%.3f" % row.rate,
                                               "%.1f" % row.allocated, "%.3f" % row.allocations,
                                               "%.3f" % row.spread])


class Targets:
    """Counts those that were missed, and words them."""

    def __init__(self):
        self.missed = 0

    def verdict(self, good):
        self.missed += not good
        return "ok" if good else "BELOW"


def against_memcpy(targets, key, implementation, cost):
    """A cell: how many times the time of memcpy, at most, and what we aim at."""
    text = "%6.2f" % cost
    if implementation != JIT or key not in JIT_COSTS:
        return "%-25s" % text
    must, aim = JIT_COSTS[key]
    text += " <= %-5.4g %s" % (must, targets.verdict(cost <= must))
    if aim:
        text += ", aim" if cost <= aim else " %.4g" % aim
    return "%-25s" % text


def against_peer(targets, key, implementation, ratio):
    """A cell: how many times as fast as apache-cpp, at least."""
    text = "%6.2fx" % ratio
    target = {JIT: JIT_TARGETS, INTERPRETER: INTERPRETER_TARGETS}.get(implementation, {}).get(key)
    if target is not None:
        text += " >= %-4.4g %s" % (target, targets.verdict(ratio >= target))
    return "%-20s" % text


def against_interpreter(targets, key, ratio):
    target = JIT_GAINS.get(key, JIT_GAIN_MIN)
    return "%6.2fx >= %-4.4g %s" % (ratio, target, targets.verdict(ratio >= target))


def print_ours(targets, rows):
    print("\n%-42s %10s %-25s %-20s %s" % ("", "ns", "/ memcpy (must; aim)", "x " + PEER,
                                           "x " + INTERPRETER))
    for name, row in rows.items():
        operation, implementation, thing = name.split("/")
        if implementation not in (JIT, PLAIN, INTERPRETER):
            continue
        key, compared = (operation, thing), [row]
        cells = [" " * 25, " " * 20, ""]
        memcpy = rows.get("copy/memcpy/" + thing)
        peer = rows.get("%s/%s/%s" % (operation, PEER, thing))
        interpreter = rows.get("%s/%s/%s" % (operation, INTERPRETER, thing))
        if memcpy:
            cells[0] = against_memcpy(targets, key, implementation, row.ns / memcpy.ns)
            compared.append(memcpy)
        if peer:
            cells[1] = against_peer(targets, key, implementation, peer.ns / row.ns)
            compared.append(peer)
        if implementation == JIT and interpreter:
            cells[2] = against_interpreter(targets, key, interpreter.ns / row.ns)
            compared.append(interpreter)
        line = "%-42s %10.1f %s" % (name, row.ns, " ".join(cells))
        spread = max(other.spread for other in compared)
        if spread > SPREAD_MAX:
            line = "%-123s noisy: spread %.0f%%" % (line, 100 * spread)
        print(line.rstrip())


def print_others(rows):
    """How many times as fast as each of the others the default is."""
    print("\ntimes as fast as%25s %s" % ("", " ".join("%20s" % other for other in OTHERS)))
    for name, row in rows.items():
        operation, implementation, thing = name.split("/")
        others = [rows.get("%s/%s/%s" % (operation, other, thing)) for other in OTHERS]
        if implementation not in (JIT, PLAIN) or not any(others):
            continue
        cells = ["%19.2fx" % (other.ns / row.ns) if other else "%20s" % "-" for other in others]
        print("%-41s %s" % (name, " ".join(cells)))


def print_heap(targets, rows):
    print()
    for operation in WITHOUT_HEAP:
        counts = [row.allocations for name, row in rows.items()
                  if name.split("/")[0] == operation
                  and name.split("/")[1] in (JIT, PLAIN, INTERPRETER)]
        if counts:
            print("allocations of our %-14s at most %.3f in any object %s"
                  % (operation + ":", max(counts), targets.verdict(max(counts) == 0)))


def main():
    arguments = sys.argv[1:]
    context, rows, repetitions = best_of(arguments[0])
    targets = Targets()
    print_context(context, repetitions)
    print_all(rows)
    print_ours(targets, rows)
    print_others(rows)
    print_heap(targets, rows)
    if "--csv" in arguments:
        write_csv(rows, arguments[arguments.index("--csv") + 1])
    if targets.missed:
        print("\n%d target%s missed" % (targets.missed, "" if targets.missed == 1 else "s"))
    return 1 if targets.missed and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main())
