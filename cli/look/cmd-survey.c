/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-survey.c - gilk survey: shows how the probe points of a kernel can be hooked
 *
 * Prints totals. Lists blocks only on request, and as a stream, because a kernel has nearly a
 * million of them.
 */
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/kernel.h"
#include "cli/base/names.h"
#include "cli/base/output.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/base/gilk-strings.h"
#include "core/image/gilk-image-user.h"
#include "core/splice/gilk-survey.h"

typedef struct {
  gboolean kernel, blocks, together;
  char    *module, *function;
} Options;

typedef struct {
  Cli       *cli;
  CliKernel *kernel;
} Output;

static double
get_percent (uint64_t part, uint64_t whole)
{
  return whole > 0 ? 100.0 * (double) part / (double) whole : 0.0;
}

/* The tactics (ways to redirect execution at a point), cheapest first. Each is a column of the
 * table. */
static const uint8_t tactics[] = {
  ILK_TACTIC_SPLICE, ILK_TACTIC_BOUNCE, ILK_TACTIC_CLONE, ILK_TACTIC_TRAP,
};

static const char *
get_size_name (GilkSizeClass size)
{
  static const char *const names[] = { "under-2", "2-to-4", "5-and-more" };

  return names[size];
}

static const char *
get_size_title (GilkSizeClass size)
{
  static const char *const titles[] = {
    N_("of blocks under 2 bytes"), N_("of blocks of 2 to 4 bytes"), N_("of blocks of 5 bytes or more"),
  };

  return _(titles[size]);
}

/* ---- totals as text ---- */

static void
add_count_cells (CliTable *table, uint64_t part, uint64_t whole)
{
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) part);
  cli_table_cellf (table, "%.2f %%", get_percent (part, whole));
}

static void
add_share_row (CliTable *table, const char *title, const GilkSurveyShare *share, gboolean by_bpf)
{
  cli_table_cell (table, title);
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) share->points);
  if (by_bpf)
    cli_table_cellf (table, "%.2f %%", get_percent (share->kprobes, share->points));
  for (gsize i = 0; !by_bpf && i < G_N_ELEMENTS (tactics); i++)
    cli_table_cellf (table, "%.2f %%", get_percent (share->by_tactic[tactics[i]], share->points));
  cli_table_cellf (table, "%.2f %%", get_percent (share->refused, share->points));
}

static gboolean
is_by_bpf (const CliKernel *kernel)
{
  return gilk_target_way (kernel->target) == GILK_WAY_BPF;
}

static void
print_shares (Cli *cli, const GilkSurvey *survey, gboolean by_bpf)
{
  g_autoptr(CliTable) table =
    cli_table_new (by_bpf ? _("<POINTS|>COUNT|>KPROBE|>REFUSED") : _("<POINTS|>COUNT|>SPLICE|>BOUNCE|>CLONE|>TRAP|>REFUSED"));

  add_share_row (table, _("all"), &survey->total, by_bpf);
  add_share_row (table, _("pre"), &survey->by_where[GILK_WHERE_PRE], by_bpf);
  add_share_row (table, _("post"), &survey->by_where[GILK_WHERE_POST], by_bpf);
  for (int size = 0; size < GILK_N_SIZES; size++)
    add_share_row (table, get_size_title (size), &survey->by_size[size], by_bpf);
  cli_print_table (cli, table);
}

/* Prints what percentage of points can be hooked without a trap (int3) or, with @by_bpf, by a
 * kprobe. With @together, also prints how many functions can have all their points hooked at the
 * same time. */
static void
print_reach (Cli *cli, const GilkSurvey *survey, gboolean by_bpf, gboolean together)
{
  const uint64_t points = survey->total.points, outside = points - survey->area_points;
  const uint64_t reached = by_bpf ? survey->total.kprobes : gilk_survey_jumped (&survey->total);
  const guint functions = survey->functions - survey->area_functions;

  cli_print (cli, by_bpf ? _("\nreached by a kprobe: %.2f %% of all points, %.2f %% of the %lu points outside code "
                             "that is never hooked\n\n")
                         : _("\nreached without a trap: %.2f %% of all points, %.2f %% of the %lu points outside "
                             "code that is never hooked\n\n"),
             get_percent (reached, points), get_percent (reached, outside), (guint64) outside);
  if (together && by_bpf)
    cli_print (cli, _("functions of which all points can be hooked at once: %u of %u outside code that is never "
                      "hooked, %.2f %%\n\n"),
               survey->whole, functions, get_percent (survey->whole, functions));
  else if (together)
    cli_print (cli, _("functions of which all points can be hooked at once without a trap: %u of %u outside code "
                      "that is never hooked, %.2f %%; %u of them by a clone\n\n"),
               survey->whole, functions, get_percent (survey->whole, functions), survey->clones);
}

