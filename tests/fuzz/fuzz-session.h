/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-session.h - makes, corrupts and reads sessions
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "core/base/gilk-cancellable.h"

G_BEGIN_DECLS

/* State of the random number generator, whose numbers depend only on the seed. */
typedef struct { uint64_t state; } Dice;
guint fuzz_draw (Dice *dice, guint below);

/* Returns: (element-type GBytes): some small valid sessions as bytes: a run with samples, spans,
 * counts, graph and journal; the same run with compressed columns; a session of two such runs, of
 * which the second did not end */
GPtrArray *fuzz_make_sessions (const char *folder);

/* Returns: (transfer full): @session with its bytes, pages, rows or schema corrupted */
GByteArray *fuzz_spoil (Dice *dice, GBytes *session);

/* Removes a folder of files, if it exists. */
void fuzz_remove_folder (const char *folder);

/* Reads @path in a way that is chosen at random: with the readers of the workbench, with a command
 * of gilk, with SQL, or with gilk verify. Each way opens and checks the file again. Errors are
 * expected. */
void fuzz_read (Dice *dice, const char *path, GCancellable *cancellable);

G_END_DECLS
