#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
check.py - checks that text for users can be translated, and that translations fit the originals

  check.py [--complete]

Reads only the tree, in seconds. With --complete, extracts all texts and also lists what each
language of po/LINGUAS lacks; that is a check before a release (tests/soak/run translations).
"""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PO = ROOT / 'po'

# As meson's preset 'glib' in po/meson.build has it.
KEYWORDS = ['_', 'N_', 'C_:1c,2', 'NC_:1c,2', 'g_dcgettext:2', 'g_dngettext:2,3', 'g_dpgettext2:2c,3']
MARKS = {'_', 'N_', 'C_', 'NC_', 'Q_', 'ngettext', 'gettext', 'g_dgettext', 'g_dngettext', 'g_dpgettext2'}

# A sentence in one of these is read by a user.
TELLING = {
    'g_set_error', 'g_set_error_literal', 'g_error_new', 'g_error_new_literal', 'g_prefix_error',
    'gilk_answer_invalid', 'gilk_fail', 'gilk_fail_null', 'gilk_progress', 'gilk_painter_empty',
    'cli_note', 'cli_print', 'cli_print_tinted', 'cli_table_new', 'gtk_label_set_text',
    'gtk_button_set_label', 'gtk_widget_set_tooltip_text', 'gtk_label_set_label',
}
# Files of the same kinds that no user reads in his language, each with the reason.
NOT_FOR_USERS = {
    'cli/read/sqlite-module.c',            # sqlite3 loads it, and has one language
}

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[A-Za-z_]\w*|\n|\S', re.S)

failed = 0


def check(what, problems):
    global failed
    problems = list(problems)
    print(('not ok' if problems else 'ok') + ' - ' + what)
    for problem in problems:
        print('    ' + problem)
    failed += bool(problems)


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, encoding='utf-8', **more)


def sources(*folders):
    for folder in folders:
        yield from sorted((ROOT / folder).rglob('*.[ch]'))


# ---- C ----

def literals(path):
    """(line, whether marked, function that it is an argument of, text) of each piece of adjacent literals."""
    line, stack, before, piece = 1, [], '', None
    for token in TOKEN.findall(path.read_text(encoding='utf-8')):
        if token[0] == '"':
            if piece is None:
                marked = any(name in MARKS for name in stack)
                piece = [line, marked, next((name for name in reversed(stack) if name), ''), '']
            piece[3] += token[1:-1]
        elif token == '\n' or re.match(r'/[*/]', token) or re.match(r'PRI[a-zX]\d+$', token):
            line += token.count('\n')
            continue
        else:
            if piece is not None:
                yield tuple(piece)
                piece = None
            if token == '(':
                stack.append(before if re.match(r'\w', before) else '')
            elif token == ')' and stack:
                stack.pop()
        before = token
    if piece is not None:
        yield tuple(piece)


def has_message(text):
    """Words, and not only a format, a key or a command."""
    text = re.sub(r'%[-+ #0-9.*]*(?:hh|h|ll|l|j|z|t)?[a-zA-Z]|\\.', ' ', text)
    return re.search(r'[A-Za-z]{2,}[ ,;:.]+[a-z]{2,}|[A-Z]{3,}\|', text) is not None


def unmarked():
    for path in sources('core', 'cli', 'gui'):
        name = str(path.relative_to(ROOT))
        if name in NOT_FOR_USERS:
            continue
        for line, marked, function, text in literals(path):
            if not marked and function in TELLING and has_message(text):
                yield f'{name}:{line}: "{text[:60]}" is not marked by _()'


def macros_in_texts():
    """xgettext knows PRIu64 and its like, and none of GLib's: such a text would be cut off there."""
    glib = re.compile(r'\b(?:_|N_|C_|ngettext|g_dngettext)\s*\((?:"(?:\\.|[^"\\])*"|\s|PRI\w+|,)*(G_G\w+_(?:FORMAT|MODIFIER))')
    for path in sources('core', 'cli', 'gui'):
        for found in glib.finditer(path.read_text(encoding='utf-8')):
            yield f'{path.relative_to(ROOT)}: {found.group(1)} in a text; use PRIu64, PRId64, PRIx64 or %zu'


# ---- the list of files ----

def with_texts():
    for path in sources('core', 'cli', 'gui'):
        if any(marked for _, marked, _, _ in literals(path)):
            yield str(path.relative_to(ROOT))
    for path in sorted((ROOT / 'data').rglob('*')):
        name = str(path.relative_to(ROOT))
        if path.suffix == '.ui' and 'translatable="yes"' in path.read_text(encoding='utf-8'):
            yield name
        if name.endswith(('.desktop', '.metainfo.xml', '.gschema.xml', '.policy', '-mime.xml')):
            yield name