static void
add_cause_rows (CliTable *table, const char *effect, const uint64_t *by_cause, uint64_t points)
{
  for (guint i = 0; i < GILK_SURVEY_CAUSES; i++)
    if (by_cause[i] > 0)
      {
        cli_table_cell (table, effect);
        cli_table_cell (table, gilk_refusal_name (i));
        add_count_cells (table, by_cause[i], points);
        cli_table_cell (table, gilk_refusal_cause (i));
      }
}

static void
print_survey (Cli *cli, const CliKernel *kernel, const GilkSurvey *survey, gboolean together)
{
  g_autoptr(CliTable) causes = cli_table_new (_("<EFFECT|<CAUSE|>POINTS|>SHARE|~WHY"));
  const uint64_t points = survey->total.points;

  cli_print_tinted (cli, CLI_TINT_BOLD, "%s", gilk_target_release (kernel->target));
  cli_print (cli, _(" on %s: %u functions, %u of them refused as a whole, %lu blocks\n\n"),
             cli->target, survey->functions, survey->refused_functions, (guint64) points / 2);
  print_shares (cli, survey, is_by_bpf (kernel));
  print_reach (cli, survey, is_by_bpf (kernel), together);
  add_cause_rows (causes, _("trap"), survey->trapped_by, points);
  add_cause_rows (causes, _("refused"), survey->refused_by, points);
  if (cli_table_n_rows (causes) > 0)
    cli_print_table (cli, causes);
}

/* ---- totals as JSON ---- */

static void
share_to_json (CliJson *json, const char *key, const GilkSurveyShare *share, gboolean by_bpf)
{
  cli_json_row (json, key);
  cli_json_uint (json, "points", share->points);
  for (gsize i = 0; i < G_N_ELEMENTS (tactics); i++)
    cli_json_uint (json, gilk_tactic_name (tactics[i]), share->by_tactic[tactics[i]]);
  cli_json_uint (json, gilk_tactic_name (GILK_TACTIC_KPROBE), share->kprobes);
  cli_json_uint (json, "refused", share->refused);
  if (by_bpf)
    cli_json_double (json, "kprobe_percent", get_percent (share->kprobes, share->points));
  else
    cli_json_double (json, "without_trap_percent", get_percent (gilk_survey_jumped (share), share->points));
  cli_json_end (json);
}

