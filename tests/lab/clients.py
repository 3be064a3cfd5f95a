#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: several clients share a kernel, and agents keep only the capabilities that they need
"""
clients - several clients of one kernel, and what their agents may do

A client that has stopped its recording, and stays connected, holds no rings. The agent
has given up all of root's capabilities but those it needs. Modules load as the
distribution compresses them.
"""
import lzma
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, expect, lab_of_arguments, main
from gilkport import Client, abi, port_of

DRIVER_LOAD, INSTRUMENT_LOAD, INSTRUMENT_UNLOAD = 20, 25, 26
SAMPLES_START, SAMPLES_STOP = 40, 41
CAPS = 1 << 16 | 1 << 17 | 1 << 34 | 1 << 38 | 1 << 39  # SYS_MODULE, SYS_RAWIO, SYSLOG, PERFMON, BPF
HELPERS = {"gilkd-look": 1 << 19,                # SYS_PTRACE, of the process that opens programs
           "gilkd-probe": 1 << 21 | 1 << 38,     # SYS_ADMIN and PERFMON, of the one that opens kprobes
           "gilkd-uprobe": 1 << 21 | 1 << 38}    # and of the one that puts uprobes


def an_idle_client_holds_no_rings(lab):
  """Two connections, one after the other reads samples"""
  wish = struct.pack("<IIQQ", 20, 0, 0, 0)
  with port_of(lab, 2) as one, port_of(lab, 3) as two:
    first, second = Client(one, abi()), Client(two, abi())
    status, text = first.request(DRIVER_LOAD)
    expect(status == 0, text)
    for turn in range(3):
      status, text = first.request(SAMPLES_START, wish)
      expect(status == 0, f"turn {turn}: {text}")
      status, text = second.request(SAMPLES_START, wish)
      expect(status == 16 and b"Another program" in text, f"both read the rings: {status} {text}")
      status, _ = first.request(SAMPLES_STOP)
      expect(status == 0, "samples do not stop")
      status, text = second.request(SAMPLES_START, wish)
      expect(status == 0, f"the first client is idle, but: {text}")
      status, _ = second.request(SAMPLES_STOP)
      expect(status == 0, "samples do not stop")
    first.socket.close()
    second.socket.close()


def the_agent_keeps_few_capabilities(lab):
  """All sets of each gilkd, and no_new_privs; its helpers have others"""
  pids = lab.run("pidof gilkd " + " ".join(HELPERS)).split()
  counts = dict.fromkeys(["gilkd", *HELPERS], 0)
  for pid in sorted(set(pids)):
    lines = dict(line.split(":\t") for line in lab.run(f"cat /proc/{pid}/status").splitlines()
                 if ":\t" in line)
    caps = HELPERS.get(lines["Name"], CAPS)
    counts[lines["Name"]] += 1
    for name, wanted in (("CapInh", 0), ("CapPrm", caps), ("CapEff", caps), ("CapBnd", caps),
                         ("CapAmb", 0)):
      expect(int(lines[name], 16) == wanted, f"{name} of gilkd is {lines[name]}")
    expect(lines["NoNewPrivs"].strip() == "1", "gilkd may gain privileges")
    policy = lab.run(f"cut -d' ' -f41 /proc/{pid}/stat").strip()
    expect(policy == "0", f"gilkd, which has nothing to do, is scheduled by policy {policy}")
  expect(len(set(counts.values())) == 1 and counts["gilkd"] > 0, f"processes: {counts}")
  return f"{counts['gilkd']} agents"


def a_compressed_instrument(lab):
  """ilk-template.ko.xz loads where the kernel unpacks, and says what to do elsewhere"""
  release = lab.run("uname -r").strip()
  folder = f"/lib/modules/{release}/updates/gilk"
  with open(os.path.join(BUILD, "lab", release, "modules", "ilk-template.ko"), "rb") as file:
    packed = lzma.compress(file.read(), check=lzma.CHECK_CRC32, preset=1)
  path = os.path.join(BUILD, "lab", release, "ilk-compressed.ko.xz")
  with open(path, "wb") as file:
    file.write(packed)
  lab.run(f"mkdir -p {folder}; rmmod ilk_template 2>/dev/null; true")
  lab.push(path, f"{folder}/ilk-compressed.ko.xz")
  with port_of(lab, 3) as port:
    client = Client(port, abi())
    expect(client.request(DRIVER_LOAD)[0] == 0, "the driver does not load")
    status, text = client.request(INSTRUMENT_LOAD, b"compressed")
    loaded = "ilk_template" in lab.run("cat /proc/modules")
    lab.run(f"rm {folder}/ilk-compressed.ko.xz; rmmod ilk_template 2>/dev/null; true")
    client.socket.close()
  if release.startswith("6.1."):
    expect(status != 0 and b"xz -d" in text, f"{status} {text}")
    return "refused by a sentence"
  expect(status == 0 and loaded, f"{status} {text}")
  return "loaded"


if __name__ == "__main__":
  sys.exit(main([an_idle_client_holds_no_rings, the_agent_keeps_few_capabilities,
                 a_compressed_instrument], lab_of_arguments()))
