#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""tls.py GILK MAKE-SESSION - a store is reached by TLS if who signed its certificate is trusted, else not

Two shards of a real ClickHouse that speak nothing but TLS, with a certificate that they signed themselves.
"""
import json
import os
import subprocess
import sys
import tempfile

import servers

GILK, MAKE = (os.path.realpath(path) for path in sys.argv[1:3])


def gilk(*words, trust=None):
    env = {name: value for name, value in os.environ.items() if name != 'SSL_CERT_FILE'}
    if trust is not None:
        env['SSL_CERT_FILE'] = trust
    return subprocess.run([GILK, *words], capture_output=True, text=True, check=False, env=env)


class Case:
    def __init__(self, folder):
        self.folder = folder
        self.servers = servers.Servers(os.path.join(folder, 'servers'), 2, tls=True)
        self.session = os.path.join(folder, 'alpha.gilk')
        subprocess.run([MAKE, self.session, 'alpha', '1', '20000'], check=True)

    def refused(self, words, expected, **trust):
        done = gilk(*words, **trust)
        assert done.returncode != 0 and expected in done.stderr, (words, done.returncode, done.stderr)


def test_strangers(case):
    case.refused(['push', case.session, case.servers.url()], 'set SSL_CERT_FILE to a file')
    tables = int(case.servers.ask("SELECT count() FROM system.tables WHERE database = 'gilk'"))
    assert tables == 0, tables


def test_no_certificates(case):
    empty = os.path.join(case.folder, 'empty.pem')
    for path in (empty, case.session, os.path.join(case.folder, 'nowhere.pem')):
        if path == empty:
            open(path, 'w', encoding='utf-8').close()
        case.refused(['push', case.session, case.servers.url()], 'SSL_CERT_FILE', trust=path)


def test_plain(case):
    url = case.servers.url().replace('clickhouses://', 'clickhouse://')
    case.refused(['push', case.session, url], 'clickhouses://')


def test_trusted(case):
    done = gilk('push', case.session, case.servers.url(), trust=case.servers.trust)
    assert done.returncode == 0, done.stderr
    assert case.servers.ask('SELECT count() FROM gilk.gilk_samples').strip() == '20000'
    done = gilk('report', '--json', '--store', case.servers.url(), trust=case.servers.trust)
    assert json.loads(done.stdout)['runs'][0]['stored_samples'] == 20000, done
    case.refused(['report', '--store', case.servers.url()], 'SSL_CERT_FILE')


def main():
    os.environ.update(LC_ALL='C.UTF-8', TZ='UTC')
    if servers.find_program() is None:
        print('1..0 # SKIP no clickhouse-server; ./check fetches one')
        return 0
    tests = [test_strangers, test_no_certificates, test_plain, test_trusted]
    print(f'1..{len(tests)}')
    failed = 0
    with tempfile.TemporaryDirectory(prefix='gilk-remote.') as folder:
        case = Case(folder)
        try:
            case.servers.start_all()
            for number, test in enumerate(tests, 1):
                try:
                    test(case)
                    print(f'ok {number} - {test.__name__[5:]}', flush=True)
                except (AssertionError, OSError, KeyError, ValueError) as error:
                    failed += 1
                    print(f'not ok {number} - {test.__name__[5:]}')
                    print(f'# {type(error).__name__}: {str(error)[:1500]}'.replace('\n', '\n# '), flush=True)
        finally:
            case.servers.stop_all()
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