static void
causes_to_json (CliJson *json, const char *key, const uint64_t *by_cause, uint64_t points)
{
  cli_json_array (json, key);
  for (guint i = 0; i < GILK_SURVEY_CAUSES; i++)
    {
      if (by_cause[i] == 0)
        continue;
      cli_json_row (json, NULL);
      cli_json_string (json, "cause", gilk_refusal_name (i));
      cli_json_uint (json, "points", by_cause[i]);
      cli_json_double (json, "percent", get_percent (by_cause[i], points));
      cli_json_string (json, "cause_text", gilk_refusal_cause (i));
      cli_json_string (json, "remedy", gilk_refusal_remedy (i));
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
survey_to_json (Cli *cli, const CliKernel *kernel, const GilkSurvey *survey,
                gboolean together, double seconds)
{
  CliJson *json = cli->doc;
  const gboolean by_bpf = is_by_bpf (kernel);
  const uint64_t points = survey->total.points, outside = points - survey->area_points;
  const uint64_t reached = by_bpf ? survey->total.kprobes : gilk_survey_jumped (&survey->total);

  cli_kernel_to_json (cli, kernel->target);
  cli_json_string (json, "way", gilk_way_name (gilk_target_way (kernel->target)));
  cli_json_uint (json, "functions", survey->functions);
  cli_json_uint (json, "functions_refused", survey->refused_functions);
  cli_json_uint (json, "blocks", points / 2);
  cli_json_uint (json, "points_outside_refused_areas", outside);
  cli_json_double (json, by_bpf ? "kprobe_percent" : "without_trap_percent", get_percent (reached, points));
  cli_json_double (json, by_bpf ? "kprobe_percent_outside_refused_areas" : "without_trap_percent_outside_refused_areas",
                   get_percent (reached, outside));
  cli_json_bool (json, "all_at_once", together);
  if (together)
    {
      guint functions = survey->functions - survey->area_functions;

      cli_json_uint (json, "functions_outside_refused_areas", functions);
      cli_json_uint (json, "functions_complete", survey->whole);
      cli_json_double (json, "functions_complete_percent", get_percent (survey->whole, functions));
      cli_json_uint (json, "functions_cloned", survey->clones);
    }
  share_to_json (json, "all", &survey->total, by_bpf);
  share_to_json (json, "pre", &survey->by_where[GILK_WHERE_PRE], by_bpf);
  share_to_json (json, "post", &survey->by_where[GILK_WHERE_POST], by_bpf);
  cli_json_object (json, "by_block_bytes");
  for (int size = 0; size < GILK_N_SIZES; size++)
    share_to_json (json, get_size_name (size), &survey->by_size[size], by_bpf);
  cli_json_end (json);
  causes_to_json (json, "trapped_by", survey->trapped_by, points);
  causes_to_json (json, "refused_by", survey->refused_by, points);
  cli_json_double (json, "seconds", seconds);
}

/* ---- listing each block ---- */

static const char *
get_tactic_name (const GilkChoice *choice)
{
  return choice->refusal != 0 ? "refused" : gilk_tactic_name (choice->tactic);
}

static const char *
get_cause_name (const GilkChoice *choice)
{
  if (choice->refusal != 0)
    return gilk_refusal_name (choice->refusal);
  return choice->tactic == ILK_TACTIC_TRAP ? gilk_refusal_name (choice->why_not_splice) : "";
}

static void
block_to_json (const GilkCfg *cfg, guint block, const GilkChoice points[2], gpointer user_data)
{
  Output *output = user_data;
  CliJson *json = output->cli->doc;
  g_autofree char *offset = gilk_cfg_offset_name (cfg, cfg->blocks[block].start);

  cli_json_row (json, NULL);
  cli_json_string (json, "block", offset);
  cli_json_uint (json, "bytes", cfg->blocks[block].end - cfg->blocks[block].start);
  cli_json_string (json, "pre", get_tactic_name (&points[GILK_WHERE_PRE]));
  cli_json_string (json, "pre_cause", get_cause_name (&points[GILK_WHERE_PRE]));
  cli_json_string (json, "post", get_tactic_name (&points[GILK_WHERE_POST]));
  cli_json_string (json, "post_cause", get_cause_name (&points[GILK_WHERE_POST]));
  cli_json_end (json);
}

static void
block_to_csv (const GilkCfg *cfg, guint block, const GilkChoice points[2], gpointer user_data)
{
  Output *output = user_data;
  const GilkChoice *pre = &points[GILK_WHERE_PRE], *post = &points[GILK_WHERE_POST];
  g_autofree char *offset = gilk_cfg_offset_name (cfg, cfg->blocks[block].start);
  g_autofree char *bytes =
    g_strdup_printf ("%" G_GUINT64_FORMAT,
                     (guint64) (cfg->blocks[block].end - cfg->blocks[block].start));
  const char *cells[] = { cfg->function->name, cli_module_name (output->kernel, cfg->function), offset,
                          bytes, get_tactic_name (pre), get_cause_name (pre), get_tactic_name (post),
                          get_cause_name (post) };
  g_autoptr(GString) line = g_string_new (NULL);

  gilk_csv_append_row (line, G_N_ELEMENTS (cells), cells);
  if (!cli_write (line->str, line->len))
    g_cancellable_cancel (output->cli->cancellable);      /* the reader closed the pipe */
}

/* ---- running the command ---- */

static gboolean
find_module (CliKernel *kernel, const Options *options, int *module, GError **error)
{
  GilkSymbols *symbols = gilk_image_symbols (kernel->image);

  *module = options->kernel ? 0 : -1;
  if (options->module == NULL)
    return TRUE;

  for (guint i = 1; i < gilk_symbols_n_modules (symbols); i++)
    if (strcmp (gilk_symbols_module (symbols, i), options->module) == 0)
      {
        *module = (int) i;
        return TRUE;
      }
  return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                    _("Module \"%s\" is not loaded on the target. Load it there, or leave out --module to survey "
                      "everything."), options->module);
}

static gboolean
survey_function (CliKernel *kernel, const Options *options, GilkSurveyFunc func, Output *output,
                 GilkSurvey *survey, GError **error)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GilkCfg) cfg = cli_kernel_cfg (kernel, options->function, decoder, error);

  if (cfg == NULL)
    return FALSE;
  if (gilk_image_user_path (cfg->image) != NULL)
    return gilk_fail (error, GILK_ERROR_USAGE, _("%s is a function of a user program, but a survey covers kernel "
                                                 "functions only. gilk cfg shows the function's points."),
                      options->function);

  if (options->together)
    gilk_survey_add_together (survey, cfg, decoder, GILK_INLINE_COUNT, func, output);
  else
    gilk_survey_add (survey, cfg, decoder, GILK_INLINE_COUNT, func, output);
  return TRUE;
}

