/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-accesses.c - finds the instructions whose accesses watchpoints caught, and stores them
 *
 * A sample has the address after the accessing instruction. Finding the accessing instruction needs
 * kernel text, so that instruction is found while the kernel is available: for each address in
 * samples the session gets the name of the block, such as "pipe_write+0x2b1", the instruction, and
 * the function's graph. The instruction depends on the address:
 *
 *   at a rep stos or movs:       the instruction in front of it, if that instruction accesses
 *                                memory; otherwise the rep stos or movs, which traps at each step.
 *   at a function's entry:       unknown: a call or jump to the function.
 *   anywhere else:               the instruction that ends at the address.
 */
#include "core/run/gilk-run-metadata.h"

#include <inttypes.h>
#include <string.h>

#include "core/dataflow/gilk-operand.h"
#include "core/decode/gilk-insn.h"
#include "core/plan/gilk-plan-point.h"
#include "core/samples/gilk-store-accesses.h"
#include "core/store/gilk-store-names.h"

#define ADDRESSES_MAX 1024     /* maximum number of addresses named per watchpoint */
#define FUNCTIONS_MAX 256      /* maximum number of functions with stored graphs */

typedef struct {
  GilkRunNames  *names;
  GilkFunctions *functions;
  GilkDecoder   *decoder;
  GHashTable    *cfgs;         /* GilkFunction -> GilkCfg; NULL if the graph cannot be built */
  GHashTable    *written;      /* set of functions whose graphs are stored, by entry address as a
                                * pointer */
} AccessRecorder;

static GilkCfg *
get_graph (AccessRecorder *w, const GilkFunction *function)
{
  gpointer known;

  if (g_hash_table_lookup_extended (w->cfgs, function, NULL, &known))
    return known;
  if (g_hash_table_size (w->cfgs) >= FUNCTIONS_MAX)
    return NULL;
  known = gilk_cfg_new (w->functions, function, w->decoder, NULL);
  g_hash_table_insert (w->cfgs, (gpointer) function, known);

  return known;
}

/* ---- the accessing instruction ---- */

static gboolean
accesses_memory (const GilkCfg *cfg, const GilkInsn *insn)
{
  const uint8_t *bytes = gilk_cfg_bytes (cfg, insn);
  GilkOpcode op;
  GilkOperand operand;

  if (!gilk_opcode_parse (bytes, insn->len, &op))
    return FALSE;

  /* push, moffs and string instructions access memory without a ModRM operand */
  return gilk_operand_memory (insn, bytes, &op, &operand) ||
         (op.map == GILK_MAP_1 && ((op.opcode & 0xf8) == 0x50 || op.opcode == 0x68 || op.opcode == 0x6a ||
                                   (op.opcode & 0xf0) == 0xa0));
}

/* Returns TRUE for a string instruction with a rep prefix. */
static gboolean
is_rep_string (const GilkCfg *cfg, const GilkInsn *insn)
{
  const uint8_t *bytes = gilk_cfg_bytes (cfg, insn);
  guint i = 0;

  if (bytes[0] != 0xf3 && bytes[0] != 0xf2)
    return FALSE;
  for (i = 1; i < insn->len && ((bytes[i] & 0xf0) == 0x40 || bytes[i] == 0x66); i++)
    ;

  return i < insn->len && ((bytes[i] & 0xf4) == 0xa4 || (bytes[i] & 0xfc) == 0x6c);
}

static const GilkInsn *
find_insn (const GilkCfg *cfg, uint64_t ip)
{
  const GilkInsn *behind = NULL, *at = NULL;

  for (guint i = 0; i < cfg->n_insns; i++)
    {
      const GilkInsn *insn = &cfg->insns[i];

      if (insn->addr + insn->len == ip && (insn->flags & GILK_INSN_PADDING) == 0)
        behind = insn;
      if (insn->addr == ip)
        at = insn;
    }
  if (at != NULL && is_rep_string (cfg, at) && (behind == NULL || !accesses_memory (cfg, behind)))
    return at;

  return behind;
}

/* ---- storing ---- */

static const char *
module_of (const AccessRecorder *w, const GilkCfg *cfg)
{
  return gilk_symbols_module (gilk_image_symbols (w->names->image), cfg->function->module);
}

static void
write_graph (AccessRecorder *w, const GilkCfg *cfg)
{
  if (g_hash_table_add (w->written, GSIZE_TO_POINTER (cfg->function->hot.start)))
    gilk_run_write_function (w->names->session->store, w->names->session->run, cfg, module_of (w, cfg), w->decoder, NULL);
}

