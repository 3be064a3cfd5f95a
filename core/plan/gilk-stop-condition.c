/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-stop-condition.c - parses the stop conditions of a run, and evaluates them
 */
#include "core/plan/gilk-stop-condition.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/base/gilk-strings.h"
#include "core/plan/gilk-plan-private.h"

#define MIN_BEYOND 10              /* a condition on a share or quantile is evaluated once at least
                                    * this number of samples is expected to be beyond its bound */

GILK_DEFINE_CLEAR (condition_free, GilkStopCondition, limit,
                   gilk_free_all (limit->hook, limit->field, limit->number, limit))

/* ---- parses numbers with a unit ---- */

typedef struct { const char *name; double factor; } Unit;

static const Unit counts[] = { { "", 1 }, { "k", 1e3 }, { "K", 1e3 }, { "M", 1e6 }, { "G", 1e9 } };
static const Unit sizes[] = {
  { "", 1 }, { "B", 1 }, { "K", 1024 }, { "KiB", 1024 }, { "M", 1048576 }, { "MiB", 1048576 }, { "G", 1073741824 },
  { "GiB", 1073741824 }, { "kB", 1e3 }, { "MB", 1e6 }, { "GB", 1e9 },
};
static const Unit shares[] = { { "%", 0.01 } };

static gboolean
parse_scaled (const char *text, const Unit *units, gsize n, double *value)
{
  char *end;
  double number;

  if (!g_ascii_isdigit (text[*text == '-']))
    return FALSE;
  number = g_ascii_strtod (text, &end);
  while (*end == ' ')
    end++;
  for (gsize i = 0; i < n; i++)
    if (strcmp (end, units[i].name) == 0)
      {
        *value = number * units[i].factor;
        return isfinite (number);
      }

  return FALSE;
}

static gboolean
parse_field_number (const char *text, const char *unit, double *value)
{
  const Unit own[] = { { unit, 1 }, { "", 1 } };
  uint64_t ns;

  if (strcmp (unit, "ns") == 0)
    {
      if (!gilk_parse_duration (text, &ns, NULL))
        return FALSE;
      *value = (double) ns;
      return TRUE;
    }
  if (strcmp (unit, "B") == 0)
    return parse_scaled (text, sizes, G_N_ELEMENTS (sizes), value);

  return parse_scaled (text, own, G_N_ELEMENTS (own), value) || parse_scaled (text, counts, G_N_ELEMENTS (counts), value);
}

gboolean
gilk_stop_condition_threshold (const GilkStopCondition *limit,
                               const char              *unit,
                               double                  *bound,
                               GError                 **error)
{
  const char *field_unit = unit != NULL ? unit : "", *like = "1000";
  gboolean good;

  if (limit->of == GILK_STOP_SIZE)
    {
      good = parse_scaled (limit->number, sizes, G_N_ELEMENTS (sizes), bound);
      like = "100M";
    }
  else if (limit->of == GILK_STOP_LOST_SHARE)
    {
      good = parse_scaled (limit->number, shares, G_N_ELEMENTS (shares), bound) && *bound <= 1;
      like = "1%";
    }
  else if (limit->of == GILK_STOP_QUANTILE)
    {
      good = parse_field_number (limit->number, field_unit, bound);
      like = strcmp (field_unit, "ns") == 0 ? "2ms" : strcmp (field_unit, "B") == 0 ? "4K" : like;
    }
  else
    good = parse_scaled (limit->number, counts, G_N_ELEMENTS (counts), bound);
  if (!good)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("“%s” is not a number that this condition can compare with. Write a number "
                   "like %s."), limit->number, like);

  return good;
}

