/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-cfg.c - gilk cfg: shows the graph of one function, as text, JSON, DOT or a picture
 */
#include <glib/gi18n.h>
#include <string.h>

#include "cli/look/cfg.h"
#include "cli/base/output.h"
#include "cli/base/picture.h"
#include "core/emit/gilk-inline.h"
#include "core/plot/gilk-graph-paint.h"

typedef struct {
  gboolean   dot, no_insns, now, lines, callers, callees, call_graph;
  char      *instrument, *patch, *session, *fold;
  CliPicture picture;
  CliCallGraphOptions around;             /* only the members @up and @down are used */
} Options;

static GilkInstrumentKind
get_instrument_kind (const char *instrument)
{
  const GilkInline *known = gilk_inline_by_name (instrument != NULL ? instrument : gilk_inline_name (GILK_INLINE_COUNT));

  return known != NULL ? known->kind : GILK_INSTRUMENT_MODULE;
}

/* Returns two marks for each block, one for its pre-hook and one for its post-hook. The mark is a
 * cross if the hook is not possible, else empty. */
static uint8_t *
make_marks (CliCfgView *view)
{
  uint8_t *marks = g_new0 (uint8_t, 2 * MAX (view->cfg->n_blocks, 1));

  for (guint i = 0; i < view->cfg->n_blocks; i++)
    {
      if (cli_cfg_preview (view, i, GILK_WHERE_PRE).refusal != 0)
        marks[2 * i] = GILK_MARK_REFUSED;
      if (cli_cfg_preview (view, i, GILK_WHERE_POST).refusal != 0)
        marks[2 * i + 1] = GILK_MARK_REFUSED;
    }
  return marks;
}

/* Folds the parts of the graph that @text names: "loops", "cold" (blocks that never ran), or
 * offsets of blocks. The offset of a block folds the innermost loop around the block or, if there
 * is none, the block and all blocks that it dominates. */
static gboolean
add_folds (const GilkCfg *cfg, const CliHeat *heat, const char *text, GilkCfgFold *fold, GError **error)
{
  g_auto(GStrv) words = g_strsplit (text, ",", -1);
  g_autofree gboolean *blocks = g_new0 (gboolean, cfg->n_blocks + 1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      uint64_t addr;
      int block = gilk_cfg_parse_offset (cfg, words[i], &addr) ? gilk_cfg_block_around (cfg, addr) : -1;

      if (strcmp (words[i], "loops") == 0)
        gilk_cfg_fold_loops (fold, cfg);
      else if (strcmp (words[i], "cold") == 0 && heat != NULL)
        cli_heat_fold_cold (heat, cfg, fold);
      else if (block < 0)
        return gilk_fail (error, GILK_ERROR_USAGE,
                          _("Invalid --fold %s for %s. Write loops, cold (with a "
                            "--session that counted blocks), none, or blocks as "
                            "+0x5f,+0x2b1."),
                          words[i], cfg->function->name);
      else
        {
          if (gilk_cfg_fold_loop_at (cfg, (guint) block, blocks) < 2)
            gilk_cfg_fold_dominated (cfg, (guint) block, blocks);
          gilk_cfg_fold_add (fold, cfg, blocks);
        }
    }
  return TRUE;
}

/* Replaces @graph by a folded graph if the options fold anything. */
static gboolean
fold_graph (CliCfgView *view, const CliHeat *heat, const char *text, GilkGraph **graph, GError **error)
{
  g_autoptr(GilkCfgFold) fold = gilk_cfg_fold_new (view->cfg);
  GilkGraph *folded;

  if (text == NULL && heat != NULL && view->cfg->n_blocks > CLI_HEAT_BLOCKS)
    text = "cold";
  if (text == NULL || (heat != NULL && strcmp (text, "none") == 0))
    return TRUE;
  if (!add_folds (view->cfg, heat, text, fold, error))
    return FALSE;
  if (gilk_cfg_fold_is_empty (fold))
    return TRUE;
  folded = gilk_graph_fold (*graph, fold, view->cli->cancellable, error);
  if (folded == NULL)
    return FALSE;
  gilk_graph_unref (*graph);
  *graph = folded;
  return TRUE;
}