static void
write_access (AccessRecorder *w, uint64_t ip, const GilkCfg *cfg, guint block, const GilkInsn *insn)
{
  g_autofree char *offset = gilk_cfg_offset_name (cfg, cfg->blocks[block].start);
  g_autofree char *function = gilk_run_function_name (cfg);
  g_autofree char *name = g_strconcat (function, offset, NULL);
  char mnemonic[32], operands[160];

  write_graph (w, cfg);
  gilk_store_add_value_name (w->names->session->store, w->names->session->run, GILK_MEANING_ACCESSOR, (gint64) ip, name, NULL);
  if (insn == NULL)
    return;
  gilk_insn_text (w->decoder, gilk_cfg_bytes (cfg, insn), insn, mnemonic, operands);
  g_free (name);
  name = g_strdup_printf ("%s%s%s", mnemonic, *operands != '\0' ? " " : "", operands);
  gilk_store_add_value_name (w->names->session->store, w->names->session->run, GILK_MEANING_ACCESSOR_INSN, (gint64) ip, name, NULL);
}

static void
write_address (AccessRecorder *w, uint64_t ip)
{
  const GilkFunction *function = gilk_functions_at (w->functions, ip);

  if (function != NULL)
    gilk_store_add_address (w->names->session->store, w->names->session->run, ip, function->name, ip - function->hot.start,
                            gilk_symbols_module (gilk_image_symbols (w->names->image), function->module), NULL);
}

/* Stores the instruction that made the accesses sampled at @ip. @executes: @ip is the address of
 * that instruction itself */
static void
record_address (AccessRecorder *w, uint64_t ip, gboolean executes)
{
  const GilkFunction *function = gilk_functions_at (w->functions, executes ? ip : ip - 1);
  GilkCfg *cfg = function != NULL ? get_graph (w, function) : NULL;
  const GilkInsn *insn = NULL;
  int block = -1;

  if (cfg != NULL)
    {
      insn = find_insn (cfg, ip);
      for (guint i = 0; executes && i < cfg->n_insns; i++)
        if (cfg->insns[i].addr == ip)
          insn = &cfg->insns[i];
      block = insn != NULL ? gilk_cfg_block_around (cfg, insn->addr) : -1;
    }
  if (block < 0)
    insn = NULL;
  if (block < 0 && (function = gilk_functions_at (w->functions, ip)) != NULL && (cfg = get_graph (w, function)) != NULL)
    block = gilk_cfg_block_around (cfg, ip);
  if (block >= 0)
    write_access (w, ip, cfg, (guint) block, insn);
  write_address (w, ip);
  gilk_run_names_store_line (w->names, ip, !executes);
}

static void
record_hook_addresses (AccessRecorder *w, const GilkStoredHook *hook, gboolean executes)
{
  g_autoptr(GArray) groups = gilk_store_group (w->names->session->store, hook, "ip", NULL);

  for (guint i = 0; groups != NULL && i < MIN (groups->len, ADDRESSES_MAX); i++)
    {
      uint64_t ip;

      if (gilk_accessor_address (g_array_index (groups, GilkStoredGroup, i).value, &ip))
        record_address (w, ip, executes);
    }
}

static void
unref_cfg (gpointer cfg)
{
  g_clear_pointer ((GilkCfg **) &cfg, gilk_cfg_unref);
}

/* Adds the functions with hooks to w->written, because their graphs are stored already. */
static void
mark_written (AccessRecorder *w)
{
  for (guint i = 0; i < w->names->rows->bound->hooks->len; i++)
    {
      const GilkCfg *cfg = gilk_bound_hook (w->names->rows->bound, i)->cfg;

      if (cfg != NULL)
        g_hash_table_add (w->written, GSIZE_TO_POINTER (cfg->function->hot.start));
    }
}

static gboolean
has_watches (const GilkRunRows *rows)
{
  for (guint i = 0; i < rows->bound->hooks->len; i++)
    if (gilk_bound_hook (rows->bound, i)->hook->watch != NULL)
      return TRUE;

  return FALSE;
}

void
gilk_run_names_store_accesses (GilkRunNames *names)
{
  g_autoptr(GArray) hooks = NULL;
  g_autoptr(GilkFunctions) functions = NULL;
  g_autoptr(GilkDecoder) decoder = NULL;
  g_autoptr(GHashTable) cfgs = NULL, written = NULL;
  AccessRecorder w;

  gilk_run_session_assert_own (names->session);
  if (!has_watches (names->rows))
    return;
  hooks = gilk_store_hooks (names->session->store, names->session->run, NULL);
  functions = gilk_functions_new (names->image);
  decoder = gilk_decoder_new ();
  cfgs = g_hash_table_new_full (NULL, NULL, NULL, unref_cfg);
  written = g_hash_table_new (NULL, NULL);
  w = (AccessRecorder) { names, functions, decoder, cfgs, written };
  mark_written (&w);
  for (guint i = 0; hooks != NULL && i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);

      if (strcmp (hook->instrument, GILK_WATCHPOINT_INSTRUMENT) == 0)
        record_hook_addresses (&w, hook, strcmp (hook->where, "pre") == 0);
    }
}
