#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: figures of a store equal those of its sessions
"""report.py GILK MAKE-SESSION - a store's figures are a session's, of the same samples

Runs of two hosts in a ClickHouse of two shards, and in one alone. Quantiles, bins and comparisons
have to be the same doubles that "gilk report SESSION" tells; means may differ in the last digits.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

import servers

GILK, MAKE = (os.path.realpath(path) for path in sys.argv[1:3])
SOURCES = [('reads', 'interval'), ('writes', 'interval'), ('ticks', 'interval'), ('reads', 'pid'), ('writes', 'size'),
           ('reads', 'delta'), ('ticks', 'time')]
LOOSE = ('mean', 'stddev')


def gilk(*words, code=0):
    done = subprocess.run([GILK, *words], capture_output=True, text=True, check=False)
    assert done.returncode == code, (words, done.returncode, done.stderr[-600:])
    return done.stdout if code == 0 else done.stderr


def figures(key, *words):
    return json.loads(gilk('report', '--json', *words))[key]


def same(found, expected, path=''):
    """All that the session tells is told, and is the same."""
    if isinstance(expected, dict):
        for name, value in expected.items():
            if name not in ('hook', 'every'):
                same(found[name], value, f'{path}.{name}')
    elif isinstance(expected, list):
        assert len(found) == len(expected), (path, len(found), len(expected))
        for i, value in enumerate(expected):
            same(found[i], value, f'{path}[{i}]')
    elif expected is not None and path.split('.')[-1] in LOOSE:
        assert math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12), (path, found, expected)
    else:
        assert found == expected, (path, found, expected)


class Case:
    def __init__(self, folder, n):
        self.servers = servers.Servers(os.path.join(folder, f'servers{n}'), n)
        self.sessions = {}
        for i, host in enumerate(('alpha', 'beta')):
            self.sessions[host] = os.path.join(folder, f'{n}-{host}.gilk')
            subprocess.run([MAKE, self.sessions[host], host, str(i + 1), '50000'], check=True)

    def push(self):
        self.servers.start_all()
        gilk('push', *self.sessions.values(), self.servers.url())

    def store(self, key, *words):
        return figures(key, '--store', self.servers.url(), *words)


def test_lists(case):
    runs, hooks = case.store('runs'), case.store('hooks')
    assert [(r['host'], r['samples'], r['stored_samples'], r['complete']) for r in runs] == \
        [('alpha', 50000, 50000, True), ('beta', 50000, 50000, True)], runs
    for run in runs:
        local = json.loads(gilk('report', '--json', '--no-pipeline', case.sessions[run['host']]))['hooks']
        mine = [h for h in hooks if h['run'] == run['run']]
        for name in ('hook', 'function', 'block', 'where', 'instrument', 'tactic', 'hits', 'stored', 'lost', 'missed'):
            assert [h[name] for h in mine] == [h[name] for h in local], name
    assert 'alpha' in gilk('report', '--store', case.servers.url())


def test_quantiles(case):
    for hook, field in SOURCES:
        local = figures('quantiles', case.sessions['beta'], '--quantiles', '--hook', hook, '--field', field)
        same(case.store('quantiles', '--quantiles', '--hook', f'{hook}@beta', '--field', field), local)


def test_conditions(case):
    for condition in ('pid == 7', 'comm == "it\'s"', "comm != cat", 'size > 1000', 'delta <= -5e4', 'cpu == 1',
                      'time < 0.05', 'size >= 18446744073709000000', 'comm == "a\tb"', "comm == '\\n \"c\"'"):
        words = ('--quantiles', '--field', 'size', '--if', condition)
        local = figures('quantiles', case.sessions['alpha'], *words, '--hook', 'reads')
        assert local[0]['values'] > 0, condition
        same(case.store('quantiles', *words, '--hook', 'reads@alpha'), local)


def test_histograms(case):
    for hook, field in SOURCES:
        for words in ([], ['--bins', '37'], ['--bins', '11', '--log-x'], ['--log-x']):
            words = ['--histogram', '--field', field, *words]
            local = figures('histograms', case.sessions['alpha'], *words, '--hook', hook)
            same(case.store('histograms', *words, '--hook', f'{hook}@alpha'), local)


def without_intervals(compared):
    """What a store has of a comparison: intervals need samples in the order of time, and it has no ways."""
    for side in 'a', 'b':
        assert compared[side].pop('independent') > 0 and compared[side].pop('way') == 'ilk'
    for row in [compared, *compared['quantiles']]:
        for key in 'low', 'high', 'cliffs_delta_low', 'cliffs_delta_high', 'alternated':
            row.pop(key, None)
    return compared


def test_comparisons(case):
    for field in ('interval', 'size', 'delta'):
        local = figures('compare', case.sessions['alpha'], '--field', field, '--compare', 'reads', 'writes')
        found = case.store('compare', '--field', field, '--compare', 'reads@alpha', 'writes@alpha')
        same(found, without_intervals(local))
        assert all(row['low'] is None for row in found['quantiles']) and found['p'] is None, found
    local = figures('compare', case.sessions['alpha'], '--compare', 'ticks', f'ticks@{case.sessions["beta"]}')
    same(case.store('compare', '--compare', 'ticks@alpha', 'ticks@beta'), without_intervals(local))


def test_rates(case):
    for words in (['--hook', 'calls'], []):
        local = figures('rates', case.sessions['alpha'], '--rate', *words)
        assert len(local) == 1 and len(local[0]['count_points']) > 800, local
        assert sum(r['hits_per_second'] == 0 for r in local[0]['rates']) >= 1
        found = case.store('rates', '--rate', *(['--hook', 'calls@alpha'] if words else []))
        assert [rate['host'] for rate in found] == ['alpha', 'beta'][:2 - bool(words)], found
        same([rate for rate in found if rate['host'] == 'alpha'], local)
    assert 'run' in gilk('report', '--store', case.servers.url(), '--rate')


def test_all_hosts(case):
    values = []
    for path in case.sessions.values():
        for line in gilk('export', path, '--ndjson', '--hook', 'writes').splitlines():
            value = json.loads(line).get('size_B')
            values += [float(value)] if value is not None else []
    values.sort()
    found = case.store('quantiles', '--quantiles', '--hook', 'writes', '--field', 'size')[0]
    assert (found['values'], found['lost']) == (len(values), 28), found
    for quantile in found['quantiles']:
        position = quantile['p'] * (len(values) - 1)
        low = values[int(position)]
        high = values[min(int(position) + 1, len(values) - 1)]
        assert quantile['value'] == low + (position - int(position)) * (high - low), quantile


def test_refused(case):
    url = case.servers.url()
    for words, expected in (
            (['--quantiles', '--hook', 'nothing'], 'no hook "nothing"'),
            (['--quantiles', '--hook', 'calls'], 'no samples'),
            (['--quantiles', '--hook', 'reads@gamma'], 'no hook "reads@gamma"'),
            (['--quantiles', '--hook', 'reads', '--field', 'comm'], 'no numeric field "comm"'),
            (['--quantiles', '--hook', 'reads', '--if', 'pid == 1'], 'between all samples'),
            (['--quantiles', '--hook', 'reads', '--field', 'pid', '--if', 'nope == 1'], 'have no such field'),
            (['--rate', '--hook', 'reads'], 'no counter readings'),
            (['--rate', '--hook', 'nothing'], 'no hook "nothing"'),
            (['--ecdf'], '--ecdf needs a session'), (['--edges'], '--store takes')):
        done = subprocess.run([GILK, 'report', '--store', url, *words], capture_output=True, text=True, check=False)
        assert done.returncode != 0 and expected in done.stderr, (words, done.stderr)
    done = subprocess.run([GILK, 'report', '--store', case.servers.url(database='/system')], capture_output=True,
                          text=True, check=False)
    assert 'has no pushed runs' in done.stderr, done.stderr


def test_version(case):
    for i in range(case.servers.n):
        case.servers.ask('INSERT INTO gilk.gilk_schema VALUES (7)', i)
    for words in (['report', '--store', case.servers.url()], ['push', case.sessions['alpha'], case.servers.url()]):
        said = gilk(*words, code=9)
        assert 'version 7' in said and 'a newer Gilk' in said, said


def main():
    os.environ.update(LC_ALL='C.UTF-8', TZ='UTC')
    tests = [test_lists, test_quantiles, test_conditions, test_histograms, test_comparisons, test_rates, test_all_hosts, test_refused, test_version]
    if servers.find_program() is None:
        print('1..0 # SKIP no clickhouse-server; ./check fetches one')
        return 0
    print(f'1..{2 * len(tests)}')
    failed = number = 0
    with tempfile.TemporaryDirectory(prefix='gilk-remote.') as folder:
        for n in (1, 2):
            case = Case(folder, n)
            try:
                case.push()
                for test in tests:
                    number += 1
                    name = f'{test.__name__[5:]}, {n} server{"s" * (n > 1)}'
                    try:
                        test(case)
                        print(f'ok {number} - {name}', flush=True)
                    except (AssertionError, OSError, KeyError, ValueError) as error:
                        failed += 1
                        print(f'not ok {number} - {name}')
                        print(f'# {type(error).__name__}: {str(error)[:1500]}'.replace('\n', '\n# '), flush=True)
            finally:
                case.servers.stop_all()
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
