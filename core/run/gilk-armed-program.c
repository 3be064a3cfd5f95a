/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-armed-program.c - prepares programs of hooks: allocates their memory, verifies their code
 *
 * A hook that stays when other hooks change keeps its memory. A memory area that hooks share is
 * allocated for the first of these hooks. Before any code is prepared, gilk_verify() verifies the
 * emitted code; emitter and verifier share no code.
 */
#include "core/run/gilk-armed.h"

#include <string.h>

#include "core/emit/gilk-emit.h"
#include "core/emit/gilk-hook-code.h"
#include "core/emit/gilk-ops-code.h"
#include "core/verify/gilk-verify.h"

static const GilkBoundHook *
hook_at (const GilkArmed *armed, guint i)
{
  return gilk_bound_hook (armed->bound, i);
}

static const GilkOps *
ops_of (const GilkArmed *armed, guint i)
{
  return hook_at (armed, i)->program != NULL ? gilk_program_ops (hook_at (armed, i)->program) : NULL;
}

void
gilk_armed_program_clear (GilkArmedProgram *program)
{
  g_free (program->areas);
  g_free (program->addresses);
  g_free (program->gates);
  g_free (program->slots);
  *program = (GilkArmedProgram) { 0 };
}

void
gilk_armed_program_copy (GilkArmedProgram *to, const GilkArmedProgram *from)
{
  *to = *from;
  to->areas = g_memdup2 (from->areas, from->n_areas * sizeof *from->areas);
  to->addresses = NULL;
  to->gates = NULL;
  to->slots = NULL;
}

/* ---- memory ---- */

static gboolean
is_live (const GilkArmed *armed, guint i)
{
  return armed->live != NULL && hook_at (armed, i)->live_index != G_MAXUINT;
}

/* Returns the name of the map in memory area @area of hook @i if hooks share that area, else
 * NULL. */
static const char *
get_shared_name (const GilkArmed *armed, guint i, guint area)
{
  guint n_maps;
  const GilkProgramMap *maps = gilk_program_maps (hook_at (armed, i)->program, &n_maps);

  for (guint k = 0; k < n_maps; k++)
    if (maps[k].is_common && maps[k].area == area)
      return maps[k].name;

  return NULL;
}

/* Adds the memory areas that hook @i shares with other hooks to @common (name of the map ->
 * GilkArmedArea), unless an earlier hook added an area of that name. */
static void
add_shared_areas (const GilkArmed *armed, guint i, GHashTable *common)
{
  const GilkArmedProgram *program = &armed->programs[i];

  for (guint a = 0; a < program->n_areas; a++)
    {
      const char *name = get_shared_name (armed, i, a);

      if (name != NULL && !g_hash_table_contains (common, name))
        g_hash_table_insert (common, (gpointer) name, &program->areas[a]);
    }
}

/* Appends requests for the hook's memory areas to @asked, except for shared areas that are in
 * @common, because these exist already. */
static void
request_areas (const GilkArmed *armed, guint i, GHashTable *common, GArray *asked)
{
  const GilkOps *ops = ops_of (armed, i);
  GilkArmedProgram *program = &armed->programs[i];

  program->n_areas = ops->areas->len;
  program->areas = g_new0 (GilkArmedArea, ops->areas->len);
  for (guint a = 0; a < ops->areas->len; a++)
    {
      const GilkOpsArea *wanted = &g_array_index (ops->areas, GilkOpsArea, a);
      const char *name = get_shared_name (armed, i, a);

      program->areas[a].given.bytes = 8 * wanted->elements;
      program->areas[a].given.flags = wanted->per_cpu ? ILK_AREA_PER_CPU : 0;
      program->areas[a].is_stacks = wanted->is_stacks;
      program->areas[a].is_repeated = name != NULL && g_hash_table_contains (common, name);
      if (!program->areas[a].is_repeated)
        g_array_append_val (asked, program->areas[a].given);
    }
  add_shared_areas (armed, i, common);
}

/* Sets the hook's memory areas: shared ones from @common, the others from @given, the driver's
 * reply, which has the areas in the order of the requests. @n: (inout): index into @given */
static void
set_given_areas (const GilkArmed *armed, guint i, GHashTable *common, const GArray *given, guint *n)
{
  GilkArmedProgram *program = &armed->programs[i];

  for (guint a = 0; a < program->n_areas; a++)
    if (!program->areas[a].is_repeated)
      program->areas[a].given = g_array_index (given, struct ilk_area, (*n)++);
    else
      program->areas[a].given = ((GilkArmedArea *) g_hash_table_lookup (common, get_shared_name (armed, i, a)))->given;
}

static void
set_addresses (GilkArmed *armed, guint i)
{
  GilkArmedProgram *program = &armed->programs[i];
  guint n_gates;
  const int *gates = gilk_program_gates (hook_at (armed, i)->program, &n_gates);

  program->addresses = g_new0 (uint64_t, program->n_areas + 1);
  for (guint a = 0; a < program->n_areas; a++)
    program->addresses[a] = gilk_target_way (armed->target) == GILK_WAY_BPF ? program->areas[a].given.id
                                                                            : program->areas[a].given.at;
  program->gates = g_new0 (uint32_t, n_gates + 1);
  program->slots = g_new0 (guint, n_gates + 1);
  for (guint g = 0; g < n_gates; g++)
    {
      program->gates[g] = armed->iids[gates[g]];
      program->slots[g] = hook_at (armed, (guint) gates[g])->watch.slot;
    }
}

