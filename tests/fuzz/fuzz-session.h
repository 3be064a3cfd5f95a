/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-session.h - the parts of fuzz-session: sessions made, spoilt, and read
 */
#pragma once

#include <gio/gio.h>
#include <stdint.h>

G_BEGIN_DECLS

/* A number below @below, from a sequence that the seed alone decides. */
typedef struct { uint64_t state; } Dice;
guint fuzz_draw (Dice *dice, guint below);

/* Some valid sessions as bytes (element-type GBytes), small: a study with samples, spans, counts,
 * graph and journal; one that was cut off; one of the first version of the format. */
GPtrArray *fuzz_make_sessions (const char *folder, const char *const *old_sql);

/* Spoils @session: its bytes, its pages, its rows or its schema. (transfer full) */
GByteArray *fuzz_spoil (Dice *dice, GBytes *session);

/* A folder of files, if it is there. */
void fuzz_remove_folder (const char *folder);

/* Reads @path in one of the ways there are, for each opens and checks it anew: as the workbench does,
 * by a command of gilk, by SQL, or to verify it; errors are fine. */
void fuzz_read (Dice *dice, const char *path, GCancellable *cancellable);

G_END_DECLS
