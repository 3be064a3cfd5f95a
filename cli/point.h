/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point.h - a probe point as one writes it on a command line
 *
 *   FUNCTION+OFF[:pre|:post][:INSTRUMENT]        pipe_write+0x2b1:pre:task
 *   FUNCTION@ANCHOR[:pre|:post][:INSTRUMENT]     pipe_read@call:schedule:pre:task
 *   FUNCTION[:pre|:post][:INSTRUMENT]            the entry block
 *
 * FUNCTION may name its module, "ext4:ext4_sync_file" or "ext4_sync_file [ext4]";
 * OFF is hexadecimal, ".cold+0x10" in the cold part; ANCHOR is call:SYMBOL,
 * call:SYMBOL#N, entry or return, as in plan files.
 */
#pragma once

#include <glib.h>

#include "core/run/gilk-plan.h"

G_BEGIN_DECLS

typedef struct {
  char     *function;
  char     *block;         /* "+0x1f", ".cold+0x10"; NULL with an anchor */
  char     *anchor;        /* NULL with a block */
  char     *instrument;    /* NULL if not given */
  GilkWhere where;
} CliPoint;

/* @point is untouched on failure. Says nothing about whether the function exists. */
gboolean cli_point_parse (const char *text, CliPoint *point, GError **error);
void     cli_point_clear (CliPoint *point);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliPoint, cli_point_clear)

/* The point as a hook of @plan with a label of its own; not yet in it. (transfer full) */
GilkPlanHook *cli_point_to_hook (const CliPoint *point, const GilkPlan *plan,
                                 const char *instrument);

const char *cli_where_name (GilkWhere where);

G_END_DECLS