/* Pins the modules whose functions the program calls, so that these modules cannot be unloaded.
 * Must be called before code with such calls is prepared. */
static gboolean
pin_calls (const GilkArmed *armed, guint i, GCancellable *cancellable, GError **error)
{
  guint n_calls;
  const GilkProgramCall *calls = gilk_program_calls (hook_at (armed, i)->program, &n_calls);

  for (guint c = 0; c < n_calls; c++)
    if (strcmp (calls[c].module, "kernel") != 0 &&
        !gilk_target_pin (armed->target, calls[c].address, calls[c].module, cancellable, error))
      return FALSE;

  return TRUE;
}

gboolean
gilk_armed_reserve_memory (GilkArmed    *armed,
                           GCancellable *cancellable,
                           GError      **error)
{
  g_autoptr(GArray) areas = g_array_new (FALSE, TRUE, sizeof (struct ilk_area));
  g_autoptr(GHashTable) common = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = 0;

  g_assert (armed->reserved);
  for (guint i = 0; i < armed->n_hooks; i++)
    if (ops_of (armed, i) != NULL && is_live (armed, i))
      {
        gilk_armed_program_copy (&armed->programs[i], &armed->live->programs[hook_at (armed, i)->live_index]);
        add_shared_areas (armed, i, common);
      }
  for (guint i = 0; i < armed->n_hooks; i++)
    if (ops_of (armed, i) != NULL && !is_live (armed, i))
      request_areas (armed, i, common, areas);
  if (areas->len > 0 && !gilk_target_memory (armed->target, (struct ilk_area *) areas->data, areas->len, cancellable,
                                             error))
    return FALSE;
  for (guint i = 0; i < armed->n_hooks; i++)
    if (ops_of (armed, i) != NULL)
      {
        if (!is_live (armed, i))
          set_given_areas (armed, i, common, areas, &n);
        set_addresses (armed, i);
        if (!pin_calls (armed, i, cancellable, error))
          return FALSE;
      }

  return TRUE;
}

/* ---- verifier ---- */

enum { OWN = 3 + GILK_OPS_AREAS, READABLE = 3, CALLS = 16 };

/* Maximum number of machine instructions that one operation of a program executes. An operation on
 * a map probes several slots in turn. */
enum { STEPS = 40, STEPS_OF_SLOT = 40 * GILK_OPS_PROBES };

static guint
compute_max_steps (const GilkOps *ops)
{
  guint longest = STEPS;

  for (guint i = 0; i < ops->ops->len; i++)
    longest += gilk_op_is_map (&g_array_index (ops->ops, GilkOp, i)) ? STEPS_OF_SLOT : STEPS;

  return longest;
}

static guint
list_own_areas (const GilkOps *ops, const GilkBinding *binding, GilkVerifyRange own[OWN])
{
  const uint64_t cells[] = { binding->counter, binding->lost, binding->missed };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    own[n++] = (GilkVerifyRange) { cells[i], cells[i] + sizeof (uint64_t), TRUE };
  for (guint i = 0; i < ops->areas->len; i++)
    {
      const GilkOpsArea *area = &g_array_index (ops->areas, GilkOpsArea, i);

      own[n++] = (GilkVerifyRange) {
        binding->areas[i], binding->areas[i] + sizeof (uint64_t) * area->elements, area->per_cpu,
      };
    }

  return n;
}

/* Lists what the program may read besides its own memory areas: the kernel's per-CPU task pointer
 * and CPU number, and the driver's byte (gate) that switches the hooks of an A/B run on and off. */
static guint
list_readable (const struct ilk_info *info, const GilkBinding *binding, GilkVerifyRange readable[READABLE])
{
  uint64_t task = (uint64_t) (int64_t) info->gs_current_task, cpu = (uint64_t) (int64_t) info->gs_cpu_number;
  guint n = 0;

  if (task != 0)
    readable[n++] = (GilkVerifyRange) { task, task + sizeof (uint64_t), TRUE };
  if (cpu != 0)
    readable[n++] = (GilkVerifyRange) { cpu, cpu + sizeof (uint32_t), TRUE };
  if (binding->gate != 0)
    readable[n++] = (GilkVerifyRange) { info->gates + binding->gate, info->gates + binding->gate + 1, FALSE };

  return n;
}

/* ---- lists the exits and calls by which a program may leave its hook ---- */

/* Returns whether a program may continue at @addr: only at @original, an address in the original
 * code, or in the patch's own code. */
static gboolean
may_lead_to (const GilkCode *code, uint64_t slot, uint64_t addr, uint64_t original)
{
  return addr == original || addr - slot < code->code->len;
}

/* Lists the addresses at which the program leaves its hook, as reported by the emitter, except for
 * those that the plan does not permit. */
