/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-print.c - prints a function's graph as text or JSON, with the cost of each point
 */
#include "cli/look/cfg.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "cli/base/names.h"
#include "cli/base/output.h"
#include "core/base/gilk-refusal.h"
#include "core/bind/gilk-bound-entry.h"
#include "core/plan/gilk-plan.h"
#include "core/splice/gilk-preview.h"

GilkChoice
cli_cfg_preview (CliCfgView *view, guint block, GilkWhere where)
{
  GilkWant want = { .block = block, .where = where, .kind = view->kind };
  GilkChoice choice;
  guint noted;

  if (gilk_bpf_plan_is (view->cfg))
    gilk_bound_entry (view->cfg, &want, view->cli->cancellable);
  gilk_preview_point (view->cfg, view->liveness, view->decoder, &want, &choice);
  noted = choice.refusal != 0 ? choice.refusal : choice.why_not_splice;
  if (noted < G_N_ELEMENTS (view->seen))
    view->seen[noted] = 1;
  return choice;
}

/* Formats an instruction; branch and call targets are shown by name. */
static void
format_insn (CliCfgView *view, const GilkInsn *insn, char mnemonic[32], char operands[160])
{
  g_autofree char *name = NULL;

  gilk_insn_text (view->decoder, gilk_cfg_bytes (view->cfg, insn), insn, mnemonic, operands);
  if (insn->target == 0 || (insn->branch != GILK_BRANCH_JUMP && insn->branch != GILK_BRANCH_JCC &&
                            insn->branch != GILK_BRANCH_CALL))
    return;

  if (gilk_cfg_block_around (view->cfg, insn->target) >= 0 && insn->branch != GILK_BRANCH_CALL)
    name = gilk_cfg_offset_name (view->cfg, insn->target);
  else
    name = cli_symbolise (gilk_image_symbols (view->kernel->image), insn->target);
  g_strlcpy (operands, name, 160);
}

#define NOTE_COLUMN 40        /* minimum column of notes */

/* Prints the source line of instruction @index, unless the previous instruction of the block has
 * the same line. */
static void
print_source (CliCfgView *view, const GilkBlock *block, guint index)
{
  g_autofree char *text = view->source != NULL ? gilk_cfg_source_text (view->source, index) : NULL;
  g_autofree char *before = text != NULL && index > block->first_insn ? gilk_cfg_source_text (view->source, index - 1) : NULL;

  if (text != NULL && g_strcmp0 (text, before) != 0)
    cli_print_tinted (view->cli, CLI_TINT_ACCENT, "  %12s  %s\n", "", text);
}

static void
print_insn (CliCfgView *view, guint index)
{
  const GilkInsn *insn = &view->cfg->insns[index];
  const char *note = view->notes != NULL ? gilk_operand_notes_text (view->notes, index) : NULL;
  g_autofree char *offset = gilk_cfg_offset_name (view->cfg, insn->addr);
  g_autofree char *text = NULL;
  char mnemonic[32], operands[160];

  format_insn (view, insn, mnemonic, operands);
  cli_print_tinted (view->cli, CLI_TINT_DIM, "  %12s  ", offset);
  text = *operands != '\0' ? g_strdup_printf ("%-8s %s", mnemonic, operands) : g_strdup (mnemonic);
  cli_print (view->cli, "%-*s", note != NULL ? NOTE_COLUMN : 0, text);
  if (note != NULL)
    cli_print_tinted (view->cli, CLI_TINT_DIM, " ; %s", note);
  cli_print (view->cli, "\n");
  if (view->targets != NULL)
    cli_cfg_targets_print (view->targets, index);
}

static const char *
describe_edge (guint kind)
{
  switch (kind)
    {
    case GILK_EDGE_FALL:       return _("falls into");
    case GILK_EDGE_TAKEN:      return _("taken to");
    case GILK_EDGE_NOT_TAKEN:  return _("else");
    case GILK_EDGE_JUMP:       return _("jumps to");
    case GILK_EDGE_STATIC_KEY: return _("if the static key is flipped:");
    case GILK_EDGE_FIXUP:      return _("on a fault:");
    default:                   return "";
    }
}

