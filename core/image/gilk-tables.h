/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tables.h - parses the kernel's side tables
 *
 * This header is private to core/image. A table is a copy of the kernel memory at @base. Functions
 * only change their arguments. Entries for code outside [text_start, text_end)
 * are skipped. If the length of a table is only an upper bound, a zero entry ends it.
 *
 * Threads: any; the caller owns the arrays that are appended to. No function fails: unknown entries
 * are skipped.
 */
#pragma once

#include "core/image/gilk-image.h"

G_BEGIN_DECLS

typedef struct {
  const uint8_t *bytes;
  gsize          length;
  uint64_t       base;
  uint64_t       text_start, text_end;
  guint          bug_size;       /* size of a bug entry, from gilk_table_bug_size() of the kernel's
                                  * own table */
} GilkTable;

/* These functions parse a table and append an element to @sites for each of its entries.
 * (element-type GilkSite) */
void gilk_table_extable      (const GilkTable *table, GArray *sites);
void gilk_table_bugs         (const GilkTable *table, GArray *sites);
void gilk_table_jump_labels  (const GilkTable *table, GArray *sites);
void gilk_table_static_calls (const GilkTable *table, GArray *sites);

gboolean gilk_table_is_empty (const GilkTable *table);
/**
 * gilk_table_bug_size:
 * @table: the kernel's own table, whose length is exact
 * Detects the layout of struct bug_entry: 12 bytes, or 16 if warnings have a format string.
 * Returns: the size; 0 if neither or both are possible
 */
guint gilk_table_bug_size (const GilkTable *table);

/* Sorts sites by address. */
void gilk_sites_sort (GArray *sites);

/* An ORC table: addresses are self-relative and ascending, entries have six bytes. */
typedef struct {
  GBytes  *ips;
  GBytes  *entries;
  uint64_t ips_base;
  guint    count;
} GilkOrcTable;

/**
 * gilk_orc_numbers_of:
 * Detects whether registers are numbered as in Linux 6.1 or as in 7.2. Nearly all entries with a
 * frame of eight bytes are for functions' first instructions, where the base is rsp.
 * Returns: (nullable): NULL if neither or both match
 */
const GilkOrcNumbers *gilk_orc_numbers_of (const GilkOrcTable *table);
GilkFrameBase         gilk_orc_base       (const GilkOrcNumbers *numbers, const uint8_t entry[6]);

#define GILK_ORC_ENTRY_SIZE 6

/* Makes a table of the valid entries. @ips, @entries: (transfer none) */
GilkOrcTable *gilk_orc_table_new  (GBytes *ips, uint64_t ips_base, GBytes *entries,
                                   uint64_t text_start, uint64_t text_end);
void          gilk_orc_table_free (GilkOrcTable *table);
uint64_t      gilk_orc_table_ip   (const GilkOrcTable *table, guint i);
gboolean      gilk_orc_table_find (const GilkOrcTable *table, uint64_t addr,
                                   uint8_t entry[GILK_ORC_ENTRY_SIZE]);

/* Converts overlapping areas to disjoint ones; where they overlap, the most restrictive one counts.
 * (element-type GilkArea) */
GArray *gilk_areas_flatten (GArray *areas);
void    gilk_areas_add     (GArray *areas, GilkAreaKind kind, uint32_t module,
                            uint64_t start, uint64_t end);

gboolean gilk_name_is_noreturn       (const char *name);
gboolean gilk_name_is_return_thunk   (const char *name);
gboolean gilk_name_is_indirect_thunk (const char *name);
gboolean gilk_name_is_thunk          (const char *name);

G_END_DECLS
