/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-plan.c - gilk plan: checks a plan against a kernel, or writes one
 */
#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/bound.h"
#include "cli/base/follow.h"
#include "cli/base/output.h"
#include "cli/base/plan-paths.h"
#include "cli/record/plan.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/bind/gilk-plan-way.h"
#include "core/cfg/gilk-cfg-pick.h"
#include "core/cfg/gilk-cfg.h"
#include "core/cfg/gilk-function.h"
#include "core/emit/gilk-inline.h"
#include "core/plan/gilk-plan-callees.h"
#include "core/plan/gilk-plan-point.h"
#include "core/plan/gilk-plan-schedule.h"
#include "core/splice/gilk-splice.h"

typedef struct {
  char  *instrument, *start, *stop, *label, *tactic, *title, *append;
  char **params;
  gboolean edges, span, callees, paths, targets;
  char    *slow, *lasts, *rates, *budget;
  int      depth;
} Options;

/* Adds counters to the blocks of the function @name and of its callees up to @depth calls away. The
 * counters are in clones, instrumented copies of these functions. @fewest: adds only as many
 * counters as are needed to derive all counts */
static gboolean
add_callees (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, guint depth,
             gboolean fewest, GError **error)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  const GilkPlanCalleesSettings settings = { name, depth, fewest };
  g_autoptr(GilkPlanCallees) callees = NULL;
  g_autoptr(GPtrArray) left = NULL;
  GError *problem = NULL;

  callees = gilk_plan_callees_new (plan, &settings, kernel->functions, kernel->image, decoder, cli_progress_for_core (cli->progress),
                                   cli->cancellable, &problem);
  cli_progress_clear (cli->progress);
  if (callees == NULL)
    {
      if (g_error_matches (problem, GILK_ERROR, GILK_ERROR_REFUSED))
        cli->refusal = gilk_refusal_in_text (problem->message);
      g_propagate_error (error, problem);
      return FALSE;
    }

  left = gilk_plan_callees_describe_uncounted (callees);
  for (guint i = 0; i < left->len; i++)
    cli_note (cli, "%s", (const char *) g_ptr_array_index (left, i));
  for (guint i = 0; i < callees->hooks->len; i++)
    g_ptr_array_add (plan->hooks, gilk_plan_hook_ref (g_ptr_array_index (callees->hooks, i)));
  cli_note (cli, _("%s: %u functions are cloned, up to %u calls deep, with %u counters."), name, callees->n_cloned,
            depth, callees->hooks->len);
  return TRUE;
}

static gboolean
check_plan (Cli *cli, const char *path, const Options *options, GError **error)
{
  g_autoptr(GilkPlan) plan = gilk_plan_load (path, error);
  g_auto(CliKernel) kernel = { 0 };
  g_autoptr(GilkBoundPlan) bound = NULL;

  if (plan == NULL || (options->lasts != NULL && !gilk_parse_length (options->lasts, &plan->run_length_ns, error)) ||
      !cli_plan_forecast_check (options->rates, options->budget, error) || !gilk_plan_check_schedule (plan, plan->run_length_ns, error) || !cli_kernel_open (cli, &kernel, error))
    return FALSE;
  cli_kernel_to_json (cli, kernel.target);
  cli_kernel_note_ready (cli, kernel.target);
  cli_json_string (cli->doc, "way", gilk_way_name (gilk_plan_needs_bpf (plan) ? GILK_WAY_BPF : gilk_target_way (kernel.target)));
  cli_json_string (cli->doc, "plan", path);
  cli_json_string (cli->doc, "title", plan->title);
  bound = cli_bind_readonly (cli, &kernel, plan, error);
  if (bound == NULL)
    return FALSE;

  cli->keep_doc = TRUE;
  cli_bound_show (cli, bound);
  cli_bound_note_moved (cli, bound);
  cli_bound_note_missing_counters (cli, bound);
  cli_bound_note_clones (cli, bound);
  if (options->rates != NULL && !cli_plan_forecast (cli, &kernel, bound, options->rates, options->budget, error))
    return FALSE;
  return cli_bound_check (cli, bound, TRUE, error);
}

