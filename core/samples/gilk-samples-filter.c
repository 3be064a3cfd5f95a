/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-filter.c - parses and evaluates conditions on samples
 */
#include "core/samples/gilk-samples-private.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/gilk-memory.h"

#define INTERVAL "interval"

static const struct { const char *sign; int relation; } relations[] = {
  { "==", GILK_IS }, { "!=", GILK_IS_NOT }, { "<=", GILK_AT_MOST }, { ">=", GILK_AT_LEAST },
  { "=", GILK_IS }, { "<", GILK_BELOW }, { ">", GILK_ABOVE },
};

void
gilk_sample_condition_clear (gpointer data)
{
  GilkSampleCondition *condition = data;

  g_free (condition->text);
}

/* ---- parsing ---- */

static gboolean
refuse_condition (const char *text, const char *why, GError **error)
{
  return gilk_fail (error, GILK_ERROR_USAGE,
      _("Invalid condition “%s”: %s. Write FIELD == VALUE, or use !=, <, <=, > or >=."), text,
      why);
}

static gboolean
find_field (const GArray *fields, const char *name, int *field)
{
  static const struct { const char *name; int field; } others[] = {
    { "cpu", GILK_CONDITION_CPU }, { "time", GILK_CONDITION_TIME }, { INTERVAL, GILK_CONDITION_INTERVAL },
  };

  for (guint f = 0; f < fields->len; f++)
    if (strcmp (g_array_index (fields, GilkStoredField, f).name, name) == 0)
      {
        *field = (int) f;
        return TRUE;
      }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (strcmp (others[i].name, name) == 0)
      {
        *field = others[i].field;
        return TRUE;
      }

  return FALSE;
}

/* Removes quotes around a text, if any. (transfer full) */
static char *
unquote_text (const char *value)
{
  gsize length = strlen (value);

  if (length >= 2 && (*value == '"' || *value == '\'') && value[length - 1] == *value)
    return g_strndup (value + 1, length - 2);

  return g_strdup (value);
}

/* Parses a number like strtold(), but independent of the locale; hexadecimal numbers must be
 * integers. */
static gboolean
parse_number (const char *value, long double *number)
{
  char *end;

  errno = 0;
  if (strpbrk (value, ".eE") != NULL && !g_str_has_prefix (value, "0x"))
    *number = (long double) g_ascii_strtod (value, &end);
  else if (*value == '-')
    *number = (long double) g_ascii_strtoll (value, &end, 0);
  else
    *number = (long double) g_ascii_strtoull (value, &end, 0);

  return errno != ERANGE && end != value && *end == '\0';
}

static gboolean
parse_condition (const GArray        *fields,
                 const char          *text,
                 GilkSampleCondition *condition,
                 GError             **error)
{
  gsize sign = strcspn (text, "=!<>");
  g_autofree char *name = g_strstrip (g_strndup (text, sign)), *value = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (relations); i++)
    if (g_str_has_prefix (text + sign, relations[i].sign))
      break;
  if (i == G_N_ELEMENTS (relations))
    return refuse_condition (text, _("a comparison is missing"), error);
  condition->relation = relations[i].relation;
  value = g_strstrip (g_strdup (text + sign + strlen (relations[i].sign)));
  if (!find_field (fields, name, &condition->field))
    return refuse_condition (text, _("these samples have no such field"), error);

  if (*value == '\0')
    return refuse_condition (text, _("the value to compare with is missing"), error);
  if (condition->field >= 0 &&
      g_array_index (fields, GilkStoredField, condition->field).type == ILK_FIELD_TEXT)
    {
      if (condition->relation != GILK_IS && condition->relation != GILK_IS_NOT)
        return refuse_condition (text, _("strings can only be compared with == and !="), error);
      condition->text = unquote_text (value);
      if (strlen (condition->text) == strlen (value) && strpbrk (value, " \t") != NULL)
        {
          g_clear_pointer (&condition->text, g_free);
          return refuse_condition (text, _("a string of several words must be in quotes"), error);
        }
      return TRUE;
    }
  if (!parse_number (value, &condition->number))
    return refuse_condition (text, condition->field == GILK_CONDITION_TIME || condition->field == GILK_CONDITION_INTERVAL
                             ? _("a time must be compared with a number of seconds, such as 0.001")
                             : _("a number must be compared with a number"), error);
  if (condition->field == GILK_CONDITION_TIME || condition->field == GILK_CONDITION_INTERVAL)
    condition->number *= 1e9L;

  return TRUE;
}

