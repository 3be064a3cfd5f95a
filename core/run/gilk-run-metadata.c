/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-metadata.c - stores a run's instruments, programs, hooks and functions
 */
#include "core/run/gilk-run-metadata.h"

#include <string.h>

#include "core/bind/gilk-bound-watchpoint.h"
#include "core/cfg/gilk-cfg.h"
#include "core/emit/gilk-inline.h"
#include "core/image/gilk-image-user.h"
#include "core/plan/gilk-plan-point.h"
#include "core/store/gilk-store-names.h"
#include "core/store/gilk-store-program.h"
#include "core/store/gilk-store-write.h"

static const GilkBoundHook *
hook_at (const GilkArmed *armed, guint i)
{
  return gilk_bound_hook (armed->bound, i);
}

/* ---- functions ---- */

static char *
disassemble_block (const GilkCfg *cfg, const GilkBlock *block, GilkDecoder *decoder)
{
  GString *text = g_string_new (NULL);

  for (guint i = block->first_insn; i < block->first_insn + block->n_insns; i++)
    {
      const GilkInsn *insn = &cfg->insns[i];
      g_autofree char *target = insn->target != 0 ? gilk_cfg_target_name (cfg, insn) : NULL;
      const char *words;
      char mnemonic[32], operands[160];

      gilk_insn_text (decoder, gilk_cfg_bytes (cfg, insn), insn, mnemonic, operands);
      words = target != NULL ? target : operands;      /* store a branch target as a name, because
                                                        * a session lacks symbols */
      g_string_append_printf (text, "%s%s%s%s", text->len > 0 ? "\n" : "", mnemonic,
                              words[0] != '\0' ? " " : "", words);
    }

  return g_string_free (text, FALSE);
}

static void
clear_blocks (GilkStoreBlock *blocks, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_free ((char *) blocks[i].name);
      g_free ((char *) blocks[i].text);
    }
  g_free (blocks);
}

/* Returns the function's name in the session, which has a separate column for the module. */
char *
gilk_run_function_name (const GilkCfg *cfg)
{
  guint ordinal = gilk_functions_ordinal (cfg->functions, cfg->function);

  return ordinal == 0 ? g_strdup (cfg->function->name)
                      : g_strdup_printf ("%s@%u", cfg->function->name, ordinal);
}

gboolean
gilk_run_write_function (GilkStore *store, gint64 run, const GilkCfg *graph, const char *module,
                         GilkDecoder *decoder, GError **error)
{
  const GilkCfg *cfg = gilk_cfg_whole (graph);
  g_autofree char *name = gilk_run_function_name (cfg);
  GilkStoreBlock *blocks = g_new0 (GilkStoreBlock, cfg->n_blocks);
  g_autofree GilkStoreEdge *edges = g_new0 (GilkStoreEdge, cfg->n_edges);
  gboolean written;

  for (guint i = 0; i < cfg->n_blocks; i++)
    blocks[i] = (GilkStoreBlock) {
      .name = gilk_cfg_offset_name (cfg, cfg->blocks[i].start),
      .start = cfg->blocks[i].start,
      .end = cfg->blocks[i].end,
      .cold = (cfg->blocks[i].flags & GILK_BLOCK_COLD) != 0,
      .text = disassemble_block (cfg, &cfg->blocks[i], decoder),
    };
  for (guint i = 0; i < cfg->n_edges; i++)
    edges[i] = (GilkStoreEdge) {
      .from = cfg->edges[i].from, .to = cfg->edges[i].to,
      .kind = cfg->edges[i].kind, .back = cfg->edges[i].back,
    };
  written = gilk_store_add_function (store, run, name, module,
                                     cfg->function->hot.start, blocks, cfg->n_blocks, edges,
                                     cfg->n_edges, error);
  clear_blocks (blocks, cfg->n_blocks);

  return written;
}

static const char *
module_of (const GilkCfg *cfg)
{
  return gilk_image_module_name (cfg->image, cfg->function->module);
}