static gboolean
renew_plan (Cli *cli, const char *path, GError **error)
{
  g_autoptr(GilkPlan) plan = gilk_plan_load (path, error);
  g_auto(CliKernel) kernel = { 0 };
  g_autoptr(GilkBoundPlan) bound = NULL;
  g_autoptr(GilkPlan) renewed = NULL;

  if (plan == NULL || !cli_kernel_open (cli, &kernel, error))
    return FALSE;
  cli_kernel_choose_way (cli, kernel.target);
  bound = cli_bind_readonly (cli, &kernel, plan, error);
  if (bound == NULL)
    return FALSE;

  renewed = gilk_bound_plan_renew (bound, gilk_target_release (kernel.target),
                                   gilk_target_build_id (kernel.target), error);
  if (renewed == NULL || !gilk_plan_save_like (renewed, path, path, error))
    return FALSE;
  cli_kernel_to_json (cli, kernel.target);
  cli_json_string (cli->doc, "file", path);
  cli_json_uint (cli->doc, "hooks", renewed->hooks->len);
  cli_bound_note_moved (cli, bound);
  cli_note (cli, ngettext ("%s: updated %u hook to its address in %s.",
                           "%s: updated %u hooks to their addresses in %s.", renewed->hooks->len),
            path, renewed->hooks->len, gilk_target_release (kernel.target));
  return TRUE;
}

static gboolean
parse_params (GilkPlanHook *hook, char **params, GError **error)
{
  for (guint i = 0; params != NULL && params[i] != NULL; i++)
    {
      const char *equals = strchr (params[i], '=');

      if (equals == NULL || equals == params[i])
        return gilk_fail (error, GILK_ERROR_USAGE,
                          _("Invalid parameter \"%s\". Write NAME=VALUE."), params[i]);
      g_hash_table_insert (hook->params, g_strndup (params[i], equals - params[i]),
                           g_strdup (equals + 1));
    }
  return TRUE;
}

/* Sets the error for an address that is not the start of a block; the error names the block that
 * contains the address. */
static void
set_boundary_error (GError **error, const GilkCfg *cfg, const GilkPlanHook *point, uint64_t addr)
{
  int around = gilk_cfg_block_around (cfg, addr);
  g_autofree char *start = around >= 0 ? gilk_cfg_offset_name (cfg, cfg->blocks[around].start) : NULL;

  if (start != NULL && point->where == GILK_WHERE_AT)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("No instruction of %s starts at %s. See \"gilk cfg %s\"."), point->function, point->block,
                 point->function);
  else if (start != NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("No block of %s starts at %s: that offset is inside the block at %s. Use that "
                   "block, or see \"gilk cfg %s\"."),
                 point->function, point->block, start, point->function);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("%s has no block at %s. See \"gilk cfg %s\"."), point->function, point->block,
                 point->function);
}

/* Stores in @hook the fingerprint of its block or instruction, by which a later run detects that
 * the code has changed. */
static gboolean
anchor_hook (GilkPlanHook *hook, CliKernel *kernel, GError **error)
{
  const GilkFunction *function = gilk_functions_lookup (kernel->functions, hook->function, error);
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GilkCfg) cfg = NULL;
  uint64_t addr;
  int block;

  if (function == NULL)
    return FALSE;
  if (hook->block == NULL)
    return TRUE;
  cfg = gilk_cfg_new (kernel->functions, function, decoder, error);
  if (cfg == NULL)
    return FALSE;
  if (!gilk_cfg_parse_offset (cfg, hook->block, &addr))
    addr = 0;
  if (hook->where == GILK_WHERE_AT && gilk_cfg_insn_at (cfg, addr) >= 0)
    {
      gilk_cfg_insn_fingerprint (cfg, addr, hook->fingerprint);
      return TRUE;
    }
  /* In a user program, a hook may be at any instruction. */
  block = gilk_function_is_user (hook->function) ? gilk_cfg_block_around (cfg, addr) : gilk_cfg_block_at (cfg, addr);
  if (block < 0)
    {
      set_boundary_error (error, cfg, hook, addr);
      return FALSE;
    }
  gilk_cfg_fingerprint (cfg, (guint) block, hook->fingerprint);
  return TRUE;
}

