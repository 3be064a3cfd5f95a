#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# start.sh LAB - how long the workbench takes to its window, and to a kernel's functions, the first time and again

GILK_DRIVE=start.py exec "$(dirname "$0")/../gui/run.sh" "${1:?usage: start.sh LAB}"
