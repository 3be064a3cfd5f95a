/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sections.c - reads a module's sections from sysfs
 *
 * sysfs has start addresses but no sizes: the next section's start is an upper bound of a section's
 * end. Sections outside the modules' address range (per-CPU data) are skipped. Init sections are
 * freed once a module is live, and their addresses may have been reused; but they still bound the
 * sections in front of them, which were loaded together with them.
 */
#include "core/image/gilk-sections.h"

#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"

/* Maximum size in bytes of the last section of a module, whose real end is unknown. */
#define LAST_MAX (64u << 20)
#define MODULE_NAME_MAX 64u

GILK_DEFINE_CLEAR (section_clear, GilkSection, section, g_free (section->name))

GILK_DEFINE_ORDER (compare_sections, GilkSection, start)

GArray *
gilk_sections_parse (const char *text,
                     gsize       length)
{
  g_autofree char *copy = g_strndup (text, length);
  g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);
  GArray *sections = gilk_array_new (sizeof (GilkSection), section_clear);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *space = strrchr (lines[i], ' ');
      GilkSection section = { 0 };

      if (space == NULL)
        continue;
      section.start = g_ascii_strtoull (space + 1, NULL, 16);
      *space = '\0';
      if (section.start < GILK_TEXT_FIRST || section.start >= GILK_TEXT_END)
        continue;
      section.name = g_strdup (lines[i]);
      g_array_append_val (sections, section);
    }
  g_array_sort (sections, compare_sections);

  for (guint i = 0; i < sections->len; i++)
    {
      GilkSection *section = &g_array_index (sections, GilkSection, i);
      guint next = i + 1;

      while (next < sections->len &&
             g_array_index (sections, GilkSection, next).start == section->start)
        next++;
      section->end = MIN (section->start + LAST_MAX, GILK_TEXT_END);
      section->last = next == sections->len ||
                      g_array_index (sections, GilkSection, next).start > section->end;
      if (!section->last)
        section->end = g_array_index (sections, GilkSection, next).start;
    }
  for (guint i = sections->len; i-- > 0; )
    if (g_str_has_prefix (g_array_index (sections, GilkSection, i).name, ".init"))
      g_array_remove_index (sections, i);

  return sections;
}

const GilkSection *
gilk_sections_find (GArray     *sections,
                    const char *name)
{
  for (guint i = 0; sections != NULL && i < sections->len; i++)
    {
      const GilkSection *section = &g_array_index (sections, GilkSection, i);

      if (g_str_equal (section->name, name))
        return section;
    }

  return NULL;
}

gboolean
gilk_section_is_text (const GilkSection *section)
{
  static const char *const prefixes[] = {
    ".text", ".noinstr.text", ".cpuidle.text", ".kprobes.text", ".static_call.text",
    ".exit.text", ".ref.text", ".sched.text", ".irqentry.text", ".softirqentry.text",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (section->name, prefixes[i]))
      return TRUE;

  return FALSE;
}

gboolean
gilk_is_module_name (const char *name)
{
  const gsize length = strlen (name);

  for (const char *c = name; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_' && *c != '-')
      return FALSE;

  return length > 0 && length < MODULE_NAME_MAX;
}
