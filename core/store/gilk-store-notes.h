/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-notes.h - what people wrote about a run, or about a moment of it
 *
 * They may be written while the run is recorded by somebody else, and long after.
 *
 * Threads: that of the store. On failure outputs are untouched.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

#define GILK_NOTE_BYTES   4096      /* of a text, at most */
#define GILK_NOTE_NOWHERE (-1)      /* of all of the run, not of a moment */

typedef struct {
  gint64 id, run;
  gint64 hook;                      /* 0: of none alone */
  gint64 from_ns, to_ns;            /* the same: a moment; GILK_NOTE_NOWHERE, both */
  char  *text, *author, *written;   /* author, written: nullable; written: ISO 8601, UTC */
} GilkStoredNote;

/* Of a run, by time, those of all of it last: a note is called by its place here, from 1. A session before version 12
 * knows moments only. (transfer full) (element-type GilkStoredNote) */
GArray  *gilk_store_notes       (GilkStore *store, gint64 run, GError **error);
/**
 * gilk_store_put_note:
 * @note: id 0: a new one, whose id is given back; else the one that becomes this. written is not looked at
 * An empty or overlong text, a time before the run or one that ends before it begins is refused. On disk when it returns.
 */
gboolean gilk_store_put_note    (GilkStore *store, const GilkStoredNote *note, gint64 *id, GError **error);
/* A note that is not there is an error. */
gboolean gilk_store_remove_note (GilkStore *store, gint64 id, GError **error);

GilkStoredNote *gilk_stored_note_copy (const GilkStoredNote *note);
void            gilk_stored_note_free (GilkStoredNote *note);
/* "9.1 s", "9.1 s to 9.9 s", or that it is about all. (transfer full) */
char           *gilk_stored_note_when (const GilkStoredNote *note);

G_END_DECLS
