#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""group-sources.py ROOT OUTPUT... -- SOURCE... - writes files that include sources of C, for a faster build

Most of the time to compile a file is spent on the headers, which the files of a group read once. Files that define
the same name, static or not, are put in different groups, so that no source has to know of this. A group that stays
as it was is not written again.
"""
import os
import pathlib
import re
import subprocess
import sys

# What starts a line: functions; types and variables after a body; calls of macros, and names that such a call defines.
FUNCTION = re.compile(r'^([a-z_]\w*) \(', re.MULTILINE)
AFTER_BODY = re.compile(r'^\} (\w+)', re.MULTILINE)
MACRO = re.compile(r'^([A-Z]\w*) ?\(', re.MULTILINE)
MADE = re.compile(r'^[A-Z]\w* ?\((\w+)', re.MULTILINE)


def list_names(sources):
    """{source: names that it defines outside of functions}"""
    texts = {source: pathlib.Path(source).read_text() for source in sources}
    names = {source: {name for kind in (FUNCTION, AFTER_BODY, MADE) for name in kind.findall(text)}
             for source, text in texts.items()}
    macros = {macro for text in texts.values() for macro in MACRO.findall(text)}
    # A call without a semicolon would hide from ctags what follows it.
    found = subprocess.run(['ctags', '-x', '--languages=C', '--kinds-C=defgstuv', '--_xformat=%{input}\t%{name}',
                            '-I', ','.join(f'{macro}+' for macro in macros), *sources],
                           capture_output=True, text=True, check=True).stdout
    for line in found.splitlines():
        source, name = line.split('\t')
        names[source].add(name)
    return names


def group_sources(names, size):
    """Puts each source into the first group of its folder that has fewer than SIZE and none of its names. Headers of
    different folders may have names in common, too."""
    groups = []
    for source, own in names.items():
        folder = os.path.dirname(source)
        for members, taken in groups:
            if len(members) < size and os.path.dirname(members[0]) == folder and not taken & own:
                break
        else:
            members, taken = [], set()
            groups.append((members, taken))
        members.append(source)
        taken |= own
    return [members for members, _ in groups]


def main():
    root, *rest = sys.argv[1:]
    outputs, sources = rest[:rest.index('--')], [file for file in rest[rest.index('--') + 1:] if file.endswith('.c')]
    names = list_names(sources)
    for size in range(-(-len(sources) // len(outputs)), len(sources) + 1):
        groups = group_sources(names, size)
        if len(groups) <= len(outputs):
            break
    else:
        sys.exit(f'group-sources.py: {len(outputs)} files are too few for these sources')
    for k, output in enumerate(outputs):
        members = groups[k] if k < len(groups) else []
        text = ''.join(f'#include "{os.path.relpath(source, root)}"\n' for source in members)
        file = pathlib.Path(output)
        if not file.exists() or file.read_text() != text:
            file.write_text(text)


main()
