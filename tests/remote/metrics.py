#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: Prometheus reads the metrics of a run
"""metrics.py GILK MAKE-SESSION FALSE-AGENT - what is told to Prometheus, read by its own library

And by promtool where it is installed. The file is there whole or as it was.
"""
import bisect
import json
import math
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

GILK, MAKE, AGENT = (os.path.realpath(path) for path in sys.argv[1:4])


def gilk(*words, code=0):
    done = subprocess.run([GILK, *words], capture_output=True, text=True, check=False)
    assert done.returncode == code, (words, done.returncode, done.stderr[-600:])
    return done.stdout if code == 0 else done.stderr


def families(path):
    with open(path, encoding='utf-8') as file:
        text = file.read()
    if shutil.which('promtool'):
        said = subprocess.run(['promtool', 'check', 'metrics'], input=text, capture_output=True, text=True, check=False)
        assert said.returncode == 0, said.stderr
    return {family.name: family for family in text_string_to_metric_families(text)}


def test_counts():
    gilk('report', 's.gilk', '--prometheus', 'x.prom')
    found = families('x.prom')
    for hook in json.loads(gilk('report', '--json', '--no-pipeline', 's.gilk'))['hooks']:
        for name, key in (('gilk_hook_hits', 'hits'), ('gilk_hook_samples_stored', 'stored'),
                          ('gilk_hook_samples_lost', 'lost'), ('gilk_hook_missed', 'missed')):
            mine = [s for s in found[name].samples if s.labels['hook'] == hook['hook']]
            if 'samples' in name and hook['instrument'] == 'count':
                assert not mine
                continue
            assert [s.value for s in mine] == [hook[key]], (name, hook, mine)
            assert mine[0].labels == {k: hook[k] for k in ('hook', 'function', 'block', 'where', 'instrument')}
    assert found['gilk_hooks'].samples[0].value == 4
    assert sorted(os.listdir('.')) == ['s.gilk', 'x.prom'], os.listdir('.')
    assert os.stat('x.prom').st_mode & 0o777 == 0o644


def test_histogram():
    for field, name, key in (('size', 'gilk_field_value', 'size_B'), ('delta', 'gilk_field_value', 'delta_ns')):
        gilk('report', 's.gilk', '--prometheus', 'x.prom', '--field', field)
        samples = families('x.prom')[name].samples
        for hook in ('reads', 'writes'):
            lines = map(json.loads, gilk('export', 's.gilk', '--ndjson', '--hook', hook).splitlines())
            values = sorted(float(line[key]) for line in lines if line.get(key) is not None)
            mine = [s for s in samples if s.labels['hook'] == hook]
            buckets = [s for s in mine if s.name.endswith('_bucket')]
            assert len(buckets) > 10 and buckets[-1].labels['le'] == '+Inf'
            for bucket in buckets:
                assert bucket.value == bisect.bisect_right(values, float(bucket.labels['le'])), bucket
            assert [s.value for s in mine if s.name.endswith('_count')] == [len(values)]
            assert math.isclose([s.value for s in mine if s.name.endswith('_sum')][0], math.fsum(values), rel_tol=1e-9)
            assert not [s for s in samples if s.labels['hook'] == 'ticks']


def test_refused():
    with open('x.prom', 'w', encoding='utf-8') as file:
        file.write('as it was\n')
    assert 'the folder none does not exist' in gilk('report', 's.gilk', '--prometheus', 'none/x.prom', code=3)
    done = subprocess.run([GILK, 'report', 'gone.gilk', '--prometheus', 'x.prom'], capture_output=True, check=False)
    assert done.returncode != 0
    with open('x.prom', encoding='utf-8') as file:
        assert file.read() == 'as it was\n'
    for place in ('x', 'localhost:9', '99999'):
        assert 'Invalid address' in gilk('run', '--hook', 'f+0x0:pre', '--metrics', place, code=2)


def listen(run):
    """Where the run says that it can be asked."""
    for line in run.stderr:
        found = re.search(r'http://(127\.0\.0\.1:\d+)/metrics', line)
        if found:
            return found[1]
    raise AssertionError('the run says no place')


def ask(place):
    with urllib.request.urlopen(f'http://{place}/metrics', timeout=20) as answer:
        assert answer.headers['Content-Type'] == 'text/plain; version=0.0.4; charset=utf-8'
        text = answer.read().decode()
    with open('live.prom', 'w', encoding='utf-8') as file:
        file.write(text)
    return families('live.prom') if text else {}


def watch(run):
    """Hits as they grow, then all seats taken by who says nothing."""
    place = listen(run)
    hits, end = [], time.monotonic() + 30
    while len(hits) < 4 and time.monotonic() < end:
        found = ask(place).get('gilk_hook_hits')       # before it is armed there is none
        for sample in found.samples if found else []:
            assert sample.labels == {'hook': 'fn_1+0x18-pre', 'function': 'fn_1', 'block': '+0x18', 'where': 'pre',
                                     'instrument': 'stamp'}, sample
            hits.append(sample.value)
        time.sleep(0.2)
    assert len(hits) == 4 and hits == sorted(hits), hits
    address = (place.split(':')[0], int(place.split(':')[1]))
    return hits, [socket.create_connection(address) for _ in range(8)]


def test_live():
    agent = subprocess.Popen([AGENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    target = agent.stdout.readline().strip()
    run = subprocess.Popen([GILK, 'run', '--hook', 'fn_1+0x18:pre:stamp', '--for', '4s', '--metrics', '0', '-o', 'r.gilk',
                            '--target', target], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        hits, silent = watch(run)
        out, err = run.communicate(timeout=30)
    finally:
        run.kill()
        agent.stdin.close()
        agent.wait(timeout=10)
    assert run.returncode == 0, (out, err)
    recorded = json.loads(gilk('report', '--json', 'r.gilk'))
    assert recorded['run']['seconds'] < 8 and recorded['hooks'][0]['hits'] >= hits[-1], (recorded, hits)
    assert len(silent) == 8


def main():
    os.environ.update(LC_ALL='C.UTF-8', TZ='UTC', GILK_TARGET='unix:/nonexistent/gilkd.sock')
    tests = [test_counts, test_histogram, test_refused, test_live]
    print(f'1..{len(tests)}')
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([MAKE, 's.gilk', 'alpha', '5', '20000'], check=True)
        for i, test in enumerate(tests, 1):
            try:
                test()
                print(f'ok {i} - {test.__name__[5:]}')
            except (AssertionError, OSError, KeyError, ValueError, IndexError, subprocess.SubprocessError) as error:
                failed += 1
                print(f'not ok {i} - {test.__name__[5:]}')
                print(f'# {type(error).__name__}: {str(error)[:900]}'.replace('\n', '\n# '))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