static gboolean
add_hook (Cli *cli, GilkPlan *plan, const char *text, const Options *options, CliKernel *kernel, GError **error)
{
  g_auto(GilkPointText) point = { 0 };
  const char *instrument;
  GilkPlanHook *hook;
  gboolean good;
  guint index, count = 1;

  if (!gilk_point_text_parse (text, &point, error))
    return FALSE;
  if (point.is_event && (options->tactic != NULL || options->params != NULL))
    return gilk_fail (error, GILK_ERROR_USAGE, _("%s is a tracepoint or timer, for which no tactic and no parameters "
                                                 "can be chosen. Leave out --tactic and --param."), point.function);
  instrument = point.instrument != NULL ? point.instrument
    : options->instrument != NULL ? options->instrument : gilk_inline_name (GILK_INLINE_COUNT);

  hook = gilk_point_text_to_hook (&point, plan, instrument);
  if (options->label != NULL)
    {
      g_free (hook->label);
      hook->label = g_strdup (options->label);
    }
  g_ptr_array_add (plan->hooks, hook);
  index = plan->hooks->len - 1;
  good = (options->tactic == NULL || gilk_tactic_parse (options->tactic, &hook->tactic, error)) &&
    parse_params (hook, options->params, error) &&
    gilk_plan_parse_times (hook, options->start, options->stop, error) && gilk_plan_compute_starts (plan, error) &&
    cli_point_at_locations (cli, plan, index, &point, kernel, &count, error);
  for (guint i = 0; good && !point.is_event && i < count; i++)
    good = anchor_hook (g_ptr_array_index (plan->hooks, index + i), kernel, error);
  if (good && point.at_returns)
    cli_point_at_returns (cli, plan, index, count, kernel);
  return good;
}

/* ---- hooks from which all counts of a function can be derived ---- */

static void
note_underived_counts (Cli *cli, const GilkCirculation *circulation)
{
  const GilkCfg *cfg = circulation->cfg;
  guint by_fate[GILK_COUNT_STATUS_UNHOOKED + 1] = { 0 };

  cli_note (cli, _("%s: %u of %u blocks are counted; counts of %u of %u blocks and %u of %u edges can be derived."),
            cfg->function->name, circulation->n_hooked, cfg->n_blocks, cfg->n_blocks - circulation->n_open_blocks,
            cfg->n_blocks, cfg->n_edges - circulation->n_open_edges, cfg->n_edges);
  for (guint i = 0; i < cfg->n_edges; i++)
    by_fate[circulation->edge_statuses[i]]++;
  for (guint fate = GILK_COUNT_STATUS_FOLLOWS + 1; fate <= GILK_COUNT_STATUS_UNHOOKED; fate++)
    if (by_fate[fate] > 0)
      cli_note (cli, ngettext ("The count of %u edge cannot be derived (%s): %s",
                               "The counts of %u edges cannot be derived (%s): %s",
                               by_fate[fate]),
                by_fate[fate], gilk_count_status_name (fate), gilk_count_status_cause (fate));
}

static void
add_counters (GilkPlan *plan, const char *function, const GilkCirculation *circulation)
{
  for (guint i = 0; i < circulation->cfg->n_blocks; i++)
    {
      g_autofree char *block = NULL;
      g_autofree char *label = NULL;
      GilkPlanHook *hook;

      if (!circulation->hooked[i])
        continue;
      block = gilk_cfg_offset_name (circulation->cfg, circulation->cfg->blocks[i].start);
      label = gilk_plan_make_label (plan, function, block, circulation->points[i].where);
      hook = gilk_plan_hook_new (label, function, circulation->points[i].where,
                                 gilk_inline_name (GILK_INLINE_COUNT));
      hook->block = g_steal_pointer (&block);
      gilk_cfg_fingerprint (circulation->cfg, i, hook->fingerprint);
      g_ptr_array_add (plan->hooks, hook);
    }
}

