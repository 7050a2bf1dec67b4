"""Puts a script's table into a document, between the two comments that name it.

Usage: into.py DOCUMENT NAME <TABLE
The comments: <!-- table: NAME --> and <!-- end: NAME -->. Python 3, no packages."""
import sys


def main():
    path, name = sys.argv[1:]
    before, after = "<!-- table: %s -->\n" % name, "<!-- end: %s -->\n" % name
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(before) != 1 or text.count(after) != 1 or text.index(before) > text.index(after):
        sys.exit("into: %s has no place for %s" % (path, name))
    head, rest = text.split(before)
    with open(path, "w", encoding="utf-8") as file:
        file.write(head + before + "```\n" + sys.stdin.read() + "```\n" + after + rest.split(after)[1])


if __name__ == "__main__":
    main()