static const char *
describe_ending (guint ending)
{
  switch (ending)
    {
    case GILK_END_RETURN:    return _("returns");
    case GILK_END_TAIL_CALL: return _("leaves the function by a tail call");
    case GILK_END_NORETURN:  return _("ends with a call of a noreturn function");
    case GILK_END_TRAP:      return _("traps");
    case GILK_END_INDIRECT:  return _("leaves the function by an indirect jump");
    default:                 return NULL;
    }
}

static void
append_edge (GString *line, CliCfgView *view, const GilkEdge *edge)
{
  g_autofree char *to = gilk_cfg_offset_name (view->cfg, view->cfg->blocks[edge->to].start);

  g_string_append_printf (line, "%s%s %s%s", line->len > 0 ? ", " : "", describe_edge (edge->kind), to,
                          edge->back ? _(" (back)") : "");
}

/* Prints a text such as "taken to +0x61b, else +0x3f". The edge for a branch that is not taken
 * comes last. */
static void
print_edges (CliCfgView *view, const GilkBlock *block)
{
  g_autoptr(GString) line = g_string_new (describe_ending (block->ending));
  const GilkEdge *edges = view->cfg->edges + block->first_out;

  for (guint i = 0; i < block->n_out; i++)
    if (edges[i].kind != GILK_EDGE_NOT_TAKEN)
      append_edge (line, view, &edges[i]);
  for (guint i = 0; i < block->n_out; i++)
    if (edges[i].kind == GILK_EDGE_NOT_TAKEN)
      append_edge (line, view, &edges[i]);
  if (line->len > 0)
    cli_print_tinted (view->cli, CLI_TINT_ACCENT, "  %12s  -> %s\n", "", line->str);
}

/* Returns whether the function has any point that may be hookable. */
static gboolean
has_points (const CliCfgView *view)
{
  return gilk_preview_refusal (view->cfg) == 0 || gilk_bpf_plan_is (view->cfg);
}

static void
print_point (CliCfgView *view, guint block, GilkWhere where)
{
  GilkChoice choice = cli_cfg_preview (view, block, where);
  CliTint tint = choice.refusal != 0 ? CLI_TINT_BAD
    : choice.tactic == ILK_TACTIC_TRAP ? CLI_TINT_WARN : CLI_TINT_GOOD;

  cli_print (view->cli, "  %12s  ", gilk_where_name (where));
  if (choice.refusal != 0)
    cli_print_tinted (view->cli, tint, _("refused: %s\n"), gilk_refusal_name (choice.refusal));
  else if (choice.tactic == ILK_TACTIC_CLONE)
    cli_print_tinted (view->cli, tint, _("%s, adds about %u instructions; a splice is refused: %s\n"),
                      gilk_tactic_name (choice.tactic), choice.cost,
                      gilk_refusal_name (choice.why_not_splice));
  else if (choice.why_not_splice != 0)
    cli_print_tinted (view->cli, tint, _("%s, adds about %u instructions; a jump is refused: %s\n"),
                      gilk_tactic_name (choice.tactic), choice.cost,
                      gilk_refusal_name (choice.why_not_splice));
  else
    cli_print_tinted (view->cli, tint,
                      ngettext ("%s, adds %u instruction\n", "%s, adds %u instructions\n", choice.cost),
                      gilk_tactic_name (choice.tactic), choice.cost);
}

static void
print_block (CliCfgView *view, guint i)
{
  const GilkBlock *block = &view->cfg->blocks[i];
  g_autofree char *name = gilk_cfg_offset_name (view->cfg, block->start);

  cli_print_tinted (view->cli, CLI_TINT_BOLD, "\n%s", name);
  cli_print (view->cli, ngettext ("  %u instruction, %u bytes", "  %u instructions, %u bytes",
                                  block->n_insns),
             block->n_insns, (guint) (block->end - block->start));
  if (i == view->cfg->entry)
    cli_print (view->cli, _(", entry"));
  if (block->loop_depth > 0)
    cli_print (view->cli, block->flags & GILK_BLOCK_LOOP_HEAD ? _(", loop header, depth %u")
                                                              : _(", in loop, depth %u"),
               block->loop_depth);
  cli_print (view->cli, "\n");

  if (has_points (view))
    print_point (view, i, GILK_WHERE_PRE);
  for (guint k = 0; view->insns && k < block->n_insns; k++)
    {
      print_source (view, block, block->first_insn + k);
      print_insn (view, block->first_insn + k);
    }
  if (has_points (view))
    print_point (view, i, GILK_WHERE_POST);
  print_edges (view, block);
}

