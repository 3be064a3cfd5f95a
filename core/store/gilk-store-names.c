/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-names.c - writes and reads names of numbers, such as symbols of addresses
 */
#include "core/store/gilk-store-names.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"
#include "core/store/gilk-store-transaction.h"

#define ADDRESSES_MAX (1u << 20)          /* maximum numbers of entries read from a file */
#define FRAMES_MAX    (1u << 22)
#define NAMES_MAX     (1u << 20)
#define LINES_MAX     (1u << 20)

struct _GilkStoredNames {
  GHashTable *addresses;                  /* address (int64) -> GilkStoredAddress */
  GHashTable *stacks;                     /* stack id (int64) -> addresses (GArray of uint64_t) */
  GHashTable *values;                     /* "meaning=value" -> name */
  GHashTable *lines;                      /* (nullable): result of gilk_store_lines() */
};

/* ---- writing ---- */

gboolean
gilk_store_add_address (GilkStore  *store,
                        gint64      run,
                        uint64_t    address,
                        const char *symbol,
                        uint64_t    offset,
                        const char *module,
                        GError    **error)
{
  return gilk_store_write_row (store, run, error, "INSERT OR IGNORE INTO address (run, address, symbol, offset, module) "
                "VALUES (?, ?, ?, ?, ?)", "iisis", run, (gint64) address, symbol, (gint64) offset, module);
}

gboolean
gilk_store_add_stack (GilkStore      *store,
                      gint64          run,
                      uint64_t        id,
                      const uint64_t *addresses,
                      guint           n,
                      GError        **error)
{
  g_assert (n > 0 && n <= GILK_STACK_DEPTH);
  for (guint i = 0; i < n; i++)
    if (!gilk_store_write_row (store, run, error, "INSERT OR IGNORE INTO stack (run, id, depth, address) VALUES (?, ?, ?, ?)",
                "iiii", run, (gint64) id, (gint64) i, (gint64) addresses[i]))
      return FALSE;

  return TRUE;
}

gboolean
gilk_store_add_value_name (GilkStore  *store,
                           gint64      run,
                           const char *meaning,
                           gint64      value,
                           const char *name,
                           GError    **error)
{
  return gilk_store_write_row (store, run, error, "INSERT OR IGNORE INTO value_name (run, meaning, value, name) "
                "VALUES (?, ?, ?, ?)", "isis", run, meaning, value, name);
}

gboolean
gilk_store_set_meaning (GilkStore  *store,
                        gint64      run,
                        const char *instrument,
                        guint       position,
                        const char *meaning,
                        GError    **error)
{
  return gilk_store_write_row (store, run, error, "UPDATE field SET meaning = ? WHERE position = ? AND instrument = "
                "(SELECT id FROM instrument WHERE run = ? AND name = ?)", "siis", meaning, (gint64) position, run,
                instrument);
}

gboolean
gilk_store_add_lines (GilkStore           *store,
                      gint64               run,
                      uint64_t             address,
                      const GilkStoreLine *lines,
                      guint                n,
                      GError             **error)
{
  for (guint i = 0; i < MIN (n, GILK_LINES_DEEP); i++)
    if (!gilk_store_write_row (store, run, error, "INSERT OR IGNORE INTO line (run, address, depth, function, file, line) "
                "VALUES (?, ?, ?, ?, ?, ?)", "iiissi", run, (gint64) address, (gint64) i, lines[i].function,
                lines[i].file, (gint64) lines[i].line))
      return FALSE;

  return TRUE;
}

/* ---- reading ---- */

GILK_DEFINE_CLEAR (free_address, GilkStoredAddress, address,
                   gilk_free_all (address->symbol, address->module, address))

static void
clear_names (gpointer data)
{
  GilkStoredNames *names = data;

  g_hash_table_unref (names->addresses);
  g_hash_table_unref (names->stacks);
  g_hash_table_unref (names->values);
  g_clear_pointer (&names->lines, g_hash_table_unref);
}

GilkStoredNames *
gilk_stored_names_ref (GilkStoredNames *names)
{
  return g_atomic_rc_box_acquire (names);
}

void
gilk_stored_names_unref (GilkStoredNames *names)
{
  if (names != NULL)
    g_atomic_rc_box_release_full (names, clear_names);
}

static gint64 *
make_key (uint64_t value)
{
  gint64 *key = g_new (gint64, 1);

  *key = (gint64) value;

  return key;
}

static char *
make_value_key (const char *meaning, gint64 value)
{
  return g_strdup_printf ("%s=%" PRId64, meaning, value);
}

static gboolean
refuse_too_many (GilkStore *store, GError **error)
{
  return gilk_fail (error, GILK_ERROR_FORMAT,
                    _("%s is damaged: it has too many names, addresses or stacks for one "
                      "run. Use a backup."), gilk_store_path (store));
}

