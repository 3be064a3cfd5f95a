/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-number.c - parses integers strictly
 */
#include "core/base/gilk-strings.h"

#include <errno.h>
#include <string.h>

gboolean
gilk_parse_unsigned (const char *text,
                     guint       base,
                     guint64     least,
                     guint64     most,
                     guint64    *number)
{
  const char *digits = base == 16 ? "0123456789abcdefABCDEF" : "0123456789";
  guint64 value;

  g_return_val_if_fail (base == 10 || base == 16, FALSE);
  if (*text == '\0' || text[strspn (text, digits)] != '\0')
    return FALSE;
  errno = 0;
  value = g_ascii_strtoull (text, NULL, base);
  if (errno == ERANGE || value < least || value > most)
    return FALSE;
  *number = value;

  return TRUE;
}

gboolean
gilk_parse_signed (const char *text,
                   gint64     *number)
{
  gboolean minus = *text == '-';
  guint64 value;

  if (!gilk_parse_unsigned (text + minus, 10, 0, (guint64) G_MAXINT64 + minus, &value))
    return FALSE;
  *number = (gint64) (minus ? -value : value);

  return TRUE;
}