static gboolean
survey_module (CliKernel *kernel, const Options *options, GilkSurveyFunc func, Output *output,
               GilkSurvey *survey, GError **error)
{
  const GilkProgress *progress = cli_progress_for_core (output->cli->progress);
  int module;

  return find_module (kernel, options, &module, error) &&
         gilk_image_load_all (kernel->image, progress, output->cli->cancellable, error) &&
         gilk_survey_scan (kernel->functions, module, options->together, GILK_INLINE_COUNT, func,
                           output, survey, progress, output->cli->cancellable, error);
}

static gboolean
run_survey (Cli *cli, const Options *options, GError **error)
{
  static const char head[] = "function,module,block,bytes,pre,pre_cause,post,post_cause\r\n";
  g_auto(CliKernel) kernel = { 0 };
  Output output = { cli, &kernel };
  GilkSurvey survey = { 0 };
  GilkSurveyFunc func = NULL;
  gboolean ok, listed = cli->doc != NULL && options->function != NULL;
  gint64 begin;

  if (!cli_kernel_open (cli, &kernel, error))
    return FALSE;

  cli_kernel_note_ready (cli, kernel.target);
  begin = g_get_monotonic_time ();
  if (options->blocks)
    func = block_to_csv;
  else if (listed)
    func = block_to_json;
  if (options->blocks)
    cli_write (head, strlen (head));
  if (listed)
    cli_json_array (cli->doc, "points");

  if (options->function != NULL)
    ok = survey_function (&kernel, options, func, &output, &survey, error);
  else
    ok = survey_module (&kernel, options, func, &output, &survey, error);
  cli_progress_clear (cli->progress);
  if (!ok && cli_output_error () != 0)
    g_clear_error (error);       /* main() reports why the output ended */
  if (!ok || options->blocks)
    return ok;

  if (listed)
    cli_json_end (cli->doc);
  if (cli->doc != NULL)
    survey_to_json (cli, &kernel, &survey, options->together,
                    (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC);
  else
    print_survey (cli, &kernel, &survey, options->together);
  return TRUE;
}

static gboolean
check_options (Cli *cli, const Options *options, GError **error)
{
  if (options->kernel + (options->module != NULL) + (options->function != NULL) > 1)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("--kernel, --module and --function exclude each other. Give one, or none for the kernel and "
                           "all its modules."));
  else if (options->blocks && cli->doc != NULL)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("--blocks writes CSV, and --json writes JSON: leave out one of these options. With "
                           "--function, --json lists the blocks, too."));
  else
    return TRUE;
  return FALSE;
}

gboolean
cmd_survey (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { 0 };
  const GOptionEntry entries[] = {
    { "kernel", 'k', 0, G_OPTION_ARG_NONE, &options.kernel,
      N_("Survey the kernel proper, without modules"), NULL },
    { "module", 'm', 0, G_OPTION_ARG_STRING, &options.module, N_("Survey this module"), N_("NAME") },
    { "function", 'f', 0, G_OPTION_ARG_STRING, &options.function,
      N_("Survey this function; --json lists its blocks"), N_("FUNCTION") },
    { "by", 0, 0, G_OPTION_ARG_STRING, &cli->by,
      N_("Survey hooks by ilk (the driver) or bpf (kprobes with BPF programs); default: ilk if possible"), N_("WAY") },
    { "all-at-once", 0, 0, G_OPTION_ARG_NONE, &options.together,
      N_("Hook all points of each function at once, also by clones"), NULL },
    { "blocks", 'b', 0, G_OPTION_ARG_NONE, &options.blocks,
      N_("Print one CSV line per block instead of totals"), NULL },
    { NULL },
  };
  char **words;
  gboolean ok;

  ok = cli_parse (cli, argc, argv, entries,
                  _("Asks the planner how it would place a counter at the pre- and the post-point "
                    "of every block, each alone or, with --all-at-once, all of a function at once: "
                    "by a splice or bounce, by a clone, by a trap (with its cause), or not at all "
                    "(with the refusal). With --by bpf, each point is a kprobe or refused. Refused code areas, such as entry code and the code that "
                    "Gilk itself runs on, can never be hooked. The reach of the kernel's own "
                    "jump-optimised kprobes is not measured here. Nothing in the kernel changes."),
                  0, 0, &words, error) &&
    check_options (cli, &options, error) &&
    run_survey (cli, &options, error);

  cli_options_free (entries);
  return ok;
}
