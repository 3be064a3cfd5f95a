/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bound.c - binds a plan: finds how to place its hooks in the target's kernel; shows and checks the
 * result
 */
#include "cli/base/bound.h"

#include <glib/gi18n.h>

#include "cli/base/names.h"
#include "cli/base/output.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/bind/gilk-plan-way.h"
#include "core/plan/gilk-plan-point.h"
#include "core/plan/gilk-plan-schedule.h"

#define NAMES_SHOWN 8

/* Fails if the plan can run only with BPF, but the user selected the driver with --by. */
static gboolean
check_way (Cli *cli, const GilkPlan *plan, GError **error)
{
  if (g_strcmp0 (cli->by, "ilk") != 0 || !gilk_plan_needs_bpf (plan))
    return TRUE;
  cli->refusal = GILK_REFUSAL_NEEDS_BPF;
  g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, "%s %s", gilk_refusal_cause (GILK_REFUSAL_NEEDS_BPF),
               gilk_refusal_remedy (GILK_REFUSAL_NEEDS_BPF));

  return FALSE;
}

GilkBoundPlan *
cli_bind (Cli *cli, CliKernel *kernel, GilkPlan *plan, GError **error)
{
  GilkBoundPlan *bound = NULL;
  g_autofree char *why = NULL;

  if (!check_way (cli, plan, error))
    return NULL;
  if (cli->by == NULL && (cli->takes_way || gilk_plan_needs_bpf (plan))
      ? gilk_plan_choose_way (plan, kernel->target, &why, cli->cancellable, error)
      : gilk_target_has_driver (kernel->target) ||
        gilk_target_load_driver (kernel->target, cli->cancellable, error))
    {
      if (why != NULL)
        cli_note (cli, "%s", why);
      gilk_target_start_clock (kernel->target);
      bound = gilk_bound_plan_new (plan, kernel->functions, kernel->image,
                                   cli_progress_for_core (cli->progress), cli->cancellable, error);
    }
  cli_progress_clear (cli->progress);
  return bound;
}

/* Reports which parts of the plan could not be checked, in a note or in the JSON document. */
static void
report_unchecked (Cli *cli, CliKernel *kernel, const GilkBoundPlan *bound)
{
  if (cli->doc != NULL)
    cli_json_bool (cli->doc, "partly_checked", bound->partly_checked);
  else if (bound->counters_unchecked)
    cli_note (cli, _("Event counters were not checked, because they need BPF and the connection uses the driver. Check "
                     "them with --by bpf."));
  else if (bound->partly_checked && gilk_target_has_driver (kernel->target))
    cli_note (cli, _("An instrument of the plan is not loaded, so its parameters were not checked: a check loads "
                     "nothing. Load it with gilk doctor --load."));
  else if (bound->partly_checked)
    cli_note (cli, _("The driver is not loaded, and a check loads nothing. Not checked: crashes, other clients' hooks "
                     "and parameters of instruments. Load it with gilk doctor --load."));
}

GilkBoundPlan *
cli_bind_readonly (Cli *cli, CliKernel *kernel, GilkPlan *plan, GError **error)
{
  GilkBoundPlan *bound = NULL;

  if (!check_way (cli, plan, error))
    return NULL;
  bound = gilk_bound_plan_new_readonly (plan, kernel->functions, kernel->image, cli_progress_for_core (cli->progress),
                                        cli->cancellable, error);
  cli_progress_clear (cli->progress);
  if (bound != NULL)
    report_unchecked (cli, kernel, bound);

  return bound;
}

static const GilkBoundHook *
get_hook (const GilkBoundPlan *bound, guint i)
{
  return &g_array_index (bound->hooks, GilkBoundHook, i);
}

/* Returns the GilkRefusal, the reason why @hook cannot be placed: the planner's or, if the planner
 * gave none, the one named in the text of hook->error. Returns 0 if @hook was not refused. */
static guint
get_refusal (const GilkBoundHook *hook)
{
  return hook->choice.refusal != 0 || hook->error == NULL ? hook->choice.refusal
                                                          : gilk_refusal_in_text (hook->error->message);
}

/* Returns a stable identifier of the reason why a hook cannot be bound. */
static const char *
get_cause_name (const GilkBoundHook *hook)
{
  guint refusal = get_refusal (hook);

  if (refusal != 0)
    return gilk_refusal_name (refusal);
  return gilk_error_code_name (hook->error->domain == GILK_ERROR ? hook->error->code
                                                                 : GILK_ERROR_FAILED);
}

static char *
format_schedule (const GilkPlanHook *hook)
{
  g_autofree char *start = gilk_format_duration (hook->start_ns);
  g_autofree char *stop = hook->stop_ns != 0 ? gilk_format_duration (hook->stop_ns) : NULL;
  g_autofree char *after = hook->leader != NULL ? gilk_plan_start_text (hook) : NULL;

  return after != NULL ? g_strdup_printf ("%s - %s (%s)", start, stop != NULL ? stop : _("end"), after)
                       : g_strdup_printf ("%s - %s", start, stop != NULL ? stop : _("end"));
}

