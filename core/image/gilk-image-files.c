/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-files.c - reads kernel files from the target or the cache when an image is opened
 */
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/image/gilk-boot-cache.h"
#include "core/image/gilk-image-loader.h"
#include "core/link/gilk-request.h"

/* ---- cache key: identifies a boot and its set of modules ---- */

/* Hashes the text of /proc/modules, leaving out the reference counts and the users of modules. */
static void
hash_modules (GChecksum  *sum,
              const char *modules)
{
  g_auto (GStrv) lines = g_strsplit (modules, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", 7);

      for (guint k = 0; words[k] != NULL; k++)
        if (k != 2 && k != 3)
          g_checksum_update (sum, (const guchar *) words[k], (gssize) strlen (words[k]) + 1);
    }
}

/* Hashes the data that identify the boot. Returns NULL if the boot id is unknown. (transfer
 * full) */
static GChecksum *
hash_boot (GilkLoader *loader)
{
  GChecksum *sum;
  GilkTarget *target = loader->target;
  const char *parts[] = { gilk_target_spec (target), gilk_target_hostname (target), gilk_target_release (target),
                          gilk_target_build_id (target), loader->boot_id };

  if (loader->boot_id == NULL || *loader->boot_id == '\0')
    return NULL;
  sum = g_checksum_new (G_CHECKSUM_SHA256);
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    g_checksum_update (sum, (const guchar *) parts[i], (gssize) strlen (parts[i]) + 1);

  return sum;
}

char *
gilk_loader_boot_key (GilkLoader *loader)
{
  g_autoptr (GChecksum) sum = hash_boot (loader);

  return sum != NULL ? g_strdup (g_checksum_get_string (sum)) : NULL;
}

/* Returns the cache key; NULL if the boot id is unknown. */
static char *
make_cache_key (GilkLoader *loader,
                const char *modules)
{
  g_autoptr (GChecksum) sum = hash_boot (loader);

  if (sum == NULL)
    return NULL;
  hash_modules (sum, modules);
  for (guint i = 0; i < loader->modules->len; i++)
    {
      const GilkModule *module = g_ptr_array_index (loader->modules, i);

      for (guint k = 0; module->sections != NULL && k < module->sections->len; k++)
        {
          const GilkSection *section = &g_array_index (module->sections, GilkSection, k);

          g_checksum_update (sum, (const guchar *) section->name, (gssize) strlen (section->name) + 1);
          g_checksum_update (sum, (const guchar *) &section->start, sizeof section->start);
        }
    }

  return g_strdup (g_checksum_get_string (sum));
}

void
gilk_loader_set_cache_key (GilkLoader *loader,
                           const char *modules)
{
  g_autofree char *name = make_cache_key (loader, modules);

  gilk_target_set_cache_key (loader->target, name);
}

/* ---- reading and caching of files ---- */

static gboolean
read_cached (GilkLoader  *loader,
             GilkFileJob *job)
{
  g_autofree char *key = job->cached_as != NULL ? gilk_target_cache_key (loader->target) : NULL;

  if (key != NULL)
    job->text = gilk_boot_cache_read (key, job->cached_as, &job->length);
  job->was_cached = job->text != NULL;

  return job->was_cached;
}

void
gilk_loader_cache_files (GilkLoader        *loader,
                         const GilkFileJob *jobs,
                         guint              count,
                         const char        *modules)
{
  g_autofree char *key = gilk_target_cache_key (loader->target);
  g_autofree char *now = make_cache_key (loader, modules);

  /* If a module was loaded or unloaded while the files were read, the key has changed: then do not
   * cache the files. */
  if (g_strcmp0 (key, now) != 0)
    {
      gilk_target_set_cache_key (loader->target, NULL);
      return;
    }
  for (guint i = 0; key != NULL && i < count; i++)
    if (jobs[i].cached_as != NULL && jobs[i].text != NULL && !jobs[i].was_cached)
      gilk_boot_cache_write (key, jobs[i].cached_as, jobs[i].text, jobs[i].length);
}

void
gilk_file_jobs_clear (GilkFileJob *jobs,
                      guint        count)
{
  for (guint i = 0; i < count; i++)
    g_clear_pointer (&jobs[i].text, g_free);
}

static gboolean
wait_file (GilkLoader  *loader,
           GilkFileJob *job,
           GError     **error)
{
  g_autoptr (GError) local = NULL;
  GByteArray *answer =
    gilk_target_wait (loader->target, GILK_GET_FILE, job->seq, loader->cancellable, &local);

  job->seq = 0;
  if (answer != NULL)
    {
      job->length = answer->len;
      g_byte_array_append (answer, (const uint8_t *) "", 1);
      job->text = (char *) g_byte_array_free (answer, FALSE);
      return TRUE;
    }
  /* The caller can do without an optional file, so an error that concerns only the file is ignored.
   * A connection error is always returned. */
  if (!job->needed && !g_error_matches (local, GILK_ERROR, GILK_ERROR_TARGET) &&
      !g_error_matches (local, GILK_ERROR, GILK_ERROR_CANCELLED))
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

gboolean
gilk_loader_read_files (GilkLoader  *loader,
                        GilkFileJob *jobs,
                        guint        count,
                        GError     **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < count; i++)
    {
      const uint32_t file = jobs[i].file;

      if (read_cached (loader, &jobs[i]))
        continue;
      jobs[i].seq = gilk_target_send_bytes (loader->target, GILK_GET_FILE, &file, sizeof file,
                                            error);
      ok = jobs[i].seq != 0;
    }
  for (guint i = 0; i < count; i++)
    {
      if (jobs[i].seq == 0)
        continue;
      if (ok)
        ok = wait_file (loader, &jobs[i], error);
      else
        gilk_target_drop_answer (loader->target, jobs[i].seq);
    }

  return ok;
}
