/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - one line on the terminal that says what is going on
 *
 * Written to standard error, only if that is a terminal; gone when the work is
 * done. Safe to call from any thread.
 */
#pragma once

#include "core/base/gilk-progress.h"

G_BEGIN_DECLS

typedef struct _CliProgress CliProgress;

/* @enabled FALSE makes all calls do nothing (--quiet, --json, no terminal). */
CliProgress *cli_progress_new   (gboolean enabled);
void         cli_progress_free  (CliProgress *progress);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliProgress, cli_progress_free)

gboolean     cli_progress_enabled (CliProgress *progress);
/* Replaces the line; cut to the terminal. */
void         cli_progress_show  (CliProgress *progress, const char *text);
/* Takes the line away. */
void         cli_progress_clear (CliProgress *progress);
/* As the library wants it: a bar with what is being done. (transfer none) */
const GilkProgress *cli_progress_for_core (CliProgress *progress);

G_END_DECLS