char *
gilk_stop_condition_format_value (const GilkStopCondition *limit,
                                  const char              *unit,
                                  double                   value)
{
  if (limit->of == GILK_STOP_LOST_SHARE)
    return g_strdup_printf ("%.3g%%", 100 * value);
  if (limit->of == GILK_STOP_SIZE || (limit->of == GILK_STOP_QUANTILE && g_strcmp0 (unit, "B") == 0))
    return value < 1048576 ? g_strdup_printf ("%.4gK", value / 1024) : g_strdup_printf ("%.4gM", value / 1048576);
  if (limit->of == GILK_STOP_QUANTILE && g_strcmp0 (unit, "ns") == 0 && value >= 1)
    {
      /* round to four significant digits: @step is the unit of the fourth digit, at least 1 ns */
      double step = MAX (pow (10, floor (log10 (value)) - 3), 1);

      return gilk_format_duration ((uint64_t) (round (value / step) * step));
    }

  return g_strdup_printf ("%.0f%s", value, limit->of == GILK_STOP_QUANTILE && unit != NULL ? unit : "");
}

/* ---- evaluation of conditions ---- */

/* Returns the number of samples before which the condition is not evaluated. For a share of lost
 * samples, lost samples are counted, too. */
static uint64_t
count_min_samples (const GilkStopCondition *limit, double bound)
{
  double rare = limit->of == GILK_STOP_QUANTILE ? MIN (limit->p, 1 - limit->p)
                : limit->of == GILK_STOP_LOST_SHARE ? bound : 0;

  if (limit->min_samples > 0)
    return limit->min_samples;

  return rare > 0 ? (uint64_t) CLAMP (ceil (MIN_BEYOND / rare - 1e-6), 1, 1e15) : 1;
}

gboolean
gilk_stop_condition_holds (const GilkStopCondition *limit,
                           double                   bound,
                           double                   value,
                           uint64_t                 n)
{
  if (n < count_min_samples (limit, bound))
    return FALSE;

  return limit->below ? value < bound || (limit->equal && value == bound) : value > bound || (limit->equal && value == bound);
}

/* ---- parsing of conditions ---- */

typedef struct {
  const char *text, *at;
} Cursor;

static gboolean G_GNUC_PRINTF (4, 5)
fail_at (const Cursor *cursor, const char *at, GError **error, const char *format, ...)
{
  g_autofree char *problem = NULL;
  va_list args;

  va_start (args, format);
  problem = g_strdup_vprintf (format, args);
  va_end (args);
  return gilk_fail (error, GILK_ERROR_USAGE, _("“%s”, at character %u: %s"), cursor->text,
                    (guint) g_utf8_pointer_to_offset (cursor->text, at) + 1, problem);
}

static void
skip_blanks (Cursor *cursor)
{
  cursor->at += strspn (cursor->at, " \t");
}

/* Reads the characters at the cursor that are in the set @of; "" if there are none. (transfer
 * full) */
static char *
read_chars (Cursor *cursor, const char *of)
{
  gsize length;
  char *word;

  skip_blanks (cursor);
  length = strspn (cursor->at, of);
  word = g_strndup (cursor->at, length);
  cursor->at += length;

  return word;
}

static gboolean
is_quantile (const char *word, double *p)
{
  static const struct { const char *name; double p; } named[] = { { "min", 0 }, { "median", 0.5 }, { "max", 1 } };
  char *end;

  for (gsize i = 0; i < G_N_ELEMENTS (named); i++)
    if (strcmp (word, named[i].name) == 0)
      {
        *p = named[i].p;
        return TRUE;
      }
  if (word[0] != 'p' || !g_ascii_isdigit (word[1]))
    return FALSE;
  *p = g_ascii_strtod (word + 1, &end) / 100;

  return *end == '\0' && *p <= 1;
}

