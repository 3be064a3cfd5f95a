/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-notes.h - users' notes on a run, or on a time in a run
 *
 * Notes may be written while another process records the run, or long after.
 *
 * Threads: only the store's thread. On failure outputs are untouched.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

#define GILK_NOTE_BYTES   4096      /* maximum length of a note's text, in bytes */
#define GILK_NOTE_WHOLE_RUN (-1)    /* from_ns and to_ns of a note on the whole run */

typedef struct {
  gint64 id, run;
  gint64 hook;                      /* row id of a hook; 0: the note is not about a single hook */
  gint64 from_ns, to_ns;            /* time range; if both are equal, the note is about a single
                                     * time; GILK_NOTE_WHOLE_RUN: about the whole run */
  char  *text, *author, *written;   /* @author, @written: nullable; @written: time, ISO 8601, UTC */
} GilkStoredNote;

/* Returns a run's notes sorted by time; notes on the whole run come last. Users refer to a note by
 * its position, from 1. (transfer full) (element-type GilkStoredNote) */
GArray  *gilk_store_notes       (GilkStore *store, gint64 run, GError **error);
/**
 * gilk_store_put_note:
 * @note: if its id is 0, the note is added, and its new id returned in @id; else it replaces the
 * note with that id.
 * @note->written is ignored
 * Refuses an empty or overlong text, a time before the run, and an end before the start. The note
 * is on disk when the function returns.
 */
gboolean gilk_store_put_note    (GilkStore *store, const GilkStoredNote *note, gint64 *id, GError **error);
/* Removes a note. Fails if it does not exist. */
gboolean gilk_store_remove_note (GilkStore *store, gint64 id, GError **error);

GilkStoredNote *gilk_stored_note_copy (const GilkStoredNote *note);
void            gilk_stored_note_free (GilkStoredNote *note);
/* Returns the note's time: "9.1 s", "9.1 s to 9.9 s", or a phrase for the whole run. (transfer
 * full) */
char           *gilk_stored_note_when (const GilkStoredNote *note);

G_END_DECLS
