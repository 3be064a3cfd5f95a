/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-request.h - requests to a target's agent, and their answers
 *
 * Private to core/link and core/image, which make requests. Sending a request and waiting for its
 * answer are separate functions: sending several requests before waiting hides the round trips to a
 * distant machine.
 *
 * Threads: any.
 */
#pragma once

#include "core/link/gilk-answers.h"
#include "core/link/gilk-target.h"

G_BEGIN_DECLS

/* Sends a request whose answer is empty, and waits for the answer. */
gboolean    gilk_target_command (GilkTarget *target, guint type, const void *payload, gsize length,
                                 GCancellable *cancellable, GError **error);
/* Sends @parts as one payload. Returns the request's sequence number, which identifies its answer;
 * 0 with @error. */
uint32_t    gilk_target_send (GilkTarget *target, guint type, GBytes **parts, guint n_parts,
                              GError **error);
uint32_t    gilk_target_send_bytes (GilkTarget *target, guint type,
                                    const void *payload, gsize length, GError **error);
/* Waits for an answer and returns it. The sequence number of each request must be passed to this
 * function or to gilk_target_drop_answer(). */
GByteArray *gilk_target_wait (GilkTarget *target, guint type, uint32_t seq,
                              GCancellable *cancellable, GError **error);
void        gilk_target_drop_answer (GilkTarget *target, uint32_t seq);

/*
 * Closes the connection because an answer was wrong; the agent disarms this client's hooks. @wrong
 * is consumed and becomes @error. Returns FALSE. May be called by any thread.
 */
gboolean   gilk_target_reject_answer (GilkTarget *target, GError *wrong, GError **error);
/* Returns @read, the result of parsing an answer. If parsing failed, @read is NULL and @wrong is
 * the error: then calls gilk_target_reject_answer() and returns NULL. */
gpointer   gilk_target_check_parsed  (GilkTarget *target, gpointer read, GError *wrong, GError **error);
/* Copies the answer to @out. Closes the connection if the answer does not have exactly @length
 * bytes. @answer: (nullable): if NULL, @error is set already */
gboolean   gilk_target_copy_struct (GilkTarget *target, const GByteArray *answer, void *out,
                                    gsize length, GError **error);
/* Returns a buffer to send as a part of a request. Does not copy @data, which must outlive the
 * buffer. @length may be 0. */
GBytes    *gilk_target_part     (const void *data, gsize length);
GilkLimits gilk_target_limits   (GilkTarget *target);

gboolean gilk_target_uses_cache    (GilkTarget *target);
void     gilk_target_set_cache_key (GilkTarget *target, const char *key);
/* Returns a copy of the key under which files of this boot are cached. (transfer full)
 * (nullable) */
char    *gilk_target_cache_key     (GilkTarget *target);

/* Sets the function that receives the samples of SAMPLES events; if @func is NULL, they are
 * dropped. When this function returns, no call of an earlier @func is running. */
void     gilk_target_set_samples_func (GilkTarget *target, GilkSamplesFunc func,
                                       gpointer user_data);
gboolean gilk_target_reads_samples (GilkTarget *target);
void     gilk_target_set_has_driver (GilkTarget *target, gboolean there);

G_END_DECLS
