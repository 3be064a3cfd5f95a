/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-writers-table.h - who accessed a variable, as rows for other programs
 *
 * Threads: any.
 */
#pragma once

#include "core/store/gilk-store-writers.h"

G_BEGIN_DECLS

/* Accesses by all of them. */
uint64_t gilk_writers_total     (const GArray *writers);
/* "hardirq 513, task 40": how often in each context, most first; "task" where there is but one. (transfer full) */
char    *gilk_writer_contexts   (const GilkWriter *writer);
/* "sshd (12) 40, sh (3) 2, …": up to @most of its processes. (transfer full) */
char    *gilk_writer_processes  (const GilkWriter *writer, guint most);
/* A line of names, and one for each of them; numbers in any locale as C writes them. (transfer full) */
char    *gilk_writers_to_csv    (const GArray *writers);
/* The same with tabs between, as spreadsheets paste it. */
char    *gilk_writers_to_tabs   (const GArray *writers);

G_END_DECLS
