/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-exposition.c - writes metrics in Prometheus' text format
 */
#include "core/metrics/gilk-exposition.h"

#include <math.h>

#include "core/base/gilk-strings.h"

struct _GilkExposition {
  GString *text;
  char    *family;
};

GilkExposition *
gilk_exposition_new (void)
{
  GilkExposition *exposition = g_new0 (GilkExposition, 1);

  exposition->text = g_string_new (NULL);

  return exposition;
}

void
gilk_exposition_free (GilkExposition *exposition)
{
  if (exposition == NULL)
    return;

  g_string_free (exposition->text, TRUE);
  g_free (exposition->family);
  g_free (exposition);
}

/* Replaces invalid UTF-8 with U+FFFD. */
static void
append_escaped (GString *text, const char *value, gboolean quotes)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);

  for (const char *at = valid; *at != '\0'; at++)
    switch (*at)
      {
      case '\\':
        g_string_append (text, "\\\\");
        break;
      case '\n':
        g_string_append (text, "\\n");
        break;
      case '"':
        g_string_append (text, quotes ? "\\\"" : "\"");
        break;
      default:
        g_string_append_c (text, *at);
      }
}

void
gilk_exposition_family (GilkExposition *exposition,
                        const char     *name,
                        const char     *type,
                        const char     *help)
{
  g_free (exposition->family);
  exposition->family = g_strdup (name);
  g_string_append_printf (exposition->text, "# HELP %s ", name);
  append_escaped (exposition->text, help, FALSE);
  g_string_append_printf (exposition->text, "\n# TYPE %s %s\n", name, type);
}

static void
append_name (GilkExposition *exposition, const char *suffix, const GilkLabel *labels)
{
  GString *text = exposition->text;

  g_string_append_printf (text, "%s%s", exposition->family, suffix);
  for (guint i = 0; labels != NULL && labels[i].name != NULL; i++)
    {
      g_string_append_printf (text, "%c%s=\"", i == 0 ? '{' : ',', labels[i].name);
      append_escaped (text, labels[i].value != NULL ? labels[i].value : "", TRUE);
      g_string_append_c (text, '"');
      if (labels[i + 1].name == NULL)
        g_string_append_c (text, '}');
    }
  g_string_append_c (text, ' ');
}

void
gilk_exposition_uint (GilkExposition  *exposition,
                      const char      *suffix,
                      const GilkLabel *labels,
                      uint64_t         value)
{
  append_name (exposition, suffix, labels);
  gilk_append_uint (exposition->text, value);
  g_string_append_c (exposition->text, '\n');
}

void
gilk_exposition_double (GilkExposition  *exposition,
                        const char      *suffix,
                        const GilkLabel *labels,
                        double           value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  append_name (exposition, suffix, labels);
  g_string_append (exposition->text, isnan (value) ? "NaN" : isinf (value) ? (value > 0 ? "+Inf" : "-Inf")
                                     : g_ascii_dtostr (number, sizeof number, value));
  g_string_append_c (exposition->text, '\n');
}

const char *
gilk_exposition_text (const GilkExposition *exposition)
{
  return exposition->text->str;
}
