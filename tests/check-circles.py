#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check-circles.py LIBRARY... - no files of one library need each other in a circle

A file needs another if it uses a symbol of it. What is a circle cannot be read, tested or
changed one file at a time.
"""
import collections
import subprocess
import sys


def symbols(library):
    """{file: symbols it uses}, {symbol: file that has it}"""
    uses, home = collections.defaultdict(set), {}
    text = subprocess.run(['nm', '-A', '-g', library], capture_output=True, text=True, check=True)
    for line in text.stdout.splitlines():
        words = line.rsplit(':', 1)
        rest = words[1].split()
        file = words[0].replace(':', '/').rsplit('/', 1)[1].removesuffix('.c.o')
        file = file.rsplit('_', 1)[-1]
        if rest[-2] == 'U':
            uses[file].add(rest[-1])
        else:
            home[rest[-1]] = file
    return uses, home


def circles(needs):
    """Strongly connected components of more than one file (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(file):
        index[file] = low[file] = len(index)
        stack.append(file)
        for other in sorted(needs[file]):
            if other not in index:
                visit(other)
                low[file] = min(low[file], low[other])
            elif other in stack:
                low[file] = min(low[file], index[other])
        if low[file] == index[file]:
            at = stack.index(file)
            if len(stack) - at > 1:
                found.append(set(stack[at:]))
            del stack[at:]

    for file in sorted(needs):
        if file not in index:
            visit(file)
    return found


def main():
    bad = 0
    for library in sys.argv[1:]:
        uses, home = symbols(library)
        needs = collections.defaultdict(set)
        for file, names in uses.items():
            needs[file] = {home[n] for n in names if n in home and home[n] != file}
        for circle in circles(needs):
            bad += 1
            print('not ok - a circle:', ', '.join(sorted(circle)))
            for file in sorted(circle):
                for other in sorted(needs[file] & circle):
                    names = sorted(n for n in uses[file] if home.get(n) == other)
                    print(f'    {file} needs {other}: {", ".join(names)}')
    if not bad:
        print('ok - no files need each other in a circle')
    return bad > 0


sys.exit(main())
