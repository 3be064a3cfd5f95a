/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-maps.h - the maps of a program (globals, counters, histograms, maps), and their places in
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
  GArray *maps;              /* GilkProgramMap; owns the names */
  GArray *areas;             /* GilkOpsArea */
  int     shared, own;       /* areas for single elements, all CPUs and per CPU; -1: none yet */
} GilkMapList;

GilkMapList *gilk_map_list_new  (void);
void         gilk_map_list_free (GilkMapList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkMapList, gilk_map_list_free)

GilkProgramMap *gilk_map_at   (const GilkMapList *list, guint index);
/**
 * gilk_map_add:
 * @what: its kind; the bits of a histogram, the slots of a map; whether it is common to hooks
 * @shared: one for all CPUs; FALSE: one per CPU
 * @index: (out): its index in @list
 * A map, or stacks, is followed by its GILK_MAP_MISSED counter.
 * Returns: FALSE if more than GILK_OPS_AREAS areas would be needed
 */
gboolean        gilk_map_add  (GilkMapList *list, const GilkProgramMap *what, const char *name, gboolean shared,
                               guint *index);
/* Returns the number of elements in the area of a histogram, a power of two, minus 1. */
guint           gilk_map_mask (guint bits);

G_END_DECLS
