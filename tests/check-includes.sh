#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-includes.sh [ROOT] - the include arrows between parts point one way
#
# The arrows of ARCHITECTURE.md as a test: every #include "..." of ours is looked
# at, and any arrow that is not listed here fails with its file and line. Inside
# core/ and gui/ a folder sees itself and those to its left; in cli/, itself and base.

set -eu

cd "${1:-$(dirname "$0")/..}"

files=$(find agent cli core gui ilk instruments tests -name '*.[ch]' 2>/dev/null | sort)
[ -n "$files" ] || { echo "ok - no sources yet"; exit 0; }

# shellcheck disable=SC2086
grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' /dev/null $files |
awk -F: '
  BEGIN {
    n = split("base debug decode types link image cfg layout dataflow emit splice language program verify plan bind pack capture store samples cost run fleet stats analysis figure export clickhouse metrics plot selftest doctor", order, " ")
    for (i = 1; i <= n; i++)
      rank["core/" order[i]] = i
    n = split("base run plan functions graph inspector plot session results fleet window app", order, " ")
    for (i = 1; i <= n; i++)
      rank["gui/" order[i]] = i
    n = split("look record coverage read instrument", order, " ")
    rank["cli/base"] = 1
    for (i = 1; i <= n; i++)
      rank["cli/" order[i]] = 2
  }

  # Whether a folder may include from another one of the same part: itself, or one with a lower rank.
  # main.c and what is generated lie in no folder.
  function in_order (a, b,    from, to)
  {
    from = a[1] "/" a[2]
    to = b[1] "/" b[2]
    if (!(to in rank))
      return 0
    return from == to || a[2] ~ /\.c$/ || (from in rank && rank[to] < rank[from])
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

  function allowed (from, to,    a, b)
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
        return in_order(a, b)
      }
    if (a[1] == "gui" || a[1] == "cli")
      return (b[1] == a[1] && in_order(a, b)) || b[1] == "core" || contract (to)
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