def listed():
    return [line for line in (PO / 'POTFILES.in').read_text().splitlines() if line and line[0] != '#']


def potfiles():
    have, want = listed(), list(with_texts())
    yield from (f'{name} has texts and is not in po/POTFILES.in' for name in sorted(set(want) - set(have)))
    yield from (f'{name} is in po/POTFILES.in and has no texts' for name in sorted(set(have) - set(want)))
    yield from (f'{name} is twice in po/POTFILES.in' for name, n in Counter(have).items() if n > 1)


# ---- what comes from elsewhere ----

def ready_made():
    """Sentences of the agent and of instruments are recognised by a list of them."""
    words = {text for _, marked, _, text in literals(ROOT / 'core/link/gilk-agent-messages.c') if marked}
    for path in sources('agent'):
        macros = dict(re.findall(r'#define\s+(\w+)\s+"([^"\n]*)"', path.read_text() + (ROOT / 'agent/gilkd-files.h').read_text()))
        for found in re.finditer(r'\bgilkd_(?:driver_)?fail\([^;"]*?("(?:\\.|[^"\\])*"'
                                 r'(?:\s*(?:"(?:\\.|[^"\\])*"|[A-Z_]{4,}\b))*)', path.read_text()):
            pieces = re.findall(r'"((?:\\.|[^"\\])*)"|([A-Z_]{4,})', found.group(1))
            text = ''.join(macros.get(macro, '') if macro else literal for literal, macro in pieces)
            if text not in words and text != '%s':
                yield f'{path.relative_to(ROOT)} says "{text[:60]}", which core/link/gilk-agent-messages.c does not know'
    for path in sources('instruments'):
        for text in re.findall(r'\.help = "([^"]+)"|ILK_FIELD\([^()]*"([^"]+)"\s*\)', path.read_text()):
            text = text[0] or text[1]
            if text not in words:
                yield f'{path.relative_to(ROOT)} says "{text}", which core/link/gilk-agent-messages.c does not know'


# ---- catalogues ----

def unquote(lines):
    return ''.join(re.match(r'"(.*)"$', line.strip()).group(1) for line in lines)


def entries(text):
    """Of a catalogue: (files, context, text, plural, [translations])"""
    for block in text.split('\n\n'):
        files, parts, now = [], {}, None
        for line in block.splitlines():
            if line.startswith('#:'):
                files += line[2:].split()
            found = re.match(r'(msg\w+(?:\[\d\])?) (".*")$', line)
            if found:
                now = parts.setdefault(found.group(1), [])
                now.append(found.group(2))
            elif line.startswith('"'):
                now.append(line)
        parts = {key: unquote(lines) for key, lines in parts.items()}
        if parts.get('msgid'):
            yield (files, parts.get('msgctxt'), parts['msgid'], parts.get('msgid_plural'),
                   [parts[key] for key in sorted(parts) if key.startswith('msgstr')])


def shown(text):
    return '"' + (text if len(text) <= 90 else text[:87] + '…') + '"'


def extract(folder):
    pot = folder / 'gilk.pot'
    done = run('xgettext', '--from-code=UTF-8', '--add-location=file', '--add-comments', '--package-name=gilk',
               *('--keyword=' + keyword for keyword in KEYWORDS), f'--files-from={PO}/POTFILES.in',
               f'--directory={ROOT}', f'--output={pot}', env={**os.environ, 'GETTEXTDATADIRS': str(PO), 'LC_ALL': 'C.UTF-8'})
    complaints = [line for line in done.stderr.splitlines() if 'fallback ITS' not in line]
    return pot, complaints


def missing(catalogue, pot, folder):
    merged = folder / 'merged.po'
    done = run('msgmerge', '--quiet', '--no-fuzzy-matching', f'--output-file={merged}', str(catalogue), str(pot))
    if done.returncode != 0:
        yield done.stderr
        return
    for how, word in (('--untranslated', 'not translated'), ('--only-fuzzy', 'to be looked over')):
        text = run('msgattrib', how, '--no-obsolete', '--no-wrap', str(merged)).stdout
        for files, _, text, _, _ in entries(text):
            yield f'{word}: {shown(text)} ({" ".join(files)})'
    fuzzy = run('msgattrib', '--only-fuzzy', '--no-wrap', str(catalogue)).stdout
    yield from (f'fuzzy: {shown(text)}' for _, _, text, _, _ in entries(fuzzy))