static gboolean
add_edges (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, GError **error)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GilkCfg) cfg = cli_kernel_cfg (kernel, name, decoder, error);
  g_autoptr(GilkCirculation) circulation = NULL;
  g_autofree GilkCirculationPoint *points = NULL;

  if (cfg == NULL)
    return FALSE;

  points = gilk_count_points (cfg, decoder);
  circulation = gilk_circulation_new (cfg, points, GILK_CIRCULATION_FEWEST);
  if (circulation->refusal != 0)
    return cli_refuse (cli, name, circulation->refusal, error);
  add_counters (plan, name, circulation);
  note_underived_counts (cli, circulation);
  return TRUE;
}

/* ---- hooks that time the calls of a function ---- */

static gboolean
is_reached (const GilkCfg *cfg, guint block)
{
  return cfg->blocks[block].n_in > 0 || block == cfg->entry;
}

static void
add_span_hook (GilkPlan *plan, const char *name, const GilkCfg *cfg, guint index, GilkWhere where)
{
  g_autofree char *block = gilk_cfg_offset_name (cfg, cfg->blocks[index].start);
  g_autofree char *label = gilk_plan_make_label (plan, name, block, where);
  GilkPlanHook *hook = gilk_plan_hook_new (label, name, where,
                                           gilk_inline_name (GILK_INLINE_SPAN));

  hook->block = g_steal_pointer (&block);
  gilk_cfg_fingerprint (cfg, index, hook->fingerprint);
  g_ptr_array_add (plan->hooks, hook);
}

static gboolean
add_span (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, GError **error)
{
  guint exits = 0, jumps = 0;
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GilkCfg) cfg = cli_kernel_cfg (kernel, name, decoder, error);

  if (cfg == NULL)
    return FALSE;
  for (guint i = 0; i < cfg->n_blocks; i++)
    if (is_reached (cfg, i) && gilk_cfg_may_leave_early (cfg, i))
      {
        g_autofree char *block = gilk_cfg_offset_name (cfg, cfg->blocks[i].start);

        return gilk_fail (error, GILK_ERROR_REFUSED,
                          _("Calls of %s cannot be timed because of the block at %s. %s %s"), name,
                          block, gilk_refusal_cause (GILK_REFUSAL_LEAVES_EARLY),
                          gilk_refusal_remedy (GILK_REFUSAL_LEAVES_EARLY));
      }

  add_span_hook (plan, name, cfg, cfg->entry, GILK_WHERE_PRE);
  for (guint i = 0; i < cfg->n_blocks; i++)
    if (is_reached (cfg, i) && gilk_cfg_returns (cfg, i))
      {
        add_span_hook (plan, name, cfg, i, GILK_WHERE_POST);
        exits++;
        jumps += cfg->blocks[i].ending != GILK_END_RETURN;
      }
  if (jumps > 0)
    cli_note (cli, _("%s jumps into another function at %u of its %u exits. A span ends at such a "
                     "jump and does not cover the time in the other function. To include that "
                     "time, hook the callers instead."), name, jumps, exits);
  return TRUE;
}

/* Returns the plan to add to: the plan in the file of --append if that file exists, else a new
 * plan. */
static GilkPlan *
load_or_new_plan (const Options *options, GError **error)
{
  if (options->append != NULL && g_file_test (options->append, G_FILE_TEST_EXISTS))
    return gilk_plan_load (options->append, error);
  return gilk_plan_new ();
}