static gboolean
write_picture (CliCfgView *view, const Options *options, GError **error)
{
  const CliPicture *picture = &options->picture;
  const GilkPlotStyle *style = picture->dark ? &gilk_plot_dark : &gilk_plot_light;
  g_autoptr(CliHeat) heat = view->targets != NULL ? cli_cfg_targets_heat (view->targets, view->kernel, view->cfg) : NULL;
  g_autofree uint8_t *marks = make_marks (view);
  GilkGraphLook look = { .marks = marks, .block = -1, .point = -1, .hover = -1, .insn = -1 };
  g_autoptr(GilkGraph) graph = gilk_graph_new (view->cfg, view->decoder, style,
                                               view->targets != NULL ? cli_cfg_targets_notes (view->targets) : NULL,
                                               view->cli->cancellable, error);
  GilkGraphPicture what = { .style = style, .look = &look };

  if (graph == NULL || !fold_graph (view, heat, options->fold, &graph, error))
    return FALSE;
  if (heat != NULL)
    cli_heat_apply (heat, &look);
  what.graph = graph;
  return cli_picture_write (view->cli, picture,
                            graph->layout->width + 2 * GILK_GRAPH_MARGIN,
                            graph->layout->height + 2 * GILK_GRAPH_MARGIN,
                            gilk_graph_paint_picture, &what, error);
}

static gboolean
show_graph (CliCfgView *view, const Options *options, GError **error)
{
  g_autofree char *dot = options->dot ? gilk_cfg_to_dot (view->cfg) : NULL;

  if (cli_picture_wanted (&options->picture) && !write_picture (view, options, error))
    return FALSE;
  if (view->cli->doc != NULL)
    {
      cli_cfg_to_json (view);
      if (dot != NULL)
        cli_json_string (view->cli->doc, "dot", dot);
    }
  else if (dot != NULL)
    cli_write (dot, strlen (dot));
  else if (!cli_picture_wanted (&options->picture))
    cli_cfg_to_text (view);
  return TRUE;
}

/* Looks up source lines. Without debug data, fails only if the options require source lines. */
static gboolean
find_source (Cli *cli, GilkCfg *cfg, const Options *options, GilkCfgSource **source, GError **error)
{
  g_autoptr(GError) local = NULL;

  *source = gilk_cfg_source_new (cfg, cli->cancellable, &local);
  if (*source != NULL || (!options->lines && cli->debug == NULL && g_error_matches (local, GILK_ERROR, GILK_ERROR_NOT_FOUND)))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}

static gboolean
show_function (Cli *cli, CliKernel *kernel, const char *name, const Options *options, GError **error)
{
  CliCfgView view = { .cli = cli, .kernel = kernel, .insns = !options->no_insns };
  g_autoptr(GilkOperandNotes) notes = NULL;
  g_autoptr(GilkCfgSource) source = NULL;
  g_autoptr(CliCfgTargets) targets = NULL;
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GilkCfg) cfg = NULL;
  g_autoptr(GilkLiveness) liveness = NULL;

  cfg = cli_kernel_cfg (kernel, name, decoder, error);
  if (cfg == NULL)
    return FALSE;
  cli_kernel_note_ready (cli, kernel->target);
  /* A patch is always the driver's, even where the driver cannot arm it. */
  if (options->patch != NULL && cli->by == NULL && gilk_target_way (kernel->target) == GILK_WAY_BPF &&
      !gilk_target_use (kernel->target, GILK_WAY_ILK, 0, cli->cancellable, error))
    return FALSE;
  if (cfg->refusal == 0)
    liveness = gilk_liveness_new (cfg, decoder);

  view.cfg = cfg;
  view.decoder = decoder;
  view.liveness = liveness;
  view.kind = get_instrument_kind (options->instrument);
  if (view.insns && options->patch == NULL && !options->now)
    {
      notes = gilk_operand_notes_new (cfg, decoder, cli->cancellable, error);
      if (notes == NULL)
        return FALSE;
      if (!find_source (cli, cfg, options, &source, error))
        return FALSE;
    }
  view.notes = notes;
  view.source = source;
  if (options->session != NULL)
    {
      targets = cli_cfg_targets_new (cli, kernel, cfg, options->session, error);
      if (targets == NULL)
        return FALSE;
    }
  view.targets = targets;
  if (options->patch != NULL)
    return cli_cfg_patch (&view, name, options->patch, &options->picture, error);
  if (options->now)
    return cli_cfg_now (&view, error);
  return show_graph (&view, options, error);
}

