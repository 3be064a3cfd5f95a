/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-text.h - short texts shared by several views
 */
#pragma once

#include "core/bind/gilk-text-owners.h"
#include "core/cfg/gilk-cfg.h"
#include "core/dataflow/gilk-liveness.h"
#include "core/emit/gilk-inline.h"
#include "core/plan/gilk-plan.h"
#include "ilk/ilk-abi.h"

/* Returns "splice", "trap" and so on; never NULL. */
const char *gilk_text_tactic    (guint tactic);
/* Returns the live registers (those whose value is still needed) as text, such as "rax rdi r14, no
 * flags" or "all but rax, flags". (transfer full) */
char       *gilk_text_live_registers      (const GilkLive *live);
/* Returns a number such as "1,204,331". (transfer full) */
char       *gilk_text_count     (uint64_t count);
/* Returns the number of hits of a hook, or "not counted" if it is not known. It is unknown if the
 * hook's program does not call count(). (transfer full) */
char       *gilk_text_hits_if_known (gboolean are_known, uint64_t hits);
/* Returns a percentage such as "12.5 %". (transfer full) */
char       *gilk_text_share     (uint64_t count, uint64_t total);
/* Returns a sentence that says how many accesses a watchpoint missed, and why. (transfer full) */
char       *gilk_text_missed_accesses (uint64_t missed);
/* Returns a rate such as "8.1 k/s"; "" for a rate of 0. (transfer full) */
char       *gilk_text_rate      (double per_second);
/* Returns the name of @where: "pre", "post" or "at". */
const char *gilk_text_where     (GilkWhere where);
/* Returns where in its block a hook is: "pre", "post" or "at"; "–" for a watchpoint, which is not
 * in a block. */
const char *gilk_text_edge      (const GilkPlanHook *hook);
/* Returns Pango markup of @name. If bit i of @matched is set, character i is bold.
 * (transfer full) */
char       *gilk_text_highlight_matches   (const char *name, uint64_t matched);
/* Returns text such as "pipe_write +0x2b1 pre". (transfer full) */
char       *gilk_text_hook      (const GilkPlanHook *hook);
/* Return text such as "1 sample" or "2,000 hits". (transfer full) */
char       *gilk_text_samples   (uint64_t n);
char       *gilk_text_hits      (uint64_t n);
/* Formats an ISO 8601 time in the local time zone, such as "Today, 14:05" or "3 Mar 2026, 14:05";
 * @exact: always with date and seconds. (transfer full) */
char       *gilk_text_date    (const char *iso8601, gboolean exact);
/* Quotes a word for a shell if needed. (transfer full) */
char       *gilk_text_quote      (const char *word);
/* Breaks shell commands, one per line, in front of their options into lines of about @width
 * columns, which end in continuations (" \"). (transfer full) */
char       *gilk_text_fold_commands    (const char *commands, gsize width);
/* Parses a duration; empty text is 0. Returns FALSE with @error set if it is invalid. */
gboolean    gilk_text_parse_duration   (const char *text, uint64_t *ns, GError **error);
/* Returns whether @error, such as a refusal, is an answer to the user's request, and should be
 * shown in place of the requested figure. */
gboolean    gilk_text_is_answer (const GError *error);
/* Makes @text safe to show: control characters, invalid bytes and characters that change the
 * writing direction become U+FFFD, and words of more than 100 characters are shortened in the
 * middle. (transfer full) */
char       *gilk_text_sanitise      (const char *text);
/* Applies gilk_text_sanitise() to texts of more than 1,024 bytes, whose layout takes long; returns
 * shorter texts unchanged. (transfer full) */
char       *gilk_text_sanitise_long   (const char *text);
/* Formats a duration; returns @zero for 0. (transfer full) */
char       *gilk_text_format_duration (uint64_t ns, const char *zero);

/*
 * Text descriptions of other clients' hooks.
 *
 * @epoch_ns: result of gilk_target_poll_epoch(), which converts the target's monotonic time to
 * wall-clock time; 0: unknown.
 */

/* Returns a text such as "armed: Today, 14:05 · splice · one of its 3 patches" about a hook of
 * another client. @place: the hook's patch, an element of @others. (transfer full) */
char *gilk_others_text_facts    (const GArray *others, const struct ilk_patch_status *place, int64_t epoch_ns);
/* Returns a sentence about the client that owns the patch @place, followed by a line with the text
 * of gilk_others_text_facts(). (transfer full) */
char *gilk_others_text_describe (const GArray *others, const struct ilk_patch_status *place, int64_t epoch_ns);

/* ---- text descriptions of instruments: help and recorded fields ---- */

/* Return the help text of an instrument, and the fields that it records, as text. (transfer
 * full) */
char *gilk_instrument_text        (const struct ilk_instrument_desc *desc);
char *gilk_instrument_text_inline (const GilkInline *known);
