/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-answers.h - validates the agent's answers when they arrive, in one place
 *
 * Private to core/link. Pure functions from bytes to values, so that tests and fuzzers need no
 * stream. The rest of core may rely on accepted answers: lengths match counts, counts are within
 * the target's limits, ids are in range and distinct, names are terminated and have only permitted
 * characters. Other answers fail with GILK_ERROR_PROTOCOL and a sentence that quotes the agent; the
 * target then closes the connection (gilk_target_reject_answer()). Outputs are untouched on
 * failure.
 *
 * Threads: any.
 */
#pragma once

#include <gio/gio.h>
#include <glib.h>

#include "agent/gilk-wire.h"

G_BEGIN_DECLS

/* Limits for all answers of a target. The answer to the first INFO sets them; they never change
 * afterwards. */
typedef struct {
  guint n_cpus;            /* number of the target's CPUs; 0: not known yet */
  guint hooks_max;
  enum gilk_way way;       /* how hooks get into the target's kernel: the driver, or BPF */
} GilkLimits;

/* Returns the maximum total size in bytes of the answer to a request of @type. */
gsize       gilk_answer_bytes_max (guint type);

/* Sets @error to GILK_ERROR_PROTOCOL, "The agent's answer cannot be right: ...". Returns FALSE. */
gboolean    gilk_answer_invalid (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Copies an answer to @out. Fails unless the answer has exactly @length bytes. */
gboolean gilk_answer_struct (const GByteArray *answer, void *out, gsize length, GError **error);

gboolean    gilk_answer_hello (const GByteArray *answer, uint64_t nonce,
                               struct gilk_hello_answer *out, GError **error);
/* Sets @limits if they are not known yet; otherwise fails if the answer differs from them. */
gboolean    gilk_answer_info (const GByteArray *answer, GilkLimits *limits, struct ilk_info *out,
                              GError **error);
/* Returns the instruments in the answer. (element-type struct ilk_instrument_desc) */
GArray     *gilk_answer_instruments (const GByteArray *answer, GError **error);
/* Returns the names in the answer, NULL-terminated, without duplicates. */
char      **gilk_answer_names (const GByteArray *answer, GError **error);
/* Parses lines of the form "key=value\n". (element-type utf8 utf8) */
GHashTable *gilk_answer_facts (const GByteArray *answer);

/* Fills in the arrays of the request: ids and slots of @patches, iids and cells of @hooks. If
 * @refusal is not 0, the arrays stay unchanged. */
gboolean gilk_answer_reserve (const GByteArray *answer, const GilkLimits *limits,
                              struct ilk_reserve_patch *patches, guint n_patches,
                              struct ilk_reserve_hook *hooks, guint n_hooks,
                              uint32_t *refusal, GError **error);
/* Fills in only @error and @refusal of each item. @failed: (out): number of items with an error */
gboolean gilk_answer_prepare (const GByteArray *answer,
                              struct ilk_prepare_patch *patches, guint n_patches,
                              struct ilk_prepare_hook *hooks, guint n_hooks,
                              uint32_t *failed, GError **error);
/* Returns the statuses in the answer. (element-type struct ilk_patch_status) */
GArray  *gilk_answer_status (const GByteArray *answer, guint *pending, GError **error);

/* Validates a SAMPLES event: the CPU must exist, and the records, including gap records, must be
 * complete. @cells: (out): points into @payload, or to @room if @type is SAMPLES_PACKED; @room:
 * buffer of GILK_WIRE_CELLS_MAX bytes */
gboolean gilk_answer_samples (guint type, const uint8_t *payload, gsize length,
                              const GilkLimits *limits, uint8_t *room,
                              struct gilk_samples *head, const uint8_t **cells, GError **error);
/* Fails unless the reading comes from an existing CPU and its time is in range. */
gboolean gilk_answer_timestamp (const struct ilk_timestamp_pair *reading, const GilkLimits *limits,
                                GError **error);
/* Fails unless the sizes in @rings are possible. */
gboolean gilk_answer_rings (const struct gilk_rings *rings, GError **error);

/* ---- memory for hooks ---- */

/* Fills in id and address of each of @areas, the array of the request. */
gboolean    gilk_answer_memory (const GByteArray *answer, struct ilk_area *areas, guint count,
                                enum gilk_way way, GError **error);

/* ---- answers about user programs ---- */

/* Copies at most @length bytes to @out and fills in @file. @got: (out): the number of bytes
 * copied */
gboolean gilk_answer_user_read (const GByteArray *answer, gsize length, struct gilk_user_file *file, uint8_t *out,
                                gsize *got, GError **error);
/* Fills in error and refusal of each of @points, the array of the request. */
gboolean gilk_answer_user_bind (const GByteArray *answer, struct gilk_user_point *points, guint count,
                                GError **error);

/* ---- answers about watchpoints ---- */

/* Fills in error and refusal of each of @watches, the array of the request. */
gboolean gilk_answer_watchpoints  (const GByteArray *answer, struct gilk_watch_point *watches, guint count, GError **error);
/* Fails unless the statuses belong to @iids, in the same order. */
gboolean gilk_answer_watchpoint_status (const GByteArray *answer, const uint32_t *iids, guint count,
                                        struct gilk_watch_status *out, GError **error);
/* Fills in the refusal in @pin, the struct of the request. */
gboolean gilk_answer_pin    (const GByteArray *answer, struct ilk_pin *pin, GError **error);

/* ---- answers about tracepoints and timers ---- */

/* Fills in the refusals of @events, which is the array of the request. */
gboolean gilk_answer_bind_events (const GByteArray *answer, struct gilk_event_point *events, guint count, GError **error);

/* ---- event counters, and hooks that may crash the kernel ---- */

/* Fills in the results in @events, which is the array of the request. */
gboolean gilk_answer_events (const GByteArray *answer, struct gilk_event_counter *events, guint count, GError **error);
gboolean gilk_answer_crash  (const GByteArray *answer, uint32_t iid, uint32_t *refusal, GError **error);

/* ---- clocks, costs and A/B intervals ---- */

/* Fills in @head. @cpus: (out) (nullable) (element-type struct ilk_cpu_clock): one for each CPU;
 * NULL if clocks of CPUs were not requested */
gboolean gilk_answer_clocks  (const GByteArray *answer, const GilkLimits *limits,
                              struct gilk_clocks *head, GArray **cpus, GError **error);
/* Returns the measured costs. Fails unless the answer contains @count costs. (transfer full)
 * (element-type struct ilk_measure_result) */
GArray  *gilk_answer_measured (const GByteArray *answer, guint count, GError **error);
/* Fills in @made. Fails if the answer reports more calls or threads than requested or possible. */
gboolean gilk_answer_calls  (const GByteArray *answer, const struct gilk_calls *request,
                             struct gilk_calls_made *made, GError **error);
/* Returns timestamps in ascending order. (transfer full) (element-type uint64_t) */
GArray  *gilk_answer_intervals (const GByteArray *answer, GError **error);

/*
 * Translates messages from the agent and from instruments
 *
 * Threads: any.
 */

/* Translates a sentence of the agent or a text of an instrument's description. (transfer full) */
char *gilk_agent_translate (const char *text);

/*
 * Unpacks samples that the agent has packed
 *
 * Threads: any.
 */

/**
 * gilk_unpack_samples:
 * @packed: records as in "Packed samples" in gilk-wire.h; untrusted
 * @cells: (out caller-allocates): buffer of @bytes bytes, aligned to 8
 * @bytes: size of the unpacked records
 * Sets member "commit" of each record, and all padding after payloads, to 0.
 * Returns: FALSE if the input does not unpack to exactly @bytes bytes of complete records; then
 * @cells is undefined
 */
gboolean gilk_unpack_samples (const uint8_t *packed, gsize length, uint8_t *cells, gsize bytes);

G_END_DECLS