static gboolean
write_functions (GilkStore *store, gint64 run, const GilkArmed *armed, GilkImage *image,
                 GError **error)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();

  for (guint i = 0; i < armed->bound->splice_plans->len; i++)
    {
      const GilkSplicePlan *plan = g_ptr_array_index (armed->bound->splice_plans, i);

      if (gilk_splice_plan_has_graph (plan) &&
          !gilk_run_write_function (store, run, plan->cfg, module_of (plan->cfg), decoder, error))
        return FALSE;
    }

  return TRUE;
}

/* ---- instruments ---- */

static gboolean
write_inline (GilkStore *store, gint64 run, const GilkArmed *armed, const GilkInline *known,
              GError **error)
{
  struct ilk_instrument_desc desc = { .version = 1 };

  if (known->field.name[0] != '\0')
    {
      desc.sample_bytes = known->field.size;
      desc.field_count = 1;
      desc.fields[0] = known->field;
    }
  g_strlcpy (desc.name, known->name, sizeof desc.name);
  g_strlcpy (desc.help, known->help, sizeof desc.help);
  for (guint i = 0; i < armed->n_hooks; i++)
    if (strcmp (hook_at (armed, i)->hook->instrument, known->name) == 0)
      return gilk_store_add_instrument (store, run, &desc, error);

  return TRUE;
}

static gboolean
write_instruments (GilkStore *store, gint64 run, const GilkArmed *armed, GError **error)
{
  guint n_inlines;
  const GilkInline *inlines = gilk_inlines (&n_inlines);

  for (guint i = 0; i < armed->bound->instruments->len; i++)
    if (!gilk_store_add_instrument (store, run,
                                    &g_array_index (armed->bound->instruments,
                                                    struct ilk_instrument_desc, i), error))
      return FALSE;

  for (guint i = 0; i < n_inlines; i++)
    if (!write_inline (store, run, armed, &inlines[i], error))
      return FALSE;

  return TRUE;
}

/* ---- programs ---- */

static gboolean
is_same_program (const GilkBoundHook *a, const GilkBoundHook *b)
{
  return strcmp (a->code, b->code) == 0 && gilk_bound_find_differing_field (a->program, b->program) == NULL;
}

/*
 * Returns the name that the program has as an instrument of the session. If an earlier, different
 * program has the same name, appends a number. Within a plan, equal names mean equal programs.
 * @rows: all hooks so far, up to this one.
 */
static char *
name_program (const GilkBoundPlan *rows, guint n_rows, const GilkBoundHook *hook)
{
  const GilkBoundHook *last = NULL;
  g_autofree char *end = NULL;
  guint number = 1;

  for (guint i = 0; i < n_rows; i++)
    {
      const GilkBoundHook *row = gilk_bound_hook (rows, i);

      if (row->program == NULL || strcmp (row->hook->instrument, hook->hook->instrument) != 0)
        continue;
      if (is_same_program (row, hook))
        break;
      number += last == NULL || !is_same_program (row, last);
      last = row;
    }
  if (number == 1)
    return g_strdup (hook->hook->instrument);
  end = g_strdup_printf (".%u", number);

  return g_strdup_printf ("%.*s%s", (int) (GILK_PROGRAM_NAME_MAX - strlen (end)), hook->hook->instrument, end);
}

/* Stores the names of enums, which do not fit into an instrument descriptor. */
static gboolean
write_enums (GilkStore *store, gint64 run, const char *name, const GilkProgram *program, GError **error)
{
  guint n_fields;
  const struct ilk_field *fields = gilk_program_fields (program, &n_fields);

  for (guint i = 0; i < n_fields; i++)
    if (fields[i].meaning == ILK_MEANING_ENUM &&
        !gilk_store_set_meaning (store, run, name, i, gilk_program_field_meaning (program, i), error))
      return FALSE;

  return TRUE;
}

/* Writes a program as an instrument with its fields, if it takes samples or records nothing. A
 * program that only counts needs no entry. */