static gboolean
read_addresses (GilkStore *store, gint64 run, GilkStoredNames *names, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT address, symbol, offset, module FROM address "
    "WHERE run = ? ORDER BY address", "i", run);

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredAddress a = { 0 };

      if (!gilk_sql_row (store, stmt, &local, "asas", &a.address, &a.symbol, &a.offset, &a.module))
        break;
      g_hash_table_insert (names->addresses, make_key (a.address), g_memdup2 (&a, sizeof a));
      if (g_hash_table_size (names->addresses) > ADDRESSES_MAX)
        return refuse_too_many (store, error);
    }

  return gilk_check_end (&local, error);
}

/* Reads all stack traces, sorted by stack and depth. If the depths of a stack are not consecutive,
 * or a stack is too deep, the file is damaged. */
static gboolean
read_stacks (GilkStore *store, gint64 run, GilkStoredNames *names, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT id, depth, address FROM stack WHERE run = ? "
    "ORDER BY id, depth", "i", run);
  GArray *stack = NULL;
  uint64_t last = 0;
  guint n = 0;

  while (gilk_sql_next (store, stmt, &local))
    {
      uint64_t id, depth, address;

      if (!gilk_sql_row (store, stmt, &local, "ana", &id, &depth, &address))
        break;
      if (depth == 0)
        {
          stack = g_array_new (FALSE, FALSE, sizeof (uint64_t));
          g_hash_table_insert (names->stacks, make_key (id), stack);
        }
      if (stack == NULL || (depth > 0 && id != last) || depth != stack->len || depth >= GILK_STACK_DEPTH)
        return gilk_fail (error, GILK_ERROR_FORMAT,
                          _("%s is damaged: a stack is incomplete. Use a backup."),
                          gilk_store_path (store));
      last = id;
      g_array_append_val (stack, address);
      if (++n > FRAMES_MAX)
        return refuse_too_many (store, error);
    }

  return gilk_check_end (&local, error);
}

static gboolean
read_values (GilkStore *store, gint64 run, GilkStoredNames *names, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT meaning, value, name FROM value_name WHERE run = ? "
    "ORDER BY meaning, value", "i", run);

  while (gilk_sql_next (store, stmt, &local))
    {
      g_autofree char *meaning = NULL;
      char *name = NULL;
      gint64 value;

      if (!gilk_sql_row (store, stmt, &local, "sis", &meaning, &value, &name))
        break;
      g_hash_table_insert (names->values, make_value_key (meaning, value), name);
      if (g_hash_table_size (names->values) > NAMES_MAX)
        return refuse_too_many (store, error);
    }

  return gilk_check_end (&local, error);
}

GHashTable *
gilk_store_lines (GilkStore *store,
                  gint64     run,
                  GError   **error)
{
  g_autoptr(GHashTable) lines = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT address, depth, file, line FROM line WHERE run = ? "
    "ORDER BY address, depth", "i", run);
  guint n = 0;

  while (gilk_sql_next (store, stmt, &local))
    {
      g_autofree char *file = NULL;
      g_autoptr(GString) text = NULL;
      uint64_t address, depth;
      uint32_t line;
      const char *before;

      if (!gilk_sql_row (store, stmt, &local, "ansu", &address, &depth, &file, &line))
        break;
      before = gilk_stored_line (lines, address);
      if ((before == NULL) != (depth == 0) || depth >= GILK_LINES_DEEP || ++n > LINES_MAX)
        {
          gilk_fail (error, GILK_ERROR_FORMAT,
                     _("%s is damaged: an address lacks source lines. Use a "
                       "backup."), gilk_store_path (store));
          return NULL;
        }
      text = g_string_new (before);
      g_string_append_printf (text, "%s%s:%u", before != NULL ? _(", from ") : "", file, line);
      g_hash_table_insert (lines, make_key (address), g_string_free (g_steal_pointer (&text), FALSE));
    }

  return gilk_check_end (&local, error) ? g_steal_pointer (&lines) : NULL;
}

GilkStoredNames *
gilk_store_names (GilkStore *store,
                  gint64     run,
                  GError   **error)
{
  g_autoptr(GilkStoredNames) names = g_atomic_rc_box_new0 (GilkStoredNames);

  names->addresses = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_address);
  names->stacks = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_array_unref);
  names->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (!read_addresses (store, run, names, error) || !read_stacks (store, run, names, error) ||
      !read_values (store, run, names, error))
    return NULL;
  names->lines = gilk_store_lines (store, run, error);

  return names->lines != NULL ? g_steal_pointer (&names) : NULL;
}

/* ---- lookup of names ---- */

