/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-writers-table.h - the accesses to a variable as rows for other programs
 *
 * Threads: any.
 */
#pragma once

#include "core/store/gilk-store-writers.h"

G_BEGIN_DECLS

/* Returns the number of all accesses. */
uint64_t gilk_writers_total     (const GArray *writers);
/* Returns the number of accesses in each context, most first: "hardirq 513, task 40"; just "task"
 * if there is only one. (transfer full) */
char    *gilk_writer_contexts   (const GilkWriter *writer);
/* Returns up to @most of its processes: "sshd (12) 40, sh (3) 2, …". (transfer full) */
char    *gilk_writer_processes  (const GilkWriter *writer, guint most);
/* Returns a header and a line for each accessing block, with numbers in the C locale. (transfer
 * full) */
char    *gilk_writers_to_csv    (const GArray *writers);
/* The same separated by tabs, for pasting into spreadsheets. */
char    *gilk_writers_to_tabs   (const GArray *writers);

G_END_DECLS