static gboolean
write_program (GilkStore *store, gint64 run, const GilkArmed *armed, guint i, const char *name, GError **error)
{
  const GilkBoundHook *hook = hook_at (armed, i);
  struct ilk_instrument_desc desc = { .version = 1 };
  guint n_fields;
  const struct ilk_field *fields = gilk_program_fields (hook->program, &n_fields);

  if (!hook->takes_samples && !gilk_hook_leaves_no_trace (armed->bound, i))
    return TRUE;
  desc.sample_bytes = gilk_program_ops (hook->program)->payload;
  desc.field_count = (uint16_t) n_fields;
  memcpy (desc.fields, fields, n_fields * sizeof *fields);
  g_strlcpy (desc.name, name, sizeof desc.name);
  g_strlcpy (desc.help, "A probe program", sizeof desc.help);

  return gilk_store_add_instrument (store, run, &desc, error) && write_enums (store, run, name, hook->program, error);
}

/* Writes the user's program of a stored hook, and the maps that the hook does not share with other
 * hooks. */
static gboolean
write_code (GilkStore *store, const GilkArmed *armed, guint i, GError **error)
{
  const GilkBoundHook *hook = hook_at (armed, i);
  GilkArmedProgram *program = &armed->programs[i];
  g_autoptr(GArray) maps = g_array_new (FALSE, FALSE, sizeof (GilkProgramMap));
  const GilkProgramMap *all;
  guint n_maps;

  if (hook->program == NULL || !hook->hook->is_program)
    return TRUE;
  all = gilk_program_maps (hook->program, &n_maps);
  for (guint k = 0; k < n_maps; k++)
    if (!program->areas[all[k].area].is_repeated)
      g_array_append_val (maps, all[k]);

  return gilk_store_add_program (store, program->row, hook->hook->instrument, hook->code,
                                 (const GilkProgramMap *) maps->data, maps->len, error);
}

/* ---- writes hooks without a graph: watchpoints, tracepoints and timers ---- */

static gboolean
write_lone_hook (GilkStore *store, gint64 run, const GilkArmed *armed, guint i, const char *label, const char *instrument,
                 uint64_t now_ns, GError **error)
{
  const GilkBoundHook *hook = hook_at (armed, i);
  g_autofree char *text = hook->hook->watch != NULL ? gilk_plan_watchpoint_text (hook->hook) : g_strdup (hook->hook->function);
  const GilkStoreHook row = {
    .iid = armed->iids[i],
    .label = label,
    .function = hook->hook->function,
    .module = hook->watch_module,
    .block = text + strlen (hook->hook->function),
    .where = gilk_where_name (hook->hook->where),
    .instrument = instrument,
    .tactic = gilk_tactic_name (hook->choice.tactic),
    .cost = hook->choice.cost,
    .addr = hook->addr,
    .site = hook->addr,
    .start_ns = MAX (hook->hook->start_ns, now_ns),
    .stop_ns = hook->hook->stop_ns,
    .switched = gilk_plan_is_switched (armed->bound->plan, hook->hook),
  };

  return gilk_store_add_hook (store, run, &row, &armed->programs[i].row, error) && write_code (store, armed, i, error);
}

static gboolean
write_watch_instrument (GilkStore *store, gint64 run, const GilkArmed *armed, GError **error)
{
  struct ilk_instrument_desc desc;

  gilk_watchpoint_desc (&desc);
  for (guint i = 0; i < armed->n_hooks; i++)
    if (hook_at (armed, i)->hook->watch != NULL && !hook_at (armed, i)->hook->is_program)
      return gilk_store_add_instrument (store, run, &desc, error);

  return TRUE;
}

/* ---- hooks ---- */

