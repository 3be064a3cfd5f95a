/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-accesses.c - finds the code that made the accesses seen by a watchpoint, and
 * formats the accesses as rows
 *
 * Makes one pass over the samples; memory is bounded by the numbers of blocks and processes, not of
 * samples.
 */
#include "core/samples/gilk-store-accesses.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"
#include "core/base/gilk-strings.h"
#include "core/base/gilk-tactic.h"
#include "core/samples/gilk-samples.h"
#include "core/store/gilk-sql.h"
#include "core/store/gilk-store-names.h"

#define PROCESSES_MAX 64

enum { IP, VALUE, PID, CONTEXT, COMM, N_FIELDS };

static const char *const field_names[N_FIELDS] = { "ip", "value", "pid", "context", "comm" };

typedef struct {
  const GilkStoredNames *names;
  GHashTable *by_ip;      /* address in a sample -> GilkAccessor (unowned) */
  GHashTable *by_name;    /* name of the accessing block -> GilkAccessor */
  guint       numbers[N_FIELDS];
} Collector;

gboolean
gilk_stored_hook_is_watchpoint (const GilkStoredHook *hook)
{
  return strcmp (hook->tactic, gilk_tactic_name (GILK_TACTIC_BREAKPOINT)) == 0 && strcmp (hook->instrument, "watchpoint") == 0;
}

const char *
gilk_accessor_context (guint context)
{
  static const char *const names[GILK_ACCESSOR_CONTEXTS] = { "task", "softirq", "hardirq", "NMI" };

  return context < G_N_ELEMENTS (names) ? names[context] : "?";
}

gboolean
gilk_accessor_address (const char *text, uint64_t *address)
{
  char *end;

  errno = 0;
  *address = strtoull (text, &end, 0);

  return errno == 0 && end != text && *end == '\0';
}

GILK_DEFINE_CLEAR (clear_process, GilkAccessorProcess, self, g_free (self->comm))

static void
clear_accessor (gpointer data)
{
  GilkAccessor *accessor = data;

  gilk_free_all (accessor->name, accessor->function, accessor->block, accessor->insn);
  g_clear_pointer (&accessor->processes, g_array_unref);
}

static void
free_accessor (gpointer accessor)
{
  clear_accessor (accessor);
  g_free (accessor);
}

/* ---- one block ---- */

/* Splits a name such as "pipe_write+0x1f" into function and block. The block's part is its offset,
 * such as "+0x1f" or ".cold+0x10". */
static void
split_name (GilkAccessor *accessor)
{
  const char *plus = strrchr (accessor->name, '+');

  if (plus == NULL || g_str_has_prefix (accessor->name, "0x"))
    return;
  if (plus - accessor->name > (gssize) strlen (".cold") && strncmp (plus - strlen (".cold"), ".cold", strlen (".cold")) == 0)
    plus -= strlen (".cold");
  accessor->function = g_strndup (accessor->name, (gsize) (plus - accessor->name));
  accessor->block = g_strdup (plus);
}

static GilkAccessor *
accessor_new (Collector *c, uint64_t ip, char *name)
{
  GilkAccessor *accessor = g_new0 (GilkAccessor, 1);

  accessor->name = name;
  split_name (accessor);
  accessor->insn = gilk_stored_name (c->names, GILK_MEANING_ACCESSOR_INSN, ip);
  accessor->ip = ip;
  accessor->least = UINT64_MAX;
  accessor->processes = gilk_array_new (sizeof (GilkAccessorProcess), clear_process);
  g_hash_table_insert (c->by_name, accessor->name, accessor);

  return accessor;
}

static GilkAccessor *
find_accessor (Collector *c, uint64_t ip)
{
  GilkAccessor *accessor = g_hash_table_lookup (c->by_ip, GSIZE_TO_POINTER (ip));
  char *name;

  if (accessor != NULL)
    return accessor;
  name = gilk_stored_name (c->names, GILK_MEANING_ACCESSOR, ip);
  if (name == NULL)
    name = g_strdup_printf ("0x%" PRIx64, ip);
  accessor = g_hash_table_lookup (c->by_name, name);
  if (accessor == NULL)
    accessor = accessor_new (c, ip, name);
  else
    g_free (name);
  g_hash_table_insert (c->by_ip, GSIZE_TO_POINTER (ip), accessor);

  return accessor;
}

