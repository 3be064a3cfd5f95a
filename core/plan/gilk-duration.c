/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-duration.c - converts durations such as "1.5s" to nanoseconds and back, exactly
 *
 * The code does not use floating point, so that a value is the same after conversion to text and
 * back.
 */
#include "core/plan/gilk-plan.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"

typedef struct {
  const char *name;
  uint64_t    ns;
} Unit;

static const Unit units[] = {
  { "ns", 1 }, { "us", 1000 }, { "µs", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
  { "min", 60000000000 }, { "m", 60000000000 }, { "h", 3600000000000 },
};

static const Unit *
find_unit (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (name, units[i].name) == 0)
      return &units[i];

  return NULL;
}

/* Reads a decimal number such as "1.25", and returns it without its point: @number is 125,
 * @decimals 2. @digits: (out): number of digits read */
static const char *
read_number (const char *text, uint64_t *number, guint *decimals, guint *digits)
{
  gboolean point = FALSE;

  for (*number = *decimals = *digits = 0; g_ascii_isdigit (*text) || *text == '.'; text++)
    {
      if (*text == '.')
        {
          if (point)
            return NULL;
          point = TRUE;
          continue;
        }
      if (!g_uint64_checked_mul (number, *number, 10) ||
          !g_uint64_checked_add (number, *number, (uint64_t) (*text - '0')))
        return NULL;
      *decimals += point;
      *digits += 1;
    }

  return text;
}

gboolean
gilk_parse_duration (const char *text,
                     uint64_t   *ns,
                     GError    **error)
{
  unsigned __int128 scaled;
  uint64_t number, scale = 1;
  guint decimals, digits;
  const char *rest = read_number (text, &number, &decimals, &digits);
  const Unit *unit;

  while (rest != NULL && *rest == ' ')
    rest++;
  if (rest != NULL && digits > 0 && number == 0 && *rest == '\0')
    {
      *ns = 0;
      return TRUE;
    }
  if (rest == NULL || digits == 0 || (unit = find_unit (rest)) == NULL || decimals > 18)
    return gilk_fail (error, GILK_ERROR_USAGE,
        _("“%s” is not a duration. Write a number and a unit, such as 1.5s, 20ms, 250us or 2min."),
        text);

  for (guint i = 0; i < decimals; i++)
    scale *= 10;
  scaled = (unsigned __int128) number * unit->ns;
  if (scaled / scale > G_MAXINT64)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("The duration “%s” is too long. It must be less than 292 years."), text);
  if (scaled % scale != 0)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("The duration “%s” is finer than a nanosecond. Round it."), text);

  *ns = (uint64_t) (scaled / scale);
  return TRUE;
}

gboolean
gilk_parse_length (const char *text,
                   uint64_t   *ns,
                   GError    **error)
{
  uint64_t length;

  if (!gilk_parse_duration (text, &length, error))
    return FALSE;
  if (length == 0)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("The length “%s” must be more than 0. Write a longer one, such "
                        "as 10s, or omit it."), text);
  *ns = length;

  return TRUE;
}

char *
gilk_format_duration (uint64_t ns)
{
  static const Unit written[] = { { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 } };

  if (ns == 0)
    return g_strdup ("0s");

  for (gsize i = 0; i < G_N_ELEMENTS (written); i++)
    {
      uint64_t unit = written[i].ns;
      g_autofree char *fraction = NULL;
      gsize length;
      guint width = 0;

      if (ns < unit)
        continue;
      if (ns % unit == 0)
        return g_strdup_printf ("%" G_GUINT64_FORMAT "%s", ns / unit, written[i].name);

      for (uint64_t u = unit; u > 1; u /= 10)
        width++;
      fraction = g_strdup_printf ("%0*" G_GUINT64_FORMAT, (int) width, ns % unit);
      for (length = strlen (fraction); fraction[length - 1] == '0'; length--)
        fraction[length - 1] = '\0';
      return g_strdup_printf ("%" G_GUINT64_FORMAT ".%s%s", ns / unit, fraction, written[i].name);
    }

  return g_strdup_printf ("%" G_GUINT64_FORMAT "ns", ns);
}
