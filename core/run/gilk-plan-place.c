/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-place.c - how a plan writes where a hook is: offsets, anchors, fingerprints
 */
#include "core/run/gilk-plan-private.h"

#include <string.h>

#define PRINT_LEN 16

gboolean
gilk_plan_all_of (const char *text, const char *set)
{
  return *text != '\0' && text[strspn (text, set)] == '\0';
}

gboolean
gilk_plan_valid_block (const char *block)
{
  if (g_str_has_prefix (block, ".cold"))
    block += strlen (".cold");
  if (!g_str_has_prefix (block, "+0x"))
    return FALSE;
  block += strlen ("+0x");

  return strlen (block) <= 8 && gilk_plan_all_of (block, GILK_PLAN_HEX);
}

/* "#N" or nothing. */
static gboolean
valid_ordinal (const char *text)
{
  return *text == '\0' ||
         (text[0] == '#' && text[1] != '0' && strlen (text) <= 6 &&
          gilk_plan_all_of (text + 1, "0123456789"));
}

gboolean
gilk_plan_valid_anchor (const char *anchor)
{
  const char *hash;

  if (strcmp (anchor, "entry") == 0)
    return TRUE;
  if (g_str_has_prefix (anchor, "return"))
    return valid_ordinal (anchor + strlen ("return"));
  if (!g_str_has_prefix (anchor, "call:"))
    return FALSE;
  anchor += strlen ("call:");
  hash = strchrnul (anchor, '#');

  return hash > anchor && memchr (anchor, ' ', (gsize) (hash - anchor)) == NULL &&
         valid_ordinal (hash);
}

/* Two prints, or the one of version 1. */
gboolean
gilk_plan_valid_fingerprint (const char *text)
{
  gsize first = strspn (text, GILK_PLAN_HEX);

  if (first != PRINT_LEN)
    return FALSE;
  text += first;
  if (*text == '\0' || strcmp (text, ":twin") == 0)
    return TRUE;

  return *text == ':' && strlen (text + 1) == PRINT_LEN && gilk_plan_all_of (text + 1, GILK_PLAN_HEX);
}
