/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-point-text.c - parses a probe point on one line: function, location, WHERE (such as
 * pre), instrument, tactic
 *
 * The line is parsed from its end: the program, then the words after the location, then the
 * location. The rest is the function.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-strings.h"
#include "core/cfg/gilk-function.h"
#include "core/cfg/gilk-locate.h"
#include "core/plan/gilk-plan-event.h"
#include "core/plan/gilk-plan-point.h"
#include "core/plan/gilk-plan-private.h"

void
gilk_point_text_clear (GilkPointText *point)
{
  g_clear_pointer (&point->function, g_free);
  g_clear_pointer (&point->block, g_free);
  g_clear_pointer (&point->anchor, g_free);
  g_clear_pointer (&point->instrument, g_free);
  g_clear_pointer (&point->program, g_free);
}

/* ---- parses the words after the location ---- */

/*
 * The words that WHERE may be. The words with an @anchor ("entry", "return", "inlined") may only
 * follow a function name without a location. "inlined" selects all places where the function was
 * inlined.
 */
static const struct { const char *word, *anchor; GilkWhere where; } edges[] = {
  { "pre", NULL, GILK_WHERE_PRE }, { "post", NULL, GILK_WHERE_POST },
  { "at", NULL, GILK_WHERE_AT }, { "entry", "entry", GILK_WHERE_PRE }, { "return", "return", GILK_WHERE_POST },
  { "inlined", "entry", GILK_WHERE_AT },
};

static gboolean
parse_where (const char *word, GilkPointText *point)
{
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    if (strcmp (word, edges[i].word) == 0)
      {
        point->where = edges[i].where;
        point->anchor = g_strdup (edges[i].anchor);
        point->at_returns = edges[i].anchor != NULL && point->where == GILK_WHERE_POST;
        point->at_inlined = edges[i].anchor != NULL && point->where == GILK_WHERE_AT;
        return TRUE;
      }

  return FALSE;
}

static gboolean
fail_edge (const char *word, const char *text, GError **error)
{
  const char *words[G_N_ELEMENTS (edges)];
  g_autofree char *hint = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    words[i] = edges[i].word;
  hint = gilk_nearest_hint (word, words, G_N_ELEMENTS (words));

  return gilk_fail (error, GILK_ERROR_USAGE,
                    _("Invalid WHERE \"%s\" in \"%s\".%s Write pre, post or at. For a "
                      "function without a location, write entry, return or inlined."), word, text,
                    hint);
}

/* Parses the words after WHERE: an instrument and a tactic, or only a tactic if there is
 * a program. */
static gboolean
parse_instrument (const char *first, const char *second, GilkPointText *point, GError **error)
{
  if (point->program != NULL && second != NULL)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("A point with a program has no instrument, so \"%s\" is not "
                        "allowed here. Write POINT:WHERE:TACTIC { ... }, or remove the "
                        "program."), first);
  if (point->program != NULL)
    return first == NULL || gilk_tactic_parse (first, &point->tactic, error);
  if (first != NULL && *first == '\0' && second == NULL)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("The point ends in \":\". Write an instrument after it, or remove it."));
  if (first != NULL && *first != '\0')
    {
      if (!gilk_instrument_check (first, error))
        return FALSE;
      point->instrument = g_strdup (first);
    }

  return second == NULL || gilk_tactic_parse (second, &point->tactic, error);
}

/*
 * Cuts ":WHERE", ":WHERE:INSTRUMENT" or ":WHERE:INSTRUMENT:TACTIC" off the end of @text if one of
 * the last three words is a WHERE. Otherwise leaves @text unchanged, because "ext4:sync" and
 * "@call:schedule" contain colons, too.
 */
static gboolean
cut_where (char *text, GilkPointText *point, GError **error)
{
  char *words[3] = { NULL };
  guint n = 0;
  char *colon;

  while (n < G_N_ELEMENTS (words) && (colon = strrchr (text, ':')) != NULL)
    {
      *colon = '\0';
      words[n++] = colon + 1;
      if (parse_where (colon + 1, point))
        return parse_instrument (n >= 2 ? words[n - 2] : NULL, n == 3 ? words[0] : NULL, point, error);
    }

  while (n > 0)
    words[--n][-1] = ':';

  return TRUE;
}

