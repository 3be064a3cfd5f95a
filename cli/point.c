/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point.c - a probe point as one writes it on a command line
 */
#include "cli/point.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/cfg/gilk-function-user.h"
#include "core/debug/gilk-source-line.h"

const char *
cli_where_name (GilkWhere where)
{
  return gilk_where_name (where);
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
  g_clear_pointer (&point->program, g_free);
}

/* "entry" and "return" are anchors as well. */
static gboolean
parse_where (const char *word, CliPoint *point)
{
  static const struct { const char *word, *anchor; GilkWhere where; } words[] = {
    { "pre", NULL, GILK_WHERE_PRE }, { "post", NULL, GILK_WHERE_POST },
    { "at", NULL, GILK_WHERE_AT }, { "entry", "entry", GILK_WHERE_PRE }, { "return", "return", GILK_WHERE_POST },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (word, words[i].word) == 0)
      {
        point->where = words[i].where;
        point->anchor = g_strdup (words[i].anchor);
        point->at_returns = words[i].anchor != NULL && point->where == GILK_WHERE_POST;
        return TRUE;
      }
  return FALSE;
}

/* What stands behind WHERE: an instrument and a tactic; with a program the tactic alone. */
static gboolean
take_rest (const char *first, const char *second, CliPoint *point, GError **error)
{
  if (point->program != NULL && second != NULL)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("A point with a program has no instrument, and \"%s\" is too many. Write POINT:WHERE:TACTIC { ... }, or "
                     "leave out the program."), first);
      return FALSE;
    }
  if (point->program != NULL)
    return first == NULL || cli_parse_tactic (first, &point->tactic, error);
  if (first != NULL && *first != '\0')
    point->instrument = g_strdup (first);
  return second == NULL || cli_parse_tactic (second, &point->tactic, error);
}

/*
 * Takes ":WHERE", ":WHERE:INSTRUMENT" or ":WHERE:INSTRUMENT:TACTIC" from the end of
 * @text, if there is a WHERE among its last three words. Without one
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
      if (parse_where (colon + 1, point))
        return take_rest (n >= 2 ? words[n - 2] : NULL, n == 3 ? words[0] : NULL, point, error);
    }

  while (n > 0)
    words[--n][-1] = ':';
  return TRUE;
}

/* Cuts "{ PROGRAM }" off the end of @text. FALSE if there is a brace, and no such thing. */
static gboolean
take_program (char *text, CliPoint *point)
{
  char *begin = strchr (text, '{'), *end;

  if (begin == NULL)
    return TRUE;
  end = begin + strlen (g_strchomp (begin)) - 1;
  if (*end != '}')
    return FALSE;
  *begin = *end = '\0';
  point->program = g_strdup (g_strstrip (begin + 1));
  g_strchomp (text);
  return TRUE;
}

/* Of a program's function what is behind its path, which may have any letters. */
static char *
own_name (char *text)
{
  char *colon = gilk_function_is_user (text) ? strrchr (text, ':') : NULL;

  return colon != NULL ? colon : text;
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
  char *plus = strrchr (own_name (text), '+');
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
  char *at = strchr (own_name (text), '@');

  while (at != NULL && g_ascii_isdigit (at[1]) && strchr ("+@. ", at[1 + strspn (at + 1, "0123456789")]) != NULL)
    at = strchr (at + 1, '@');
  return at;
}

/* Cuts off where in the function it is. FALSE: that is no place, or WHERE says another. */
static gboolean
take_place (char *text, CliPoint *point)
{
  char *at = find_anchor (text);
  gboolean known = point->anchor != NULL;

  if (at == NULL)
    return take_block (text, point) && !(known && point->block != NULL) && *text != '\0';
  if (known || at[1] == '\0')
    return FALSE;
  *at = '\0';
  point->anchor = g_strdup (at + 1);
  return *text != '\0';
}

static gboolean
is_line (const char *text)
{
  g_auto(GilkSourceLine) line = { 0 };

  return gilk_source_line_parse (text, &line);
}

/* Takes all behind FILE:LINE. FALSE: it is none. */
static gboolean
take_line (char *text, CliPoint *point, GError **error)
{
  char *words[3] = { NULL };

  for (guint n = 0; !is_line (text); n++)
    {
      char *colon = strrchr (text, ':');

      if (colon == NULL || n == G_N_ELEMENTS (words) - 1)
        {
          while (n > 0)
            words[--n][-1] = ':';
          return FALSE;
        }
      *colon = '\0';
      words[n] = colon + 1;
    }
  point->at_line = TRUE;
  point->where = GILK_WHERE_AT;
  point->anchor = g_strdup ("entry");
  if (words[1] != NULL)
    take_rest (words[1], words[0], point, error);
  else
    take_rest (words[0], NULL, point, error);

  return TRUE;
}

gboolean
cli_point_parse (const char *text, CliPoint *point, GError **error)
{
  g_auto(CliPoint) found = { 0 };
  g_autofree char *rest = g_strdup (text);
  g_autoptr(GError) local = NULL;
  gboolean ok;

  if (!take_program (rest, &found))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("\"%s\" begins a program and does not end it. Write FUNCTION:entry { ... }, in quotes for the "
                     "shell."), text);
      return FALSE;
    }
  if (take_line (rest, &found, &local))
    {
      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      found.function = g_steal_pointer (&rest);
      *point = found;
      found = (CliPoint) { 0 };
      return TRUE;
    }
  if (!take_tail (rest, &found, error))
    return FALSE;
  ok = take_place (rest, &found) && (found.where != GILK_WHERE_AT || found.block != NULL || found.anchor != NULL);
  if (!ok)
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
cli_point_to_hook (const CliPoint *point, GilkPlan *plan, const char *instrument)
{
  g_autofree char *place = NULL;
  g_autofree char *label = NULL;
  GilkPlanHook *hook;

  place = point->at_line ? g_strdup ("") : point->block != NULL ? g_strdup (point->block)
                                                                : g_strdup_printf ("-%s", point->anchor);
  g_strcanon (place, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._+-", '-');
  label = gilk_plan_make_label (plan, point->function, place, point->where);
  if (point->program != NULL)
    instrument = gilk_plan_add_program (plan, label, point->program);
  hook = gilk_plan_hook_new (label, point->function, point->where, instrument);
  hook->is_program = point->program != NULL;
  hook->block = g_strdup (point->block);
  hook->anchor = g_strdup (point->anchor);
  hook->tactic = point->tactic;
  return hook;
}