static void
count_process (GilkAccessor *accessor, gint64 pid, const char *comm)
{
  GilkAccessorProcess process = { NULL, pid, 1 };

  for (guint i = 0; i < accessor->processes->len; i++)
    {
      GilkAccessorProcess *known = &g_array_index (accessor->processes, GilkAccessorProcess, i);

      if (known->pid != pid || strcmp (known->comm, comm) != 0)
        continue;
      known->count++;
      return;
    }
  if (accessor->processes->len >= PROCESSES_MAX)
    {
      accessor->others++;
      return;
    }
  process.comm = g_strdup (comm);
  g_array_append_val (accessor->processes, process);
}

static void
add_sample (Collector *c, const GilkSampleBlock *block, guint i)
{
  GilkAccessor *accessor = find_accessor (c, (uint64_t) block->values[c->numbers[IP]][i]);
  uint64_t value = (uint64_t) block->values[c->numbers[VALUE]][i];
  uint64_t context = (uint64_t) block->values[c->numbers[CONTEXT]][i];
  const char *comm = block->texts[c->numbers[COMM]][i];

  if (accessor->count++ == 0)
    accessor->first_ns = block->t_ns[i];
  accessor->last_ns = block->t_ns[i];
  accessor->last = value;
  accessor->least = MIN (accessor->least, value);
  accessor->greatest = MAX (accessor->greatest, value);
  accessor->contexts[MIN (context, GILK_ACCESSOR_CONTEXTS - 1)]++;
  count_process (accessor, block->values[c->numbers[PID]][i], comm != NULL ? comm : "");
}

/* ---- all blocks ---- */

static int
compare_by_count (gconstpointer a, gconstpointer b)
{
  const GilkAccessor *x = a, *y = b;

  return GILK_ORDER (y->count, x->count) ?: strcmp (x->name, y->name);
}

static int
compare_by_process_count (gconstpointer a, gconstpointer b)
{
  const GilkAccessorProcess *x = a, *y = b;

  return GILK_ORDER (y->count, x->count) ?: strcmp (x->comm, y->comm);
}

static gboolean
add_fields (Collector *c, GilkSamples *samples, GError **error)
{
  static const gboolean is_text[N_FIELDS] = { [COMM] = TRUE };
  guint type;

  for (guint i = 0; i < N_FIELDS; i++)
    {
      if (!gilk_samples_add_field (samples, field_names[i], &c->numbers[i], &type, error))
        return FALSE;
      if ((type == ILK_FIELD_TEXT) == is_text[i])
        continue;
      return gilk_fail (error, GILK_ERROR_STORE,
          _("These are not samples of a watchpoint: field %s has another type. The file "
            "is damaged, or was written by another program."),
          field_names[i]);
    }

  return TRUE;
}

static GArray *
sort_accessors (Collector *c)
{
  GArray *accessors = gilk_array_new (sizeof (GilkAccessor), clear_accessor);
  GHashTableIter iter;
  gpointer accessor;

  g_hash_table_iter_init (&iter, c->by_name);
  while (g_hash_table_iter_next (&iter, NULL, &accessor))
    {
      g_array_sort (((GilkAccessor *) accessor)->processes, compare_by_process_count);
      g_array_append_vals (accessors, accessor, 1);
      g_hash_table_iter_steal (&iter);
      g_free (accessor);
    }
  g_array_sort (accessors, compare_by_count);

  return accessors;
}

GArray *
gilk_store_accessors (GilkStore            *store,
                      const GilkStoredHook *hook,
                      GError              **error)
{
  g_autoptr(GilkStoredNames) names = gilk_store_names (store, hook->run, error);
  g_autoptr(GilkSamples) samples = names != NULL ? gilk_samples_new (store, hook, 1, error) : NULL;
  g_autoptr(GHashTable) by_ip = g_hash_table_new (NULL, NULL);
  g_autoptr(GHashTable) by_name = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_accessor);
  Collector c = { .names = names, .by_ip = by_ip, .by_name = by_name };
  GilkSampleBlock block;
  GError *local = NULL;

  if (samples == NULL || !add_fields (&c, samples, error))
    return NULL;
  gilk_samples_in_order (samples);
  while (gilk_samples_next (samples, &block, &local))
    for (guint i = 0; i < block.n; i++)
      add_sample (&c, &block, i);

  return gilk_check_end (&local, error) ? sort_accessors (&c) : NULL;
}

/* ---- formats the accesses to a variable as rows for other programs ---- */

static const char *const columns[] = {
  "accessor", "function", "block", "instruction", "count", "share", "last", "min", "max", "first_ns", "last_ns",
  "task", "softirq", "hardirq", "nmi", "processes",
};

enum { N_COLUMNS = G_N_ELEMENTS (columns) };

