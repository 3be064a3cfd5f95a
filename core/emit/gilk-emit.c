/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-emit.c - writes the code of a planned patch, of a hook that is called as a function, and
 * of calibration stubs
 *
 * A patch consists of the relocated instructions of the footprint, each with the hooks that precede
 * it, then the hooks after the last instruction, the jump back, and, out of line, the rarely
 * executed paths (ring full, recursion).
 */
#include "core/emit/gilk-emit.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/emit/gilk-bpf-hook.h"
#include "core/emit/gilk-clone-code.h"
#include "core/emit/gilk-hook-code.h"
#include "core/emit/gilk-reloc.h"
#include "core/image/gilk-image-user.h"

/* ---- a whole patch ---- */

/* Returns whether instructions @a and @b, of one block, always run together: neither calls nor instructions
 * that may fault are between them. */
static gboolean
may_move (const GilkCfg *cfg, guint a, guint b)
{
  for (guint i = MIN (a, b); i < MAX (a, b); i++)
    if (cfg->insns[i].branch == GILK_BRANCH_CALL ||
        cfg->insns[i].branch == GILK_BRANCH_CALL_INDIRECT || gilk_reloc_may_fault (cfg, i))
      return FALSE;

  return TRUE;
}

/*
 * Returns the instruction of the footprint in front of which the hook's code is put. A counter may
 * precede any instruction that always runs together with the one for which it was requested, so it
 * is put where flags are free: in front of a compare rather than between compare and branch. It is
 * not moved across an instruction that may fault, because a fault may leave the block there. If the
 * footprint ends with a call before the probe point, the hook follows that call.
 */
guint
gilk_emit_hook_index (const GilkSplicePlan *plan,
                      guint                 first,
                      guint                 n,
                      const GilkWant       *want)
{
  guint boundary = gilk_point_boundary (plan->cfg, want->block, want->where);
  int terminator = gilk_point_terminator (plan->cfg, want->block);
  guint last = first + n - 1, clobbered = gilk_hook_flags_clobbered (want);

  boundary = MIN (boundary, first + n);

  if (want->kind != GILK_INLINE_COUNT ||
      !(gilk_hook_live_at (plan, want->block, boundary).flags & clobbered))
    return boundary;

  for (guint i = first; i <= last && (terminator < 0 || i <= (guint) terminator); i++)
    if (!(plan->liveness->before[i].flags & clobbered) && may_move (plan->cfg, boundary, i))
      return i;

  return boundary;
}

guint
gilk_emit_clobbered_flags (const GilkSplicePlan *plan,
                           guint                 first,
                           guint                 n,
                           guint                 want)
{
  const GilkWant *wanted = &plan->wants[want];
  guint place = gilk_emit_hook_index (plan, first, n, wanted);

  return gilk_hook_live_at (plan, wanted->block, place).flags & gilk_hook_flags_clobbered (wanted)
         ? gilk_hook_flags_clobbered (wanted) : 0;
}

/* Writes the hooks in front of instruction @index, in the order in which they were requested. */
static void
emit_hooks_at (const GilkHookWriter *writer, const GilkPatchPlan *patch, guint index,
               guint *added)
{
  for (guint i = 0; i < patch->n_hooks; i++)
    {
      guint insns, want = patch->hooks[i];

      if (gilk_emit_hook_index (writer->plan, patch->first_insn, patch->n_insns,
                      &writer->plan->wants[want]) != index)
        continue;
      insns = gilk_hook_writer_hook (writer, want, index);
      if (added != NULL)
        added[i] = insns;
    }
}

static guint
get_jump_cost (guint tactic)
{
  return tactic == ILK_TACTIC_SPLICE ? GILK_SPLICE_COST :
         tactic == ILK_TACTIC_BOUNCE ? GILK_BOUNCE_COST : GILK_TRAP_COST;
}

/* Divides @jumps, the number of jumps to and from the patch, evenly among the patch's hooks; each
 * of the first hooks gets one of the jumps that remain. */
static void
share_jumps (const GilkPatchPlan *patch, guint jumps, guint *added)
{
  for (guint i = 0; i < patch->n_hooks; i++)
    added[i] += jumps / patch->n_hooks + (i < jumps % patch->n_hooks ? 1 : 0);
}

/* Offsets of the copied instructions in the patch, and of the patch's end. */
typedef struct {
  const GilkCfg       *cfg;
  const GilkPatchPlan *patch;
  gsize               *starts;     /* for each instruction: offset of the hooks in front of its
                                    * copy */
} Starts;

static gsize
find_copy (uint64_t addr, gpointer data)
{
  const Starts *starts = data;
  guint first = starts->patch->first_insn, n = starts->patch->n_insns;

  for (guint i = 1; i < n; i++)
    if (starts->cfg->insns[first + i].addr == addr)
      return starts->starts[i];

  return addr == starts->cfg->insns[first + n - 1].addr + starts->cfg->insns[first + n - 1].len ? starts->starts[n]
                                                                                               : G_MAXSIZE;
}