static gboolean
is_chosen_clone (const GilkBoundHook *hook)
{
  return hook->error == NULL && hook->choice.tactic == ILK_TACTIC_CLONE && hook->hook->tactic == 0;
}

static void
note_left_out (const GilkBoundHook *hook, gpointer cli)
{
  cli_note (cli, _("Left out: %s: %s"), hook->hook->label, hook->error->message);
}

GilkBoundPlan *
cli_bind_partial (Cli *cli, CliKernel *kernel, GilkPlan **plan, guint first, GError **error)
{
  for (;;)
    {
      g_autoptr(GilkBoundPlan) bound = cli_bind (cli, kernel, *plan, error);
      g_autoptr(GilkPlan) rest = NULL;

      if (bound == NULL || bound->n_failed == 0)
        return g_steal_pointer (&bound);
      rest = gilk_bound_plan_bindable_subset (bound, first, note_left_out, cli);
      if (rest->hooks->len == bound->hooks->len)
        return g_steal_pointer (&bound);
      if (rest->hooks->len == 0)
        {
          cli_bound_check (cli, bound, FALSE, error);
          return NULL;
        }
      if (cli->by == NULL && !gilk_plan_choose_way_again (bound->plan, rest, kernel->target, cli->cancellable, error))
        return NULL;
      gilk_plan_unref (*plan);
      *plan = g_steal_pointer (&rest);
    }
}

char *
cli_bound_point (const GilkBoundHook *hook)
{
  g_autofree char *place = gilk_bound_hook_block (hook);

  if (hook->hook->watch != NULL)
    return gilk_plan_watchpoint_text (hook->hook);
  if (hook->hook->event.kind != 0)
    return g_strdup (hook->hook->function);

  return g_strdup_printf ("%s%s:%s", gilk_bound_hook_function (hook), place, gilk_where_name (hook->hook->where));
}

void
cli_bound_place_to_json (CliJson *json, const GilkBoundHook *hook)
{
  g_autofree char *place = gilk_bound_hook_block (hook);

  cli_json_string (json, "function", gilk_bound_hook_function (hook));
  if (hook->hook->event.kind != 0)
    return;
  cli_json_string (json, "block", place);
  cli_json_string (json, "where", gilk_where_name (hook->hook->where));
}

static void
add_row (CliTable *table, const GilkBoundHook *hook)
{
  g_autofree char *point = cli_bound_point (hook);
  g_autofree char *schedule = format_schedule (hook->hook);

  cli_table_cell (table, hook->hook->label);
  cli_table_cell (table, point);
  cli_table_cell (table, hook->hook->instrument);
  cli_table_cell (table, schedule);
  if (hook->error != NULL)
    {
      cli_table_cell (table, get_refusal (hook) != 0 ? _("refused") : _("error"));
      cli_table_tint (table, CLI_TINT_BAD);
      cli_table_cell (table, "");
      cli_table_cell (table, get_cause_name (hook));
      return;
    }
  cli_table_cell (table, gilk_tactic_name (hook->choice.tactic));
  cli_table_tint (table, hook->choice.tactic == ILK_TACTIC_TRAP ? CLI_TINT_WARN : CLI_TINT_GOOD);
  cli_table_cellf (table, "%u", hook->choice.cost);
  if (hook->moved)
    cli_table_cellf (table, _("moved from %s"), hook->hook->block);
  else if (hook->choice.why_not_splice != 0)
    cli_table_cellf (table, hook->choice.tactic == ILK_TACTIC_CLONE ? _("no splice: %s") : _("no jump: %s"),
                     gilk_refusal_name (hook->choice.why_not_splice));
  else if (is_chosen_clone (hook))
    cli_table_cell (table, _("in one clone with the function's other hooks"));
  else
    cli_table_cell (table, "");
}

static void
print_sentences (Cli *cli, const GilkBoundPlan *bound)
{
  for (guint i = 0; i < bound->hooks->len; i++)
    if (get_hook (bound, i)->error != NULL)
      {
        g_autofree char *where = cli_program_error (get_hook (bound, i));

        cli_print_tinted (cli, CLI_TINT_BAD, "\n%s:", get_hook (bound, i)->hook->label);
        cli_print (cli, " %s%s\n", get_hook (bound, i)->error->message, where);
      }
}

