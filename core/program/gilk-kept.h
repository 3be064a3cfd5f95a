/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kept.h - the maps of a program (globals, counters, histograms, maps), and their places in
 * its memory areas
 *
 * Single elements share two areas: one for all CPUs and one per CPU. Each histogram, each map and
 * each element common to several hooks has an area of its own. A map's counter of missed updates
 * follows its slots.
 *
 * Threads: a list belongs to one thread at a time.
 */
#pragma once

#include "core/program/gilk-program.h"

G_BEGIN_DECLS

typedef struct {
  GArray *kept;              /* GilkKept; owns the names */
  GArray *areas;             /* GilkOpsArea */
  int     shared, own;       /* areas for single elements, all CPUs and per CPU; -1: none yet */
} GilkKeptList;

GilkKeptList *gilk_kept_list_new  (void);
void          gilk_kept_list_free (GilkKeptList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkKeptList, gilk_kept_list_free)

GilkKept     *gilk_kept_at        (const GilkKeptList *list, guint index);
/**
 * gilk_kept_add:
 * @what: its kind; the bits of a histogram, the slots of a map; whether it is common to hooks
 * @shared: one for all CPUs; FALSE: one per CPU
 * @index: (out): its index in @list
 * A map, or stacks, is followed by its GILK_KEPT_MISSED counter.
 * Returns: FALSE if more than GILK_OPS_AREAS areas would be needed
 */
gboolean      gilk_kept_add       (GilkKeptList *list, const GilkKept *what, const char *name, gboolean shared,
                                   guint *index);
/* Returns the number of elements in the area of a histogram, a power of two, minus 1. */
guint         gilk_kept_mask      (guint bits);

G_END_DECLS