void
gilk_emit_patch (GilkAsm               *as,
                 const GilkSplicePlan  *plan,
                 const GilkPatchPlan   *patch,
                 const struct ilk_info *info,
                 const GilkBinding     *bindings,
                 guint                 *added)
{
  const GilkCfg *cfg = plan->cfg;
  GilkHookWriter writer;
  guint end = patch->first_insn + patch->n_insns;
  g_autofree gsize *places = g_new (gsize, patch->n_insns + 1);
  Starts starts = { cfg, patch, places };
  gboolean goes_on = TRUE;

  as->image = cfg->image;
  gilk_hook_writer_init (&writer, as, plan, info, bindings);
  for (guint i = patch->first_insn; i < end; i++)
    {
      as->unwind_as = cfg->insns[i].addr;
      places[i - patch->first_insn] = as->code->len;
      gilk_asm_part (as, GILK_PART_HOOK);
      emit_hooks_at (&writer, patch, i, added);
      gilk_asm_part (as, GILK_PART_MOVED);
      gilk_reloc_note_fault (as, cfg, i);
      if (i == end - 1 && patch->after_call)
        gilk_reloc_call (as, cfg, i);
      else
        goes_on = gilk_reloc_emit (as, cfg, i);
    }

  as->unwind_as = patch->site + patch->len;
  places[patch->n_insns] = goes_on ? as->code->len : G_MAXSIZE;
  if (goes_on)
    {
      gilk_asm_part (as, GILK_PART_HOOK);
      emit_hooks_at (&writer, patch, end, added);
      gilk_asm_part (as, GILK_PART_BACK);
      gilk_asm_jmp (as, patch->site + patch->len);
    }
  if (added != NULL && patch->n_hooks > 0)
    share_jumps (patch, get_jump_cost (patch->tactic) + (goes_on ? 1 : 0), added);

  gilk_asm_part (as, GILK_PART_RARE);
  gilk_hook_writer_link_exits (&writer, find_copy, &starts);
  gilk_hook_writer_finish (&writer);
}

gboolean
gilk_emit_has_bare (const GilkPatchPlan *patch)
{
  return patch->has_bounces && patch->n_hooks > 0;
}

void
gilk_emit_bare (GilkAsm              *as,
                const GilkSplicePlan *plan,
                const GilkPatchPlan  *patch)
{
  gboolean goes_on = TRUE;

  for (guint i = patch->first_insn; i < patch->first_insn + patch->n_insns; i++)
    {
      as->unwind_as = plan->cfg->insns[i].addr;
      gilk_reloc_note_fault (as, plan->cfg, i);
      goes_on = gilk_reloc_emit (as, plan->cfg, i);
    }
  as->unwind_as = patch->site + patch->len;
  if (goes_on)
    gilk_asm_jmp (as, patch->site + patch->len);
}

void
gilk_code_clear (GilkCode *code)
{
  g_clear_pointer (&code->code, g_byte_array_unref);
  g_clear_pointer (&code->orc, g_array_unref);
  g_clear_pointer (&code->faults, g_array_unref);
  g_clear_pointer (&code->parts, g_array_unref);
  g_clear_pointer (&code->programs, g_array_unref);
  g_clear_pointer (&code->blocks, g_array_unref);
  memset (code->added, 0, sizeof code->added);
}

gboolean
gilk_emit_code (const GilkSplicePlan  *plan,
                guint                  patch,
                uint64_t               slot,
                const struct ilk_info *info,
                const GilkBinding     *bindings,
                GilkCode              *code,
                GError               **error)
{
  return gilk_emit_code_linked (plan, patch, slot, info, bindings, NULL, code, error);
}

