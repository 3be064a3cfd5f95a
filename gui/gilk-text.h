/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-text.h - small texts that several views show alike
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/dataflow/gilk-liveness.h"
#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

/* "splice", "trap". Never NULL. */
const char *gilk_text_tactic    (guint tactic);
/* "rax rdi r14, no flags", "all but rax, flags". (transfer full) */
char       *gilk_text_live      (const GilkLive *live);
/* "1,204,331". (transfer full) */
char       *gilk_text_count     (uint64_t count);
/* The same of a hook's hits, or that they are not counted: a program counts where it says count(). (transfer full) */
char       *gilk_text_hits_known (gboolean are_known, uint64_t hits);
/* "12.5 %". (transfer full) */
char       *gilk_text_share     (uint64_t count, uint64_t total);
/* That a watch paused so often, and what that means. (transfer full) */
char       *gilk_text_pauses    (uint64_t pauses);
/* "8.1 k/s"; "" for none. (transfer full) */
char       *gilk_text_rate      (double per_second);
/* "splice, 3 instructions", the problem, or "…" while not known. (transfer full) */
char       *gilk_text_status    (const GilkHookStatus *status);
/* "pre", "post", "at". */
const char *gilk_text_where     (GilkWhere where);
/* The same of a hook; "–" of a watch, which is at none. */
const char *gilk_text_edge      (const GilkPlanHook *hook);
/* A name for Pango, with what was typed of it in bold: bit i of @matched is character i. (transfer full) */
char       *gilk_text_matched   (const char *name, uint64_t matched);
/* "pipe_write +0x2b1 pre". (transfer full) */
char       *gilk_text_hook      (const GilkPlanHook *hook);
/* "1 sample", "2,000 samples"; likewise hits. */
char       *gilk_text_samples   (uint64_t n);
char       *gilk_text_hits      (uint64_t n);
/* "Today, 14:05" or "3 Mar 2026, 14:05" here, from ISO 8601 anywhere. (transfer full) */
char       *gilk_text_moment    (const char *iso8601, gboolean exact);
/* A word for a shell, quoted only where it must be. (transfer full) */
char       *gilk_text_word      (const char *word);
/* Commands, one a line, each folded at its options to about @width so that a shell takes it as one.
 * (transfer full) */
char       *gilk_text_folded    (const char *commands, gsize width);
/* Empty text is 0. FALSE with @error if it is no duration. */
gboolean    gilk_text_to_time   (const char *text, uint64_t *ns, GError **error);
/* A refusal is an answer: it is shown where the figure would be. */
gboolean    gilk_text_is_answer (const GError *error);
/* @text as it may stand among others: what turns the direction of writing round, or is no character, is U+FFFD, and of a
 * word of more than 100 characters the middle is left out. (transfer full) */
char       *gilk_text_tame      (const char *text);
/* gilk_text_tame() of more than 1,024 bytes, more than anybody writes, which take long to be shaped; less as it is.
 * (transfer full) */
char       *gilk_text_bounded   (const char *text);
/* "" for 0 if @zero is empty. (transfer full) */
char       *gilk_text_from_time (uint64_t ns, const char *zero);

G_END_DECLS
