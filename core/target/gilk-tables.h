/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tables.h - the kernel's side tables, from bytes to facts
 *
 * Private to core/target. Pure. Tables are bytes of a kernel at @base; entries
 * whose code lies outside @text (start, end) are left out, and a zero entry ends a
 * table whose length is only an upper bound.
 *
 * Threads: any; arrays that are added to are the caller's. What is not understood is left
 * out, nothing fails.
 */
#pragma once

#include "core/target/gilk-image.h"

G_BEGIN_DECLS

typedef struct {
  const uint8_t *bytes;
  gsize          length;
  uint64_t       base;
  uint64_t       text_start, text_end;
  guint          bug_size;       /* of a warning's entry: gilk_table_bug_size() of the kernel's table */
} GilkTable;

/* (element-type GilkSite) appended to @sites */
void gilk_table_extable      (const GilkTable *table, GArray *sites);
void gilk_table_bugs         (const GilkTable *table, GArray *sites);
void gilk_table_jump_labels  (const GilkTable *table, GArray *sites);
void gilk_table_static_calls (const GilkTable *table, GArray *sites);

gboolean gilk_table_is_empty (const GilkTable *table);
/**
 * gilk_table_bug_size:
 * @table: the kernel's own, whose length is exact
 * Two layouts of struct bug_entry are known: of 12 bytes, and of 16 where warnings have a format.
 * Returns: 0: it is neither, or may be both
 */
guint gilk_table_bug_size (const GilkTable *table);

/* Sorts by address. */
void gilk_sites_sort (GArray *sites);

/* An ORC table: ips are self-relative, ascending; entries have six bytes. */
typedef struct {
  GBytes  *ips;
  GBytes  *entries;
  uint64_t ips_base;
  guint    count;
} GilkOrcTable;

/**
 * gilk_orc_numbers_of:
 * Two numberings are known, of Linux 6.1 and of 7.2. Nearly every entry of a frame of eight bytes
 * is that of a function's beginning, where the frame is found from rsp.
 * Returns: (nullable): NULL: by neither it is so, or by both
 */
const GilkOrcNumbers *gilk_orc_numbers_of (const GilkOrcTable *table);
GilkFrameBase         gilk_orc_base       (const GilkOrcNumbers *numbers, const uint8_t entry[6]);

#define GILK_ORC_ENTRY_SIZE 6

/* Takes both (transfer none); finds out how many entries there are. */
GilkOrcTable *gilk_orc_table_new  (GBytes *ips, uint64_t ips_base, GBytes *entries,
                                   uint64_t text_start, uint64_t text_end);
void          gilk_orc_table_free (GilkOrcTable *table);
uint64_t      gilk_orc_table_ip   (const GilkOrcTable *table, guint i);
gboolean      gilk_orc_table_find (const GilkOrcTable *table, uint64_t addr,
                                   uint8_t entry[GILK_ORC_ENTRY_SIZE]);

/* (element-type GilkArea): overlapping areas to disjoint ones, the strictest wins. */
GArray *gilk_areas_flatten (GArray *areas);
void    gilk_areas_add     (GArray *areas, GilkAreaKind kind, uint32_t module,
                            uint64_t start, uint64_t end);

/* What a symbol's name says about it. */
gboolean gilk_name_is_noreturn       (const char *name);
gboolean gilk_name_is_return_thunk   (const char *name);
gboolean gilk_name_is_indirect_thunk (const char *name);
gboolean gilk_name_is_thunk          (const char *name);

G_END_DECLS