uint64_t
gilk_accessors_total (const GArray *accessors)
{
  uint64_t total = 0;

  for (guint i = 0; i < accessors->len; i++)
    total += g_array_index (accessors, GilkAccessor, i).count;

  return total;
}

char *
gilk_accessor_contexts_text (const GilkAccessor *accessor)
{
  GString *text = g_string_new (NULL);
  gboolean told[GILK_ACCESSOR_CONTEXTS] = { FALSE };

  for (guint n = 0; n < GILK_ACCESSOR_CONTEXTS; n++)
    {
      int most = -1;

      for (int i = 0; i < GILK_ACCESSOR_CONTEXTS; i++)
        if (!told[i] && accessor->contexts[i] > 0 && (most < 0 || accessor->contexts[i] > accessor->contexts[most]))
          most = i;
      if (most < 0)
        break;
      if (accessor->contexts[most] == accessor->count)
        {
          g_string_append (text, gilk_accessor_context ((guint) most));
          break;
        }
      told[most] = TRUE;
      g_string_append_printf (text, "%s%s %" PRIu64, text->len > 0 ? ", " : "", gilk_accessor_context ((guint) most),
                              accessor->contexts[most]);
    }

  return g_string_free (text, FALSE);
}

char *
gilk_accessor_processes_text (const GilkAccessor *accessor,
                              guint               most)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (accessor->processes->len, most); i++)
    {
      const GilkAccessorProcess *process = &g_array_index (accessor->processes, GilkAccessorProcess, i);

      g_string_append_printf (text, "%s%s (%" PRId64 ") %" PRIu64, i > 0 ? ", " : "", process->comm, process->pid,
                              process->count);
    }
  if (accessor->processes->len > most || accessor->others > 0)
    g_string_append (text, text->len > 0 ? ", …" : "…");

  return g_string_free (text, FALSE);
}

/* ---- rows ---- */

static void
append_line (GString *lines, char *const *cells, gboolean tabs)
{
  if (!tabs)
    {
      gilk_csv_append_row (lines, N_COLUMNS, (const char *const *) cells);
      return;
    }
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      g_autofree char *cell = g_strdup (cells[i] != NULL ? cells[i] : "");

      /* Tabs and line ends in the text would end the cell: replace them by blanks. */
      g_string_append_printf (lines, "%s%s", i > 0 ? "\t" : "", g_strdelimit (cell, "\t\r\n", ' '));
    }
  g_string_append_c (lines, '\n');
}

static char *
format_number (uint64_t value)
{
  return g_strdup_printf ("%" PRIu64, value);
}

static void
append_accessor (GString *lines, const GilkAccessor *accessor, uint64_t total, gboolean tabs)
{
  char share[G_ASCII_DTOSTR_BUF_SIZE];
  char *cells[N_COLUMNS + 1] = {
    g_strdup (accessor->name), g_strdup (accessor->function), g_strdup (accessor->block), g_strdup (accessor->insn),
    format_number (accessor->count),
    g_strdup (g_ascii_formatd (share, sizeof share, "%.6f", total > 0 ? (double) accessor->count / (double) total : 0.0)),
    g_strdup_printf ("0x%" PRIx64, accessor->last), g_strdup_printf ("0x%" PRIx64, accessor->least),
    g_strdup_printf ("0x%" PRIx64, accessor->greatest),
    g_strdup_printf ("%" PRId64, (int64_t) accessor->first_ns), g_strdup_printf ("%" PRId64, (int64_t) accessor->last_ns),
    format_number (accessor->contexts[0]), format_number (accessor->contexts[1]), format_number (accessor->contexts[2]), format_number (accessor->contexts[3]),
    gilk_accessor_processes_text (accessor, accessor->processes->len),
  };

  append_line (lines, cells, tabs);
  for (guint i = 0; i < N_COLUMNS; i++)
    g_free (cells[i]);
}

static char *
make_lines (const GArray *accessors, gboolean tabs)
{
  GString *lines = g_string_new (NULL);
  uint64_t total = gilk_accessors_total (accessors);

  append_line (lines, (char *const *) columns, tabs);
  for (guint i = 0; i < accessors->len; i++)
    append_accessor (lines, &g_array_index (accessors, GilkAccessor, i), total, tabs);

  return g_string_free (lines, FALSE);
}

char *
gilk_accessors_to_csv (const GArray *accessors)
{
  return make_lines (accessors, FALSE);
}

char *
gilk_accessors_to_tabs (const GArray *accessors)
{
  return make_lines (accessors, TRUE);
}
