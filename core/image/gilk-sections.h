/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sections.h - reads the sections of a loaded module from sysfs
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Kernel text and its tables are in the last 2 GiB of addresses, because calls have a range of 2
 * GiB. */
#define GILK_TEXT_FIRST 0xffffffff80000000u
#define GILK_TEXT_END   0xffffffffff000000u

/* A section of a module. Arrays of sections are sorted by address. */
typedef struct {
  char    *name;
  uint64_t start, end;     /* start of the section, and an upper bound of its end */
  gboolean last;           /* no later section of the module is known, so @end is derived from the
                            * maximum size of a section */
} GilkSection;

/* Parses lines of the form "name hex-address\n". (element-type GilkSection) */
GArray            *gilk_sections_parse (const char *text, gsize length);
const GilkSection *gilk_sections_find  (GArray *sections, const char *name);
gboolean           gilk_section_is_text (const GilkSection *section);

/* Returns whether @name has only characters that are valid in module names, so that it cannot be a
 * path. */
gboolean           gilk_is_module_name (const char *name);

G_END_DECLS