/* Returns the "and" that ends the first condition in @text, outside of quotes; NULL if there is
 * only one condition. A quote closes only at the end of a word. */
static const char *
find_and (const char *text)
{
  char quote = '\0';

  for (const char *p = text; *p != '\0'; p++)
    if (quote != '\0')
      quote = *p == quote && (p[1] == '\0' || g_ascii_isspace (p[1])) ? '\0' : quote;
    else if ((*p == '"' || *p == '\'') && p > text && (g_ascii_isspace (p[-1]) || strchr ("=<>", p[-1]) != NULL))
      quote = *p;
    else if (g_ascii_isspace (*p) && g_str_has_prefix (p + 1, "and") && g_ascii_isspace (p[4]))
      return p + 1;

  return NULL;
}

gboolean
gilk_sample_conditions_parse (const GArray *fields,
                              const char   *text,
                              GArray       *conditions,
                              GError      **error)
{
  const char *and;

  do
    {
      g_autofree char *one = NULL;
      GilkSampleCondition condition = { 0 };

      and = find_and (text);
      one = g_strstrip (and != NULL ? g_strndup (text, (gsize) (and - text)) : g_strdup (text));
      if (!parse_condition (fields, one, &condition, error))
        return FALSE;
      g_array_append_val (conditions, condition);
      text = and != NULL ? and + strlen ("and") : NULL;
    }
  while (and != NULL);

  return TRUE;
}

gboolean
gilk_samples_add_condition (GilkSamples *samples,
                            const char  *text,
                            GError     **error)
{
  guint n = samples->conditions->len;

  g_assert (!samples->begun);
  if (!gilk_sample_conditions_parse (samples->fields, text, samples->conditions, error))
    return FALSE;
  for (; n < samples->conditions->len; n++)
    if (g_array_index (samples->conditions, GilkSampleCondition, n).field == GILK_CONDITION_INTERVAL)
      {
        g_array_append_val (samples->on_intervals, g_array_index (samples->conditions, GilkSampleCondition, n));
        g_array_remove_index (samples->conditions, n--);
      }

  return TRUE;
}

gboolean
gilk_samples_condition_has_interval (const char *text)
{
  const char *and;

  do
    {
      and = find_and (text);
      text += strspn (text, " \t");
      if (g_str_has_prefix (text, INTERVAL))
        return TRUE;
      text = and != NULL ? and + strlen ("and") : NULL;
    }
  while (and != NULL);

  return FALSE;
}

/* ---- evaluation ---- */

gboolean
gilk_sample_condition_holds (const GilkSampleCondition *condition,
                             guint                      type,
                             gint64                     value)
{
  long double found = type == ILK_FIELD_U64 || type == ILK_FIELD_HEX64 ? (long double) (uint64_t) value
                                                                       : (long double) value;

  switch (condition->relation)
    {
    case GILK_IS:
      return found == condition->number;
    case GILK_IS_NOT:
      return found != condition->number;
    case GILK_BELOW:
      return found < condition->number;
    case GILK_AT_MOST:
      return found <= condition->number;
    case GILK_ABOVE:
      return found > condition->number;
    default:
      return found >= condition->number;
    }
}

guint
gilk_sample_condition_keep (const GilkSampleCondition *condition,
                            guint                      type,
                            const gint64              *values,
                            guint                     *chosen,
                            guint                      n)
{
  guint kept = 0;

  for (guint i = 0; i < n; i++)
    if (gilk_sample_condition_holds (condition, type, values[chosen[i]]))
      chosen[kept++] = chosen[i];

  return kept;
}

gboolean
gilk_sample_condition_fits (const GilkSampleCondition *condition,
                            const char                *text)
{
  return (strcmp (condition->text, text) == 0) == (condition->relation == GILK_IS);
}

/* ---- intervals ---- */

