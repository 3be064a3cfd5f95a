/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-instrument-text.c - text descriptions of instruments: help and recorded fields
 */
#include "gui/base/gilk-instrument-text.h"

#include <glib/gi18n.h>

#include "core/link/gilk-answers.h"

char *
gilk_instrument_text (const struct ilk_instrument_desc *desc)
{
  g_autofree char *help = gilk_agent_translate (desc->help);
  g_autoptr(GString) text = g_string_new (help);

  for (guint i = 0; i < MIN (desc->field_count, ILK_FIELDS_MAX); i++)
    {
      const struct ilk_field *field = &desc->fields[i];

      g_string_append_printf (text, "%s%s%s%s%s", i == 0 ? _("\nRecords: ") : ", ", field->name,
                              field->unit[0] != '\0' ? " (" : "", field->unit,
                              field->unit[0] != '\0' ? ")" : "");
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
gilk_instrument_text_inline (const GilkInline *known)
{
  if (!known->samples)
    return g_strdup_printf (_("%s. No samples."), _(known->help));
  if (known->field.name[0] == '\0')
    return g_strdup_printf (_("%s.\nRecords: time (ns)"), _(known->help));

  return g_strdup_printf (_("%s.\nRecords: time (ns), %s"), _(known->help), known->field.name);
}
