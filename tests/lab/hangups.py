#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
hangups - clients of a port one right after another, while the kernel hears of it late

The CPU that handles a port's messages is kept busy, so that the hang-up of a client is
handled in the middle of an answer to the next. Each answer must come whole. The clients
are of the test's own making, on one port, and never say BYE.
"""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, lab_of_arguments, main
from gilkport import Client, abi, port_of

SESSIONS, SECONDS = 60, 60
PORT = 3


def one_after_another(lab):
  """Clients that hang up in each other's sessions"""
  version = abi()
  payload = random.randbytes(1 << 20)
  repeated = 0
  lab.push(os.path.join(BUILD, "tests", "lab", "busy-cpu"), "/tmp/busy-cpu")
  lab.run("chmod +x /tmp/busy-cpu; for i in $(grep virtqueues /proc/interrupts | cut -d: -f1); "
          "do echo 2 >/proc/irq/$i/smp_affinity; done")
  lab.background(f"/tmp/busy-cpu 1 {SECONDS}")
  try:
    with port_of(lab, PORT) as path:
      for _ in range(SESSIONS):
        client = Client(path, version)
        repeated += client.hellos - 1
        client.ping(payload)
        client.socket.close()
  finally:
    lab.run("kill $(pidof busy-cpu); rm -f /tmp/busy-cpu", check=False)
  return f"{SESSIONS} clients, {repeated} HELLOs again"


if __name__ == "__main__":
  sys.exit(main([one_after_another], lab_of_arguments()))
