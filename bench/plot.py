"""Draws what scripts/bench or scripts/bench-peers wrote as csv: for encode and for decode, how many times
the time of memcpy each implementation takes. The scale is logarithmic; lower is better.

Usage: plot.py CSV PICTURE (.png, .svg, .pdf)
Python 3 and matplotlib (Debian: python3-matplotlib)."""
import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot  # noqa: E402 - the line above must come first
from matplotlib.patches import Patch  # noqa: E402

OPERATIONS = ["encode", "decode"]
OURS = ("frugal-jit", "frugal", "frugal-interpreter")
OUR_COLORS = ["#006d2c", "#31a354", "#a1d99b"]
THEIR_COLORS = ["tab:blue", "tab:cyan", "tab:purple", "tab:orange", "tab:red", "tab:brown", "tab:gray"]


def read(path):
    """{(operation, implementation, object): ns}."""
    with open(path, encoding="utf-8", newline="") as file:
        return {(line["operation"], line["implementation"], line["object"]): float(line["ns"])
                for line in csv.DictReader(file)}


def in_order(values):
    return list(dict.fromkeys(values))


def color_of(index, implementation):
    if implementation in OURS:
        return OUR_COLORS[OURS.index(implementation)]
    return THEIR_COLORS[index % len(THEIR_COLORS)]


def draw(axes, figures, operation, objects, implementations):
    width = 0.85 / len(implementations)
    for index, implementation in enumerate(implementations):
        bars = []
        for place, thing in enumerate(objects):
            ns = figures.get((operation, implementation, thing))
            memcpy = figures.get(("copy", "memcpy", thing))
            if ns and memcpy:
                bars.append((place + (index + 0.5) * width - 0.425, ns / memcpy))
        axes.bar([place for place, _ in bars], [cost for _, cost in bars], width,
                 color=color_of(index, implementation))
    axes.set_yscale("log")
    axes.set_ylabel(operation + ": time / memcpy")
    axes.set_xticks(range(len(objects)), objects, rotation=30 if len(objects) > 10 else 0)
    axes.grid(axis="y", which="both", alpha=0.3)
    axes.set_axisbelow(True)


def main():
    figures = read(sys.argv[1])
    objects = in_order(thing for operation, _, thing in figures if operation == "copy")
    implementations = in_order(who for operation, who, _ in figures if operation in OPERATIONS)
    if not objects or not implementations:
        sys.exit("plot: nothing to draw: encode or decode, and memcpy, of the same objects are needed")
    # Ours first, then in the order of the table.
    implementations.sort(key=lambda who: OURS.index(who) if who in OURS else len(OURS))
    figure, both = pyplot.subplots(2, 1, figsize=(max(10, 1.1 * len(objects)), 9), sharex=True)
    for axes, operation in zip(both, OPERATIONS):
        draw(axes, figures, operation, objects, implementations)
    # By hand, because one without an encode would get another color there.
    patches = [Patch(color=color_of(index, who), label=who) for index, who in enumerate(implementations)]
    both[0].legend(handles=patches, ncol=4, fontsize="small", loc="lower center", bbox_to_anchor=(0.5, 1.0))
    figure.tight_layout()
    figure.savefig(sys.argv[2], dpi=110)


if __name__ == "__main__":
    main()
