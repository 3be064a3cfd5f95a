/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-types.c - types of a target's kernel and its modules, read on demand
 */
#include "core/image/gilk-debug.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/image/gilk-boot-cache.h"
#include "core/image/gilk-sections.h"
#include "core/link/gilk-request.h"

#define TYPES  "types"  /* part of the name of the cache file that contains the kernel's types */
#define KERNEL "kernel"         /* name that gilk_symbols_module() returns for the kernel itself */

/* Types of a module. The members btf and error are both NULL before the first request for the
 * types, or if the target did not answer that request. */
typedef struct {
  GilkBtf *btf;
  GError  *error;
  gboolean requested;  /* a thread has requested the types from the target and waits for them */
} Entry;

struct _GilkTypes {
  GilkTarget     *target;       /* (nullable) */

  GMutex          lock;         /* protects all members below; not held while waiting for the
                                 * target */
  GCond           changed;
  GHashTable     *entries;      /* table from a module's name to its Entry; entries are never
                                 * removed */
};

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_clear_pointer (&entry->btf, gilk_btf_unref);
  g_clear_error (&entry->error);
  g_free (entry);
}

GilkTypes *
gilk_types_new (GilkTarget *target)
{
  GilkTypes *types = g_new0 (GilkTypes, 1);

  types->target = target != NULL ? gilk_target_ref (target) : NULL;
  g_mutex_init (&types->lock);
  g_cond_init (&types->changed);
  types->entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entry_free);

  return types;
}

void
gilk_types_free (GilkTypes *types)
{
  g_hash_table_unref (types->entries);
  g_clear_pointer (&types->target, gilk_target_unref);
  g_mutex_clear (&types->lock);
  g_cond_clear (&types->changed);
  g_free (types);
}

/* ---- requests for types ---- */

/*
 * Returns the cache key of the kernel's own types, which depend on its build, not on boot or
 * modules. The key includes the target, so that an agent cannot influence the types of another
 * machine. (transfer full) (nullable)
 */
static char *
make_build_key (GilkTarget *target)
{
  const char *parts[] = { gilk_target_spec (target), gilk_target_hostname (target), gilk_target_release (target),
                          gilk_target_build_id (target) };
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  if (!gilk_target_uses_cache (target) || *gilk_target_build_id (target) == '\0')
    return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    g_checksum_update (sum, (const guchar *) parts[i], (gssize) strlen (parts[i]) + 1);

  return g_strdup (g_checksum_get_string (sum));
}

GBytes *
gilk_target_types (GilkTarget   *target,
                   const char   *module,
                   GCancellable *cancellable,
                   GError      **error)
{
  g_autofree char *key = module == NULL ? make_build_key (target) : NULL;
  GByteArray *answer;
  char *cached;
  gsize length;

  if (module != NULL && !gilk_is_module_name (module))
    return gilk_fail_null (error, GILK_ERROR_USAGE,
        _("\"%.60s\" is not a module name; names consist of letters, digits, _ and -."),
        module);
  cached = key != NULL ? gilk_boot_cache_read (key, TYPES, &length) : NULL;
  if (cached != NULL)
    return g_bytes_new_take (cached, length);
  answer = gilk_target_request (target, GILK_GET_TYPES, module, module != NULL ? strlen (module) : 0, cancellable,
                                error);
  if (answer != NULL && key != NULL)
    gilk_boot_cache_write (key, TYPES, answer->data, answer->len);

  return answer != NULL ? g_byte_array_free_to_bytes (answer) : NULL;
}

/* Requests types from the target. Must be called without the lock. @module: NULL for the kernel */
static GilkBtf *
request_types (GilkTypes    *types,
               const char   *module,
               GCancellable *cancellable,
               GError      **error)
{
  g_autoptr (GilkBtf) base = NULL;
  g_autoptr (GBytes) data = NULL;

  if (types->target == NULL)
    return gilk_fail_null (error, GILK_ERROR_NOT_FOUND,
                           _("Types cannot be read without a kernel; connect to a target."));
  if (module != NULL)
    {
      base = gilk_types_get (types, NULL, cancellable, error);
      if (base == NULL)
        return NULL;
    }
  data = gilk_target_types (types->target, module, cancellable, error);

  return data != NULL ? gilk_btf_new (data, base, error) : NULL;
}