/* Cuts "{ PROGRAM }" off the end of @text. Returns FALSE if the closing brace is not at the end. */
static gboolean
cut_program (char *text, GilkPointText *point)
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

/* ---- parses the location in the function ---- */

/* Returns the text after the path of a user-space function. The path is skipped because it may
 * contain any character, even '+' and '@'. */
static char *
skip_path (char *text)
{
  char *colon = gilk_function_is_user (text) ? strrchr (text, ':') : NULL;

  return colon != NULL ? colon : text;
}

/* Cuts "+0x1f", "+1f" or ".cold+0x10" off @text. Returns FALSE if no number follows the '+'. */
static gboolean
cut_block (char *text, GilkPointText *point)
{
  char *plus = strrchr (skip_path (text), '+');
  g_autofree char *block = NULL, *digits = NULL;
  gboolean cold;

  if (plus == NULL)
    return TRUE;
  digits = g_ascii_strdown (plus + 1, -1);
  cold = strlen (text) > strlen (".cold") && plus - text >= (int) strlen (".cold") &&
         strncmp (plus - strlen (".cold"), ".cold", strlen (".cold")) == 0;
  block = g_strdup_printf ("%s+0x%s", cold ? ".cold" : "", g_str_has_prefix (digits, "0x") ? digits + 2 : digits);
  if (!gilk_block_check (block, NULL))
    return FALSE;
  point->block = g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", cold ? ".cold" : "",
                                  g_ascii_strtoull (strrchr (block, 'x') + 1, NULL, 16));
  *plus = '\0';
  if (cold)
    plus[-(int) strlen (".cold")] = '\0';

  return TRUE;
}

/*
 * Returns a pointer to the '@' in front of an anchor, as in "pipe_read@call:schedule"; NULL: none.
 * An '@' that is followed by digits, as in "name@2", is part of a function's name and is skipped.
 */
static char *
find_anchor (char *text)
{
  char *at = strchr (skip_path (text), '@');

  while (at != NULL && g_ascii_isdigit (at[1]) && strchr ("+@. ", at[1 + strspn (at + 1, "0123456789")]) != NULL)
    at = strchr (at + 1, '@');

  return at;
}

/*
 * Returns the word after the location that starts at @place and ends at a colon, to be reported as
 * an invalid WHERE: had it been valid, cut_where() would have removed it. NULL: the word is
 * missing, or the location is an invalid anchor. (transfer full)
 */
static char *
find_left_over (const char *place)
{
  const char *colon = strchr (g_str_has_prefix (place, "@call:") ? place + strlen ("@call:") : place, ':');
  g_autofree char *stem = colon != NULL ? g_strndup (place + 1, (gsize) (colon - place) - 1) : NULL;
  g_auto(GilkAnchor) anchor = { 0 };

  if (stem == NULL || (*place == '@' && !gilk_anchor_parse (stem, &anchor, NULL)))
    return NULL;

  return g_strndup (colon + 1, strcspn (colon + 1, ":"));
}

static gboolean
fail_point (const char *text, GError **error)
{
  return gilk_fail (error, GILK_ERROR_USAGE,
      _("\"%s\" is not a probe point. Write FUNCTION+OFFSET:pre, with the offset of a block as \"gilk "
        "cfg FUNCTION\" shows it, such as pipe_write+0x2b1:pre."), text);
}

/* Moves the location ("+0x2b1" or "@call:schedule") from the end of @text to @point. */
static gboolean
cut_place (char *text, const char *whole, GilkPointText *point, GError **error)
{
  char *at = find_anchor (text), *plus = at == NULL ? strrchr (skip_path (text), '+') : NULL;
  g_autofree char *left = at != NULL ? find_left_over (at) : plus != NULL ? find_left_over (plus) : NULL;
  g_auto(GilkAnchor) anchor = { 0 };
  const gboolean known = point->anchor != NULL;

  if (left != NULL)
    return fail_edge (left, whole, error);
  if (at == NULL)
    return (cut_block (text, point) && !(known && point->block != NULL) && *text != '\0') || fail_point (whole, error);
  if (known || at == text)
    return fail_point (whole, error);
  if (!gilk_anchor_parse (at + 1, &anchor, error))
    return FALSE;
  *at = '\0';
  point->anchor = g_strdup (at + 1);

  return TRUE;
}

