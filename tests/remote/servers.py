# SPDX-License-Identifier: GPL-2.0-or-later
"""ClickHouse servers of Debian's package for tests, in a folder of their own.

Nothing of the system's is used or changed: no service, no user, no file of /etc. Server i listens
on 127.0.0.<i + 1>, all on one HTTP port and each on ports of its own for the others, for a
server takes an address of this machine for itself if the port is its own. Server i has replica
i % R of shard i / R, and a ZooKeeper of Debian's if R is not 1. With TLS they have a certificate for these
addresses, which nobody trusts who does not name it: cert.pem in the folder.
"""

import os
import shutil
import signal
import socket
import ssl
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
  <{http_name}>{http}</{http_name}>
  <tcp_port>{tcp}</tcp_port>
  <listen_host>{address}</listen_host>
  <path>{folder}/data/</path>
  <tmp_path>{folder}/tmp/</tmp_path>
  <users_config>{folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <mark_cache_size>67108864</mark_cache_size>
  <max_concurrent_queries>50</max_concurrent_queries>
  <remote_servers>{clusters}</remote_servers>{replication}{tls}
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


class ZooKeeper:
    """One that keeps what it knows in @folder."""

    JAR = '/usr/share/java/zookeeper.jar'

    def __init__(self, folder):
        self.port = free_port(1)
        self.log = os.path.join(folder, 'output')
        os.makedirs(folder)
        self.config = os.path.join(folder, 'zoo.cfg')
        with open(self.config, 'w', encoding='utf-8') as file:
            file.write(f'tickTime=500\ndataDir={folder}\nclientPort={self.port}\n'
                       f'clientPortAddress={address(0)}\nadmin.enableServer=false\n')
        self.process = None

    @classmethod
    def there(cls):
        return shutil.which('java') is not None and os.path.exists(cls.JAR)

    def start(self):
        with open(self.log, 'ab') as output:
            self.process = subprocess.Popen(
                ['java', '-Xmx128m', '-cp', self.JAR, 'org.apache.zookeeper.server.quorum.QuorumPeerMain', self.config],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)

    def wait(self, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                socket.create_connection((address(0), self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        with open(self.log, encoding='utf-8', errors='replace') as file:
            raise RuntimeError('ZooKeeper does not answer:\n' + file.read()[-3000:])

    def kill(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Servers:
    """With @shards of one cluster, named gilk, if there are several, each @replicas times."""

    def __init__(self, folder, shards=2, replicas=1, tls=False):
        n = shards * replicas
        self.folder = folder
        self.shards = shards
        self.replicas = replicas
        self.n = n
        self.http = free_port(n)
        self.tcp = [free_port(n) for _ in range(n)]
        self.among = [free_port(n) for _ in range(n)]
        self.processes = [None] * n
        self.program = find_program()
        self.trust = self._make_certificate() if tls else None
        self.zookeeper = ZooKeeper(os.path.join(folder, 'zookeeper')) if replicas > 1 else None
        for i in range(n):
            self._configure(i)

    def heads(self):
        """A server of each shard."""
        return range(0, self.n, self.replicas)

    def _make_certificate(self):
        names = ",".join(f"IP:{address(i)}" for i in range(self.n))
        os.makedirs(self.folder, exist_ok=True)
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=gilk-test",
                        "-addext", f"subjectAltName={names}", "-keyout", f"{self.folder}/key.pem",
                        "-out", f"{self.folder}/cert.pem"], check=True, capture_output=True)
        return f"{self.folder}/cert.pem"

    def _folder(self, i):
        return os.path.join(self.folder, f"server{i}")

    def _configure(self, i):
        folder = self._folder(i)
        os.makedirs(os.path.join(folder, "data"))
        os.makedirs(os.path.join(folder, "tmp"))
        hosts = [f"<replica><host>{address(j)}</host><port>{self.tcp[j]}</port></replica>" for j in range(self.n)]
        of_one = "<internal_replication>true</internal_replication>" if self.replicas > 1 else ""
        shards = "".join(f"<shard>{of_one}{''.join(hosts[j:j + self.replicas])}</shard>" for j in self.heads())
        clusters = f"<gilk>{shards}</gilk>" if self.n > 1 else ""
        replication = "" if self.zookeeper is None else (
            f"<interserver_http_port>{self.among[i]}</interserver_http_port>"
            f"<interserver_http_host>{address(i)}</interserver_http_host>"
            f"<zookeeper><node><host>{address(0)}</host><port>{self.zookeeper.port}</port></node></zookeeper>"
            f"<macros><shard>{i // self.replicas}</shard><replica>{i % self.replicas}</replica></macros>")
        tls = "" if self.trust is None else (
            f"<openSSL><server><certificateFile>{self.trust}</certificateFile>"
            f"<privateKeyFile>{self.folder}/key.pem</privateKeyFile><verificationMode>none</verificationMode>"
            "<cacheSessions>true</cacheSessions></server></openSSL>")
        http_name = "http_port" if self.trust is None else "https_port"
        with open(os.path.join(folder, "config.xml"), "w", encoding="utf-8") as file:
            file.write(CONFIG.format(folder=folder, http=self.http, tcp=self.tcp[i],
                                     address=address(i), clusters=clusters, replication=replication, tls=tls,
                                     http_name=http_name))
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
        raise RuntimeError(f"Server {i} does not answer:\n{self.log(i)}")

    def start_all(self):
        if self.zookeeper is not None:
            self.zookeeper.start()
            self.zookeeper.wait()
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
        if self.zookeeper is not None:
            self.zookeeper.kill()

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
        trust = ssl.create_default_context(cafile=self.trust) if self.trust is not None else None
        scheme = "https" if self.trust is not None else "http"
        request = urllib.request.Request(f"{scheme}://{address(i)}:{self.http}/?{words}", query.encode())
        try:
            with urllib.request.urlopen(request, timeout=60, context=trust) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise OSError(error.read().decode(errors="replace")) from error

    def url(self, i=0, user="", database=""):
        return f"clickhouse{'s' if self.trust is not None else ''}://{user}{address(i)}:{self.http}{database}"
