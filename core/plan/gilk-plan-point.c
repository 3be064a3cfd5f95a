/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-point.c - parses probe points: blocks, anchors, WHERE (pre, post or at) and tactics;
 * checks the format of fingerprints
 */
#include "core/plan/gilk-plan-point.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-strings.h"
#include "core/plan/gilk-plan-private.h"

#define CALL           "call:"
#define OFFSET_DIGITS  8
#define ORDINAL_DIGITS 5
#define INSTRUMENT_MAX 31

static gboolean G_GNUC_PRINTF (2, 3)
fail_usage (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_clear_error (error);
  if (error != NULL)
    *error = g_error_new_valist (GILK_ERROR, GILK_ERROR_USAGE, format, args);
  va_end (args);

  return FALSE;
}

/* ---- parses blocks ---- */

gboolean
gilk_block_check (const char *text, GError **error)
{
  const char *digits = text;

  if (g_str_has_prefix (digits, ".cold"))
    digits += strlen (".cold");
  if (g_str_has_prefix (digits, "+0x") && strlen (digits) <= strlen ("+0x") + OFFSET_DIGITS &&
      gilk_plan_consists_of (digits + strlen ("+0x"), GILK_PLAN_HEX))
    return TRUE;

  return fail_usage (error, _("\"%s\" is not a block's offset. Write it as \"gilk cfg FUNCTION\" "
                              "shows it, for example +0x1f or .cold+0x10."), text);
}

/* ---- parses anchors ---- */

/* Parses an optional "#NUMBER" at the end of @text. */
static gboolean
parse_ordinal (const char *text, guint *nth)
{
  *nth = 0;
  if (*text == '\0')
    return TRUE;
  if (text[0] != '#' || text[1] == '0' || strlen (text + 1) > ORDINAL_DIGITS || !gilk_plan_consists_of (text + 1, "0123456789"))
    return FALSE;
  *nth = (guint) strtoul (text + 1, NULL, 10);

  return TRUE;
}

static gboolean
is_symbol (const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (text[i]) && strchr ("_.$", text[i]) == NULL)
      return FALSE;

  return length > 0;
}

static gboolean
fail_anchor (const char *text, GError **error)
{
  static const char *const words[] = { "entry", "return", "call:SYMBOL" };
  g_autofree char *word = g_strndup (text, strcspn (text, "#:"));
  g_autofree char *hint = gilk_nearest_hint (g_str_has_prefix (text, "call") ? "call:SYMBOL" : word, words, G_N_ELEMENTS (words));

  return fail_usage (error, _("\"%s\" is not a location in a function.%s Write entry, return, call:SYMBOL or call:SYMBOL#2."), text, hint);
}

gboolean
gilk_anchor_parse (const char *text, GilkAnchor *anchor, GError **error)
{
  GilkAnchor found = { 0 };

  if (g_str_has_prefix (text, CALL))
    {
      const char *symbol = text + strlen (CALL), *hash = strchrnul (symbol, '#');

      if (!is_symbol (symbol, (gsize) (hash - symbol)) || !parse_ordinal (hash, &found.nth))
        return fail_anchor (text, error);
      found.kind = GILK_ANCHOR_CALL;
      found.symbol = g_strndup (symbol, (gsize) (hash - symbol));
    }
  else if (g_str_has_prefix (text, "return") && parse_ordinal (text + strlen ("return"), &found.nth))
    found.kind = GILK_ANCHOR_RETURN;
  else if (strcmp (text, "entry") == 0)
    found.kind = GILK_ANCHOR_ENTRY;
  else
    return fail_anchor (text, error);
  *anchor = found;

  return TRUE;
}

void
gilk_anchor_clear (GilkAnchor *anchor)
{
  g_clear_pointer (&anchor->symbol, g_free);
}

/* ---- parses WHERE (pre, post or at) and tactics, checks instruments' names ---- */

gboolean
gilk_where_parse (const char *text, GilkWhere *where, GError **error)
{
  static const char *const words[] = { "pre", "post", "at" };
  static const GilkWhere values[] = { GILK_WHERE_PRE, GILK_WHERE_POST, GILK_WHERE_AT };
  g_autofree char *hint = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (text, words[i]) == 0)
      {
        *where = values[i];
        return TRUE;
      }
  hint = gilk_nearest_hint (text, words, G_N_ELEMENTS (words));

  return fail_usage (error, _("Invalid value \"%s\".%s Write pre, post or at."), text, hint);
}

gboolean
gilk_tactic_parse (const char *text, guint *tactic, GError **error)
{
  static const char *const words[] = { "auto", "splice", "bounce", "clone", "trap" };
  static const guint values[] = { ILK_TACTIC_NONE, ILK_TACTIC_SPLICE, ILK_TACTIC_BOUNCE, ILK_TACTIC_CLONE, ILK_TACTIC_TRAP };
  g_autofree char *hint = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (text != NULL ? text : words[0], words[i]) == 0)
      {
        *tactic = values[i];
        return TRUE;
      }
  hint = gilk_nearest_hint (text, words, G_N_ELEMENTS (words));

  return fail_usage (error, _("Unknown tactic \"%s\".%s Write auto, splice, bounce, clone or trap."), text, hint);
}

gboolean
gilk_instrument_check (const char *text, GError **error)
{
  if (strlen (text) <= INSTRUMENT_MAX && g_ascii_islower (text[0]) &&
      gilk_plan_consists_of (text, "abcdefghijklmnopqrstuvwxyz0123456789-"))
    return TRUE;

  return fail_usage (error, _("\"%s\" is not an instrument name. Write count, stamp, or the name of an instrument module."), text);
}

/* ---- checks the format of fingerprints in plans ---- */

#define FINGERPRINT_LEN 16

gboolean
gilk_plan_consists_of (const char *text, const char *set)
{
  return *text != '\0' && text[strspn (text, set)] == '\0';
}

/* Accepts two fingerprints (of the whole function and of the block) separated by a colon, or only
 * one, as in version 1 of the plan format. */
gboolean
gilk_plan_is_fingerprint (const char *text)
{
  gsize first = strspn (text, GILK_PLAN_HEX);

  if (first != FINGERPRINT_LEN)
    return FALSE;
  text += first;
  if (*text == '\0' || strcmp (text, ":twin") == 0)
    return TRUE;

  return *text == ':' && strlen (text + 1) == FINGERPRINT_LEN && gilk_plan_consists_of (text + 1, GILK_PLAN_HEX);
}