/* ---- parses source lines: FILE:LINE ---- */

static gboolean
is_line (const char *text)
{
  g_auto(GilkSourceLine) line = { 0 };

  return gilk_source_line_parse (text, &line);
}

/* Parses the words after FILE:LINE. Returns FALSE without an error if @text is not a source
 * line. */
static gboolean
parse_after_line (char *text, GilkPointText *point, GError **error)
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

  return words[1] != NULL ? parse_instrument (words[1], words[0], point, error) : parse_instrument (words[0], NULL, point, error);
}

/* ---- parses tracepoints and timers ---- */

/* Parses an event and the instrument after it, which is stored in @point. */
static gboolean
parse_event (char **text, GilkPointText *point, GError **error)
{
  GilkPlanEvent event;
  char *what;

  point->is_event = TRUE;
  point->instrument = gilk_plan_event_cut_instrument (*text);
  if (point->program != NULL && point->instrument != NULL)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("A tracepoint or timer with a program has no instrument, so \"%s\" is not allowed here. Remove it, or "
                        "the program."), point->instrument);
  if ((point->instrument != NULL && !gilk_instrument_check (point->instrument, error)) ||
      !gilk_plan_event_parse (*text, &what, &event, error))
    return FALSE;
  g_free (*text);
  *text = what;

  return TRUE;
}

static GilkPlanHook *
make_event_hook (const GilkPointText *point, GilkPlan *plan, const char *instrument)
{
  GilkPlanHook *hook = gilk_plan_event_hook_new (plan, point->function);

  if (point->program != NULL)
    instrument = gilk_plan_add_program (plan, hook->label, point->program);
  g_free (hook->instrument);
  hook->instrument = g_strdup (instrument);
  hook->is_program = point->program != NULL;

  return hook;
}

/* ---- parses and formats whole probe points ---- */

static gboolean
parse_function (char *rest, const char *text, GilkPointText *found, GError **error)
{
  if (!cut_where (rest, found, error) || !cut_place (rest, text, found, error))
    return FALSE;
  if (found->where == GILK_WHERE_AT && found->block == NULL && found->anchor == NULL)
    return fail_point (text, error);
  if (found->block == NULL && found->anchor == NULL)
    found->anchor = g_strdup ("entry");

  return TRUE;
}

gboolean
gilk_point_text_parse (const char *text, GilkPointText *point, GError **error)
{
  g_auto(GilkPointText) found = { 0 };
  g_autofree char *rest = g_strdup (text);
  g_autoptr(GError) local = NULL;

  if (!cut_program (rest, &found))
    return gilk_fail (error, GILK_ERROR_USAGE,
        _("\"%s\" starts a program but does not end it. Write FUNCTION:entry { ... }, in quotes for the "
          "shell."), text);
  if (gilk_plan_event_is (rest))
    parse_event (&rest, &found, &local);
  else if (!parse_after_line (rest, &found, &local) && local == NULL)
    parse_function (rest, text, &found, &local);
  if (!gilk_check_end (&local, error))
    return FALSE;
  found.function = g_steal_pointer (&rest);
  *point = found;
  found = (GilkPointText) { 0 };

  return TRUE;
}

char *
gilk_point_text_format (const GilkPointText *point)
{
  GString *text = g_string_new (point->function);

  if (point->is_event)
    ;
  else if (point->at_returns)
    g_string_append (text, ":return");
  else if (point->at_inlined)
    g_string_append (text, ":inlined");
  else if (!point->at_line && point->block != NULL)
    g_string_append_printf (text, "%s:%s", point->block, gilk_where_name (point->where));
  else if (!point->at_line)
    g_string_append_printf (text, "@%s:%s", point->anchor, gilk_where_name (point->where));
  if (point->instrument != NULL || (point->tactic != 0 && point->program == NULL))
    g_string_append_printf (text, ":%s", point->instrument != NULL ? point->instrument : "");
  if (point->tactic != 0)
    g_string_append_printf (text, ":%s", gilk_tactic_name (point->tactic));
  if (point->program != NULL)
    g_string_append_printf (text, " { %s }", point->program);

  return g_string_free (text, FALSE);
}

