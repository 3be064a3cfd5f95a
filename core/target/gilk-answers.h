/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-answers.h - what an agent's answer may say, checked once, where it comes in
 *
 * Private to core/target. Pure: bytes in, facts out, so that tests and fuzzers need no
 * stream. Whatever passes here the rest of core may trust: lengths fit counts, counts fit
 * the limits of the target, ids are in range and unlike each other, names end and are of
 * the letters that names have. What does not pass is GILK_ERROR_PROTOCOL with a sentence
 * that says what the agent said; the target closes the connection then
 * (gilk_target_distrust). Outputs are untouched on failure.
 *
 * Threads: any.
 */
#pragma once

#include <gio/gio.h>

#include "agent/gilk-wire.h"

G_BEGIN_DECLS

/* What all answers of a target are held to. Its first INFO sets it; it never changes then. */
typedef struct {
  guint n_cpus;            /* 0: not known yet */
  guint hooks_max;
} GilkLimits;

/* Most bytes that the answer to a request of @type may have in all. */
gsize       gilk_answer_bytes_max (guint type);

/* Sets @error to a PROTOCOL error: "The agent's answer cannot be right: ...". Returns FALSE. */
gboolean    gilk_answer_wrong (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* The whole of @answer as text: valid UTF-8, never NULL. (transfer full) */
char       *gilk_answer_text (const GByteArray *answer);
/* Exactly @length bytes, copied to @out. */
gboolean    gilk_answer_struct (const GByteArray *answer, void *out, gsize length, GError **error);

gboolean    gilk_answer_hello (const GByteArray *answer, uint64_t nonce,
                               struct gilk_hello_answer *out, GError **error);
/* Fixes @limits if they are not yet, and holds the answer to them if they are. */
gboolean    gilk_answer_info (const GByteArray *answer, GilkLimits *limits, struct ilk_info *out,
                              GError **error);
/* (element-type struct ilk_instrument_desc) */
GArray     *gilk_answer_instruments (const GByteArray *answer, GError **error);
/* NULL-terminated, each once. */
char      **gilk_answer_names (const GByteArray *answer, GError **error);
/* (element-type utf8 utf8) from lines "key=value\n" */
GHashTable *gilk_answer_facts (const GByteArray *answer);

/* @patches and @hooks as they were sent; ids, slots and cells are filled in. With a
 * @refusal nothing is. */
gboolean    gilk_answer_reserve (const GByteArray *answer, const GilkLimits *limits,
                                 struct ilk_reserve_patch *patches, guint n_patches,
                                 struct ilk_reserve_hook *hooks, guint n_hooks,
                                 uint32_t *refusal, GError **error);
/* Items that were not prepared: @error and @refusal of each are filled in, and no more. */
gboolean    gilk_answer_prepare (const GByteArray *answer,
                                 struct ilk_prepare_patch *patches, guint n_patches,
                                 struct ilk_prepare_hook *hooks, guint n_hooks,
                                 uint32_t *failed, GError **error);
/* (element-type struct ilk_patch_status) */
GArray     *gilk_answer_status (const GByteArray *answer, guint *pending, GError **error);

/* A SAMPLES event: whole records of a CPU that there is, or gaps. @head is filled in, @cells set:
 * to somewhere in @payload, or to @room where @type is SAMPLES_PACKED; that has
 * GILK_WIRE_CELLS_MAX bytes. */
gboolean    gilk_answer_samples (guint type, const uint8_t *payload, gsize length,
                                 const GilkLimits *limits, uint8_t *room,
                                 struct gilk_samples *head, const uint8_t **cells, GError **error);
/* Of a CPU that there is. */
gboolean    gilk_answer_reading (const struct ilk_clock_reading *reading, const GilkLimits *limits,
                                 GError **error);
/* @rings are possible ones. */
gboolean    gilk_answer_rings (const struct gilk_rings *rings, GError **error);

/* ---- gilk-answers-memory.c ---- */

/* @areas as they were sent; id and place of each are filled in. */
gboolean    gilk_answer_memory (const GByteArray *answer, struct ilk_area *areas, guint count,
                                GError **error);

/* ---- gilk-answers-user.c ---- */

/* No more than @length bytes, which go into @out; @got: how many. @file is filled in. */
gboolean    gilk_answer_user_read (const GByteArray *answer, gsize length, struct gilk_user_file *file, uint8_t *out,
                                   gsize *got, GError **error);
/* @points as they were sent; errors are filled in. */
gboolean    gilk_answer_user_bind (const GByteArray *answer, struct ilk_user_point *points, guint count,
                                   GError **error);
/* ---- gilk-answers-watch.c ---- */

/* @watches as they were sent; errors are filled in. @failed: (out): of how many */
gboolean    gilk_answer_watch  (const GByteArray *answer, struct ilk_watch *watches, guint count, guint *failed,
                                GError **error);
/* Of these iids, in their order. */
gboolean    gilk_answer_watch_status (const GByteArray *answer, const uint32_t *iids, guint count,
                                      struct ilk_watch_status *out, GError **error);
/* Of what was sent nothing is another now, but @refusal. */
gboolean    gilk_answer_pin    (const GByteArray *answer, struct ilk_pin *pin, GError **error);

/* ---- gilk-answers-event.c ---- */

/* @events as they were sent; what became of each is filled in. */
gboolean    gilk_answer_events (const GByteArray *answer, struct ilk_counted *events, guint count, GError **error);
gboolean    gilk_answer_crash  (const GByteArray *answer, uint32_t iid, uint32_t *refusal, GError **error);

/* ---- gilk-answers-time.c ---- */

/* @cpus: (out) (nullable) (element-type struct ilk_cpu_clock): one of each CPU, where they were asked
 * for. @head is filled in. */
gboolean    gilk_answer_clocks  (const GByteArray *answer, const GilkLimits *limits,
                                 struct gilk_clocks *head, GArray **cpus, GError **error);
/* As many as were asked for. (transfer full) (element-type struct ilk_measured) */
GArray     *gilk_answer_measured (const GByteArray *answer, guint count, GError **error);
/* No more calls and threads than there may be. */
gboolean    gilk_answer_calls  (const GByteArray *answer, const struct gilk_calls *wish,
                                struct gilk_calls_made *made, GError **error);
/* Ascending moments. (transfer full) (element-type uint64_t) */
GArray     *gilk_answer_blocks (const GByteArray *answer, GError **error);

G_END_DECLS
