/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kept.h - what a program keeps between hits, and where in its areas
 *
 * One area is of all CPUs and one of each, for single elements; each histogram, map and what is common to
 * hooks has its own. What a map missed is counted behind its slots.
 *
 * Threads: that of the one who reads the program.
 */
#pragma once

#include "core/program/gilk-program.h"

G_BEGIN_DECLS

typedef struct {
  GArray *kept;              /* GilkKept; owns the names */
  GArray *areas;             /* GilkOpsArea */
  int     shared, own;       /* areas for single elements; -1: not yet */
} GilkKeptList;

GilkKeptList *gilk_kept_list_new  (void);
void          gilk_kept_list_free (GilkKeptList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkKeptList, gilk_kept_list_free)

GilkKept     *gilk_kept_at        (const GilkKeptList *list, guint index);
/**
 * gilk_kept_add:
 * @what: its kind; bits of a histogram, slots of a map; is it common to hooks?
 * @shared: of all CPUs; FALSE: of each
 * Behind a map, or stacks, comes the GILK_KEPT_MISSED of it.
 * Returns: FALSE: there would be more than GILK_OPS_AREAS areas
 */
gboolean      gilk_kept_add       (GilkKeptList *list, const GilkKept *what, const char *name, gboolean shared,
                                   guint *index);
/* Elements of a histogram's area less one: a power of two less one. */
guint         gilk_kept_mask      (guint bits);

G_END_DECLS
