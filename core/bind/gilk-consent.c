/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-consent.c - checks that the user has consented to changes of the kernel's behaviour
 *
 * The list of changes comes from the compiled programs, so that it shows exactly what would run.
 */
#include "core/bind/gilk-consent.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"

#define ITEMS_SHOWN      20      /* maximum number of items in an error message */
#define STATEMENT_BYTES 120

static void
free_item (gpointer data)
{
  GilkConsentItem *item = data;

  g_free (item->label);
  g_free (item->point);
  g_free (item->statement);
  g_free (item->effect);
  g_free (item);
}

/* ---- describes one change ---- */

static GilkConsent
get_needed_consent (const GilkBoundPlan *bound, GilkChange change)
{
  if (change != GILK_CHANGE_CRASH)
    return GILK_CONSENT_CHANGES;

  return bound->plan->crash == GILK_CRASH_WITHOUT_DUMP ? GILK_CONSENT_CRASH_WITHOUT_DUMP : GILK_CONSENT_CRASH;
}

static const char *
describe_effect (GilkChange change, GilkConsent needs)
{
  switch (change)
    {
    case GILK_CHANGE_NULLIFY:
      return _("the function is skipped; its caller gets the given value");
    case GILK_CHANGE_REPLACE:
      return _("another function runs in place of this one");
    case GILK_CHANGE_BRANCH:
      return _("a conditional branch is forced to the given side");
    case GILK_CHANGE_REGISTER:
      return _("a register, an argument or a variable of the running code is changed");
    case GILK_CHANGE_CRASH:
      return needs == GILK_CONSENT_CRASH_WITHOUT_DUMP ? _("the kernel panics, even if no crash kernel is loaded")
                                                      : _("the kernel panics, and the crash kernel writes a dump");
    case GILK_CHANGE_MEMORY:
    default:
      return _("kernel memory is overwritten");
    }
}

/* Returns the source text of a change on one line, shortened to about STATEMENT_BYTES. */
static char *
quote_statement (const char *code, const GilkProgramAct *act)
{
  const gsize length = code != NULL ? strlen (code) : 0;
  const gsize offset = MIN (act->offset, length);
  g_autofree char *part = g_strndup (code != NULL ? code + offset : "", MIN (act->length, length - offset));
  g_autofree char *valid = g_utf8_make_valid (part, -1);
  g_auto(GStrv) words = g_regex_split_simple ("[[:cntrl:][:space:]]+", valid, 0, 0);
  char *line = g_strjoinv (" ", words);
  const char *end = line;

  while (*end != '\0' && end - line < STATEMENT_BYTES)
    end = g_utf8_next_char (end);
  line[end - line] = '\0';

  return line;
}

static char *
name_point (const GilkBoundHook *hook)
{
  g_autofree char *offset = hook->cfg != NULL ? gilk_cfg_offset_name (hook->cfg, hook->addr) : g_strdup ("");

  return g_strdup_printf ("%s%s:%s", hook->hook->function, offset, gilk_where_name (hook->hook->where));
}

static void
add_item (GPtrArray *items, const GilkBoundPlan *bound, guint i, const GilkProgramAct *act)
{
  const GilkBoundHook *hook = gilk_bound_hook (bound, i);
  GilkConsentItem *item = g_new0 (GilkConsentItem, 1);

  item->hook = i;
  item->change = act->change;
  item->needs = get_needed_consent (bound, act->change);
  item->label = g_strdup (hook->hook->label);
  item->point = name_point (hook);
  item->statement = quote_statement (hook->code, act);
  item->effect = g_strdup (describe_effect (act->change, item->needs));
  g_ptr_array_add (items, item);
}

/* ---- lists all changes of a plan ---- */

/* Returns TRUE if the user has already consented to @act, when the same hook was armed in the live
 * plan. A crash needs new consent if the plan permits crashes without a dump. */
static gboolean
is_granted (const GilkBoundPlan *bound, const GilkBoundHook *hook, const GilkProgramAct *act)
{
  return hook->live_index != G_MAXUINT && (act->change != GILK_CHANGE_CRASH || bound->plan->crash != GILK_CRASH_WITHOUT_DUMP);
}

GPtrArray *
gilk_consent_items (const GilkBoundPlan *bound)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (free_item);

  for (guint i = 0; i < bound->hooks->len; i++)
    {
      const GilkBoundHook *hook = gilk_bound_hook (bound, i);
      const GilkProgramAct *acts;
      guint n;

      if (hook->program == NULL || hook->removed)
        continue;
      acts = gilk_program_acts (hook->program, &n);
      g_assert (n > 0 || (gilk_program_changes (hook->program) == 0 && !gilk_ops_changes (gilk_program_ops (hook->program)) &&
                          !gilk_bound_hook_may_crash (hook)));
      for (guint a = 0; a < n; a++)
        if (!is_granted (bound, hook, &acts[a]))
          add_item (items, bound, i, &acts[a]);
    }

  return items;
}

GilkConsent
gilk_consent_needed (const GPtrArray *items)
{
  guint needed = GILK_CONSENT_NONE;

  for (guint i = 0; i < items->len; i++)
    needed |= ((const GilkConsentItem *) g_ptr_array_index (items, i))->needs;

  return (GilkConsent) needed;
}

/* Returns the needed consents that were not granted. Permission to crash without a dump includes
 * permission to crash with a dump. */
static guint
get_missing_consent (GilkConsent granted, GilkConsent needed)
{
  guint has = granted;

  if (has & GILK_CONSENT_CRASH_WITHOUT_DUMP)
    has |= GILK_CONSENT_CRASH;

  return (guint) needed & ~has;
}

static char *
name_options (guint missing)
{
  static const struct { GilkConsent bit; const char *option; } options[] = {
    { GILK_CONSENT_CHANGES, "--allow-changes" },
    { GILK_CONSENT_CRASH, "--allow-crash" },
    { GILK_CONSENT_CRASH_WITHOUT_DUMP, "--allow-crash-without-dump" },
  };
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (missing & options[i].bit)
      g_string_append_printf (names, "%s%s", names->len > 0 ? " " : "", options[i].option);

  return g_string_free (names, FALSE);
}

gboolean
gilk_consent_check (const GilkBoundPlan *bound,
                    GilkConsent          granted,
                    GError             **error)
{
  g_autoptr(GPtrArray) items = gilk_consent_items (bound);
  const guint missing = get_missing_consent (granted, gilk_consent_needed (items));
  g_autoptr(GString) list = g_string_new (NULL);
  g_autofree char *options = name_options (missing);
  guint n = 0;

  for (guint i = 0; i < items->len; i++)
    {
      const GilkConsentItem *item = g_ptr_array_index (items, i);

      if ((item->needs & missing) != 0 && n++ < ITEMS_SHOWN)
        g_string_append_printf (list, "\n  %s (%s): %s: %s", item->label, item->point, item->statement, item->effect);
    }
  if (n == 0)
    return TRUE;
  if (n > ITEMS_SHOWN)
    g_string_append_printf (list, ngettext ("\n  and %u more", "\n  and %u more", n - ITEMS_SHOWN), n - ITEMS_SHOWN);
  g_set_error (error, GILK_ERROR, GILK_ERROR_CONSENT,
               _("The plan would change what the kernel does, which was not allowed, so nothing was armed. It would make "
                 "these changes:%s\nTo allow them, on a machine that you can afford to crash, add %s."), list->str, options);

  return FALSE;
}