gboolean
gilk_emit_code_linked (const GilkSplicePlan  *plan,
                       guint                  patch,
                       uint64_t               slot,
                       const struct ilk_info *info,
                       const GilkBinding     *bindings,
                       GHashTable            *links,
                       GilkCode              *code,
                       GError               **error)
{
  const GilkPatchPlan *planned = &plan->patches[patch];
  g_autofree guint *added = g_new0 (guint, planned->n_hooks + 1);
  GilkAsm as = { .base = slot, .parts = code->parts };

  if (gilk_tactic_is_bpf (planned->tactic))
    return gilk_bpf_hook_code (plan, planned, info, bindings, code, error);

  code->code = as.code = g_byte_array_new ();
  code->orc = as.orc = g_array_new (FALSE, TRUE, sizeof (struct ilk_orc));
  code->faults = as.faults = g_array_new (FALSE, TRUE, sizeof (struct ilk_fault));
  code->programs = as.programs = g_array_new (FALSE, TRUE, sizeof (GilkCodeProgram));
  code->blocks = as.blocks = g_array_new (FALSE, TRUE, sizeof (GilkCodeBlock));
  if (planned->tactic == ILK_TACTIC_CLONE)
    gilk_clone_code (&as, plan, planned, info, bindings, links, added);
  else
    gilk_emit_patch (&as, plan, planned, info, bindings, added);
  if (gilk_emit_has_bare (planned))
    {
      code->bare = as.code->len;
      gilk_emit_bare (&as, plan, planned);
    }

  for (guint i = 0; i < planned->n_hooks && i < GILK_CODE_HOOKS; i++)
    code->added[i] = added[i];

  if (!as.too_far && as.code->len <= planned->code_bound &&
      as.orc->len <= planned->code_bound / ILK_GRANULE * ILK_ORC_PER_GRANULE &&
      as.faults->len <= planned->code_bound / ILK_GRANULE * ILK_FAULTS_PER_GRANULE)
    return TRUE;

  g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
               as.too_far
               ? _("The code of the hook at %#" PRIx64 " would be out of range at %#" PRIx64 ". This is a bug in Gilk; "
                   "please report it.")
               : _("The code of the hook at %#" PRIx64 " does not fit into the slot at %#" PRIx64 ". This is a bug in "
                   "Gilk; please report it."),
               planned->site, slot);
  gilk_code_clear (code);

  return FALSE;
}

/* ---- writes calibration stubs: the code of a single hook, to be called and timed ---- */

/* Writes a return, through the kernel's return thunk if mitigations require it. */
static void
emit_return (GilkAsm *as)
{
  static const uint8_t ret[] = { 0xc3 };
  const uint64_t thunk = gilk_image_return_thunk (as->image);

  if (thunk != 0)
    gilk_asm_jmp (as, thunk);
  else
    gilk_asm_raw (as, ret, sizeof ret);
}

#define JUMP_BYTES 5

static const uint8_t int3[] = { 0xcc };
static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };

static void
begin_stub (GilkAsm *as, const GilkSplicePlan *plan)
{
  as->image = plan->cfg->image;
  as->unwind_as = plan->cfg->function->hot.start;
  gilk_asm_raw (as, endbr, sizeof endbr);
}

/* Writes @n jumps, each to the instruction after it. Together they cost as much as the jumps to and
 * from a patch. */
static void
emit_jumps (GilkAsm *as, guint n)
{
  while (n-- > 0)
    gilk_asm_jmp (as, gilk_asm_here (as) + JUMP_BYTES);
}

static guint
find_place (const GilkSplicePlan *plan, const GilkPatchPlan *patch, guint want)
{
  if (patch->tactic == ILK_TACTIC_CLONE)
    return gilk_point_boundary (plan->cfg, plan->wants[want].block, plan->wants[want].where);

  return gilk_emit_hook_index (plan, patch->first_insn, patch->n_insns, &plan->wants[want]);
}

void
gilk_emit_calibration (GilkAsm               *as,
                       const GilkSplicePlan  *plan,
                       guint                  want,
                       const struct ilk_info *info,
                       const GilkBinding     *binding,
                       guint                 *trap)
{
  const GilkPatchPlan *patch = &plan->patches[plan->choices[want].patch];
  g_autofree GilkBinding *bindings = g_new0 (GilkBinding, plan->n_wants);
  g_autofree GilkWant *wants = g_memdup2 (plan->wants, plan->n_wants * sizeof *wants);
  GilkSplicePlan alone = *plan;
  GilkHookWriter writer;
  uint64_t entry;

  wants[want].gated = FALSE;
  alone.wants = wants;
  bindings[want] = *binding;
  begin_stub (as, plan);
  entry = as->unwind_as;
  *trap = 0;
  if (patch->tactic == ILK_TACTIC_TRAP)
    {
      gilk_asm_raw (as, int3, sizeof int3);
      *trap = as->code->len;
    }
  else if (patch->tactic != ILK_TACTIC_CLONE)
    emit_jumps (as, patch->tactic == ILK_TACTIC_BOUNCE ? GILK_BOUNCE_COST : GILK_SPLICE_COST);
  gilk_hook_writer_init (&writer, as, &alone, info, bindings);
  gilk_hook_writer_hook (&writer, want, find_place (plan, patch, want));
  as->unwind_as = entry;
  if (patch->tactic != ILK_TACTIC_CLONE)
    emit_jumps (as, 1);
  emit_return (as);
  gilk_hook_writer_finish (&writer);
}

void
gilk_emit_calibration_base (GilkAsm              *as,
                            const GilkSplicePlan *plan)
{
  begin_stub (as, plan);
  emit_return (as);
}
