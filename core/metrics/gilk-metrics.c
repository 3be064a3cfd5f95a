/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-metrics.c - makes the metrics of a run, in Prometheus' text format
 */
#include "core/metrics/gilk-metrics.h"

#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-gaps.h"
#include "core/analysis/gilk-hook-stream.h"
#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-strings.h"
#include "core/emit/gilk-inline.h"

#define DECADE_FIRST (-9)
#define DECADE_LAST  18
#define BUCKETS      ((DECADE_LAST - DECADE_FIRST + 1) * 3)

/* Data of a hook that become metrics, from a run or from a session. */
typedef struct {
  const char *label, *function, *block, *where, *instrument;
  uint64_t    hits, stored, lost, missed;
  gboolean    hits_known, samples;
} Hook;

enum { LABELS = 5 };

static void
fill_labels (const Hook *hook, GilkLabel labels[LABELS + 3])
{
  const GilkLabel all[] = { { "hook", hook->label }, { "function", hook->function }, { "block", hook->block },
                            { "where", hook->where }, { "instrument", hook->instrument } };

  memset (labels, 0, (LABELS + 3) * sizeof *labels);
  memcpy (labels, all, sizeof all);
}

static const struct {
  const char *name, *help;
  gsize       offset;
  gboolean    of_samples;
} counters[] = {
  { "gilk_hook_hits_total", "Times the hook was passed.", offsetof (Hook, hits), FALSE },
  { "gilk_hook_samples_stored_total", "Samples of the hook that were stored.", offsetof (Hook, stored), TRUE },
  { "gilk_hook_samples_lost_total", "Samples of the hook that were lost.", offsetof (Hook, lost), TRUE },
  { "gilk_hook_missed_total", "Hits missed because they came within a hit.", offsetof (Hook, missed), FALSE },
};

static void
add_hooks (GilkExposition *to, const GArray *hooks)
{
  for (guint c = 0; c < G_N_ELEMENTS (counters); c++)
    {
      gilk_exposition_family (to, counters[c].name, "counter", counters[c].help);
      for (guint i = 0; i < hooks->len; i++)
        {
          const Hook *hook = &g_array_index (hooks, Hook, i);
          GilkLabel labels[LABELS + 3];

          if (counters[c].of_samples ? !hook->samples : counters[c].offset == offsetof (Hook, hits) && !hook->hits_known)
            continue;
          fill_labels (hook, labels);
          gilk_exposition_uint (to, "", labels, *(const uint64_t *) ((const char *) hook + counters[c].offset));
        }
    }
}

static void
add_gauge (GilkExposition *to, const char *name, const char *help, double value)
{
  gilk_exposition_family (to, name, "gauge", help);
  gilk_exposition_double (to, "", NULL, value);
}

static gboolean
takes_samples (const char *instrument)
{
  return !gilk_inline_is (instrument, GILK_INLINE_COUNT);
}

/* ---- metrics of a run in progress ---- */

/* Returns the location of the hook's probe point, in the form used in sessions. (transfer full) */
static char *
make_place (const GilkBoundHook *hook)
{
  if (hook->error == NULL && hook->cfg != NULL)
    return gilk_cfg_offset_name (hook->cfg, hook->addr);

  if (!gilk_plan_hook_has_graph (hook->hook))
    return g_strdup ("");

  return g_strdup (hook->hook->block != NULL ? hook->hook->block : hook->hook->anchor);
}

char *
gilk_metrics_of_run (const GilkRunFigures *figures,
                     const GilkBoundPlan  *plan)
{
  g_autoptr(GilkExposition) to = gilk_exposition_new ();
  g_autoptr(GArray) hooks = g_array_new (FALSE, FALSE, sizeof (Hook));
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < figures->n_hooks && i < plan->hooks->len; i++)
    {
      const GilkHookFigures *from = &figures->hooks[i];
      const GilkBoundHook *bound = &g_array_index (plan->hooks, GilkBoundHook, i);
      const GilkPlanHook *planned = bound->hook;
      const Hook hook = {
        planned->label, planned->function, make_place (bound), gilk_where_name (planned->where),
        planned->instrument, from->hits, from->stored, from->lost, from->missed, from->hits_known,
        takes_samples (planned->instrument),
      };

      g_ptr_array_add (blocks, (gpointer) hook.block);
      g_array_append_val (hooks, hook);
    }
  add_hooks (to, hooks);
  add_gauge (to, "gilk_hooks", "Hooks of the run.", figures->n_hooks);
  add_gauge (to, "gilk_hooks_live", "Hooks that are armed now.", figures->hooks_live);
  add_gauge (to, "gilk_run_seconds", "Seconds since the run's time zero.", figures->elapsed);
  add_gauge (to, "gilk_session_bytes", "Size of the session's file.", (double) figures->bytes);
  if (figures->ring_bytes > 0)
    {
      add_gauge (to, "gilk_ring_bytes", "Size of a CPU's ring.", (double) figures->ring_bytes);
      add_gauge (to, "gilk_ring_used_bytes", "Unread data in the fullest ring.", (double) figures->ring_used);
      add_gauge (to, "gilk_ring_used_max_bytes", "Peak of unread data in a ring since time zero.",
                 (double) figures->ring_used_max);
    }

  return g_strdup (gilk_exposition_text (to));
}

/* ---- metrics of a run in a session ---- */

typedef struct {
  double   edges[BUCKETS];
  uint64_t counts[BUCKETS + 1];
  uint64_t n;
  double   sum;
} Buckets;