static gboolean
write_hook (GilkStore *store, gint64 run, const GilkArmed *armed, GilkImage *image, guint i,
            const char *label, const char *instrument, uint64_t now_ns, GError **error)
{
  const GilkBoundHook *hook = hook_at (armed, i);
  const GilkSplicePlan *plan = g_ptr_array_index (armed->bound->splice_plans, hook->splice_plan);
  g_autofree char *block = gilk_cfg_offset_name (hook->cfg, hook->addr);
  g_autofree char *function = gilk_run_function_name (hook->cfg);
  char print[GILK_FINGERPRINT_SIZE];
  GilkStoreHook row = {
    .iid = armed->iids[i],
    .label = label,
    .function = function,
    .module = module_of (hook->cfg),
    .block = block,
    .where = gilk_where_name (hook->hook->where),
    .instrument = instrument,
    .tactic = gilk_tactic_name (hook->choice.tactic),
    .addr = hook->addr,
    .site = plan->patches[hook->choice.patch].site,
    .start_ns = MAX (hook->hook->start_ns, now_ns),
    .stop_ns = hook->hook->stop_ns,
    .cost = hook->choice.cost,
    .switched = gilk_plan_is_switched (armed->bound->plan, hook->hook),
    .fingerprint = print,
  };

  if (hook->hook->where == GILK_WHERE_AT)
    gilk_cfg_insn_fingerprint (hook->cfg, hook->addr, print);
  else
    gilk_cfg_fingerprint (hook->cfg, hook->block, print);

  return gilk_store_add_hook (store, run, &row, &armed->programs[i].row, error) && write_code (store, armed, i, error);
}

/* Writes hook @i of @armed. @rows: the run's plan, in which this hook is at index @n_rows - 1 */
static gboolean
write_row (GilkStore *store, gint64 run, const GilkArmed *armed, GilkImage *image, guint i, const GilkBoundPlan *rows,
           guint n_rows, const char *label, uint64_t now_ns, GError **error)
{
  const GilkBoundHook *hook = hook_at (armed, i);
  g_autofree char *name = NULL;

  if (hook->hook->watch != NULL && !hook->hook->is_program)
    return write_lone_hook (store, run, armed, i, label, GILK_WATCHPOINT_INSTRUMENT, now_ns, error);
  if (hook->program == NULL && !gilk_plan_hook_has_graph (hook->hook))
    return write_lone_hook (store, run, armed, i, label, hook->hook->instrument, now_ns, error);
  if (hook->program == NULL)
    return write_hook (store, run, armed, image, i, label, hook->hook->instrument, now_ns, error);
  name = name_program (rows, n_rows, hook);

  if (!write_program (store, run, armed, i, name, error))
    return FALSE;

  return !gilk_plan_hook_has_graph (hook->hook) ? write_lone_hook (store, run, armed, i, label, name, now_ns, error) :
         write_hook (store, run, armed, image, i, label, name, now_ns, error);
}

/* Returns the target's boot id; NULL: the agent does not send it. */
static char *
read_boot_id (GilkTarget *target)
{
  g_autofree char *line = gilk_target_file (target, GILK_FILE_BOOT_ID, NULL, NULL, NULL);

  return line != NULL ? g_strndup (line, MIN (strcspn (line, "\n"), 64)) : NULL;
}

gboolean
gilk_run_write_metadata (GilkStore       *store,
                         const GilkArmed *armed,
                         GilkImage       *image,
                         gint64          *run,
                         GError         **error)
{
  GilkPlan *plan = armed->bound->plan;
  g_autofree char *text = gilk_plan_to_text (plan);
  g_autofree char *boot_id = read_boot_id (armed->target);
  const GilkStoreRun row = {
    .target = gilk_target_spec (armed->target),
    .hostname = gilk_target_hostname (armed->target),
    .release = gilk_target_release (armed->target),
    .build_id = gilk_target_build_id (armed->target),
    .boot_id = boot_id,
    .title = plan->title,
    .plan_text = text,
    .tsc_khz = armed->info.tsc_khz,
    .n_cpus = armed->info.nr_cpus,
  };

  *run = gilk_store_begin_run (store, &row, error);
  if (*run == 0 || !write_instruments (store, *run, armed, error) ||
      !write_watch_instrument (store, *run, armed, error))
    return FALSE;
  for (guint i = 0; i < armed->n_hooks; i++)
    if (!write_row (store, *run, armed, image, i, armed->bound, i + 1, hook_at (armed, i)->hook->label, 0, error))
      return FALSE;

  return write_functions (store, *run, armed, image, error) && gilk_store_flush (store, error);
}

