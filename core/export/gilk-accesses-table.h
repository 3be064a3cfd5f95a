/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-accesses-table.h - formats the accesses to a variable as rows for other programs
 *
 * Threads: any.
 */
#pragma once

#include "core/samples/gilk-store-accesses.h"

G_BEGIN_DECLS

/* Returns the total number of accesses. */
uint64_t gilk_accessors_total         (const GArray *accessors);
/* Returns the number of accesses by context, most frequent first: "hardirq 513, task 40"; just
 * "task" if there is only one context. (transfer full) */
char    *gilk_accessor_contexts_text  (const GilkAccessor *accessor);
/* Returns up to @most processes of @accessor, each with its process id and its number of accesses:
 * "sshd (12) 40, sh (3) 2, …". (transfer full) */
char    *gilk_accessor_processes_text (const GilkAccessor *accessor, guint most);
/* Returns a header line, then one line for each accessing block, with numbers in the C locale.
 * (transfer full) */
char    *gilk_accessors_to_csv        (const GArray *accessors);
/* Returns the same lines as gilk_accessors_to_csv(), with tabs instead of commas, for pasting into
 * spreadsheets. */
char    *gilk_accessors_to_tabs       (const GArray *accessors);

G_END_DECLS
