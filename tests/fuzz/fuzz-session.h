/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-session.h - the parts of fuzz-session: making, corrupting and reading sessions
 */
#pragma once

#include <gio/gio.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Returns a number below @below, from a sequence determined by the seed alone. */
typedef struct { uint64_t state; } Dice;
guint fuzz_draw (Dice *dice, guint below);

/* Returns: (element-type GBytes): some small valid sessions as bytes: a study with samples, spans,
 * counts, graph and journal; one that was cut off; one of the first version of the format */
GPtrArray *fuzz_make_sessions (const char *folder);

/* Returns: (transfer full): @session with its bytes, pages, rows or schema corrupted */
GByteArray *fuzz_spoil (Dice *dice, GBytes *session);

/* Removes a folder of files, if it exists. */
void fuzz_remove_folder (const char *folder);

/* Reads @path in one way, since each opens and checks it again: as the workbench does, by a command
 * of gilk, by SQL, or by verify. Errors are expected. */
void fuzz_read (Dice *dice, const char *path, GCancellable *cancellable);

G_END_DECLS