static gboolean
read_quantity (Cursor *cursor, GilkStopCondition *limit, GError **error)
{
  static const char *const words[] = { "samples", "hits", "size", "lost" };
  const char *begin;
  g_autofree char *word = NULL;

  skip_blanks (cursor);
  begin = cursor->at;
  word = read_chars (cursor, GILK_LABEL_CHARS);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (word, words[i]) == 0)
      {
        limit->of = (GilkStopQuantity) i;
        return TRUE;
      }
  if (is_quantile (word, &limit->p))
    {
      limit->of = GILK_STOP_QUANTILE;
      return TRUE;
    }

  return fail_at (cursor, begin, error,
                  _("A condition starts with samples, hits, size, lost, min, median, max or a quantile such as p99. Write "
                    "it like “samples >= 1000000” or “p99 HOOK.FIELD > 2ms”."));
}

/* Reads what the condition is about: an optional hook or, if it is about a quantile, a hook and a
 * field. */
static gboolean
read_subject (Cursor *cursor, GilkStopCondition *limit, GError **error)
{
  const char *begin;
  g_autofree char *word = NULL;
  char *dot;

  skip_blanks (cursor);
  begin = cursor->at;
  word = read_chars (cursor, GILK_LABEL_CHARS);
  if (limit->of == GILK_STOP_QUANTILE)
    {
      dot = strrchr (word, '.');
      if (dot == NULL || dot == word || dot[1] == '\0')
        return fail_at (cursor, begin, error, _("The value is missing. Name a hook of the plan and a field of its samples: "
                                                "HOOK.FIELD."));
      limit->hook = g_strndup (word, (gsize) (dot - word));
      limit->field = g_strdup (dot + 1);
      return TRUE;
    }
  if (*word != '\0' && limit->of == GILK_STOP_SIZE)
    return fail_at (cursor, begin, error, _("The size is that of the session, not of a hook. Remove “%s”."), word);
  limit->hook = *word != '\0' ? g_steal_pointer (&word) : NULL;

  return TRUE;
}

static gboolean
read_comparison (Cursor *cursor, GilkStopCondition *limit, GError **error)
{
  skip_blanks (cursor);
  if (*cursor->at != '<' && *cursor->at != '>')
    return fail_at (cursor, cursor->at, error, _("A comparison is missing. Write > or >=. For "
                                                 "a quantile, < and <= are possible, too."));
  if (*cursor->at == '<' && limit->of != GILK_STOP_QUANTILE)
    return fail_at (cursor, cursor->at, error, _("This condition would be true from the start. Use > or >=."));
  limit->below = *cursor->at++ == '<';
  limit->equal = *cursor->at == '=';
  cursor->at += limit->equal;

  return TRUE;
}

static gboolean
read_number (Cursor *cursor, GilkStopCondition *limit, GError **error)
{
  g_autoptr(GError) local = NULL;
  g_autofree char *number = NULL, *unit = NULL;
  const char *begin, *end;
  double bound;

  skip_blanks (cursor);
  begin = cursor->at;
  number = read_chars (cursor, limit->of == GILK_STOP_QUANTILE ? "-0123456789." : "0123456789.");
  skip_blanks (cursor);
  end = cursor->at;
  while (*end != '\0' && strchr (" \t;<>=", *end) == NULL)
    end++;
  unit = g_strndup (cursor->at, (gsize) (end - cursor->at));
  if (*number == '\0')
    return fail_at (cursor, begin, error, _("A number is missing. Write a value to compare with, such as 1000."));
  if (strcmp (unit, "after") == 0)
    g_clear_pointer (&unit, g_free);
  else
    cursor->at = end;
  limit->number = g_strconcat (number, unit, NULL);
  if (limit->of == GILK_STOP_LOST && strchr (limit->number, '%') != NULL)
    limit->of = GILK_STOP_LOST_SHARE;
  if (limit->of == GILK_STOP_QUANTILE || gilk_stop_condition_threshold (limit, NULL, &bound, &local))
    return TRUE;

  return fail_at (cursor, begin, error, "%s", local->message);
}