static void
hook_to_json (Cli *cli, const GilkBoundHook *hook)
{
  CliJson *json = cli->doc;

  cli_json_row (json, NULL);
  cli_json_string (json, "hook", hook->hook->label);
  cli_bound_place_to_json (json, hook);
  cli_json_string (json, "instrument", hook->hook->instrument);
  cli_json_uint (json, "start_ns", hook->hook->start_ns);
  cli_json_uint (json, "stop_ns", hook->hook->stop_ns);
  if (hook->hook->leader != NULL)
    {
      cli_json_string (json, "leader", hook->hook->leader);
      cli_json_uint (json, "leader_delay_ns", hook->hook->leader_delay_ns);
    }
  if (hook->error == NULL)
    {
      cli_json_string (json, "tactic", gilk_tactic_name (hook->choice.tactic));
      cli_json_uint (json, "cost", hook->choice.cost);
      cli_json_bool (json, "moved", hook->moved);
      if (hook->moved)
        cli_json_string (json, "planned", hook->hook->block);
      if (hook->choice.why_not_splice != 0)
        cli_json_string (json, "splice_refusal", gilk_refusal_name (hook->choice.why_not_splice));
    }
  else
    {
      guint refusal = get_refusal (hook);

      cli_json_string (json, "error", hook->error->message);
      if (hook->program_error.line != 0)
        {
          cli_json_uint (json, "line", hook->program_error.line);
          cli_json_uint (json, "column", hook->program_error.column);
        }
      cli_json_string (json, "code", hook->error->domain == GILK_ERROR
                       ? gilk_error_code_name (hook->error->code) : "failed");
      cli_json_string (json, "refusal", refusal != 0 ? gilk_refusal_name (refusal) : NULL);
      cli_json_string (json, "remedy", refusal != 0 ? gilk_refusal_remedy (refusal) : NULL);
    }
  cli_json_end (json);
}

void
cli_bound_show (Cli *cli, const GilkBoundPlan *bound)
{
  g_autoptr(CliTable) table =
    cli_table_new (_("<HOOK|^POINT|<INSTRUMENT|<WHEN|<TACTIC|>COST|~NOTE"));

  if (cli->doc != NULL)
    {
      cli_json_array (cli->doc, "hooks");
      for (guint i = 0; i < bound->hooks->len; i++)
        hook_to_json (cli, get_hook (bound, i));
      cli_json_end (cli->doc);
      return;
    }
  for (guint i = 0; i < bound->hooks->len; i++)
    add_row (table, get_hook (bound, i));
  cli_print_table (cli, table);
  print_sentences (cli, bound);
}

gboolean
cli_bound_check (Cli *cli, const GilkBoundPlan *bound, gboolean shown, GError **error)
{
  const GilkBoundHook *first = NULL;
  g_autofree char *where = NULL, *told = NULL;

  for (guint i = 0; i < bound->hooks->len && first == NULL; i++)
    if (get_hook (bound, i)->error != NULL)
      first = get_hook (bound, i);
  if (first == NULL)
    return TRUE;

  cli->refusal = get_refusal (first);
  where = cli->doc == NULL ? cli_program_error (first) : g_strdup ("");
  told = g_strconcat (first->error->message, where, NULL);
  if (shown && cli->doc == NULL)
    g_set_error (error, first->error->domain, first->error->code,
                 ngettext ("%u of %u hook cannot be placed.", "%u of %u hooks cannot be placed.",
                           bound->hooks->len), bound->n_failed, bound->hooks->len);
  else if (bound->n_failed > 1)
    g_set_error (error, first->error->domain, first->error->code,
                 _("%u of %u hooks cannot be placed. The first, %s: %s"), bound->n_failed,
                 bound->hooks->len, first->hook->label, told);
  else
    g_set_error (error, first->error->domain, first->error->code,
                 _("Hook %s cannot be placed. %s"), first->hook->label, told);
  return FALSE;
}

void
cli_bound_note_clones (Cli *cli, const GilkBoundPlan *bound)
{
  g_autoptr(GHashTable) chosen = g_hash_table_new (NULL, NULL);
  g_autoptr(GString) names = g_string_new (NULL);
  guint n;

  for (guint i = 0; i < bound->hooks->len; i++)
    {
      const GilkBoundHook *hook = get_hook (bound, i);

      if (is_chosen_clone (hook) && g_hash_table_add (chosen, hook->cfg) &&
          g_hash_table_size (chosen) <= NAMES_SHOWN)
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", gilk_bound_hook_function (hook));
    }
  n = g_hash_table_size (chosen);
  if (n == 0)
    return;

  if (n > NAMES_SHOWN)
    g_string_append (names, ", …");
  cli_note (cli, ngettext ("While the hooks are live, calls of %u function (%s) run a patched copy (clone): threads "
                           "already inside the function are counted only from their next call.",
                           "While the hooks are live, calls of %u functions (%s) run patched copies (clones): "
                           "threads already inside one of these functions are counted only from their next call.", n),
            n, names->str);
}

void
cli_bound_note_moved (Cli *cli, const GilkBoundPlan *bound)
{
  g_autofree char *moved = gilk_bound_plan_describe_moved (bound);

  if (cli->doc != NULL)
    cli_json_string (cli->doc, "moved", moved);
  if (moved != NULL)
    cli_note (cli, "%s", moved);
}

void
cli_bound_note_missing_counters (Cli *cli, const GilkBoundPlan *bound)
{
  g_autofree char *blind = gilk_bound_plan_describe_missing_counters (bound);

  if (blind != NULL)
    cli_note (cli, "%s", blind);
}
