# SPDX-License-Identifier: GPL-2.0-or-later
"""
drive.py [LAB] - the workbench driven through AT-SPI; run by run.sh

Prints "ok - ..." and "not ok - ..." lines. A case that fails leaves a screenshot with its name in $OUT.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import accesses  # noqa: E402
import callees  # noqa: E402
import calls  # noqa: E402
import canvas  # noqa: E402
import cases  # noqa: E402
import choice  # noqa: E402
import consent  # noqa: E402
import drawing  # noqa: E402
import ending  # noqa: E402
import events  # noqa: E402
import exports  # noqa: E402
import find  # noqa: E402
import first  # noqa: E402
import fleet  # noqa: E402
import folds  # noqa: E402
import hooking  # noqa: E402
import intervals  # noqa: E402
import keyboard  # noqa: E402
import keys  # noqa: E402
import lost  # noqa: E402
import many  # noqa: E402
import messages  # noqa: E402
import opening  # noqa: E402
import page  # noqa: E402
import panes  # noqa: E402
import patches  # noqa: E402
import plan_files  # noqa: E402
import programs  # noqa: E402
import ranges  # noqa: E402
import reader  # noqa: E402
import results  # noqa: E402
import schedule  # noqa: E402
import spans  # noqa: E402
import odd_names  # noqa: E402
import stops  # noqa: E402
import suite  # noqa: E402
import targets  # noqa: E402
import two_labs  # noqa: E402

# In the order in which they run; the last ones leave agents and a machine that died.
MODULES = (opening, ending, first, hooking, choice, events, keyboard, keys, reader, canvas, drawing, folds, calls, cases, programs, consent, find, results,
           ranges, page, many, messages, panes, exports, intervals, spans, schedule, stops, accesses, odd_names,
           fleet, two_labs, targets, lost)

if __name__ == "__main__":
  sys.exit(suite.run(*(module.register for module in (plan_files, callees, patches, *MODULES))))
