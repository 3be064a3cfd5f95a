/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-format.c - formats numbers with SI prefix and unit, and distinguishes identifiers from
 * quantities
 */
#include "core/base/gilk-format.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define MINUS "\xe2\x88\x92"

typedef struct {
  int         exponent;
  const char *prefix;
} Prefix;

static const Prefix prefixes[] = {
  { -15, "f" }, { -12, "p" }, { -9, "n" }, { -6, "µ" }, { -3, "m" }, { 0, "" },
  { 3, "k" }, { 6, "M" }, { 9, "G" }, { 12, "T" }, { 15, "P" }, { 18, "E" },
};
#define NO_PREFIX 5

/* Units that contain a prefix already: for example, times in samples are in ns. */
static const struct { const char *unit, *base; int exponent; } scaled_units[] = {
  { "ns", "s", -9 }, { "us", "s", -6 }, { "µs", "s", -6 }, { "ms", "s", -3 },
  { "kB", "B", 3 }, { "MB", "B", 6 }, { "kHz", "Hz", 3 }, { "MHz", "Hz", 6 },
};

const char *
gilk_unit_base (const char *unit,
                int        *exponent)
{
  *exponent = 0;
  if (unit == NULL)
    return "";
  for (gsize i = 0; i < G_N_ELEMENTS (scaled_units); i++)
    if (strcmp (unit, scaled_units[i].unit) == 0)
      {
        *exponent = scaled_units[i].exponent;
        return scaled_units[i].base;
      }

  return unit;
}

/* Rounds @value as it will be printed: 999.96 is 1000 with three digits, but not with five. */
static double
round_to_digits (double value, int digits)
{
  double unit;

  if (value == 0.0)
    return 0.0;
  unit = pow (10.0, floor (log10 (value)) - digits + 1);

  return rint (value / unit) * unit;
}

int
gilk_unit_prefix (double      value,
                  const char *base,
                  int         digits)
{
  guint best = 0;

  value = round_to_digits (fabs (value), digits);
  if (value == 0.0 || (*base == '\0' && value < 99999.5))
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (value >= pow (10.0, prefixes[i].exponent) * (1.0 - 1e-9))
      best = i;
  if (strcmp (base, "s") == 0)
    best = MIN (best, NO_PREFIX);
  if (strcmp (base, "%") == 0)
    best = NO_PREFIX;

  return prefixes[best].exponent;
}

/* Formats a number with @decimals decimal places and with commas between thousands. */
static char *
format_fixed (double value, int decimals)
{
  g_autofree char *text = g_strdup_printf ("%.*f", decimals, fabs (value));
  char *point = strchr (text, '.');
  gsize whole = point != NULL ? (gsize) (point - text) : strlen (text);
  gboolean zero = strspn (text, "0.,") == strlen (text);
  GString *out = g_string_new (value < 0.0 && !zero ? MINUS : NULL);

  /* Accept a locale's decimal comma, which the result replaces by a point. */
  if (point == NULL && (point = strchr (text, ',')) != NULL)
    whole = (gsize) (point - text);
  for (gsize i = 0; i < whole; i++)
    {
      if (i > 0 && (whole - i) % 3 == 0)
        g_string_append_c (out, ',');
      g_string_append_c (out, text[i]);
    }
  if (point != NULL)
    g_string_append_printf (out, ".%s", point + 1);

  return g_string_free (out, FALSE);
}

char *
gilk_format_count (double value)
{
  return format_fixed (value, 0);
}

/* Returns the SI prefix for a power of ten, @exponent. */
static const char *
find_prefix (int exponent)
{
  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (prefixes[i].exponent == exponent)
      return prefixes[i].prefix;

  return "";
}

static char *
append_unit (const char *number, int exponent, const char *base)
{
  return g_strconcat (number, exponent != 0 || *base != '\0' ? " " : "", find_prefix (exponent), base, NULL);
}

char *
gilk_format_scaled (double      value,
                    int         decimals,
                    int         exponent,
                    const char *base)
{
  g_autofree char *number = format_fixed (value, decimals);

  return append_unit (number, exponent, base);
}

char *
gilk_format_si (double      value,
                const char *unit,
                int         digits)
{
  g_autofree char *number = NULL;
  const char *base;
  char *point;
  int exponent, prefix, decimals;

  if (!isfinite (value))
    return g_strdup (isnan (value) ? "–" : value > 0 ? "∞" : MINUS "∞");

  base = gilk_unit_base (unit, &exponent);
  value *= pow (10.0, exponent);
  prefix = gilk_unit_prefix (value, base, digits);
  value /= pow (10.0, prefix);

  /* Significant digits start at the first non-zero digit; integers keep all of their digits. */
  decimals = value == 0.0 ? 0 : digits - 1 - (int) floor (log10 (fabs (value)) + 1e-9);
  number = format_fixed (value, CLAMP (decimals, 0, 12));
  if ((point = strchr (number, '.')) != NULL)
    {
      char *end = number + strlen (number);

      while (end[-1] == '0')
        *--end = '\0';
      if (end - 1 == point)
        *point = '\0';
    }

  return append_unit (number, prefix, base);
}

char *
gilk_format_signed (double      value,
                    const char *unit,
                    int         digits)
{
  g_autofree char *text = gilk_format_si (value, unit, digits);

  return g_strconcat (value > 0 ? "+" : "", text, NULL);
}

/* ---- guesses whether the numbers of a field are identifiers, from the field's name ---- */

gboolean
gilk_meaning_is_identifier (const char *name,
                            const char *unit)
{
  static const char *const names[] = { "pid", "tid", "tgid", "ppid", "uid", "gid", "cpu", "node", "inode", "ino", "dev", "fd",
                                       "irq", "vector", "port", "sport", "dport", "family", "proto", "protocol", "state", "type",
                                       "kind", "flags", "cgroup", "context", "id", "nr", "syscall", "errno", NULL };
  static const char *const ends[] = { "_id", "_pid", "_tid", "_cpu", "_nr", "_fd", "_flags", "_state", "_type", "_addr", "_ptr",
                                      "_port" };

  if (unit != NULL && *unit != '\0')
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_suffix (name, ends[i]))
      return TRUE;

  return g_strv_contains (names, name);
}

char *
gilk_list_names (const GPtrArray *names, guint most)
{
  GString *list = g_string_new (NULL);
  const guint shown = names->len <= most + 1 ? names->len : most;

  for (guint i = 0; i < shown; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", (const char *) g_ptr_array_index (names, i));
  if (shown < names->len)
    g_string_append_printf (list, ngettext (" and %u more", " and %u more", names->len - shown), names->len - shown);

  return g_string_free (list, FALSE);
}
