/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point.c - a probe point as one writes it on a command line
 */
#include "cli/point.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"

const char *
cli_where_name (GilkWhere where)
{
  return where == GILK_WHERE_POST ? "post" : "pre";
}

gboolean
cli_parse_tactic (const char *text, guint *tactic, GError **error)
{
  if (text == NULL || strcmp (text, "auto") == 0)
    *tactic = ILK_TACTIC_NONE;
  else if (strcmp (text, "splice") == 0)
    *tactic = ILK_TACTIC_SPLICE;
  else if (strcmp (text, "bounce") == 0)
    *tactic = ILK_TACTIC_BOUNCE;
  else if (strcmp (text, "clone") == 0)
    *tactic = ILK_TACTIC_CLONE;
  else if (strcmp (text, "trap") == 0)
    *tactic = ILK_TACTIC_TRAP;
  else
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("There is no tactic \"%s\". Say auto, splice, bounce, clone or trap."), text);
      return FALSE;
    }
  return TRUE;
}

void
cli_point_clear (CliPoint *point)
{
  g_clear_pointer (&point->function, g_free);
  g_clear_pointer (&point->block, g_free);
  g_clear_pointer (&point->anchor, g_free);
  g_clear_pointer (&point->instrument, g_free);
}

static gboolean
parse_where (const char *word, GilkWhere *where)
{
  if (strcmp (word, "pre") == 0)
    *where = GILK_WHERE_PRE;
  else if (strcmp (word, "post") == 0)
    *where = GILK_WHERE_POST;
  else
    return FALSE;
  return TRUE;
}

/*
 * Takes ":pre", ":pre:INSTRUMENT" or ":pre:INSTRUMENT:TACTIC" from the end of
 * @text, if there is a ":pre" or ":post" among its last three words. Without one
 * nothing is taken: "ext4:sync" and "@call:schedule" have colons of their own.
 */
static gboolean
take_tail (char *text, CliPoint *point, GError **error)
{
  char *words[3] = { NULL };
  guint n = 0;
  char *colon;

  while (n < G_N_ELEMENTS (words) && (colon = strrchr (text, ':')) != NULL)
    {
      *colon = '\0';
      words[n++] = colon + 1;
      if (!parse_where (colon + 1, &point->where))
        continue;

      if (n >= 2 && *words[n - 2] != '\0')
        point->instrument = g_strdup (words[n - 2]);
      return n < 3 || cli_parse_tactic (words[0], &point->tactic, error);
    }

  while (n > 0)
    words[--n][-1] = ':';
  return TRUE;
}

static gboolean
is_offset (const char *text)
{
  return *text != '\0' && strspn (text, "0123456789abcdefABCDEF") == strlen (text);
}

/* Cuts "+0x1f", "+1f" or ".cold+0x10" off @text; FALSE if a '+' is there and no number. */
static gboolean
take_block (char *text, CliPoint *point)
{
  char *plus = strrchr (text, '+');
  const char *digits;
  gboolean cold;

  if (plus == NULL)
    return TRUE;

  digits = plus + 1;
  if (g_str_has_prefix (digits, "0x") || g_str_has_prefix (digits, "0X"))
    digits += 2;
  if (!is_offset (digits))
    return FALSE;

  *plus = '\0';
  cold = g_str_has_suffix (text, ".cold");
  if (cold)
    text[strlen (text) - strlen (".cold")] = '\0';
  point->block = g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", cold ? ".cold" : "",
                                  g_ascii_strtoull (digits, NULL, 16));
  return TRUE;
}

/* The '@' before an anchor: not that of "name@2", behind which only digits come. */
static char *
find_anchor (char *text)
{
  char *at = strchr (text, '@');

  while (at != NULL && g_ascii_isdigit (at[1]) && strchr ("+@. ", at[1 + strspn (at + 1, "0123456789")]) != NULL)
    at = strchr (at + 1, '@');
  return at;
}

gboolean
cli_point_parse (const char *text, CliPoint *point, GError **error)
{
  g_auto(CliPoint) found = { 0 };
  g_autofree char *rest = g_strdup (text);
  char *at;
  gboolean ok = TRUE;

  if (!take_tail (rest, &found, error))
    return FALSE;
  at = find_anchor (rest);
  if (at != NULL)
    {
      *at = '\0';
      found.anchor = g_strdup (at + 1);
      ok = at[1] != '\0';
    }
  else
    ok = take_block (rest, &found);

  if (!ok || *rest == '\0')
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("\"%s\" is no probe point. Write FUNCTION+OFFSET:pre, with the offset of a block "
                     "as \"gilk cfg FUNCTION\" shows it, e.g. pipe_write+0x2b1:pre."), text);
      return FALSE;
    }
  if (found.block == NULL && found.anchor == NULL)
    found.anchor = g_strdup ("entry");
  found.function = g_steal_pointer (&rest);
  *point = found;
  found = (CliPoint) { 0 };
  return TRUE;
}

GilkPlanHook *
cli_point_to_hook (const CliPoint *point, const GilkPlan *plan, const char *instrument)
{
  g_autofree char *place = NULL;
  g_autofree char *label = NULL;
  GilkPlanHook *hook;

  place = point->block != NULL ? g_strdup (point->block) : g_strdup_printf ("-%s", point->anchor);
  g_strcanon (place, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._+-", '-');
  label = gilk_plan_make_label (plan, point->function, place, point->where);
  hook = gilk_plan_hook_new (label, point->function, point->where, instrument);
  hook->block = g_strdup (point->block);
  hook->anchor = g_strdup (point->anchor);
  hook->tactic = point->tactic;
  return hook;
}