static void
print_legend (CliCfgView *view)
{
  gboolean first = TRUE;

  for (guint i = 1; i < G_N_ELEMENTS (view->seen); i++)
    {
      if (!view->seen[i])
        continue;
      cli_print (view->cli, "%s", first ? "\n" : "");
      cli_print_tinted (view->cli, CLI_TINT_BOLD, "%s", gilk_refusal_name (i));
      cli_print (view->cli, ": %s %s\n", gilk_refusal_cause (i), gilk_refusal_remedy (i));
      first = FALSE;
    }
}

void
cli_cfg_to_text (CliCfgView *view)
{
  const GilkCfg *cfg = view->cfg;
  const guint refusal = gilk_preview_refusal (cfg);
  g_autofree char *name = gilk_functions_name (view->kernel->functions, cfg->function);

  cli_print_tinted (view->cli, CLI_TINT_BOLD, "%s", name);
  cli_print (view->cli, _("  0x%" PRIx64 "  %u blocks, %u edges, %u instructions, %" PRIu64 " bytes\n"),
             (guint64) cfg->function->hot.start, cfg->n_blocks, cfg->n_edges, cfg->n_insns,
             (guint64) cli_function_bytes (cfg->function));
  if (refusal != 0)
    {
      g_autofree char *at = gilk_cfg_offset_name (cfg, cfg->refusal_addr);

      view->seen[MIN (refusal, 255)] = 1;
      cli_print_tinted (view->cli, CLI_TINT_BAD, _("The whole function is refused: %s"), gilk_refusal_name (refusal));
      cli_print (view->cli, cfg->refusal_addr != 0 ? _(" at %s\n") : "\n", at);
    }
  for (guint i = 0; i < cfg->n_blocks; i++)
    print_block (view, i);
  print_legend (view);
}

static void
point_to_json (CliCfgView *view, guint block, GilkWhere where)
{
  CliJson *json = view->cli->doc;
  GilkChoice choice = cli_cfg_preview (view, block, where);

  cli_json_row (json, gilk_where_name (where));
  if (choice.refusal == 0)
    {
      cli_json_string (json, "tactic", gilk_tactic_name (choice.tactic));
      cli_json_uint (json, "cost", choice.cost);
      if (choice.why_not_splice != 0)
        cli_json_string (json, "splice_refusal", gilk_refusal_name (choice.why_not_splice));
    }
  else
    cli_json_string (json, "refusal", gilk_refusal_name (choice.refusal));
  cli_json_end (json);
}

/* Adds an instruction's operand notes as the member "notes"; omits the member if there are none. */
static void
notes_to_json (CliCfgView *view, guint index)
{
  CliJson *json = view->cli->doc;
  guint count = 0;
  const GilkNote *notes = view->notes != NULL ? gilk_operand_notes_at (view->notes, index, &count) : NULL;

  if (count == 0)
    return;
  cli_json_array (json, "notes");
  for (guint i = 0; i < count; i++)
    {
      cli_json_row (json, NULL);
      cli_json_string (json, "kind", gilk_note_kind_name (notes[i].kind));
      cli_json_string (json, "text", notes[i].text);
      if (notes[i].kind != GILK_NOTE_MEMBER)
        cli_json_address (json, "address", notes[i].addr);
      cli_json_end (json);
    }
  cli_json_end (json);
}

/* Adds an instruction's source lines as the member "source", the innermost function first; omits
 * the member if they are unknown. */