/* An interval is the time since the previous sample: the last sample in the range that is of the
 * same hook and meets all other conditions. The first sample of a hook does not follow another
 * sample: it does not meet any condition on the interval. */

/* State of the check of conditions on intervals: the time of each hook's last sample, and the
 * samples that meet the conditions. */
typedef struct _GilkSamplesIntervals {
  gint64         *before_ns;      /* time of each hook's last sample, by index of the hook;
                                   * G_MININT64: no sample yet */
  GilkSamplePart *out;
  guint           room;
  guint          *chosen;
} Intervals;

static Intervals *
intervals_new (const GilkSamples *samples)
{
  Intervals *intervals = g_new0 (Intervals, 1);

  intervals->before_ns = g_new (gint64, samples->hooks->len);
  for (guint i = 0; i < samples->hooks->len; i++)
    intervals->before_ns[i] = G_MININT64;

  return intervals;
}

void
gilk_samples_intervals_free (Intervals         *intervals,
                             const GilkSamples *samples)
{
  if (intervals == NULL)
    return;
  gilk_sample_part_free (samples, intervals->out);
  gilk_free_all (intervals->before_ns, intervals->chosen, intervals);
}

static void
make_room (GilkSamples *samples,
           guint        n)
{
  Intervals *intervals = samples->intervals;

  if (n <= intervals->room)
    return;
  gilk_sample_part_free (samples, intervals->out);
  intervals->room = n;
  intervals->out = gilk_sample_part_new (samples, n);
  intervals->chosen = g_renew (guint, intervals->chosen, n);
}

static gboolean
meets_conditions (const GilkSamples *samples,
                  gint64             interval_ns)
{
  for (guint i = 0; i < samples->on_intervals->len; i++)
    if (!gilk_sample_condition_holds (&g_array_index (samples->on_intervals, GilkSampleCondition, i), ILK_FIELD_S64, interval_ns))
      return FALSE;

  return TRUE;
}

static guint
choose_samples (GilkSamples           *samples,
                const GilkSampleBlock *block)
{
  Intervals *intervals = samples->intervals;
  guint kept = 0;

  for (guint i = 0; i < block->n; i++)
    {
      gint64 *before = &intervals->before_ns[samples->hooks->len > 1 ? gilk_samples_hook_position (samples, block->hook[i]) : 0];

      if (*before != G_MININT64 && meets_conditions (samples, block->t_ns[i] - *before))
        intervals->chosen[kept++] = i;
      *before = block->t_ns[i];
    }

  return kept;
}

#define COPY(to, from) \
  for (guint i = 0; i < n; i++) \
    (to)[i] = (from)[chosen[i]]

static void
copy_field (GilkSamplePart        *out,
            const GilkSampleBlock *block,
            guint                  w,
            guint                  room,
            const guint           *chosen,
            guint                  n)
{
  if (out->values[w] != NULL)
    COPY (out->values[w], block->values[w]);
  if (out->texts[w] != NULL)
    COPY (out->texts[w], block->texts[w]);
  if (block->missing[w] == NULL)
    {
      g_clear_pointer (&out->missing[w], g_free);
      return;
    }
  if (out->missing[w] == NULL)
    out->missing[w] = g_new (uint8_t, room);
  COPY (out->missing[w], block->missing[w]);
}

gboolean
gilk_samples_meet_intervals (GilkSamples     *samples,
                             GilkSampleBlock *block)
{
  GilkSamplePart *out;
  const guint *chosen;
  guint n;

  if (samples->intervals == NULL)
    samples->intervals = intervals_new (samples);
  make_room (samples, block->n);
  n = choose_samples (samples, block);
  if (n == 0 || n == block->n)
    return n > 0;
  out = samples->intervals->out;
  chosen = samples->intervals->chosen;
  out->n = n;
  COPY (out->t_ns, block->t_ns);
  if (out->hook != NULL)
    {
      COPY (out->hook, block->hook);
      COPY (out->cpu, block->cpu);
    }
  for (guint w = 0; w < samples->wanted->len; w++)
    copy_field (out, block, w, samples->intervals->room, chosen, n);
  gilk_sample_part_show (out, block);

  return TRUE;
}