/* ---- writes hooks that are added during the run ---- */

static gboolean
has_function (const GilkBoundPlan *rows, guint n_known, const GilkCfg *cfg)
{
  for (guint i = 0; i < n_known; i++)
    if (gilk_bound_hook (rows, i)->cfg != NULL && gilk_bound_hook (rows, i)->cfg->image == cfg->image &&
        gilk_bound_hook (rows, i)->cfg->function->hot.start == cfg->function->hot.start)
      return TRUE;

  return FALSE;
}

static gboolean
has_instrument (const GilkBoundPlan *rows, guint n_known, const char *name)
{
  for (guint i = 0; i < n_known; i++)
    if (strcmp (gilk_bound_hook (rows, i)->hook->instrument, name) == 0)
      return TRUE;

  return FALSE;
}

static gboolean
write_more_instruments (GilkStore *store, gint64 run, const GilkArmed *armed,
                        const GilkBoundPlan *rows, guint n_known, GError **error)
{
  GArray *descs = armed->bound->instruments;
  guint n_inlines;
  const GilkInline *inlines = gilk_inlines (&n_inlines);

  for (guint i = 0; i < descs->len; i++)
    {
      const struct ilk_instrument_desc *desc =
        &g_array_index (descs, struct ilk_instrument_desc, i);

      if (!has_instrument (rows, n_known, desc->name) &&
          !gilk_store_add_instrument (store, run, desc, error))
        return FALSE;
    }
  for (guint i = 0; i < n_inlines; i++)
    if (!has_instrument (rows, n_known, inlines[i].name) &&
        !write_inline (store, run, armed, &inlines[i], error))
      return FALSE;

  return TRUE;
}

/* Returns @label, changed if a row has it already: a label is a hook's name in the session, and
 * removed hooks keep their labels. */
static char *
make_unused_label (const GilkBoundPlan *rows, guint n_rows, const char *label)
{
  g_autofree char *free = g_strdup (label);

  for (guint number = 2, i = 0; i < n_rows; i++)
    {
      g_autofree char *numbered = g_strdup_printf ("%s.%u", gilk_bound_hook (rows, i)->hook->label, number);

      if (strcmp (gilk_bound_hook (rows, i)->hook->label, label) != 0)
        continue;
      g_free (free);
      free = g_steal_pointer (&numbered);
      number++;
    }

  return g_steal_pointer (&free);
}

gboolean
gilk_run_write_new_hooks (GilkStore           *store,
                          gint64               run,
                          const GilkArmed     *armed,
                          GilkImage           *image,
                          const GilkBoundPlan *rows,
                          guint                n_known,
                          uint64_t             now_ns,
                          GError             **error)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  guint row = n_known;

  if (!write_more_instruments (store, run, armed, rows, n_known, error))
    return FALSE;
  for (guint i = 0; i < armed->n_hooks; i++)
    {
      g_autofree char *label = NULL;

      if (hook_at (armed, i)->live_index != G_MAXUINT)
        continue;
      label = make_unused_label (rows, row++, hook_at (armed, i)->hook->label);
      if (!write_row (store, run, armed, image, i, rows, row, label, now_ns, error))
        return FALSE;
    }
  for (guint i = 0; i < armed->bound->splice_plans->len; i++)
    {
      const GilkSplicePlan *plan = g_ptr_array_index (armed->bound->splice_plans, i);
      const GilkCfg *cfg = plan->cfg;

      if (gilk_splice_plan_has_graph (plan) && !has_function (rows, n_known, cfg) &&
          !gilk_run_write_function (store, run, cfg, module_of (cfg), decoder, error))
        return FALSE;
    }

  return TRUE;
}
