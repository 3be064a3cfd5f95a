#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: each row is in a store once, whatever fails during a push
"""push.py GILK MAKE-SESSION [--samples N] [--kills N] [--seed N] [--replicas N] - each sample and reading is in the store once

Two shards of a real ClickHouse. A push is repeated, runs beside another one, and is tried again
and again while one server after the other is killed under it and started again. At each moment what
the store counts has to be whole blocks of what the session has, and in the end all of it. With
replicas, of which there is a ZooKeeper, either of a shard has to do.
"""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

import servers

HOOKS = ('reads', 'writes', 'ticks')
ESCAPED = re.compile(r'\\(.)')
PLAIN = {'t': '\t', 'n': '\n', '\\': '\\', "'": "'"}


class Case:
    def __init__(self, options, folder):
        self.gilk_path = os.path.realpath(options.gilk)
        self.make = os.path.realpath(options.make)
        self.options = options
        self.folder = folder
        self.random = random.Random(options.seed)
        self.servers = servers.Servers(os.path.join(folder, 'servers'), replicas=options.replicas)
        self.serial = 0

    def gilk(self, *words, code=0):
        done = subprocess.run([self.gilk_path, *words], capture_output=True, text=True, check=False)
        assert code is None or done.returncode == code, (words, done.returncode, done.stderr[-900:], done.stdout[-300:])
        return done

    def start(self, *words):
        return subprocess.Popen([self.gilk_path, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def session(self, host, samples):
        """A session of its own, and a database for it."""
        self.serial += 1
        path = os.path.join(self.folder, f's{self.serial}.gilk')
        subprocess.run([self.make, path, host, str(self.serial), str(samples)], check=True)
        return path

    def database(self):
        self.serial += 1
        name = f'case{self.serial}'
        for i in range(self.servers.n):
            self.servers.ask(f'CREATE DATABASE {name}', i)
        return name

    def url(self, database, i=0):
        return self.servers.url(i, database=f'/{database}')

    # ---- what there is, and what there should be ----

    def rows(self, path):
        """Of each sample hook, cpu, time, and its fields as the session has them, with how often they are there."""
        rows = []
        for hook in HOOKS:
            for line in self.gilk('export', path, '--ndjson', '--hook', hook).stdout.splitlines():
                get = json.loads(line).get
                if get('t_ns') is not None:     # else it says what was lost
                    rows.append((hook, get('cpu'), get('t_ns'), *map(get, ('pid', 'comm', 'size_B', 'delta_ns'))))
        return collections.Counter(rows)

    def remote_rows(self, database):
        """The same, as the store counts them; hooks of one run are 0 to 2."""
        query = (f'SELECT hook, cpu, t_ns, has, n0, s1, toUInt64(n2), n3 FROM {database}.gilk_samples '
                 'FORMAT TabSeparated')
        rows = []
        for line in self.servers.ask(query).splitlines():
            hook, cpu, t_ns, has, pid, comm, size, delta = line.split('\t')
            fields = (int(pid), ESCAPED.sub(lambda match: PLAIN[match[1]], comm), int(size), int(delta))
            rows.append((HOOKS[int(hook)], int(cpu), int(t_ns),
                         *(v if int(has) >> i & 1 else None for i, v in enumerate(fields))))
        return collections.Counter(rows)

    def readings(self, path):
        """Of the counter: time and hits."""
        lines = self.gilk('export', path, '--csv', '--hook', 'calls').stdout.splitlines()[1:]
        return sorted(tuple(map(int, line.split(',')[1:])) for line in lines)

    def remote_readings(self, database):
        lines = self.servers.ask(f'SELECT t_ns, hits, hook FROM {database}.gilk_count_points FORMAT TabSeparated').splitlines()
        assert all(line.endswith('\t3') for line in lines)
        return sorted(tuple(map(int, line.split('\t')[:2])) for line in lines)

    def number(self, query):
        return int(self.servers.ask(query).strip() or 0)

    def settle(self, database):
        """Until replicas have what the others of their shard have; there is nothing to wait for without."""
        for name in ('ledger', 'sample', 'count_point', 'run', 'hook') if self.servers.replicas > 1 else ():
            for i in range(self.servers.n):
                self.servers.ask(f'SYSTEM SYNC REPLICA {database}.gilk_{name}_shard', i)

    def check_whole(self, path, database):
        assert self.remote_rows(database) == self.rows(path), 'the store has other samples than the session'
        assert len(self.readings(path)) > 800
        assert self.remote_readings(database) == self.readings(path), 'the store has other readings than the session'

    def pushed(self, words):
        return json.loads(words)['pushed']


# ---- tests ----

def test_twice(case):
    path, database = case.session('alpha', 140000), case.database()
    first = case.pushed(case.gilk('push', '--json', path, case.url(database)).stdout)
    assert [(p['sent'], p['already_stored']) for p in first] == [(140000, 0)], first
    n = len(case.readings(path))
    assert [(p['count_points_sent'], p['count_points_already_stored']) for p in first] == [(n, 0)], first
    case.check_whole(path, database)
    again = case.pushed(case.gilk('push', '--json', path, case.url(database)).stdout)
    assert [(p['sent'], p['already_stored']) for p in again] == [(0, 140000)], again
    assert [(p['count_points_sent'], p['count_points_already_stored']) for p in again] == [(0, n)], again
    assert again[0]['run'] == first[0]['run']
    case.check_whole(path, database)
    spread = [case.number('SELECT 1') and int(case.servers.ask(f'SELECT count() FROM {database}.gilk_sample_shard', i))
              for i in case.servers.heads()]
    assert sum(spread) == 140000, spread
    # The other shard is as good a door as the first.
    assert case.number(f'SELECT count() FROM {database}.gilk_runs') == 1
    lost = case.servers.ask(f'SELECT sum(lost), count() FROM {database}.gilk_loss').split()
    assert lost == ['14', '2'], lost


def test_two_at_once(case):
    path, database = case.session('alpha', 270000), case.database()
    pushes = [case.start('push', path, case.url(database)) for _ in range(2)]
    for push in pushes:
        words = push.communicate(timeout=120)
        assert push.returncode == 0, words
    case.check_whole(path, database)


def test_many_hosts(case):
    paths, database = [case.session(host, 3000) for host in ('alpha', 'beta', 'gamma')], case.database()
    case.gilk('push', *paths, case.url(database))
    assert case.number(f'SELECT count() FROM {database}.gilk_samples') == 9000
    assert case.number(f'SELECT uniqExact(host) FROM {database}.gilk_runs') == 3


def kill_under(case, push, server):
    """In the middle of it; FALSE if that did nothing to it."""
    time.sleep(case.random.uniform(0.0, 0.8))
    over = push.poll() is not None
    case.servers.kill(server)
    out, err = push.communicate(timeout=120)
    case.servers.start(server)
    case.servers.wait(server)
    assert push.returncode in ((0,) if over else (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)), (out, err)
    if push.returncode != 0:
        assert 'push again to send the rest' in err or 'Cannot reach' in err or 'Connection to the store' in err or \
               'cannot reach' in err, err
    return push.returncode != 0 or (case.servers.replicas > 1 and not over)


def test_killed(case):
    path, database = case.session('alpha', case.options.samples), case.database()
    case.gilk('push', case.session('beta', 100), case.url(database))     # so that the tables are there
    kills = 0
    for i in range(case.options.kills):
        kills += kill_under(case, case.start('push', path, case.url(database)), case.random.randrange(case.servers.n))
        case.settle(database)
        counted = case.number(f'SELECT count() FROM {database}.gilk_samples')
        said = case.number(f'SELECT sum(rows) FROM (SELECT block, run, max(rows) AS rows FROM {database}.gilk_ledger '
                           f'WHERE kind = 1 GROUP BY run, block)')
        assert counted == said, (counted, said)
    assert kills > 0, 'no push was hit'
    case.gilk('push', path, case.url(database))
    beta = case.number(f'SELECT any(run) FROM {database}.gilk_run WHERE host = \'beta\'')
    view = case.servers.ask(f'SELECT count(), uniqExact(run) FROM {database}.gilk_samples WHERE run != {beta}').split()
    assert view == [str(case.options.samples), '1'], view
    for i in case.servers.heads():
        case.servers.ask(f'ALTER TABLE {database}.gilk_sample_shard DELETE WHERE run = {beta}', i)
        case.servers.ask(f'ALTER TABLE {database}.gilk_count_point_shard DELETE WHERE run = {beta}', i)
    end = time.monotonic() + 30
    while any(case.number(f'SELECT count() FROM {database}.{view} WHERE run = {beta}') > 0
              for view in ('gilk_samples', 'gilk_count_points')) and time.monotonic() < end:
        time.sleep(0.1)
    case.check_whole(path, database)


def test_rows_gone(case):
    """A server that lost what it had said to have: its blocks are pushed again."""
    path, database = case.session('alpha', 140000), case.database()
    case.gilk('push', path, case.url(database))
    block = case.number(f'SELECT min(block) FROM {database}.gilk_sample')
    for i in case.servers.heads():
        case.servers.ask(f'ALTER TABLE {database}.gilk_sample_shard DELETE WHERE block = {block} AND t_ns % 3 = 0', i)
    end = time.monotonic() + 30
    while case.number(f'SELECT count() FROM {database}.gilk_samples') == 140000 and time.monotonic() < end:
        time.sleep(0.1)
    assert case.number(f'SELECT count() FROM {database}.gilk_samples') < 140000
    for i in case.servers.heads():
        case.servers.ask(f'ALTER TABLE {database}.gilk_count_point_shard DELETE WHERE t_ns > 5000000', i)
    while case.remote_readings(database) == case.readings(path) and time.monotonic() < end:
        time.sleep(0.1)
    assert case.remote_readings(database) != case.readings(path)
    said = case.gilk('report', '--store', case.url(database), '--rate', code=None)
    assert said.returncode != 0 and 'counter readings' in said.stderr, said
    case.gilk('push', path, case.url(database))
    case.check_whole(path, database)


def test_replica_down(case):
    """One of each shard is away while a run is pushed; it has the run when it is back, and does alone."""
    path, database = case.session('alpha', 140000), case.database()
    case.gilk('push', case.session('beta', 100), case.url(database))
    case.settle(database)
    away = [head + 1 for head in case.servers.heads()]
    for i in away:
        case.servers.kill(i)
    case.gilk('push', path, case.url(database))
    for i in away:
        case.servers.start(i)
        case.servers.wait(i)
    case.settle(database)
    for head in case.servers.heads():
        case.servers.kill(head)
    left = case.servers.ask(f"SELECT count(), uniqExact(run) FROM {database}.gilk_samples", away[0]).split()
    assert left == ['140100', '2'], left
    told = json.loads(case.gilk('report', '--json', '--store', case.url(database, away[0])).stdout)
    assert len(told['runs']) == 2, told
    for head in case.servers.heads():
        case.servers.start(head)
        case.servers.wait(head)
    case.settle(database)


def test_zookeeper_down(case):
    """Without ZooKeeper nothing can be written, which is said; with it again, the push goes on."""
    path, database = case.session('alpha', 140000), case.database()
    case.gilk('push', case.session('beta', 100), case.url(database))
    case.servers.zookeeper.kill()
    said = case.gilk('push', path, case.url(database), code=None)
    assert said.returncode != 0 and 'ZooKeeper' in said.stderr, said
    case.servers.zookeeper.start()
    case.servers.zookeeper.wait()
    end = time.monotonic() + 60
    while case.gilk('push', path, case.url(database), code=None).returncode != 0:
        assert time.monotonic() < end, 'the servers do not find their ZooKeeper again'
        time.sleep(1)
    case.settle(database)
    assert case.number(f'SELECT count() FROM {database}.gilk_samples') == 140100


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('gilk')
    parser.add_argument('make')
    parser.add_argument('--samples', type=int, default=500000)
    parser.add_argument('--kills', type=int, default=3)
    parser.add_argument('--seed', type=int, default=int(time.time()) % 100000)
    parser.add_argument('--replicas', type=int, default=1)
    options = parser.parse_args()
    os.environ.update(LC_ALL='C.UTF-8', TZ='UTC')
    if servers.find_program() is None:
        print('1..0 # SKIP no clickhouse-server; ./check fetches one')
        return 0
    if options.replicas > 1 and not servers.ZooKeeper.there():
        print('1..0 # SKIP no ZooKeeper: apt-get install zookeeper')
        return 0
    tests = [test_twice, test_two_at_once, test_many_hosts, test_killed, test_rows_gone]
    if options.replicas > 1:
        tests += [test_replica_down, test_zookeeper_down]
    print(f'1..{len(tests)}')
    print(f'# seed {options.seed}')
    failed = 0
    with tempfile.TemporaryDirectory(prefix='gilk-remote.') as folder:
        case = Case(options, folder)
        try:
            case.servers.start_all()
            for i, test in enumerate(tests, 1):
                begin = time.monotonic()
                try:
                    test(case)
                    print(f'ok {i} - {test.__name__[5:]}')
                except (AssertionError, OSError, KeyError, ValueError, subprocess.SubprocessError) as error:
                    failed += 1
                    print(f'not ok {i} - {test.__name__[5:]}')
                    print(f'# {type(error).__name__}: {str(error)[:1500]}'.replace('\n', '\n# '))
                print(f'# {time.monotonic() - begin:.1f} s', flush=True)
        finally:
            case.servers.stop_all()
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