/* Parses the text again before writing it: the text must be valid, and its labels unique. */
static gboolean
write_plan (Cli *cli, const GilkPlan *plan, const Options *options, GError **error)
{
  g_autofree char *text = gilk_plan_to_text (plan);
  g_autoptr(GilkPlan) again = gilk_plan_parse (text, strlen (text), _("the new plan"), error);

  if (again == NULL)
    return FALSE;
  if (options->append != NULL && !gilk_plan_save_like (plan, options->append, options->append, error))
    return FALSE;

  if (cli->doc != NULL)
    {
      cli_json_string (cli->doc, "file", options->append);
      cli_json_uint (cli->doc, "hooks", plan->hooks->len);
      cli_json_string (cli->doc, "plan", text);
    }
  else if (options->append != NULL)
    cli_note (cli, ngettext ("%s now has %u hook.", "%s now has %u hooks.", plan->hooks->len),
              options->append, plan->hooks->len);
  else
    cli_write (text, strlen (text));
  return TRUE;
}

/* Checks that an option that chooses hooks and all their properties (--edges, --callees, --span,
 * --paths or --targets) is given without other options. */
static gboolean
check_combination (const Options *options, GError **error)
{
  gboolean counts = options->instrument == NULL ||
    gilk_inline_is (options->instrument, GILK_INLINE_COUNT);
  gboolean bare = options->instrument == NULL && options->start == NULL && options->stop == NULL &&
    options->label == NULL && options->tactic == NULL && options->params == NULL;

  if (options->slow != NULL && !options->paths)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("--slower-than needs --paths."));
  else if (options->paths && (!bare || options->edges || options->callees || options->span))
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("--paths chooses hooks at a function's blocks, and they stay armed for "
                           "the whole run. Leave out all other options except --slower-than, "
                           "--title and --append."));
  else if (options->targets && (!bare || options->edges || options->callees || options->span || options->paths))
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("--targets chooses hooks before a function's indirect calls, and they "
                           "stay armed for the whole run. Leave out all other options except "
                           "--title and --append."));
  else if (options->span && (!bare || options->edges || options->callees))
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("--span chooses hooks at a function's entry and exits, and they stay "
                           "armed for the whole run. Leave out all other options except --title "
                           "and --append."));
  else if (!options->callees && options->depth >= 0)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("--depth needs --callees."));
  else if ((options->edges || options->callees) &&
           !(counts && options->start == NULL && options->stop == NULL && options->label == NULL &&
             options->tactic == NULL && options->params == NULL))
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("--edges and --callees choose hooks that count, and they stay armed for "
                           "the whole run. Leave out all other options except "
                           "--title and --append."));
  else
    return TRUE;
  return FALSE;
}

static gboolean
add_point (Cli *cli, GilkPlan *plan, const char *point, const Options *options, CliKernel *kernel,
           GError **error)
{
  uint64_t slow_ns = 0;

  if (options->slow != NULL && !gilk_parse_duration (options->slow, &slow_ns, error))
    return FALSE;
  if (options->paths)
    return cli_plan_paths (cli, plan, point, kernel, slow_ns, error);
  if (options->callees)
    return add_callees (cli, plan, point, kernel,
                        options->depth >= 0 ? (guint) options->depth : GILK_PLAN_CALLEES_DEPTH,
                        options->edges, error);
  if (options->edges)
    return add_edges (cli, plan, point, kernel, error);
  if (options->span)
    return add_span (cli, plan, point, kernel, error);
  if (options->targets)
    return cli_plan_targets (cli, plan, point, kernel, error);
  return add_hook (cli, plan, point, options, kernel, error);
}

/* Fails if the plan was made on another kernel: a plan has one kernel= line, so all its hooks
 * must be of the same kernel. */
static gboolean
check_origin (const GilkPlan *plan, const CliKernel *kernel, const Options *options, GError **error)
{
  if (gilk_plan_matches_kernel (plan, gilk_target_release (kernel->target), gilk_target_build_id (kernel->target)))
    return TRUE;
  return gilk_fail (error, GILK_ERROR_STALE,
                    _("%s was made on %s, and this kernel is %s. Use \"gilk plan renew %s\" first."),
                    options->append, plan->kernel, gilk_target_release (kernel->target), options->append);
}

/* Returns whether an option chooses the hooks, so that the arguments are functions, not points. */
static gboolean
chooses_hooks (const Options *options)
{
  return options->paths || options->callees || options->edges || options->span || options->targets;
}

