/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-answers-user.c - validation of the agent's answers about user programs
 */
#include "core/link/gilk-answers.h"

#include <glib/gi18n.h>
#include <string.h>

gboolean
gilk_answer_user_read (const GByteArray      *answer,
                       gsize                  length,
                       struct gilk_user_file *file,
                       uint8_t               *out,
                       gsize                 *got,
                       GError               **error)
{
  gsize bytes = answer->len >= sizeof *file ? answer->len - sizeof *file : 0;

  if (answer->len < sizeof *file || bytes > length)
    return gilk_answer_invalid (error, _("%u bytes of a file, which were not requested"), answer->len);
  memcpy (file, answer->data, sizeof *file);
  if (file->pad != 0 || file->bytes > INT64_MAX)
    return gilk_answer_invalid (error, _("a file of an impossible size"));
  if (bytes > 0)
    memcpy (out, answer->data + sizeof *file, bytes);
  *got = bytes;

  return TRUE;
}

gboolean
gilk_answer_user_bind (const GByteArray      *answer,
                       struct ilk_user_point *points,
                       guint                  count,
                       GError               **error)
{
  g_autofree struct ilk_user_point *given = g_new (struct ilk_user_point, count);

  if (!gilk_answer_struct (answer, given, count * sizeof *given, error))
    return FALSE;
  for (guint i = 0; i < count; i++)
    if (given[i].patch != points[i].patch || given[i].offset != points[i].offset ||
        (given[i].error == 0) != (given[i].refusal == 0))
      return gilk_answer_invalid (error, _("point %u of a program, which was not requested"), i + 1);
  for (guint i = 0; i < count; i++)
    {
      points[i].error = given[i].error;
      points[i].refusal = given[i].refusal;
    }

  return TRUE;
}