def mnemonics(text):
    return re.findall(r'_(\w)', text)


def have_same_ending(text, translation):
    marks = re.compile(r'(?:\\n|…|\.\.\.|\s)*$')
    end, other = marks.search(text).group(0), marks.search(translation).group(0)
    start, begin = (re.match(r'(?:\\n|\s)*', each).group(0) for each in (text, translation))
    return end == other and start == begin


def unlike(catalogue):
    for files, _, text, plural, translations in entries(catalogue.read_text(encoding='utf-8')):
        for translation in translations:
            one = plural if plural and len(translations) > 1 and translation is translations[-1] else text
            if not have_same_ending(one, translation):
                yield f'begins or ends otherwise: {shown(text)} {shown(translation)}'
            if any(name.endswith('.ui') for name in files) and bool(mnemonics(one)) != bool(mnemonics(translation)):
                yield f'has a mnemonic in one of both: {shown(text)} {shown(translation)}'
            if '|' in one and re.match(r'[|<>~^]', one):
                kinds = [[column[:1] for column in each.split('|')] for each in (one, translation)]
                if kinds[0] != kinds[1]:
                    yield f'has other columns: {shown(text)} {shown(translation)}'
            if re.search(r'["“”]', translation.replace('\\"', '"')) and '„' not in translation:
                yield f'has English quotation marks: {shown(translation)}'


def items_of(menu, say):
    """Of a menu with its sections, its submenus left out: they are open by themselves."""
    for child in menu:
        if child.tag == 'section':
            yield from items_of(child, say)
        elif child.tag in ('item', 'submenu'):
            yield from (say(a.text) for a in child.findall('attribute') if a.get('name') == 'label')


def clashes(say, language):
    """Two entries of one menu, or two labels of one popover or page, with the same key."""
    for path in sorted((ROOT / 'data/ui').glob('*.ui')):
        tree = xml.parse(path)
        groups = [(menu.get('id') or 'a submenu', list(items_of(menu, say))) for menu in tree.iter()
                  if menu.tag in ('menu', 'submenu')]
        for top in tree.getroot().findall('object'):
            labels = []
            for thing in top.iter('object'):
                properties = {p.get('name'): p for p in thing.findall('property')}
                label = properties.get('label', properties.get('text'))
                uses = properties.get('use-underline')
                if label is not None and (thing.get('class') == 'GtkModelButton' or
                                          uses is not None and uses.text in ('True', '1')):
                    labels.append(say(label.text))
            groups.append((top.get('id') or top.get('class'), labels))
        for name, labels in groups:
            keys = Counter(key.lower() for label in labels for key in mnemonics(label)[:1])
            for key, n in keys.items():
                if n > 1:
                    same = [label for label in labels if mnemonics(label)[:1] and mnemonics(label)[0].lower() == key]
                    yield f'{path.name}, {name}, {language}: {key} is the key of {", ".join(same)}'


def main():
    for program in ('xgettext', 'msgmerge', 'msgattrib', 'msgfmt'):
        if not any((Path(folder) / program).exists() for folder in os.environ['PATH'].split(':')):
            print(f'ok - translations # skip: {program} is not installed (apt install gettext)')
            return 0

    check('files with texts are listed', potfiles())
    check('what users read is marked', unmarked())
    check('texts have no macros of GLib', macros_in_texts())
    check('texts of agent and instruments are known', ready_made())
    check('mnemonics differ', clashes(lambda text: text or '', 'English'))
    with tempfile.TemporaryDirectory() as folder:
        pot, complaints = extract(Path(folder))
        check('texts can be extracted', complaints)
        for language in [line for line in (PO / 'LINGUAS').read_text().split('\n') if line and line[0] != '#']:
            catalogue = PO / (language + '.po')
            done = run('msgfmt', '--check', '--check-format', '--output-file=/dev/null', str(catalogue))
            check(f'{language}: well formed, formats alike', done.stderr.splitlines() if done.returncode else [])
            if '--complete' in sys.argv[1:]:
                check(f'{language}: complete', missing(catalogue, pot, Path(folder)))
            check(f'{language}: like the original', unlike(catalogue))
            words = {text: translations[0] for _, _, text, _, translations
                     in entries(catalogue.read_text(encoding='utf-8'))}
            check(f'{language}: mnemonics differ', clashes(lambda text: words.get(text, text or ''), language))
    return 1 if failed else 0


sys.exit(main())
