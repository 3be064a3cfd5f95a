/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-user.c - requests about user programs: their files, and hooks in them
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/link/gilk-request.h"

#define READ_BYTES (1u << 20)

static gboolean
check_path (const char *path, GError **error)
{
  if (path[0] == '/' && strlen (path) <= GILK_WIRE_PATH_MAX)
    return TRUE;

  g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
               _("%s is not an absolute path. Write the path of the program or library on the target, starting with /."), path);
  return FALSE;
}

/* Sends a request that consists of @head, @middle and @path, and returns the answer. */
static GByteArray *
request_path (GilkTarget *target, guint type, const void *head, gsize head_bytes, const void *middle, gsize middle_bytes,
              const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr(GByteArray) request = g_byte_array_new ();

  if (!check_path (path, error))
    return NULL;
  g_byte_array_append (request, head, (guint) head_bytes);
  if (middle_bytes > 0)
    g_byte_array_append (request, middle, (guint) middle_bytes);
  g_byte_array_append (request, (const uint8_t *) path, (guint) strlen (path));

  return gilk_target_request (target, type, request->data, request->len, cancellable, error);
}

static gboolean
read_piece (GilkTarget *target, const char *path, uint64_t offset, gsize length, struct gilk_user_file *file,
            uint8_t *out, gsize *got, GCancellable *cancellable, GError **error)
{
  const struct gilk_user_read wish = { .offset = offset, .length = (uint32_t) length };
  g_autoptr(GByteArray) answer = request_path (target, GILK_USER_READ, &wish, sizeof wish, NULL, 0, path, cancellable, error);
  GError *wrong = NULL;

  if (answer == NULL)
    return FALSE;

  return gilk_answer_user_read (answer, length, file, out, got, &wrong) ||
         gilk_target_reject_answer (target, wrong, error);
}

gboolean
gilk_target_program_file (GilkTarget            *target,
                          const char            *path,
                          struct gilk_user_file *file,
                          GCancellable          *cancellable,
                          GError               **error)
{
  gsize got;

  return read_piece (target, path, 0, 0, file, NULL, &got, cancellable, error);
}

gboolean
gilk_target_program_read (GilkTarget                  *target,
                          const char                  *path,
                          const struct gilk_user_file *file,
                          uint64_t                     offset,
                          gsize                        length,
                          uint8_t                     *out,
                          GCancellable                *cancellable,
                          GError                     **error)
{
  for (gsize at = 0; at < length;)
    {
      gsize n = MIN (length - at, READ_BYTES), got = 0;
      struct gilk_user_file now;

      if (!read_piece (target, path, offset + at, n, &now, out + at, &got, cancellable, error))
        return FALSE;
      if (got != n || memcmp (&now, file, sizeof now) != 0)
        {
          g_set_error (error, GILK_ERROR, GILK_ERROR_STALE,
                       _("%s was replaced or truncated while it was read. Try again."), path);
          return FALSE;
        }
      at += n;
    }

  return TRUE;
}

gboolean
gilk_target_program_bind (GilkTarget                  *target,
                          const char                  *path,
                          const struct gilk_user_file *file,
                          struct ilk_user_point       *points,
                          guint                        count,
                          GCancellable                *cancellable,
                          GError                     **error)
{
  const struct gilk_user_bind head = { .file = *file, .count = count };
  g_autoptr(GByteArray) answer = NULL;
  GError *wrong = NULL;

  if (count == 0 || count > ILK_USER_POINTS_MAX)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("%u hooks in %s exceed the limit of %u for one file; plan fewer."), count, path,
                   ILK_USER_POINTS_MAX);
      return FALSE;
    }
  answer = request_path (target, GILK_USER_BIND, &head, sizeof head, points, count * sizeof *points, path, cancellable, error);
  if (answer == NULL)
    return FALSE;

  return gilk_answer_user_bind (answer, points, count, &wrong) ||
         gilk_target_reject_answer (target, wrong, error);
}
