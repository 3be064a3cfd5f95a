# SPDX-License-Identifier: GPL-2.0-or-later
"""ClickHouse servers of Debian's package for tests, in a folder of their own.

Nothing of the system's is used or changed: no service, no user, no file of /etc. Shard i listens
on 127.0.0.<i + 1>, all on one HTTP port and each on a port of its own for the others, for a
server takes an address of this machine for itself if the port is its own.
"""

import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

CONFIG = """<?xml version="1.0"?>
<yandex>
  <logger>
    <level>warning</level>
    <log>{folder}/server.log</log>
    <errorlog>{folder}/errors.log</errorlog>
  </logger>
  <http_port>{http}</http_port>
  <tcp_port>{tcp}</tcp_port>
  <listen_host>{address}</listen_host>
  <path>{folder}/data/</path>
  <tmp_path>{folder}/tmp/</tmp_path>
  <users_config>{folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <mark_cache_size>67108864</mark_cache_size>
  <max_concurrent_queries>50</max_concurrent_queries>
  <remote_servers>{clusters}</remote_servers>
</yandex>
"""

USERS = """<?xml version="1.0"?>
<yandex>
  <profiles>
    <default><max_memory_usage>2000000000</max_memory_usage></default>
    <readonly><readonly>1</readonly></readonly>
  </profiles>
  <users>
    <default>
      <password></password><networks><ip>127.0.0.0/8</ip></networks>
      <profile>default</profile><quota>default</quota>
    </default>
    <guarded>
      <password>let me in</password><networks><ip>127.0.0.0/8</ip></networks>
      <profile>default</profile><quota>default</quota>
    </guarded>
    <reader>
      <password></password><networks><ip>127.0.0.0/8</ip></networks>
      <profile>readonly</profile><quota>default</quota>
    </reader>
  </users>
  <quotas><default/></quotas>
</yandex>
"""


def find_program():
    """None: there is none. ./check fetches it."""
    cache = os.environ.get('GILK_CACHE') or \
        os.path.join(os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache'), 'gilk')
    fetched = os.path.join(cache, 'programs', 'clickhouse-server', 'usr', 'sbin', 'clickhouse-server')
    found = shutil.which('clickhouse-server', path=os.environ.get('PATH', '') + ':/usr/sbin')
    return found or (fetched if os.access(fetched, os.X_OK) else None)


def address(i):
    return f"127.0.0.{i + 1}"


def free_port(n):
    """One that is free on the first n addresses."""
    for _ in range(100):
        with socket.socket() as probe:
            probe.bind((address(0), 0))
            port = probe.getsockname()[1]
        try:
            for i in range(n):
                with socket.socket() as probe:
                    probe.bind((address(i), port))
            return port
        except OSError:
            continue
    raise RuntimeError("No port is free on all addresses of the shards.")


class Servers:
    """With @n shards of one cluster, named gilk, if there are several."""

    def __init__(self, folder, n=2):
        self.folder = folder
        self.n = n
        self.http = free_port(n)
        self.tcp = [free_port(n) for _ in range(n)]
        self.processes = [None] * n
        self.program = find_program()
        for i in range(n):
            self._configure(i)

    def _folder(self, i):
        return os.path.join(self.folder, f"shard{i}")

    def _configure(self, i):
        folder = self._folder(i)
        os.makedirs(os.path.join(folder, "data"))
        os.makedirs(os.path.join(folder, "tmp"))
        shards = "".join(
            f"<shard><replica><host>{address(j)}</host><port>{self.tcp[j]}</port></replica></shard>"
            for j in range(self.n))
        clusters = f"<gilk>{shards}</gilk>" if self.n > 1 else ""
        with open(os.path.join(folder, "config.xml"), "w", encoding="utf-8") as file:
            file.write(CONFIG.format(folder=folder, http=self.http, tcp=self.tcp[i],
                                     address=address(i), clusters=clusters))
        with open(os.path.join(folder, "users.xml"), "w", encoding="utf-8") as file:
            file.write(USERS)

    def start(self, i):
        folder = self._folder(i)
        with open(os.path.join(folder, "output"), "ab") as output:
            self.processes[i] = subprocess.Popen(
                [self.program, f"--config-file={folder}/config.xml"], cwd=folder, stdin=subprocess.DEVNULL,
                stdout=output, stderr=output, start_new_session=True)

    def wait(self, i, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.processes[i].poll() is not None:
                break
            try:
                if self.ask("SELECT 1", i).strip() == "1":
                    return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"Shard {i} does not answer:\n{self.log(i)}")

    def start_all(self):
        for i in range(self.n):
            self.start(i)
        for i in range(self.n):
            self.wait(i)

    def kill(self, i):
        self.processes[i].send_signal(signal.SIGKILL)
        self.processes[i].wait()

    def stop_all(self):
        for process in self.processes:
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()

    def log(self, i):
        text = ""
        for name in ("output", "errors.log"):
            path = os.path.join(self._folder(i), name)
            if os.path.exists(path):
                with open(path, encoding="utf-8", errors="replace") as file:
                    text += file.read()[-3000:]
        return text

    def ask(self, query, i=0, **settings):
        """The answer's text. OSError: it cannot be reached, or it refuses."""
        words = urllib.parse.urlencode(settings)
        request = urllib.request.Request(f"http://{address(i)}:{self.http}/?{words}", query.encode())
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise OSError(error.read().decode(errors="replace")) from error

    def url(self, i=0, user="", database=""):
        return f"clickhouse://{user}{address(i)}:{self.http}{database}"