GilkPlanHook *
gilk_point_text_to_hook (const GilkPointText *point, GilkPlan *plan, const char *instrument)
{
  g_autofree char *place = NULL;
  g_autofree char *label = NULL, *function = NULL;
  GilkPlanHook *hook;

  if (point->is_event)
    return make_event_hook (point, plan, instrument);
  /* If the point selects the places where the function was inlined, they are looked up later. Until
   * then, the hook has a function name that cannot exist, so that it is refused and not placed at
   * the function's entry. */
  function = g_strconcat (point->function, point->at_inlined ? ":inlined" : "", NULL);
  place = point->at_line ? g_strdup ("") : point->at_inlined ? g_strdup ("-inlined") : point->block != NULL ? g_strdup (point->block)
                                                                : g_strdup_printf ("-%s", point->anchor);
  g_strcanon (place, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._+-", '-');
  label = gilk_plan_make_label (plan, point->function, place, point->where);
  if (point->program != NULL)
    instrument = gilk_plan_add_program (plan, label, point->program);
  hook = gilk_plan_hook_new (label, function, point->where, instrument);
  hook->is_program = point->program != NULL;
  hook->block = g_strdup (point->block);
  hook->anchor = g_strdup (point->anchor);
  hook->tactic = point->tactic;

  return hook;
}

/* ---- parses a watchpoint on a command line: LABEL=WHAT:HOW { PROGRAM } ---- */

/* Cuts "{ PROGRAM }" off the end of @text. Returns FALSE if the closing brace is missing, or if the
 * program is not valid text for a plan. */
static gboolean
cut_watchpoint_program (const char *whole, char *text, char **code, GError **error)
{
  char *begin = strchr (text, '{'), *end;

  if (begin == NULL)
    return TRUE;
  end = begin + strlen (g_strchomp (begin)) - 1;
  if (*end != '}')
    return gilk_plan_watchpoint_fail (whole, error, _("the watchpoint's program is not closed. Write NAME:w { ... }, "
                                                      "in quotes for the shell."));
  *begin = *end = '\0';
  *code = g_strdup (g_strstrip (begin + 1));
  g_strchomp (text);

  return gilk_plan_check_code (*code, error);
}

/* Cuts "LABEL=" off the start of @text. Returns the label; NULL: there is none. */
static char *
cut_label (char *text)
{
  gsize n = strspn (text, GILK_LABEL_CHARS);
  char *label = n > 0 && text[n] == '=' ? g_strndup (text, n) : NULL;

  if (label != NULL)
    memmove (text, text + n + 1, strlen (text + n + 1) + 1);

  return label;
}

static gboolean
is_label_used (const GilkPlan *plan, const char *label)
{
  for (guint i = 0; i < plan->hooks->len; i++)
    if (strcmp (((const GilkPlanHook *) g_ptr_array_index (plan->hooks, i))->label, label) == 0)
      return TRUE;

  return FALSE;
}

GilkPlanHook *
gilk_plan_watchpoint_hook_new_line (GilkPlan   *plan,
                                    const char *text,
                                    GError    **error)
{
  g_autofree char *rest = g_strdup (text), *label = cut_label (rest), *code = NULL;
  GilkPlanHook *hook;

  if (label != NULL && is_label_used (plan, label))
    {
      gilk_plan_watchpoint_fail (text, error, _("the plan already has a hook labelled %s. Choose another label."), label);
      return NULL;
    }
  if (!cut_watchpoint_program (text, rest, &code, error))
    return NULL;
  hook = gilk_plan_watchpoint_hook_new (plan, rest, error);
  if (hook == NULL)
    return NULL;
  if (hook->watch->is_movable && label == NULL)
    {
      gilk_plan_watchpoint_fail (text, error, _("programs set the watchpoint's address, and refer to the watchpoint "
                                                "by its label. Write LABEL=?:w8."));
      gilk_plan_hook_unref (hook);
      return NULL;
    }
  if (label != NULL)
    {
      g_free (hook->label);
      hook->label = g_steal_pointer (&label);
    }
  if (code != NULL)
    gilk_plan_set_code (plan, hook, code);

  return hook;
}