static gboolean
read_min_samples (Cursor *cursor, GilkStopCondition *limit, GError **error)
{
  g_autofree char *word = NULL, *number = NULL;
  const char *begin;

  skip_blanks (cursor);
  begin = cursor->at;
  if (!g_str_has_prefix (begin, "after"))
    return TRUE;
  cursor->at += strlen ("after");
  number = read_chars (cursor, "0123456789");
  if (limit->of != GILK_STOP_QUANTILE && limit->of != GILK_STOP_LOST_SHARE)
    return fail_at (cursor, begin, error, _("“after” is possible only in conditions on a quantile or a share. Remove "
                                            "“after”."));
  if (!gilk_parse_unsigned (number, 10, 1, G_MAXINT64, &limit->min_samples))
    return fail_at (cursor, begin, error, _("“after” needs the number of samples to wait for. Write a number after it."));

  return TRUE;
}

static GilkStopCondition *
read_condition (Cursor *cursor, GError **error)
{
  GilkStopCondition *limit = g_new0 (GilkStopCondition, 1);
  gboolean good = read_quantity (cursor, limit, error) && read_subject (cursor, limit, error) &&
                  read_comparison (cursor, limit, error) && read_number (cursor, limit, error) &&
                  read_min_samples (cursor, limit, error);

  skip_blanks (cursor);
  if (good && *cursor->at != '\0' && *cursor->at != ';')
    good = fail_at (cursor, cursor->at, error, _("The condition should end here. Write “;” "
                                                 "between two conditions."));
  if (!good)
    g_clear_pointer (&limit, condition_free);

  return limit;
}

GPtrArray *
gilk_stop_conditions_parse (const char *text,
                            GError    **error)
{
  g_autoptr(GPtrArray) limits = g_ptr_array_new_with_free_func (condition_free);
  Cursor cursor = { text, text };

  if (!g_utf8_validate (text, -1, NULL))
    return gilk_fail_null (error, GILK_ERROR_USAGE,
                           _("The condition is not UTF-8 text. Write it again."));
  for (skip_blanks (&cursor); *cursor.at != '\0'; skip_blanks (&cursor))
    {
      GilkStopCondition *limit = read_condition (&cursor, error);

      if (limit == NULL)
        return NULL;
      g_ptr_array_add (limits, limit);
      cursor.at += *cursor.at == ';';
    }

  return g_steal_pointer (&limits);
}

/* ---- writing of conditions as text ---- */

char *
gilk_stop_condition_to_text (const GilkStopCondition *limit)
{
  static const char *const words[] = { "samples", "hits", "size", "lost", "lost" };
  GString *text = g_string_new (NULL);

  if (limit->of != GILK_STOP_QUANTILE)
    g_string_append (text, words[limit->of]);
  else if (limit->p == 0.5)
    g_string_append (text, "median");
  else if (limit->p == 0 || limit->p == 1)
    g_string_append (text, limit->p == 0 ? "min" : "max");
  else
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (text, "p%s", g_ascii_formatd (number, sizeof number, "%.10g", 100 * limit->p));
    }
  if (limit->hook != NULL)
    g_string_append_printf (text, " %s", limit->hook);
  if (limit->field != NULL)
    g_string_append_printf (text, ".%s", limit->field);
  g_string_append_printf (text, " %s%s %s", limit->below ? "<" : ">", limit->equal ? "=" : "", limit->number);
  if (limit->min_samples > 0)
    g_string_append_printf (text, " after %" G_GUINT64_FORMAT, (guint64) limit->min_samples);

  return g_string_free (text, FALSE);
}

char *
gilk_stop_conditions_to_text (const GPtrArray *limits)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < limits->len; i++)
    {
      g_autofree char *one = gilk_stop_condition_to_text (g_ptr_array_index (limits, i));

      g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", one);
    }

  return g_string_free (text, text->len == 0);
}

gboolean
gilk_stop_conditions_normalize (const char *text,
                                char      **tidy,
                                GError    **error)
{
  g_autoptr(GPtrArray) limits = gilk_stop_conditions_parse (text != NULL ? text : "", error);

  if (limits != NULL)
    *tidy = gilk_stop_conditions_to_text (limits);

  return limits != NULL;
}
