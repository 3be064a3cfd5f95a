/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tracepoints.c - the tracepoints of a kernel and its modules at which BPF programs can run
 *
 * For each such tracepoint the kernel has a variable __bpf_trace_tp_map_NAME. If kallsyms lists no
 * variables, the function __traceiter_NAME shows that the tracepoint exists.
 */
#include "core/image/gilk-tracepoints.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-strings.h"

#define MAP_PREFIX "__bpf_trace_tp_map_"
#define FUNCTION_PREFIX "__traceiter_"

struct _GilkTracepoints {
  GArray      *all;         /* (element-type GilkTracepoint): all tracepoints */
  GHashTable  *by_name;     /* table from a tracepoint's name to its index in @all, plus 1 */
  GHashTable  *systems;     /* table from a tracepoint's name to its system; owns both strings */
  GilkSymbols *symbols;     /* symbol table that owns the names in @all */
};

/* Reads the system of each tracepoint, such as "sched", from tracefs. A missing file is not an
 * error. */
static gboolean
read_systems (GilkTracepoints *self, GilkTarget *target, GCancellable *cancellable, GError **error)
{
  g_autoptr(GError) local = NULL;
  g_autofree char *text = target != NULL ? gilk_target_file (target, GILK_FILE_TRACEPOINTS, NULL, cancellable, &local) : NULL;
  g_auto(GStrv) lines = text != NULL ? g_strsplit (text, "\n", -1) : NULL;

  if (local != NULL && (g_error_matches (local, GILK_ERROR, GILK_ERROR_CANCELLED) || gilk_target_loss (target) != GILK_LOSS_NONE))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    {
      const char *colon = strchr (lines[i], ':');

      if (colon != NULL)
        g_hash_table_insert (self->systems, g_strdup (colon + 1), g_strndup (lines[i], (gsize) (colon - lines[i])));
    }

  return TRUE;
}

static void
add_symbols (GilkTracepoints *self, const char *prefix)
{
  const gsize length = strlen (prefix);
  guint count;
  const GilkSymbol *symbols = gilk_symbols_all (self->symbols, &count);

  for (guint i = 0; i < count; i++)
    if (strncmp (symbols[i].name, prefix, length) == 0)
      {
        const char *name = symbols[i].name + length;
        const GilkTracepoint found = { name, g_hash_table_lookup (self->systems, name), symbols[i].module };

        g_array_append_val (self->all, found);
      }
}

static int
compare_tracepoints (gconstpointer a, gconstpointer b)
{
  const GilkTracepoint *of_a = a, *of_b = b;
  const int by_system = (of_a->system == NULL) - (of_b->system == NULL) != 0
                        ? (of_a->system == NULL) - (of_b->system == NULL) : g_strcmp0 (of_a->system, of_b->system);

  return by_system != 0 ? by_system : strcmp (of_a->name, of_b->name);
}

GilkTracepoints *
gilk_tracepoints_new (GilkImage    *image,
                      GCancellable *cancellable,
                      GError      **error)
{
  GilkTracepoints *self = g_new0 (GilkTracepoints, 1);

  self->all = g_array_new (FALSE, TRUE, sizeof (GilkTracepoint));
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->systems = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->symbols = gilk_symbols_ref (gilk_image_symbols (image));
  if (!read_systems (self, gilk_image_target (image), cancellable, error))
    {
      gilk_tracepoints_free (self);
      return NULL;
    }
  add_symbols (self, MAP_PREFIX);
  if (self->all->len == 0)
    add_symbols (self, FUNCTION_PREFIX);
  g_array_sort (self->all, compare_tracepoints);
  for (guint i = 0; i < self->all->len; i++)
    g_hash_table_insert (self->by_name, (gpointer) g_array_index (self->all, GilkTracepoint, i).name, GUINT_TO_POINTER (i + 1));

  return self;
}

void
gilk_tracepoints_free (GilkTracepoints *tracepoints)
{
  g_array_unref (tracepoints->all);
  g_hash_table_unref (tracepoints->by_name);
  g_hash_table_unref (tracepoints->systems);
  gilk_symbols_unref (tracepoints->symbols);
  g_free (tracepoints);
}

const GilkTracepoint *
gilk_tracepoints_all (const GilkTracepoints *tracepoints,
                      guint                 *count)
{
  *count = tracepoints->all->len;

  return (const GilkTracepoint *) (const void *) tracepoints->all->data;
}

/* Returns a sentence that suggests tracepoints whose names resemble @name; "" if there are none.
 * (transfer full) */
static char *
find_similar (const GilkTracepoints *self, const char *name)
{
  g_autofree const char **words = g_new0 (const char *, self->all->len + 1);

  for (guint i = 0; i < self->all->len; i++)
    words[i] = g_array_index (self->all, GilkTracepoint, i).name;

  return gilk_nearest_hint (name, words, self->all->len);
}

const GilkTracepoint *
gilk_tracepoints_find (const GilkTracepoints *tracepoints,
                       const char            *system,
                       const char            *name,
                       GError               **error)
{
  const guint at = GPOINTER_TO_UINT (g_hash_table_lookup (tracepoints->by_name, name));
  const GilkTracepoint *found = at != 0 ? &g_array_index (tracepoints->all, GilkTracepoint, at - 1) : NULL;
  g_autofree char *hint = found == NULL ? find_similar (tracepoints, name) : NULL;

  if (found == NULL && tracepoints->all->len == 0)
    return gilk_fail_null (error, GILK_ERROR_NOT_FOUND,
                           _("This kernel has no tracepoints at which BPF programs can run. Use one with CONFIG_TRACEPOINTS and "
                             "CONFIG_BPF_EVENTS."));
  if (found == NULL)
    return gilk_fail_null (error, GILK_ERROR_NOT_FOUND,
                           _("This kernel has no tracepoint %s.%s \"gilk find tracepoint:PATTERN\" lists "
                             "tracepoints; a module's tracepoints exist while the module is loaded."), name, hint);
  if (system != NULL && found->system != NULL && strcmp (system, found->system) != 0)
    return gilk_fail_null (error, GILK_ERROR_NOT_FOUND, _("Tracepoint %s belongs to %s, not to %s. Write tracepoint:%s:%s."), name,
                           found->system, system, found->system, name);

  return found;
}

char *
gilk_tracepoint_text (const GilkTracepoint *tracepoint)
{
  return tracepoint->system != NULL ? g_strdup_printf ("tracepoint:%s:%s", tracepoint->system, tracepoint->name)
                                    : g_strconcat ("tracepoint:", tracepoint->name, NULL);
}