static void
source_to_json (CliCfgView *view, guint index)
{
  CliJson *json = view->cli->doc;
  const GArray *lines = view->source != NULL ? gilk_cfg_source_at (view->source, index) : NULL;

  if (lines == NULL || lines->len == 0)
    return;
  cli_json_array (json, "source");
  for (guint i = 0; i < lines->len; i++)
    {
      const GilkDwarfLine *line = &g_array_index (lines, GilkDwarfLine, i);

      cli_json_row (json, NULL);
      cli_json_string (json, "function", line->function);
      cli_json_string (json, "file", line->file);
      cli_json_uint (json, "line", line->line);
      cli_json_uint (json, "column", line->column);
      cli_json_bool (json, "inlined", line->is_inlined);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
insns_to_json (CliCfgView *view, const GilkBlock *block)
{
  CliJson *json = view->cli->doc;

  cli_json_array (json, "instructions");
  for (guint i = 0; i < block->n_insns; i++)
    {
      const GilkInsn *insn = &view->cfg->insns[block->first_insn + i];
      char mnemonic[32], operands[160];

      format_insn (view, insn, mnemonic, operands);
      cli_json_row (json, NULL);
      cli_json_address (json, "address", insn->addr);
      cli_json_uint (json, "bytes", insn->len);
      cli_json_string (json, "mnemonic", mnemonic);
      cli_json_string (json, "operands", operands);
      notes_to_json (view, block->first_insn + i);
      source_to_json (view, block->first_insn + i);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
block_to_json (CliCfgView *view, guint i)
{
  CliJson *json = view->cli->doc;
  const GilkBlock *block = &view->cfg->blocks[i];
  g_autofree char *name = gilk_cfg_offset_name (view->cfg, block->start);
  char fingerprint[GILK_FINGERPRINT_SIZE];

  gilk_cfg_fingerprint (view->cfg, i, fingerprint);
  cli_json_object (json, NULL);
  cli_json_string (json, "name", name);
  cli_json_address (json, "start", block->start);
  cli_json_address (json, "end", block->end);
  cli_json_string (json, "fingerprint", fingerprint);
  cli_json_string (json, "ending", cli_ending_name (block->ending));
  cli_json_bool (json, "entry", i == view->cfg->entry);
  cli_json_bool (json, "cold", (block->flags & GILK_BLOCK_COLD) != 0);
  cli_json_bool (json, "loop_head", (block->flags & GILK_BLOCK_LOOP_HEAD) != 0);
  cli_json_uint (json, "loop_depth", block->loop_depth);
  point_to_json (view, i, GILK_WHERE_PRE);
  point_to_json (view, i, GILK_WHERE_POST);
  if (view->insns)
    insns_to_json (view, block);
  cli_json_end (json);
}

static void
edges_to_json (CliCfgView *view)
{
  CliJson *json = view->cli->doc;

  cli_json_array (json, "edges");
  for (guint i = 0; i < view->cfg->n_edges; i++)
    {
      const GilkEdge *edge = &view->cfg->edges[i];
      g_autofree char *from = gilk_cfg_offset_name (view->cfg, view->cfg->blocks[edge->from].start);
      g_autofree char *to = gilk_cfg_offset_name (view->cfg, view->cfg->blocks[edge->to].start);

      cli_json_row (json, NULL);
      cli_json_string (json, "from", from);
      cli_json_string (json, "to", to);
      cli_json_string (json, "kind", cli_edge_name (edge->kind));
      cli_json_bool (json, "back", edge->back);
      cli_json_end (json);
    }
  cli_json_end (json);
}

void
cli_cfg_to_json (CliCfgView *view)
{
  CliJson *json = view->cli->doc;
  const GilkCfg *cfg = view->cfg;
  const guint refusal = gilk_preview_refusal (cfg);
  g_autofree char *name = gilk_functions_name (view->kernel->functions, cfg->function);

  cli_kernel_to_json (view->cli, view->kernel->target);
  cli_json_string (json, "way", gilk_way_name (gilk_target_way (view->kernel->target)));
  cli_json_string (json, "function", cfg->function->name);
  cli_json_string (json, "full_name", name);
  cli_json_string (json, "module", cli_module_name (view->kernel, cfg->function));
  cli_json_address (json, "address", cfg->function->hot.start);
  cli_json_uint (json, "bytes", cli_function_bytes (cfg->function));
  cli_json_uint (json, "instructions", cfg->n_insns);
  cli_json_string (json, "refusal", refusal != 0 ? gilk_refusal_name (refusal) : NULL);
  cli_json_array (json, "blocks");
  for (guint i = 0; i < cfg->n_blocks; i++)
    block_to_json (view, i);
  cli_json_end (json);
  edges_to_json (view);
  if (view->targets != NULL)
    cli_cfg_targets_to_json (view->targets);

  cli_json_array (json, "refusals");
  for (guint i = 1; i < G_N_ELEMENTS (view->seen); i++)
    {
      if (!view->seen[i])
        continue;
      cli_json_row (json, NULL);
      cli_json_string (json, "name", gilk_refusal_name (i));
      cli_json_string (json, "cause", gilk_refusal_cause (i));
      cli_json_string (json, "remedy", gilk_refusal_remedy (i));
      cli_json_end (json);
    }
  cli_json_end (json);
}