/* Reports syntax errors before a target is opened. */
static gboolean
check_points (char **points, const Options *options, GError **error)
{
  for (guint i = 0; !chooses_hooks (options) && points[i] != NULL; i++)
    {
      g_auto(GilkPointText) point = { 0 };

      if (!gilk_point_text_parse (points[i], &point, error))
        return FALSE;
    }
  return TRUE;
}

/* Removes the hooks with index @first or higher that cannot be placed in the kernel. These were
 * chosen automatically. FALSE with @error: none can be placed. */
static gboolean
leave_out_refused (Cli *cli, GilkPlan **plan, guint first, CliKernel *kernel, GError **error)
{
  g_autoptr(GilkBoundPlan) bound = NULL;
  g_autoptr(GError) local = NULL;

  bound = cli_bind_partial (cli, kernel, plan, first, &local);
  if (g_error_matches (local, GILK_ERROR, GILK_ERROR_REFUSED))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (bound == NULL)
    cli_note (cli, _("The plan was not checked: %s"), local->message);

  return TRUE;
}

static gboolean
make_plan (Cli *cli, char **points, const Options *options, GError **error)
{
  g_autoptr(GilkPlan) plan = load_or_new_plan (options, error);
  g_auto(CliKernel) kernel = { 0 };
  guint first;

  if (plan == NULL)
    return FALSE;
  if (options->label != NULL && g_strv_length (points) > 1)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("--label names one hook. Add one point at a time, with --append."));
  if (!check_combination (options, error) || !check_points (points, options, error) || !cli_kernel_open (cli, &kernel, error))
    return FALSE;

  if (options->title != NULL)
    {
      g_free (plan->title);
      plan->title = g_strdup (options->title);
    }
  if (!check_origin (plan, &kernel, options, error))
    return FALSE;
  cli_kernel_choose_way (cli, kernel.target);
  gilk_plan_set_origin (plan, gilk_target_release (kernel.target), gilk_target_build_id (kernel.target));
  first = plan->hooks->len;
  for (guint i = 0; points[i] != NULL; i++)
    if (!add_point (cli, plan, points[i], options, &kernel, error))
      return FALSE;
  if (chooses_hooks (options) && !leave_out_refused (cli, &plan, first, &kernel, error))
    return FALSE;
  return write_plan (cli, plan, options, error);
}