const char *
gilk_stored_line (GHashTable *lines,
                  uint64_t    address)
{
  const gint64 key = (gint64) address;

  return lines != NULL ? g_hash_table_lookup (lines, &key) : NULL;
}

const char *
gilk_stored_source (const GilkStoredNames *names,
                    uint64_t               address)
{
  return gilk_stored_line (names->lines, address);
}

const GilkStoredAddress *
gilk_stored_address (const GilkStoredNames *names,
                     uint64_t               address)
{
  gint64 key = (gint64) address;

  return g_hash_table_lookup (names->addresses, &key);
}

const GArray *
gilk_stored_stack (const GilkStoredNames *names,
                   uint64_t               id)
{
  gint64 key = (gint64) id;

  return g_hash_table_lookup (names->stacks, &key);
}

GArray *
gilk_stored_stacks (const GilkStoredNames *names)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, names->stacks);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_array_append_vals (ids, key, 1);
  g_array_sort (ids, gilk_order_uint64);

  return ids;
}

static void
append_address (const GilkStoredNames *names, GString *text, uint64_t address)
{
  const GilkStoredAddress *found = gilk_stored_address (names, address);

  if (found == NULL)
    g_string_append_printf (text, "0x%" PRIx64, address);
  else if (found->offset == 0)
    g_string_append (text, found->symbol);
  else
    g_string_append_printf (text, "%s+0x%" PRIx64, found->symbol, found->offset);
}

char *
gilk_stored_place (const GilkStoredNames *names,
                   uint64_t               address)
{
  GString *text = g_string_new (NULL);

  append_address (names, text, address);

  return g_string_free (text, FALSE);
}

static gboolean
switches_threads (const char *symbol)
{
  static const char *const begins[] = { "finish_task_switch", "__schedule", "schedule", "preempt_schedule", "__cond_resched",
                                        "__traceiter_sched_switch", NULL };

  for (guint i = 0; begins[i] != NULL; i++)
    if (g_str_has_prefix (symbol, begins[i]))
      return TRUE;

  return FALSE;
}

char *
gilk_stored_stack_summary (const GilkStoredNames *names,
                           uint64_t               id,
                           guint                  most)
{
  const GArray *stack = gilk_stored_stack (names, id);
  GString *text;
  guint shown = 0;

  if (stack == NULL)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < stack->len && shown < most; i++)
    {
      const uint64_t address = g_array_index (stack, uint64_t, i);
      const GilkStoredAddress *named = gilk_stored_address (names, address);
      g_autofree char *place = named != NULL ? NULL : gilk_stored_place (names, address);

      if (shown == 0 && named != NULL && i + 1 < stack->len && switches_threads (named->symbol))
        continue;
      g_string_append_printf (text, "%s%s", shown++ > 0 ? " < " : "", named != NULL ? named->symbol : place);
    }

  return g_string_free (text, FALSE);
}

static char *
format_stack (const GilkStoredNames *names, uint64_t id)
{
  const GArray *stack = gilk_stored_stack (names, id);
  GString *text;

  if (stack == NULL)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < stack->len; i++)
    {
      g_string_append (text, i > 0 ? " < " : "");
      append_address (names, text, g_array_index (stack, uint64_t, i));
    }

  return g_string_free (text, FALSE);
}

char *
gilk_stored_name (const GilkStoredNames *names,
                  const char            *meaning,
                  uint64_t               value)
{
  g_autofree char *key = NULL;

  if (meaning == NULL || *meaning == '\0')
    return NULL;
  if (strcmp (meaning, GILK_MEANING_STACK) == 0)
    return format_stack (names, value);
  if (strcmp (meaning, GILK_MEANING_ERRNO) == 0)
    {
      int number = (gint64) value < 0 && (gint64) value >= -4095 ? (int) -(gint64) value : 0;

      return number > 0 ? g_strdup (strerrorname_np (number)) : NULL;
    }
  if (strcmp (meaning, GILK_MEANING_SYMBOL) == 0)
    {
      return gilk_stored_address (names, value) != NULL ? gilk_stored_place (names, value) : NULL;
    }
  key = make_value_key (meaning, (gint64) value);

  return g_strdup (g_hash_table_lookup (names->values, key));
}

char *
gilk_stored_text (const GilkStoredNames *names,
                  const char            *meaning,
                  uint64_t               value,
                  const char            *text)
{
  g_autofree char *name = gilk_stored_name (names, meaning, value);

  if (name == NULL)
    return NULL;
  if (strcmp (meaning, GILK_MEANING_ERRNO) == 0)
    return g_strdup_printf ("-%s (%s)", name, text);
  if (g_str_has_prefix (meaning, GILK_MEANING_ENUM))
    return g_strdup_printf ("%s (%s)", name, text);

  return g_steal_pointer (&name);
}
