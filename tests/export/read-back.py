#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: programs of others read each export as it was meant
"""read-back.py GILK MAKE-SESSION - what each export holds, as other programs read it

A session is made whose samples are known; each format is read by a reader that is not ours: csv and
json of Python, babeltrace2, protobuf, lcov and genhtml. All samples have to be there, with their
times and fields, and what was lost.
"""
import collections
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile

import perfetto_trace

GILK, MAKE = (os.path.realpath(path) for path in sys.argv[1:3])
ZERO_MONO = 7200 * 10**9 + 123456789
ZERO_UNIX = 1700000000 * 10**9 + 987654321
COUNTERS = ('branch-entry', 'branch-left', 'branch-never', 'plain "one"')
SPANS = ('outer-in', 'outer-out', 'inner-in', 'inner-out')
LOST = {0: 20, 2: 5}
INSTRUMENTS = {'task-a': 'task', 'task-b': 'task', 'wide': 'wide', 'stamp': 'stamp'}


def gilk(*words, code=0):
    done = subprocess.run([GILK, *words], capture_output=True, check=False)
    assert done.returncode == code, (words, done.returncode, done.stderr[-500:])
    return done.stdout


def by_time(samples):
    return sorted(samples, key=lambda s: (s['t_ns'], s['hook']))


def same(found, expected):
    assert len(found) == len(expected), (len(found), len(expected))
    for a, b in zip(by_time(found), by_time(expected)):
        assert a == b, (a, b)


def instrument(hook):
    return 'span' if hook in SPANS else 'count' if hook in COUNTERS else INSTRUMENTS[hook]


# ---- lines ----

def test_csv(truth):
    for name in ('task', 'wide', 'stamp', 'span', 'count'):
        hooks = sorted({s['hook'] for s in truth if instrument(s['hook']) == name})
        text = gilk('export', 's.gilk', '--csv', *(f'--hook={h}' for h in hooks)).decode()
        rows = list(csv.DictReader(io.StringIO(text, newline='')))
        found = [{k: v for k, v in row.items() if v != ''} for row in rows]
        expected = [{k: str(v) for k, v in s.items()} for s in truth if s['hook'] in hooks]
        assert [int(r['t_ns']) for r in rows] == sorted(int(r['t_ns']) for r in rows)
        for row in found + expected:
            row['t_ns'] = int(row['t_ns'])
        same(found, expected)


def test_ndjson(truth):
    records = [json.loads(line) for line in gilk('export', 's.gilk', '--ndjson').splitlines()]
    found = [{k: v for k, v in r.items() if v is not None} for r in records if 'totals' not in r]
    same(found, truth)
    totals = {r['hook']: r['totals'] for r in records if 'totals' in r}
    assert sum(t['lost'] for t in totals.values()) == 25 and len(totals) == 12
    stored = collections.Counter(s['hook'] for s in truth if s['hook'] not in COUNTERS)
    assert all(totals[h]['stored'] == stored[h] for h in stored)


def test_choice(truth):
    words = ('--hook=task-a', '--hook=task-b', '--from=20ms', '--to=60ms', '--if=pid == 101', '--if=cpu != 1')
    expected = [s for s in truth if s['hook'] in ('task-a', 'task-b') and 20 * 10**6 <= s['t_ns'] < 60 * 10**6 and
                s['pid'] == 101 and s['cpu'] != 1]
    assert len(expected) > 20
    records = [json.loads(line) for line in gilk('export', 's.gilk', '--ndjson', *words).splitlines()]
    same([r for r in records if 'totals' not in r], expected)
    gilk('export', 's.gilk', '--ctf', '-o', 'chosen', *words)
    assert len(read_ctf('chosen')[0]) == len(expected)
    _, _, events = perfetto_trace.events(gilk('export', 's.gilk', '--perfetto', *words))
    assert sum(e['type'] == 3 for e in events) == len(expected)


# ---- CTF ----

LINE = re.compile(r'\[(\d+)\] (?:\(\+[\d?]+\) )?(.*?): (?:\{ cpu_id = (\d+) \}, )?\{ ?(.*?) ?\}$')
FIELD = re.compile(r'(\w+) = ("(?:\\.|[^"\\])*"|[^,]+)(?:, |$)')


