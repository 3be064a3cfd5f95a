/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-file.c - the session file's size, and errors about it
 */
#include "core/store/gilk-store-private.h"

#include <sys/stat.h>

gboolean
gilk_store_refuse (GError      **error,
                   GilkErrorCode code,
                   const char   *format,
                   ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (GILK_ERROR, (int) code, format, args);
  va_end (args);

  return FALSE;
}

uint64_t
gilk_store_bytes (GilkStore *store)
{
  g_autofree char *wal = g_strconcat (store->path, "-wal", NULL);
  uint64_t bytes = 0;
  struct stat st;

  if (stat (store->path, &st) == 0)
    bytes += (uint64_t) st.st_size;
  if (stat (wal, &st) == 0)
    bytes += (uint64_t) st.st_size;

  return bytes;
}