/* Returns whether @error is permanent, so that the same request need not be repeated. */
static gboolean
is_final (const GError *error)
{
  return g_error_matches (error, GILK_ERROR, GILK_ERROR_NOT_FOUND) ||
         g_error_matches (error, GILK_ERROR, GILK_ERROR_FORMAT);
}

/* ---- entries of the cache; called with the lock held ---- */

static Entry *
get_entry (GilkTypes  *types,
           const char *name)
{
  Entry *entry = g_hash_table_lookup (types->entries, name);

  if (entry == NULL)
    {
      entry = g_new0 (Entry, 1);
      g_hash_table_insert (types->entries, g_strdup (name), entry);
    }

  return entry;
}

/* Waits until no other thread is requesting @entry. Returns FALSE if cancelled. */
static gboolean
wait_for_entry (GilkTypes    *types,
                Entry        *entry,
                GCancellable *cancellable,
                GError      **error)
{
  while (entry->requested && !g_cancellable_is_cancelled (cancellable))
    g_cond_wait (&types->changed, &types->lock);
  if (!g_cancellable_is_cancelled (cancellable))
    return TRUE;

  return gilk_fail (error, GILK_ERROR_CANCELLED, _("The request was cancelled."));
}

/* Requests the types of an entry from the target, and stores them or the error in the entry.
 * Releases the lock during the request. */
static void
fill_entry (GilkTypes    *types,
            Entry        *entry,
            const char   *name,
            GCancellable *cancellable,
            GError      **error)
{
  GError *failed = NULL;
  GilkBtf *btf;

  entry->requested = TRUE;
  g_mutex_unlock (&types->lock);
  btf = request_types (types, g_str_equal (name, KERNEL) ? NULL : name, cancellable, &failed);
  g_mutex_lock (&types->lock);
  entry->requested = FALSE;
  g_cond_broadcast (&types->changed);
  if (btf != NULL)
    {
      g_clear_pointer (&entry->btf, gilk_btf_unref);
      entry->btf = btf;
    }
  else if (is_final (failed))
    entry->error = failed;
  else
    g_propagate_error (error, failed);
}

/* ---- public functions ---- */

static void
on_cancelled (GCancellable *cancellable,
              gpointer      data)
{
  GilkTypes *types = data;

  g_mutex_lock (&types->lock);
  g_cond_broadcast (&types->changed);
  g_mutex_unlock (&types->lock);
}

GilkBtf *
gilk_types_get (GilkTypes    *types,
                const char   *module,
                GCancellable *cancellable,
                GError      **error)
{
  const char *name = module != NULL ? module : KERNEL;
  GilkBtf *btf = NULL;
  gulong handler = 0;
  Entry *entry;

  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), types, NULL);

  g_mutex_lock (&types->lock);
  entry = get_entry (types, name);
  if (wait_for_entry (types, entry, cancellable, error))
    {
      if (entry->btf == NULL && entry->error == NULL)
        fill_entry (types, entry, name, cancellable, error);
      if (entry->btf != NULL)
        btf = gilk_btf_ref (entry->btf);
      else if (entry->error != NULL && error != NULL)
        *error = g_error_copy (entry->error);
    }
  g_mutex_unlock (&types->lock);

  if (handler != 0)
    g_cancellable_disconnect (cancellable, handler);
  return btf;
}

void
gilk_types_set_for_tests (GilkTypes  *types,
                          const char *module,
                          GilkBtf    *btf)
{
  Entry *entry;

  g_mutex_lock (&types->lock);
  entry = get_entry (types, module != NULL ? module : KERNEL);
  gilk_btf_ref (btf);
  g_clear_pointer (&entry->btf, gilk_btf_unref);
  g_clear_error (&entry->error);
  entry->btf = btf;
  g_mutex_unlock (&types->lock);
}