gboolean
cmd_plan (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { .depth = -1 };
  const GOptionEntry entries[] = {
    { "instrument", 'i', 0, G_OPTION_ARG_STRING, &options.instrument,
      N_("new: set what runs at the hook (default: count)"), N_("NAME") },
    { "param", 'p', 0, G_OPTION_ARG_STRING_ARRAY, &options.params,
      N_("new: set a parameter of the instrument"), N_("NAME=VALUE") },
    { "start", 0, 0, G_OPTION_ARG_STRING, &options.start,
      N_("new: set when the hook starts, e.g. 5s or \"after HOOK + 1s\" (default: with the run)"), N_("TIME") },
    { "stop", 0, 0, G_OPTION_ARG_STRING, &options.stop,
      N_("new: set when the hook stops, e.g. 9s, or, if it starts after another hook, its "
         "duration, e.g. +4s (default: with the run)"), N_("TIME") },
    { "by", 0, 0, G_OPTION_ARG_STRING, &cli->by,
      N_("check: hook the kernel by ilk (the driver) or bpf (BPF programs)"), N_("WAY") },
    { "tactic", 0, 0, G_OPTION_ARG_STRING, &options.tactic,
      N_("new: use auto, splice, bounce, clone or trap"), N_("TACTIC") },
    { "label", 0, 0, G_OPTION_ARG_STRING, &options.label, N_("new: set the hook's name"), N_("TEXT") },
    { "title", 0, 0, G_OPTION_ARG_STRING, &options.title, N_("new: set the plan's title"), N_("TEXT") },
    { "edges", 'e', 0, G_OPTION_ARG_NONE, &options.edges,
      N_("new: for each function given as POINT, use the fewest counters from which all its counts "
         "can be derived"), NULL },
    { "span", 0, 0, G_OPTION_ARG_NONE, &options.span,
      N_("new: for each function given as POINT, hook its entry and exits to "
         "time its calls"), NULL },
    { "callees", 'r', 0, G_OPTION_ARG_NONE, &options.callees,
      N_("new: for each function given as POINT, count all blocks of it and "
         "of its callees"), NULL },
    { "paths", 0, 0, G_OPTION_ARG_NONE, &options.paths,
      N_("new: for the function given as POINT, compare the blocks on the paths of its slow and "
         "fast calls"), NULL },
    { "slower-than", 0, 0, G_OPTION_ARG_STRING, &options.slow,
      N_("new: with --paths: calls longer than this are slow (default: the slowest 1 %)"), N_("TIME") },
    { "targets", 0, 0, G_OPTION_ARG_NONE, &options.targets,
      N_("new: for each function given as POINT, record the targets of its indirect calls"), NULL },
    { "depth", 'd', 0, G_OPTION_ARG_INT, &options.depth,
      N_("new: with --callees: include this many levels of callees (default: 3)"), N_("N") },
    { "for", 0, 0, G_OPTION_ARG_STRING, &options.lasts,
      N_("check: assume that the run has this length; all hooks must be armed "
         "before its end"), N_("TIME") },
    { "rates", 0, 0, G_OPTION_ARG_FILENAME, &options.rates,
      N_("check: estimate the plan's cost from the hit rates in this session"), N_("SESSION") },
    { "budget", 0, 0, G_OPTION_ARG_STRING, &options.budget,
      N_("check: with --rates: find the hooks to remove so that the others cost at most this share "
         "of a CPU"), N_("SHARE") },
    { "append", 'a', 0, G_OPTION_ARG_FILENAME, &options.append,
      N_("new: add to this plan file (default: print the plan)"), N_("FILE") },
    { NULL },
  };
  char **words;
  gboolean ok = FALSE;

  if (cli_parse (cli, argc, argv, entries,
                 _("\"check FILE\" binds the plan to the target's kernel and shows how each hook "
                   "would be placed, or why it cannot be; nothing is armed, only the driver and "
                   "instruments are loaded.\n\"renew FILE\" finds all hooks of the plan in the "
                   "target's kernel and updates the file with their addresses there.\n\"new "
                   "POINT…\" writes a plan. POINT is FUNCTION+OFFSET:pre or :post with the offset "
                   "of a block as \"gilk cfg FUNCTION\" shows it, or FUNCTION@call:SYMBOL:pre for "
                   "the block that calls SYMBOL; FUNCTION:entry and FUNCTION:return are its entry "
                   "and each of its returns, FUNCTION:inlined all places at which it was inlined; "
                   "FUNCTION+OFFSET:at is directly before the instruction at OFFSET, "
                   "FUNCTION@call:SYMBOL:at directly before that call. A probe program may follow, "
                   "'POINT { PROGRAM }', see gilk-probes(7). The format is described in "
                   "gilk-plan(5)."),
                 2, -1, &words, error))
    {
      gboolean whole = strcmp (words[0], "check") == 0 || strcmp (words[0], "renew") == 0;

      if (whole && words[2] != NULL)
        g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                     _("\"gilk plan %s\" takes one file; \"%s\" is one argument too many."), words[0], words[2]);
      else if (strcmp (words[0], "check") == 0)
        ok = check_plan (cli, words[1], &options, error);
      else if (strcmp (words[0], "renew") == 0)
        ok = renew_plan (cli, words[1], error);
      else if (strcmp (words[0], "new") == 0)
        ok = make_plan (cli, words + 1, &options, error);
      else
        g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                     _("\"gilk plan\" takes \"check FILE\", \"renew FILE\" and \"new POINT…\", not \"%s\"."), words[0]);
    }
  cli_options_free (entries);
  return ok;
}