static void
place_buckets (Buckets *buckets)
{
  static const int digits[] = { 1, 2, 5 };

  memset (buckets, 0, sizeof *buckets);
  for (int i = 0; i < BUCKETS; i++)
    {
      g_autofree char *edge = g_strdup_printf ("%de%d", digits[i % 3], DECADE_FIRST + i / 3);

      buckets->edges[i] = g_ascii_strtod (edge, NULL);      /* parse the printed label, so that the
                                                             * edge is exactly the number that the
                                                             * label shows */
    }
}

/* Counts @value in the first bucket whose upper edge is not below @value. */
static void
count_value (Buckets *buckets, double value)
{
  buckets->counts[GILK_BISECT ((guint) BUCKETS, i, !(value <= buckets->edges[i]))]++;
  buckets->n++;
  buckets->sum += value;
}

static gboolean
fill_buckets (GilkStore *store, const GilkStoredHook *hook, double duration, const char *field, Buckets *buckets,
              GError **error)
{
  g_autoptr(GArray) gaps = gilk_hook_gaps (store, hook, duration, error);
  const GilkHookAsk ask = { .field = field, .gaps = gaps, .from = NAN, .to = NAN };
  g_autoptr(GilkHookStream) stream = gaps != NULL ? gilk_hook_stream_new (store, hook, &ask, error) : NULL;
  GError *local = NULL;
  GilkHookBlock block;

  if (stream == NULL)
    return FALSE;
  place_buckets (buckets);
  while (gilk_hook_stream_next (stream, &block, &local))
    for (guint i = 0; i < block.n; i++)
      if (isfinite (block.values[i]))
        count_value (buckets, block.values[i]);
  return gilk_check_end (&local, error);
}

/* Leaves out buckets above the largest value, because all would have the same count. */
static void
put_buckets (GilkExposition *to, GilkLabel *labels, guint n_labels, const Buckets *buckets)
{
  char edge[G_ASCII_DTOSTR_BUF_SIZE];
  uint64_t below = 0;
  guint first = 0;

  while (first < BUCKETS && buckets->counts[first] == 0)
    first++;
  for (guint i = first; i < BUCKETS && below < buckets->n; i++)
    {
      below += buckets->counts[i];
      labels[n_labels] = (GilkLabel) { "le", g_ascii_formatd (edge, sizeof edge, "%g", buckets->edges[i]) };
      gilk_exposition_uint (to, "_bucket", labels, below);
    }
  labels[n_labels] = (GilkLabel) { "le", "+Inf" };
  gilk_exposition_uint (to, "_bucket", labels, buckets->n);
  labels[n_labels] = (GilkLabel) { NULL, NULL };
  gilk_exposition_double (to, "_sum", labels, buckets->sum);
  gilk_exposition_uint (to, "_count", labels, buckets->n);
}

/* Returns whether the hook has the field, and the field is numeric. */
static gboolean
has_field (GilkStore *store, const GilkStoredHook *hook, const char *field, gboolean *has, GError **error)
{
  g_autoptr(GArray) fields = NULL;
  const GilkStoredField *found;

  *has = hook->stored > 0 && strcmp (field, "interval") == 0;
  if (*has || hook->stored == 0)
    return TRUE;
  fields = gilk_store_fields (store, hook->run, hook->instrument, error);
  found = fields != NULL ? gilk_stored_field_find (fields, field) : NULL;
  *has = found != NULL && found->type != ILK_FIELD_TEXT;

  return fields != NULL;
}

static gboolean
add_histograms (GilkExposition *to, GilkStore *store, const GilkStoredRun *run, const GArray *stored, const GArray *hooks,
                const char *field, GError **error)
{
  gboolean interval = strcmp (field, "interval") == 0, said = FALSE;

  for (guint i = 0; i < stored->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (stored, GilkStoredHook, i);
      GilkLabel labels[LABELS + 3];
      gboolean has;
      Buckets buckets;

      if (!has_field (store, hook, field, &has, error))
        return FALSE;
      if (!has)
        continue;
      if (!fill_buckets (store, hook, run->duration, field, &buckets, error))
        return FALSE;
      if (!said && interval)
        gilk_exposition_family (to, "gilk_interval_seconds", "histogram", "Time between successive samples of the hook, "
                                "except across gaps in the data.");
      else if (!said)
        gilk_exposition_family (to, "gilk_field_value", "histogram", "Values of a field of the hook's samples.");
      said = TRUE;
      fill_labels (&g_array_index (hooks, Hook, i), labels);
      if (!interval)
        labels[LABELS] = (GilkLabel) { "field", field };
      put_buckets (to, labels, LABELS + !interval, &buckets);
    }

  return TRUE;
}

char *
gilk_metrics_of_session (GilkStore           *store,
                         const GilkStoredRun *run,
                         const GArray        *stored,
                         const char          *field,
                         GError             **error)
{
  g_autoptr(GilkExposition) to = gilk_exposition_new ();
  g_autoptr(GArray) hooks = g_array_new (FALSE, FALSE, sizeof (Hook));

  for (guint i = 0; i < stored->len; i++)
    {
      const GilkStoredHook *from = &g_array_index (stored, GilkStoredHook, i);
      const Hook hook = {
        from->label, from->function, from->block, from->where, from->instrument, from->hits, from->stored, from->lost,
        from->missed, from->hits_known, takes_samples (from->instrument),
      };

      g_array_append_val (hooks, hook);
    }
  add_hooks (to, hooks);
  add_gauge (to, "gilk_hooks", "Hooks of the run.", stored->len);
  add_gauge (to, "gilk_run_seconds", "Duration of the run.", run->duration);
  add_gauge (to, "gilk_session_bytes", "Size of the session's file.", (double) gilk_store_bytes (store));
  if (!add_histograms (to, store, run, stored, hooks, field, error))
    return NULL;

  return g_strdup (gilk_exposition_text (to));
}

/* ---- writes metrics in Prometheus' text format ---- */

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