def read_ctf(path):
    done = subprocess.run(['babeltrace2', '--clock-cycles', path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-1000:]
    found = []
    for line in done.stdout.splitlines():
        cycles, who, cpu, fields = LINE.match(line).groups()
        sample = {'t_ns': int(cycles) - ZERO_MONO, 'who': who}
        if cpu is not None:
            sample['cpu'] = int(cpu)
        for name, value in FIELD.findall(fields):
            sample[name] = (value[1:-1].replace('\\"', '"') if value.startswith('"')
                            else f'0x{int(value, 16):016x}' if value.startswith('0x') else int(value))
        found.append(sample)
    return found, done.stderr


def of_day(text):
    """Nanoseconds of the run of a time of that day."""
    hours, minutes, seconds = text.split(':')
    whole, part = seconds.split('.')
    return ((int(hours) * 60 + int(minutes)) * 60 + int(whole)) * 10**9 + int(part) - ZERO_UNIX % (86400 * 10**9)


def test_ctf(truth):
    gilk('export', 's.gilk', '--ctf', '-o', 'trace')
    found, said = read_ctf('trace')
    labels = sorted({s['hook'] for s in truth}, key=len, reverse=True)
    for sample in found:
        who = sample.pop('who')
        sample['hook'] = next(l for l in labels if who.endswith(l) or who.endswith(l.replace('"', '\\"')))
    same(found, truth)
    lost = collections.Counter()
    spans = []
    for n, begin, end, stream in re.findall(
            r'discarded (\d+) events? between \[([\d:.]+)\] and \[([\d:.]+)\].*?samples_(\d+)"', said):
        lost[int(stream)] += int(n)
        spans.append((int(stream), of_day(begin), of_day(end), int(n)))
    assert dict(lost) == LOST, (lost, said[-800:])
    # The losses of known times, the second from where the first ends.
    assert (0, 40000000, 52000000, 12) in spans and (0, 52000000, 90000000, 5) in spans, spans
    seconds = subprocess.run(['babeltrace2', '--clock-seconds', 'trace'], capture_output=True, text=True,
                             check=True).stdout.splitlines()[0]
    first = by_time([s for s in truth])[0]['t_ns']
    assert seconds.startswith('[%d.%09d]' % divmod(ZERO_UNIX + first, 10**9)), seconds
    metadata = open('trace/metadata', encoding='utf-8').read()
    assert 'uuid = "3c9f2a44-4f0e-4a53-9a51-0a1b2c3d4e5f"' in metadata
    assert 'precision = 61;' in metadata        # 20 ns, and 30 + 11


# ---- Perfetto ----

def test_perfetto(truth):
    clocks, tracks, events = perfetto_trace.events(gilk('export', 's.gilk', '--perfetto'))
    assert clocks == {3: ZERO_MONO, 1: ZERO_UNIX}
    found = []
    for e in events:
        if e['type'] != 3 or e['category'] == ['span']:
            continue
        notes = dict(e['notes'])
        track = tracks[e['track']]
        cpu = notes.pop('on_cpu', None)
        if cpu is None:
            cpu = int(re.fullmatch(r'CPU (\d+)', track.name).group(1))
        else:
            assert track.thread.tid == notes['pid'] and track.thread.thread_name == notes['comm']
        assert e['category'] == [instrument(e['name'])]
        found.append({'hook': e['name'], 'cpu': cpu, 't_ns': e['t'] - ZERO_MONO, **notes})
    same(found, [s for s in truth if s['hook'] not in COUNTERS + SPANS])

    values = [{'hook': tracks[e['track']].name, 't_ns': e['t'] - ZERO_MONO, 'count': e['value']}
              for e in events if e['type'] == 4]
    same([v for v in values if v['hook'] in COUNTERS], [s for s in truth if s['hook'] in COUNTERS])
    last = {}
    for v in values:
        last[v['hook']] = v['count']
    assert {c: last[f'Samples lost on CPU {c}'] for c in LOST} == LOST
    check_slices(tracks, events, truth)


def check_slices(tracks, events, truth):
    """Slices nest on each track; each sample of a span is a begin, an end or a stray instant."""
    open_ones = collections.defaultdict(list)
    marks, durations = [], collections.defaultdict(list)
    for e in events:
        t, notes = e['t'] - ZERO_MONO, e['notes']
        if e['type'] == 1:
            open_ones[e['track']].append(e)
            marks.append((t, notes['entry'], notes['on_cpu'], notes['frame']))
            base = int(notes['frame'], 16) >> 14 << 14
            assert tracks[e['track']].name.endswith(f'0x{base:016x}')
        elif e['type'] == 2:
            begin = open_ones[e['track']].pop()
            assert begin['t'] <= e['t']
            if 'exit' in notes:
                marks.append((t, notes['exit'], notes['exit_on_cpu'], begin['notes']['frame']))
            if 'cut' not in notes:
                durations[begin['name']].append(e['t'] - begin['t'])
        elif e['type'] == 3 and e['category'] == ['span']:
            cpu = int(re.fullmatch(r'CPU (\d+)', tracks[e['track']].name).group(1))
            marks.append((t, e['name'], cpu, notes['frame']))
    expected = [(s['t_ns'], s['hook'], s['cpu'], s['frame']) for s in truth if s['hook'] in SPANS]
    assert sorted(marks) == sorted(expected)
    pairs = {f: [e - b for b, e, _ in ps] for f, ps in pair(truth).items()}
    assert {f: sorted(d) for f, d in durations.items()} == {f: sorted(d) for f, d in pairs.items()}


def pair(truth):
    """Calls of each function: by frame, entry then exit, nothing between."""
    pairs = collections.defaultdict(list)
    last = {}
    for s in by_time(s for s in truth if s['hook'] in SPANS):
        function, end = s['hook'].split('-')
        before = last.get((function, s['frame']))
        if end == 'out' and before is not None and before[0] == 'in':
            pairs[function].append((before[1], s['t_ns'], s['frame']))
        last[function, s['frame']] = (end, s['t_ns'])
        if function == 'outer':                  # a call below it cannot outlive it
            last.pop(('inner', f"0x{int(s['frame'], 16) - 0x140:016x}"), None)
    return pairs


# ---- stacks ----

def read_stacks(*words):
    lines = [line.rsplit(' ', 1) for line in gilk('export', 's.gilk', '--stacks', *words).decode().splitlines()]
    assert lines == sorted(lines)
    return {stack: int(n) for stack, n in lines}


def test_stacks(truth):
    stacks = read_stacks()
    for comm in ('cat', 'tr', 'kworker/0:1', 'a;b "c"'):
        name = comm.replace(';', ':')
        n = sum(s['hook'] == 'task-a' and s['comm'] == comm for s in truth)
        assert stacks[f'{name};pipe_write;+0x2b1:pre'] == n, comm
    assert stacks['[all processes];branch;+0x0:pre'] == 100
    assert '[all processes];branch;+0x18:pre' not in stacks          # never ran
    assert sum(n for s, n in stacks.items() if s.startswith('[lost];')) == 25
    assert sum(stacks.values()) == sum(s['hook'] not in COUNTERS for s in truth) + 25 + 137
    part = read_stacks('--from=50ms', '--to=150ms')
    assert part['[all processes];branch;+0x0:pre'] == 50             # read at 40 and 140 ms


def test_stack_times(truth):
    pairs = pair(truth)
    inner, alone = 0, 0
    outer = sum(e - b for b, e, _ in pairs['outer'])
    calls = [(b, e, int(f, 16) >> 14) for b, e, f in pairs['outer']]
    for b, e, f in pairs['inner']:
        if any(ob < b and e < oe and of == int(f, 16) >> 14 for ob, oe, of in calls):
            inner += e - b
        else:
            alone += e - b
    stacks = read_stacks('--weight=time')
    assert stacks['outer'] == round((outer - inner) / 1000 + 1e-9)
    assert stacks['outer;inner'] in (round((inner + alone) / 1000 + 1e-9), round(inner / 1000 + 1e-9)), (stacks, inner, alone)
    gilk('export', 's.gilk', '--stacks', '--weight=time', '--hook=wide', code=3)


# ---- lcov ----

def test_lcov(_truth):
    gilk('export', 's.gilk', '--lcov', '-o', 'cov.info', '--sources', 'text')
    records, record = {}, None
    for line in open('cov.info', encoding='utf-8'):
        key, _, value = line.strip().partition(':')
        if key == 'SF':
            record = records.setdefault(os.path.basename(value), collections.defaultdict(list))
            record['path'] = value
        elif key not in ('TN', 'end_of_record'):
            record[key].append(value)
    assert set(records) == {'branch.s', 'plain.s'}
    branch = records['branch.s']
    text = open(branch['path'], encoding='utf-8').read().split('\n')
    counts = {text[int(n) - 1].strip(): int(c) for n, c in (d.split(',') for d in branch['DA'])}
    assert counts == {'endbr64': 100, 'test %rdi,%rdi': 100, 'je +0x10': 100, 'xor %eax,%eax': 30, 'ret': 30,
                      'ud2': 0}, counts
    line = 1 + next(i for i, t in enumerate(text) if t.strip() == 'je +0x10')
    assert branch['BRDA'] == [f'{line},0,0,70', f'{line},0,1,30']    # the one follows from the other
    assert branch['FNDA'] == ['100,branch'] and text[int(branch['FN'][0].split(',')[0]) - 1] == '+0x0:'
    said = subprocess.run(['lcov', '--rc', 'lcov_branch_coverage=1', '--summary', 'cov.info'], capture_output=True,
                          text=True, check=True)
    said = said.stdout + said.stderr
    assert '7 of 8 lines' in said or '(7 of 8' in said, said
    assert '2 of 2 functions' in said and '2 of 2 branches' in said, said
    subprocess.run(['genhtml', '--branch-coverage', '-q', '-o', 'html', 'cov.info'], capture_output=True, check=True)
    assert any('branch.s.gcov.html' in names for _, _, names in os.walk('html'))


# ---- notes ----

def test_notes(truth):
    """On a time, on a moment of one hook, and on all of the run; in each format that has a place for them."""
    gilk('note', 's.gilk', 'rings, "full"', '--at=40ms', '--to=52ms', '--author=me')
    gilk('note', 's.gilk', 'cron ran', '--at=60ms', '--hook=wide')
    gilk('note', 's.gilk', 'quiet machine')
    check_csv_notes(truth)
    found, _ = read_ctf_notes()
    assert [(n['t_ns'], n['text'], n['hook'], n['duration_ns']) for n in found] == [
        (0, 'quiet machine', '', 3 * 10**8), (4 * 10**7, 'rings, "full"', '', 12 * 10**6), (6 * 10**7, 'cron ran', 'wide', 0)], found
    assert found[1]['author'] == 'me'
    _, tracks, events = perfetto_trace.events(gilk('export', 's.gilk', '--perfetto'))
    notes = [e for e in events if tracks[e['track']].name == 'Notes']
    assert [(e['type'], e['t'] - ZERO_MONO, e['name']) for e in notes if e['type'] != 2] == [
        (1, 0, 'quiet machine'), (1, 4 * 10**7, 'rings, "full"'), (3, 6 * 10**7, 'cron ran')], notes
    assert sorted(e['t'] - ZERO_MONO for e in notes if e['type'] == 2) == [52 * 10**6, 3 * 10**8]
    part = [json.loads(line) for line in gilk('export', 's.gilk', '--ndjson').splitlines()]
    assert sum('note' in r for r in part) == 3


def check_csv_notes(truth):
    rows = list(csv.DictReader(io.StringIO(gilk('export', 's.gilk', '--csv', '--hook=wide').decode(), newline='')))
    times = [s['t_ns'] for s in by_time(truth) if s['hook'] == 'wide']
    assert [int(r['t_ns']) for r in rows] == times
    expected = [''] * len(rows)
    for begin, text in ((0, 'quiet machine'), (4 * 10**7, 'rings, "full"'), (6 * 10**7, 'cron ran')):
        at = next(i for i, t in enumerate(times) if t >= begin)
        assert begin != 4 * 10**7 or times[at] <= 52 * 10**6
        expected[at] += ('; ' if expected[at] else '') + text
    assert [row['note'] for row in rows] == expected, [row for row in rows if row['note']]
    none = gilk('export', 's.gilk', '--csv', '--hook=stamp', '--from=200ms').decode().splitlines()[0]
    assert none.endswith(',note'), none


def read_ctf_notes():
    gilk('export', 's.gilk', '--ctf', '-o', 'noted')
    found, said = read_ctf('noted')
    return [n for n in found if n['who'].endswith('note')], said


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ.update(LC_ALL='C.UTF-8', TZ='UTC')
        out = subprocess.run([MAKE, 's.gilk'], capture_output=True, text=True, check=True).stdout
        truth = [json.loads(line) for line in out.splitlines()]
        tests = [test_csv, test_ndjson, test_choice, test_ctf, test_perfetto, test_stacks, test_stack_times,
                 test_lcov, test_notes]
        failed = 0
        print(f'1..{len(tests)}')
        for i, test in enumerate(tests, 1):
            try:
                test(truth)
                print(f'ok {i} - {test.__name__[5:]}')
            except (AssertionError, subprocess.CalledProcessError, KeyError, AttributeError, StopIteration) as error:
                failed += 1
                print(f'not ok {i} - {test.__name__[5:]}')
                print(f'# {type(error).__name__}: {str(error)[:900]}'.replace('\n', '\n# '))
        return failed > 0


if __name__ == '__main__':
    sys.exit(main())