static guint
list_exits (const GilkSplicePlan *plan, const GilkCode *code, uint64_t slot, const GilkCodeProgram *part,
            GilkVerifyExit exits[GILK_EXITS])
{
  const GilkCfg *cfg = plan->cfg;
  const GilkInsn *insn = &cfg->insns[MIN (part->index, cfg->n_insns - 1)];
  const gboolean is_call = insn->branch == GILK_BRANCH_CALL || insn->branch == GILK_BRANCH_CALL_INDIRECT;
  const uint64_t *to = part->exits;
  guint n = 0;

  if (to[GILK_EXIT_RETURN] != 0 && gilk_image_is_return_thunk (cfg->image, to[GILK_EXIT_RETURN]))
    exits[n++] = (GilkVerifyExit) { to[GILK_EXIT_RETURN], GILK_VERIFY_RETURNS };
  if (to[GILK_EXIT_NEXT] != 0 && may_lead_to (code, slot, to[GILK_EXIT_NEXT], insn->addr + insn->len))
    exits[n++] = (GilkVerifyExit) { to[GILK_EXIT_NEXT], is_call ? GILK_VERIFY_RETURNS : GILK_VERIFY_CONTINUES };
  if (to[GILK_EXIT_TARGET] != 0 && may_lead_to (code, slot, to[GILK_EXIT_TARGET], insn->target))
    exits[n++] = (GilkVerifyExit) { to[GILK_EXIT_TARGET], GILK_VERIFY_CONTINUES };

  return n;
}

static gboolean
has_address (const uint64_t *calls, guint n, uint64_t address)
{
  for (guint i = 0; i < n; i++)
    if (calls[i] == address)
      return TRUE;

  return FALSE;
}

static void
list_changes (const GilkOps *ops, uint64_t calls[CALLS], GilkVerifyInput *what)
{
  what->sets = (uint16_t) gilk_ops_sets (ops);
  for (guint i = 0; i < ops->ops->len; i++)
    {
      const GilkOp *op = &g_array_index (ops->ops, GilkOp, i);

      if (op->kind == GILK_OP_STORE)
        {
          what->stores++;
          what->store_sizes |= op->size;
        }
      if (op->kind != GILK_OP_EXIT)
        continue;
      what->may_return |= op->imm == GILK_EXIT_RETURN;
      if (op->imm2 != 0 && what->n_calls < CALLS && !has_address (calls, what->n_calls, (uint64_t) op->imm2))
        calls[what->n_calls++] = (uint64_t) op->imm2;
    }
}

/* Returns the exception table entries of a hook, relative to the start of its code. */
static GArray *
copy_faults (const GilkCode *code, const GilkCodeProgram *part)
{
  GArray *faults = g_array_new (FALSE, FALSE, sizeof (struct ilk_fault));

  for (guint i = 0; i < code->faults->len; i++)
    {
      struct ilk_fault fault = g_array_index (code->faults, struct ilk_fault, i);

      if (fault.offset < part->offset || fault.offset >= part->offset + part->length)
        continue;
      fault.offset -= part->offset;
      g_array_append_val (faults, fault);
    }

  return faults;
}

gboolean
gilk_programs_verify (const GilkSplicePlan  *plan,
                      const GilkCode        *code,
                      uint64_t               slot,
                      const struct ilk_info *info,
                      const GilkBinding     *bindings,
                      GError               **error)
{
  for (guint i = 0; i < code->programs->len; i++)
    {
      const GilkCodeProgram *part = &g_array_index (code->programs, GilkCodeProgram, i);
      const GilkWant *want = &plan->wants[part->want];
      const GilkBinding *binding = &bindings[part->want];
      const GilkLive live = gilk_hook_live_at (plan, want->block, part->index);
      g_autoptr(GArray) faults = copy_faults (code, part);
      GilkVerifyRange own[OWN], readable[READABLE];
      GilkVerifyExit exits[GILK_EXITS];
      uint64_t calls[CALLS];
      GilkVerifyInput what = {
        .address = slot + part->offset, .code = code->code->data + part->offset, .length = part->length,
        .faults = (const struct ilk_fault *) faults->data, .n_faults = faults->len,
        .may_change = (uint16_t) ~(live.regs | GILK_REG_BIT (GILK_RSP)),
        .flags_dead = (uint16_t) (GILK_FLAGS_ARITH & ~live.flags), .info = info,
        .own = own, .n_own = list_own_areas (want->ops, binding, own),
        .readable = readable, .n_readable = list_readable (info, binding, readable),
        .gates = binding->gates, .n_gates = want->ops->n_gates, .iid = binding->iid, .payload = want->ops->payload,
        .kernel_end = GILK_OPS_KERNEL_END, .longest = compute_max_steps (want->ops),
        .backward = gilk_hook_backward (plan->cfg),
        .exits = exits, .n_exits = list_exits (plan, code, slot, part, exits), .calls = calls,
      };

      list_changes (want->ops, calls, &what);

      if (!gilk_verify (&what, error))
        return FALSE;
    }

  return TRUE;
}
