/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-answers.h - validates the agent's answers when they arrive, in one place
 *
 * Private to core/link. All functions convert bytes to values and have side effects only on their
 * outputs, so tests and fuzzers need no stream. The rest of core may rely on answers that were
 * accepted here: lengths match counts, counts are within the target's limits, ids are in range and
 * distinct, names are terminated and have only permitted characters. Other answers fail with
 * GILK_ERROR_PROTOCOL and a sentence that quotes the agent; the target then closes the connection
 * (gilk_target_reject_answer()). Outputs are untouched on failure.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

#include "agent/gilk-wire.h"

G_BEGIN_DECLS

/* Limits that all answers of a target must respect. The answer to the first INFO request sets them;
 * they never change afterwards. */
typedef struct {
  guint n_cpus;            /* number of the target's CPUs; 0: not known yet */
  guint hooks_max;
  enum gilk_way way;       /* how hooks get into the target's kernel: the driver, or BPF */
} GilkLimits;

/* Returns the maximum total size in bytes of the answer to a request of @type. */
gsize       gilk_answer_bytes_max (guint type);

/* Sets @error to GILK_ERROR_PROTOCOL, with a message that the agent's answer is invalid; @format is
 * the reason. Returns FALSE. */
gboolean    gilk_answer_invalid (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Copies an answer to @out. Fails unless the answer has exactly @length bytes. */
gboolean gilk_answer_struct (const GByteArray *answer, void *out, gsize length, GError **error);

gboolean    gilk_answer_hello (const GByteArray *answer, uint64_t nonce,
                               struct gilk_hello_answer *out, GError **error);
/* Sets @limits from the answer if they are not known yet; otherwise fails if the limits in the
 * answer are different. */
gboolean    gilk_answer_info (const GByteArray *answer, GilkLimits *limits, struct ilk_info *out,
                              GError **error);
/* Returns the descriptions of instruments (code that runs when a hook is hit) in the answer.
 * (element-type struct ilk_instrument_desc) */
GArray     *gilk_answer_instruments (const GByteArray *answer, GError **error);
/* Returns the names in the answer without duplicates, as a NULL-terminated array. */
char      **gilk_answer_names (const GByteArray *answer, GError **error);
/* Parses an answer that consists of lines "key=value\n". (element-type utf8 utf8) */
GHashTable *gilk_answer_facts (const GByteArray *answer);

/* Fills in the arrays that were sent as the request: id and code address of each patch, id and
 * counter addresses of each hook. If @refusal is not 0, the arrays stay unchanged. */
gboolean gilk_answer_reserve (const GByteArray *answer, const GilkLimits *limits,
                              struct ilk_reserve_patch *patches, guint n_patches,
                              struct ilk_reserve_hook *hooks, guint n_hooks,
                              uint32_t *refusal, GError **error);
/* Fills in only @error and @refusal of each patch and hook. @failed: (out): number of patches and
 * hooks with an error */
gboolean gilk_answer_prepare (const GByteArray *answer,
                              struct ilk_prepare_patch *patches, guint n_patches,
                              struct ilk_prepare_hook *hooks, guint n_hooks,
                              uint32_t *failed, GError **error);
/* Returns the statuses of patches in the answer. @pending: (out) (nullable): number of patches that
 * wait for something, such as a thread. (element-type struct ilk_patch_status) */
GArray  *gilk_answer_status (const GByteArray *answer, guint *pending, GError **error);

/* Validates a SAMPLES event: the CPU must exist, and the records, including gap records (which
 * report lost samples), must be complete. @cells: (out): points into @payload, or to @room if @type
 * is SAMPLES_PACKED; @room: buffer of GILK_WIRE_CELLS_MAX bytes */
gboolean gilk_answer_samples (guint type, const uint8_t *payload, gsize length,
                              const GilkLimits *limits, uint8_t *room,
                              struct gilk_samples *head, const uint8_t **cells, GError **error);
/* Fails unless the clock reading was taken on an existing CPU and its time is in range. */
gboolean gilk_answer_timestamp (const struct ilk_timestamp_pair *reading, const GilkLimits *limits,
                                GError **error);
/* Fails unless the sizes in @rings are possible. */
gboolean gilk_answer_rings (const struct gilk_rings *rings, GError **error);

/* ---- memory for hooks ---- */

/* Fills in id and address of each of @areas, the array that was sent as the request. */
gboolean    gilk_answer_memory (const GByteArray *answer, struct ilk_area *areas, guint count,
                                enum gilk_way way, GError **error);

/* ---- answers about user programs ---- */

/* Copies at most @length bytes of the program file from the answer to @out, and fills in @file.
 * @got: (out): the number of bytes copied */
gboolean gilk_answer_user_read (const GByteArray *answer, gsize length, struct gilk_user_file *file, uint8_t *out,
                                gsize *got, GError **error);
/* Fills in error and refusal of each of @points, the array that was sent as the request. */
gboolean gilk_answer_user_bind (const GByteArray *answer, struct gilk_user_point *points, guint count,
                                GError **error);

/* ---- answers about watchpoints ---- */

/* Fills in error and refusal of each of @watches, the array that was sent as the request. */
gboolean gilk_answer_watchpoints  (const GByteArray *answer, struct gilk_watch_point *watches, guint count, GError **error);
/* Copies the statuses of watchpoints to @out. Fails unless they belong to the hooks @iids, in the
 * same order. */
gboolean gilk_answer_watchpoint_status (const GByteArray *answer, const uint32_t *iids, guint count,
                                        struct gilk_watch_status *out, GError **error);
/* Fills in the refusal in @pin, the struct that was sent as the request. */
gboolean gilk_answer_pin    (const GByteArray *answer, struct ilk_pin *pin, GError **error);

/* ---- answers about tracepoints and timers ---- */

/* Fills in the refusals of @events, the array that was sent as the request. */
gboolean gilk_answer_bind_events (const GByteArray *answer, struct gilk_event_point *events, guint count, GError **error);

/* ---- event counters, and hooks that may crash the kernel ---- */

/* Fills in the results in @events, the array that was sent as the request. */
gboolean gilk_answer_events (const GByteArray *answer, struct gilk_event_counter *events, guint count, GError **error);
gboolean gilk_answer_crash  (const GByteArray *answer, uint32_t iid, uint32_t *refusal, GError **error);

/* ---- clocks, costs and A/B intervals ---- */

/* Fills in @head. @cpus: (out) (nullable) (element-type struct ilk_cpu_clock): the clock of each
 * CPU; NULL if the clocks of CPUs were not requested */
gboolean gilk_answer_clocks  (const GByteArray *answer, const GilkLimits *limits,
                              struct gilk_clocks *head, GArray **cpus, GError **error);
/* Returns the measured durations of calls. Fails unless the answer contains @count measurements.
 * (transfer full) (element-type struct ilk_measure_result) */
GArray  *gilk_answer_measured (const GByteArray *answer, guint count, GError **error);
/* Fills in @made. Fails if the answer reports more system calls or threads than were requested or
 * are possible. */
gboolean gilk_answer_calls  (const GByteArray *answer, const struct gilk_calls *request,
                             struct gilk_calls_made *made, GError **error);
/* Returns the timestamps of the A/B intervals in the answer, in ascending order. (transfer full)
 * (element-type uint64_t) */
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
 * @packed: records as in "Packed samples" in gilk-wire.h; the data are untrusted
 * @cells: (out caller-allocates): buffer of @bytes bytes, aligned to 8
 * @bytes: size of the unpacked records
 * Sets member "commit" of each record, and all padding after payloads, to 0.
 * Returns: FALSE if the input does not unpack to exactly @bytes bytes of complete records; then
 * @cells is undefined
 */
gboolean gilk_unpack_samples (const uint8_t *packed, gsize length, uint8_t *cells, gsize bytes);

G_END_DECLS
