#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: clients of a port may follow each other at once
"""
hangups - clients of a port one right after another, while the kernel hears of it late

The CPU that handles a port's messages is kept busy, so that the hang-up of a client is
handled in the middle of an answer to the next; and that the next is there may be handled
long after it. Each answer must come whole. The clients are of the test's own making, on
one port, and never say BYE.
"""
import concurrent.futures
import contextlib
import os
import random
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, expect, lab_of_arguments, main
from gilkport import Client, abi, port_of

SECONDS = 60
PORT = 3
HELD_UP_S = 12


@contextlib.contextmanager
def busy(lab):
  lab.push(os.path.join(BUILD, "tests", "lab", "programs", "busy-cpu"), "/tmp/busy-cpu")
  lab.run("chmod +x /tmp/busy-cpu; for i in $(grep virtqueues /proc/interrupts | cut -d: -f1); "
          "do echo 2 >/proc/irq/$i/smp_affinity; done")
  lab.background(f"/tmp/busy-cpu 1 {SECONDS}")
  try:
    yield
  finally:
    lab.run("kill $(pidof busy-cpu); rm -f /tmp/busy-cpu", check=False)


def clients(lab, enough):
  """One after another until enough(how many there were). How many, and HELLOs that were said again."""
  version = abi()
  payload = random.randbytes(1 << 20)
  count = repeated = 0
  with port_of(lab, PORT) as path:
    while not enough(count):
      client = Client(path, version)
      count += 1
      repeated += client.hellos - 1
      client.ping(payload)
      client.socket.close()
  return f"{count} clients, {repeated} HELLOs again"


def one_after_another(lab):
  """Clients that hang up in each other's sessions"""
  with busy(lab):
    return clients(lab, lambda count: count == 60)


def far_apart(lab):
  """The same, and what is heard of the next client comes 150 ms behind that"""
  with busy(lab), concurrent.futures.ThreadPoolExecutor() as pool:
    # Commands go by ports, too: this one comes before the delays and goes after them.
    delays = pool.submit(lab.run, "sleep 1; insmod /lib/modules/$(uname -r)/extra/gilk_late.ko; "
                         f"sleep {HELD_UP_S}; cat /sys/module/gilk_late/parameters/waits; rmmod gilk_late")
    begin = time.monotonic()
    done = clients(lab, lambda _: time.monotonic() - begin > HELD_UP_S - 1)
    waits = int(delays.result())
  expect(waits >= 10, f"only {waits} messages of the port were held up")
  return f"{done}, {waits} messages held up"


if __name__ == "__main__":
  sys.exit(main([one_after_another, far_apart], lab_of_arguments()))