static gboolean
on_call_graph (const char *name, const char *value, gpointer data, GError **error)
{
  Options *options = data;

  options->call_graph = TRUE;

  return cli_call_graph_parse_levels (value, &options->around, error);
}

static gboolean
run_cfg (Cli *cli, CliKernel *kernel, const char *name, const Options *options, GError **error)
{
  CliCallGraphOptions graph_options = options->around;

  graph_options.session = options->session;
  graph_options.dot = options->dot;
  graph_options.picture = &options->picture;

  if (options->call_graph)
    return cli_cfg_call_graph (cli, kernel, name, &graph_options, error);
  if (options->callers || options->callees)
    return cli_cfg_calls (cli, kernel, name, options->callers, options->callees, options->session, error);

  return show_function (cli, kernel, name, options, error);
}

gboolean
cmd_cfg (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { .picture.scales = TRUE };
  const GOptionEntry entries[] = {
    { "no-insns", 0, 0, G_OPTION_ARG_NONE, &options.no_insns,
      N_("Show blocks and points only, no instructions"), NULL },
    { "instrument", 'i', 0, G_OPTION_ARG_STRING, &options.instrument,
      N_("Show costs for this instrument (default: count)"), N_("NAME") },
    { "by", 0, 0, G_OPTION_ARG_STRING, &cli->by,
      N_("Show the points for hooks by ilk (the driver) or bpf (kprobes with BPF programs); default: ilk if possible"), N_("WAY") },
    { "patch", 0, 0, G_OPTION_ARG_STRING, &options.patch,
      N_("Show the patch of one hook, e.g. +0x2b1:pre:count, and the bytes there without and with "
         "the hook"), N_("PLACE") },
    { "now", 0, 0, G_OPTION_ARG_NONE, &options.now,
      N_("Show only instructions that were changed or belong to ftrace, a hook or the like, with the code that runs "
         "there now"), NULL },
    { "session", 's', 0, G_OPTION_ARG_FILENAME, &options.session,
      N_("Colour pictures by the block counts of this session's last run, and show the targets of indirect calls"),
       N_("FILE") },
    { "lines", 0, 0, G_OPTION_ARG_NONE, &options.lines,
      N_("Require debug data, from which source lines and inlined functions are shown"), NULL },
    { "callers", 0, 0, G_OPTION_ARG_NONE, &options.callers,
      N_("List the functions that call FUNCTION directly"), NULL },
    { "callees", 0, 0, G_OPTION_ARG_NONE, &options.callees,
      N_("List the functions that FUNCTION calls directly"), NULL },
    { "call-graph", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, on_call_graph,
      N_("Show the call graph around FUNCTION: this many levels each way, or two numbers, e.g. "
         "3,1, for callers and callees (default: 1)"),
       N_("LEVELS") },
    { "fold", 0, 0, G_OPTION_ARG_STRING, &options.fold,
      N_("Choose what to fold in pictures: loops, cold (blocks that never ran in the --session; "
         "the default above 60 blocks), blocks such as +0x5f,+0x2b1, or none"), N_("WHAT") },
    { "dot", 0, 0, G_OPTION_ARG_NONE, &options.dot, N_("Print Graphviz text"), NULL },
    CLI_PICTURE_ENTRIES (options.picture),
    { NULL },
  };
  g_auto(CliKernel) kernel = { 0 };
  char **words;
  gboolean ok;

  cli->option_data = &options;
  ok = cli_parse (cli, argc, argv, entries,
                  _("FUNCTION is a name, \"name [module]\", module:name or 0xADDRESS. Every block "
                    "is shown with its two probe points: \"pre\" is before its first instruction, "
                    "\"post\" after its last non-branching instruction. For each point you see how "
                    "a hook would be placed and how many instructions it would add, or the name of "
                    "the refusal, which is explained at the end."),
                  1, 1, &words, error) &&
    cli_kernel_open (cli, &kernel, error) &&
    run_cfg (cli, &kernel, words[0], &options, error);

  cli_options_free (entries);
  return ok;
}
