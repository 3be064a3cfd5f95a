#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-includes.sh [ROOT] - the include arrows between parts point one way
#
# The arrows of ARCHITECTURE.md as a test: every #include "..." of ours is looked
# at, and any arrow that is not listed here fails with its file and line. Inside
# core/ a folder sees itself and those to its left.

set -eu

cd "${1:-$(dirname "$0")/..}"

files=$(find agent cli core gui ilk instruments tests -name '*.[ch]' 2>/dev/null | sort)
[ -n "$files" ] || { echo "ok - no sources yet"; exit 0; }

# shellcheck disable=SC2086
grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' /dev/null $files |
awk -F: '
  BEGIN {
    n = split("base debug decode types link image cfg layout dataflow emit splice program plan bind pack store samples run fleet stats analysis figure export remote plot selftest doctor", order, " ")
    for (i = 1; i <= n; i++)
      rank[order[i]] = i
  }

  # The path an include names, seen from the root: relative ones are resolved.
  function resolve (from, name,    dir, parts, out, i, k)
  {
    if (name ~ /^(agent|cli|core|gui|ilk|instruments|tests)\//)
      return name
    dir = from
    sub (/\/[^\/]*$/, "", dir)
    k = split (dir "/" name, parts, "/")
    out = ""
    depth = 0
    for (i = 1; i <= k; i++)
      {
        if (parts[i] == "..")
          depth--
        else if (parts[i] != ".")
          stack[++depth] = parts[i]
      }
    for (i = 1; i <= depth; i++)
      out = out (i > 1 ? "/" : "") stack[i]
    return out
  }

  function contract (path)
  {
    return path == "agent/gilk-wire.h" || path == "ilk/ilk-abi.h"
  }

  function allowed (from, to,    a, b, fa, fb)
  {
    split (from, a, "/")
    split (to, b, "/")
    if (a[1] == "tests")
      return 1
    if (to !~ /\//)                     # config.h and other generated files
      return 1
    if (a[1] == "core")
      {
        if (contract (to))
          return 1
        if (b[1] != "core")
          return 0
        fa = a[2]
        fb = b[2]
        if (!(fa in rank) || !(fb in rank))
          return 0
        return rank[fb] <= rank[fa]
      }
    if (a[1] == "gui" || a[1] == "cli")
      return b[1] == a[1] || b[1] == "core" || contract (to)
    if (a[1] == "agent")
      return b[1] == "agent" || contract (to)
    if (a[1] == "ilk")
      return b[1] == "ilk"
    if (a[1] == "instruments")
      return b[1] == "instruments" || to == "ilk/ilk.h" || to == "ilk/ilk-abi.h"
    return 0
  }

  {
    from = $1
    line = $2
    name = $0
    sub (/^[^"]*"/, "", name)
    sub (/".*/, "", name)
    seen++
    to = resolve (from, name)
    if (!allowed (from, to))
      {
        printf "not ok - %s:%s: %s may not include %s\n", from, line, from, to
        bad++
      }
  }

  END {
    if (bad)
      exit 1
    printf "ok - %d includes, every arrow allowed\n", seen
  }
'
