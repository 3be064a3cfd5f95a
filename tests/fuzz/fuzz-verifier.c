/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-verifier.c - mutates code of hooks: code that the verifier accepts must obey every rule when
 * it runs
 *
 * Programs are random; the emitter's code for them must be accepted. Then bytes of the code are
 * changed, and code that is still accepted runs on a simulated CPU.
 *
 *   fuzz-verifier [--count MUTANTS] [--seconds N] [--seed N] [--runs N]
 */
/* Promise: code that the verifier accepts obeys every rule when it runs */
#include <stdio.h>
#include <string.h>

#include "core/emit/gilk-ops-code.h"
#include "core/verify/gilk-verify-decode.h"
#include "tests/fuzz/fuzz-ops.h"
#include "tests/fuzz/fuzz-verifier-machine.h"

#define SLOT    UINT64_C (0xffffffffc0800000)
#define GATES   UINT64_C (0xffffffffc0900000)
#define FAR     UINT64_C (0x123456789000)
#define SHARED  UINT64_C (0xffffffffc0a00000)

enum {
  PREEMPT = 0x100, HEAD = 0x200, LIMIT = 0x208, BASE = 0x210, GUARD = 0x218, MASK = 0x220, RING_LOST = 0x228,
  COUNTER = 0x300, VARIABLES = 0x400, AREAS = 0x1000, IID = 77, LONGEST = 40000,
  MUTANTS_OF_ONE = 400, CODE_MAX = 1 << 18,
};

static const struct ilk_info info = {
  .gates = GATES, .context_mask = 0x00ffff00,
  .gs_preempt_count = PREEMPT, .gs_ring_head = HEAD, .gs_ring_limit = LIMIT,
  .gs_ring_base = BASE, .gs_ring_mask = MASK, .gs_ring_lost = RING_LOST, .gs_guard = GUARD,
  .services = { SLOT + 0x200000, SLOT + 0x200100, SLOT + 0x200200, SLOT + 0x200300, SLOT + 0x200400 },
};
static const uint32_t gates[FUZZ_GATES] = { 3, 9, 4, 8 };

typedef struct {
  GilkVerifyInput    what;
  GByteArray      *code;
  GArray          *faults;
  GilkVerifyRange   own[FUZZ_AREAS + 1], readable[1];
  GilkVerifyExit    exits[2];
  uint64_t         calls[1];
  guint            live_flags;
} Hook;

typedef struct {
  guint64 hooks, mutants, accepted, changed, runs, wrong;
} Totals;

static guint runs_of_one = 8;

/* ---- making the original code of a hook ---- */

static void
set_memory (Hook *hook, uint64_t base, uint64_t areas[FUZZ_AREAS])
{
  for (guint i = 0; i < FUZZ_AREAS; i++)
    {
      gboolean shared = fuzz_area_is_shared (i);

      areas[i] = AREAS + 0x2000 * i + (shared ? (base != 0 ? FAR : SHARED) : base);
      hook->own[i] = (GilkVerifyRange) { areas[i], areas[i] + 8 * FUZZ_ELEMENTS, !shared };
    }
  hook->own[FUZZ_AREAS] = (GilkVerifyRange) { base + COUNTER, base + COUNTER + 24, TRUE };
  hook->readable[0] = (GilkVerifyRange) { base + VARIABLES, base + VARIABLES + FUZZ_CPU_BYTES, TRUE };
}

#define ON      (SLOT - 0x1000)
#define THUNK   (SLOT - 0x2000)
#define CALLED  (SLOT - 0x3000)

/* Emits a bare return, or a jump to an address where the hook may continue. Used as
 * GilkOpsExits.leave. */
static void
emit_leave (GilkAsm *as, GilkExit where, gpointer data)
{
  if (where == GILK_EXIT_RETURN)
    gilk_asm_raw (as, (const uint8_t[]) { 0xc3 }, 1);
  else
    gilk_asm_jmp (as, where == GILK_EXIT_NEXT ? THUNK : ON);
}

/* Declares to the verifier what the program changes. Exits that call a function clobber registers:
 * they must not lead to a target where all registers are live, so they are changed to lead to the
 * next instruction. */
static void
set_changes (Hook *hook, GilkOps *ops)
{
  for (guint i = 0; i < ops->ops->len; i++)
    {
      GilkOp *op = &g_array_index (ops->ops, GilkOp, i);

      if (op->kind == GILK_OP_STORE)
        {
          hook->what.stores++;
          hook->what.store_sizes |= op->size;
        }
      if (op->kind != GILK_OP_EXIT)
        continue;
      if (op->imm2 != 0)
        {
          op->imm2 = (int64_t) CALLED;
          op->imm = op->imm == GILK_EXIT_TARGET ? GILK_EXIT_NEXT : op->imm;
        }
      hook->what.may_return |= op->imm == GILK_EXIT_RETURN;
    }
  hook->what.sets = (uint16_t) gilk_ops_sets (ops);
  hook->exits[0] = (GilkVerifyExit) { THUNK, GILK_VERIFY_RETURNS };
  hook->exits[1] = (GilkVerifyExit) { ON, GILK_VERIFY_CONTINUES };
  hook->calls[0] = CALLED;
  hook->what.exits = hook->exits;
  hook->what.calls = hook->calls;
  if (gilk_ops_changes (ops))
    {
      hook->what.n_exits = G_N_ELEMENTS (hook->exits);
      hook->what.n_calls = G_N_ELEMENTS (hook->calls);
    }
}

static void
hook_make (Hook *hook, GRand *rand)
{
  static const GilkOpsExits ways = { emit_leave, NULL };
  uint64_t areas[FUZZ_AREAS], base = g_rand_boolean (rand) ? FAR : 0;
  GilkOpsBinding binding = {
    .counter = base + COUNTER, .lost = base + COUNTER + 8, .missed = base + COUNTER + 16,
    .iid = IID, .areas = areas, .gates = gates, .kernel_end = GILK_OPS_KERNEL_END,
  };
  GilkOpsPlace place = {
    .info = &info, .binding = &binding, .exits = &ways,
  };
  GilkOps *ops = fuzz_ops_make (rand, (int64_t) base + VARIABLES);
  GilkAsm as = { .base = SLOT };
  gboolean saves;

  place.live.regs = (g_rand_int (rand) & 0xffff) | GILK_REG_BIT (GILK_RSP);
  place.live.flags = g_rand_boolean (rand) ? g_rand_int (rand) & GILK_FLAGS_ARITH : 0;
  set_memory (hook, base, areas);
  hook->code = as.code = g_byte_array_new ();
  hook->faults = as.faults = g_array_new (FALSE, TRUE, sizeof (struct ilk_fault));
  place.backward = g_rand_boolean (rand);
  saves = place.backward && gilk_ops_calls (ops);
  if (saves)
    gilk_asm_pushf (&as);
  hook->what = (GilkVerifyInput) { .longest = 0 };
  set_changes (hook, ops);
  place.pushed = saves;
  hook->live_flags = place.live.flags;
  if (saves)
    place.live.flags = 0;
  gilk_ops_code (&as, ops, &place);
  place.live.flags = hook->live_flags;
  if (saves)
    gilk_asm_popf (&as);
  hook->what = (GilkVerifyInput) {
    .address = SLOT, .may_change = (uint16_t) ~place.live.regs,
    .flags_dead = (uint16_t) (GILK_FLAGS_ARITH & ~place.live.flags), .info = &info,
    .own = hook->own, .n_own = G_N_ELEMENTS (hook->own),
    .readable = hook->readable, .n_readable = G_N_ELEMENTS (hook->readable),
    .gates = gates, .n_gates = FUZZ_GATES, .iid = IID, .payload = ops->payload,
    .kernel_end = GILK_OPS_KERNEL_END, .longest = LONGEST, .backward = place.backward,
    .exits = hook->exits, .n_exits = hook->what.n_exits, .calls = hook->calls, .n_calls = hook->what.n_calls,
    .may_return = hook->what.may_return, .sets = hook->what.sets, .stores = hook->what.stores,
    .store_sizes = hook->what.store_sizes,
  };
  gilk_ops_free (ops);
}

static void
hook_clear (Hook *hook)
{
  g_byte_array_unref (hook->code);
  g_array_unref (hook->faults);
}

static void
get_hook_point (Hook *hook)
{
  hook->what.code = hook->code->data;
  hook->what.length = hook->code->len;
  hook->what.faults = (const struct ilk_fault *) (void *) hook->faults->data;
  hook->what.n_faults = hook->faults->len;
}

/* ---- mutating the code of a hook ---- */

/* Returns the offset of each instruction, followed by the end of the code. */
static GArray *
find_boundaries (const GByteArray *code)
{
  GArray *at = g_array_new (FALSE, FALSE, sizeof (guint));
  GilkStep step;

  for (guint i = 0; i < code->len; i += step.length)
    {
      g_array_append_val (at, i);
      if (gilk_step_decode (code->data + i, code->len - i, &step) != NULL)
        break;
    }
  g_array_append_val (at, code->len);

  return at;
}

static guint
draw_below (GRand *rand, guint below)
{
  return below == 0 ? 0 : (guint) g_rand_int_range (rand, 0, (gint32) below);
}

static uint32_t
read_u32 (const uint8_t *at)
{
  uint32_t value;

  memcpy (&value, at, sizeof value);

  return value;
}

/* Moves the code that starts at @at by @by bytes: adjusts the branches, addresses and fault entries
 * that refer to it. */
static void
relink_after_move (Hook *hook, const GArray *begins, guint at, int by)
{
  GByteArray *code = hook->code;

  for (guint i = 0; i + 1 < begins->len; i++)
    {
      guint from = g_array_index (begins, guint, i), behind;
      gboolean moves = from >= at, branches;
      uint32_t distance;
      uint8_t *field;
      GilkStep step;

      if (gilk_step_decode (code->data + from, code->len - from, &step) != NULL)
        return;
      branches = (step.kind == GILK_STEP_JMP || step.kind == GILK_STEP_JCC) && step.length >= 5;
      behind = from + step.length;
      if (!branches && !(step.has_mem && step.mem.relative))
        continue;
      field = code->data + behind - (step.has_mem && step.has_imm ? 4 + (step.size == 1 ? 1 : MIN (step.size, 4)) : 4);
      distance = read_u32 (field);
      if (branches)
        distance += (uint32_t) ((behind + distance >= at ? by : 0) - (moves ? by : 0));
      else if (moves)
        distance -= (uint32_t) by;
      memcpy (field, &distance, sizeof distance);
    }

  for (guint i = 0; i < hook->faults->len; i++)
    {
      struct ilk_fault *fault = &g_array_index (hook->faults, struct ilk_fault, i);

      fault->offset += fault->offset >= at ? (uint32_t) by : 0;
      fault->fixup += fault->fixup - SLOT >= at ? (uint64_t) (int64_t) by : 0;
    }
}

static void
insert_bytes (Hook *hook, const GArray *begins, guint at, const uint8_t *bytes, guint n)
{
  GByteArray *code = hook->code;
  uint8_t *copy = g_memdup2 (bytes, n);
  guint length = code->len;

  relink_after_move (hook, begins, at, (int) n);
  g_byte_array_set_size (code, length + n);
  memmove (code->data + at + n, code->data + at, length - at);
  memcpy (code->data + at, copy, n);
  g_free (copy);
}

static void
insert_again (Hook *hook, const GArray *begins, GRand *rand)
{
  guint from = draw_below (rand, begins->len - 1), to = draw_below (rand, begins->len);
  guint begin = g_array_index (begins, guint, from), end = g_array_index (begins, guint, from + 1);

  insert_bytes (hook, begins, g_array_index (begins, guint, to), hook->code->data + begin, end - begin);
}

static void
insert_other (Hook *hook, const GArray *begins, GRand *rand)
{
  static const struct { guint n; uint8_t bytes[12]; } others[] = {
    { 1, { 0x50 } }, { 1, { 0x58 } }, { 1, { 0x9c } }, { 1, { 0x9d } }, { 1, { 0x90 } },
    { 5, { 0x48, 0x8d, 0x64, 0x24, 0x08 } }, { 5, { 0x48, 0x8d, 0x64, 0x24, 0xf8 } },
    { 2, { 0x31, 0xc0 } }, { 3, { 0x48, 0x89, 0xc1 } }, { 3, { 0x48, 0xff, 0xc0 } }, { 3, { 0x0f, 0x94, 0xc0 } },
    { 4, { 0x48, 0x0f, 0x44, 0xc1 } }, { 2, { 0x48, 0x99 } }, { 2, { 0x48, 0x98 } }, { 3, { 0x48, 0xd3, 0xe8 } },
    { 3, { 0x48, 0xf7, 0xd8 } }, { 3, { 0x48, 0xf7, 0xf1 } }, { 3, { 0x48, 0x87, 0xc8 } },
    { 4, { 0x48, 0x8b, 0x04, 0x24 } }, { 4, { 0x48, 0x89, 0x04, 0x24 } }, { 4, { 0x66, 0x89, 0x04, 0x24 } },
    { 2, { 0x0f, 0x31 } }, { 3, { 0x48, 0x8b, 0x00 } }, { 3, { 0x48, 0x89, 0x00 } }, { 2, { 0xfe, 0xc0 } },
    { 3, { 0x66, 0x89, 0xc8 } }, { 4, { 0x48, 0x0f, 0xb6, 0xc0 } }, { 3, { 0x48, 0x63, 0xc1 } },
    { 4, { 0x48, 0x83, 0xe0, 0x07 } }, { 4, { 0x48, 0x83, 0xf8, 0x05 } }, { 2, { 0x39, 0xc8 } },
    { 3, { 0x48, 0x01, 0xc8 } }, { 4, { 0x48, 0xc1, 0xe8, 0x09 } }, { 4, { 0x48, 0xc1, 0xe0, 0x3c } },
    { 4, { 0x48, 0x0f, 0xbd, 0xc1 } }, { 4, { 0x48, 0x0f, 0xaf, 0xc1 } }, { 3, { 0x48, 0xf7, 0xe1 } },
  };
  guint which = draw_below (rand, G_N_ELEMENTS (others)), to = draw_below (rand, begins->len);
  uint8_t bytes[12];

  memcpy (bytes, others[which].bytes, sizeof bytes);
  if (bytes[0] == 0x48 && bytes[1] != 0x8d && draw_below (rand, 2) != 0)
    bytes[0] |= draw_below (rand, 8) & 5;
  if (others[which].n >= 3 && draw_below (rand, 2) != 0)
    bytes[others[which].n - 1] ^= (uint8_t) (1u << draw_below (rand, 8));
  insert_bytes (hook, begins, g_array_index (begins, guint, to), bytes, others[which].n);
}

static void
remove_one (Hook *hook, const GArray *begins, GRand *rand)
{
  guint i = draw_below (rand, begins->len - 1);
  guint begin = g_array_index (begins, guint, i), end = g_array_index (begins, guint, i + 1);

  if (draw_below (rand, 4) == 0)
    g_byte_array_remove_range (hook->code, begin, end - begin);
  else
    memset (hook->code->data + begin, 0x90, end - begin);
}

static void
swap_two_insns (Hook *hook, const GArray *begins, GRand *rand)
{
  guint i = draw_below (rand, begins->len - 2), a, b, c;
  uint8_t bytes[32];

  if (begins->len < 3)
    return;
  a = g_array_index (begins, guint, i);
  b = g_array_index (begins, guint, i + 1);
  c = g_array_index (begins, guint, i + 2);
  /* Ignore instructions that seem longer than any real one: mutated code may contain them. */
  if (c - b > 16 || b - a > 16)
    return;
  memcpy (bytes, hook->code->data + b, c - b);
  memcpy (bytes + (c - b), hook->code->data + a, b - a);
  memcpy (hook->code->data + a, bytes, c - a);
}

static void
change_number (Hook *hook, const GArray *begins, GRand *rand)
{
  static const int32_t steps[] = { 1, -1, 8, -8, 32, -32, 4, 16, 64, 256, 4096, 0x10000, INT32_MIN };
  guint i = draw_below (rand, begins->len - 1), end = g_array_index (begins, guint, i + 1);
  guint length = end - g_array_index (begins, guint, i);
  uint32_t value;

  if (length >= 7 && draw_below (rand, 2) != 0)
    {
      value = read_u32 (hook->code->data + end - 4) + (uint32_t) steps[draw_below (rand, G_N_ELEMENTS (steps))];
      memcpy (hook->code->data + end - 4, &value, sizeof value);
    }
  else
    {
      hook->code->data[end - 1] = (uint8_t) (hook->code->data[end - 1] + steps[draw_below (rand, 7)]);
    }
}

/* Redirects a branch to another instruction. */
static void
redirect_branch (Hook *hook, const GArray *begins, GRand *rand)
{
  guint to = g_array_index (begins, guint, draw_below (rand, begins->len));

  for (guint tries = 0; tries < 50; tries++)
    {
      guint i = draw_below (rand, begins->len - 1), end = g_array_index (begins, guint, i + 1);
      guint begin = g_array_index (begins, guint, i);
      uint32_t distance = to - end;
      GilkStep step;

      if (gilk_step_decode (hook->code->data + begin, end - begin, &step) == NULL &&
          (step.kind == GILK_STEP_JCC || step.kind == GILK_STEP_JMP) && step.length >= 5)
        {
          memcpy (hook->code->data + end - 4, &distance, sizeof distance);
          return;
        }
    }
}

static void
change_fault (Hook *hook, const GArray *begins, GRand *rand)
{
  struct ilk_fault *fault;

  if (hook->faults->len == 0)
    return;
  fault = &g_array_index (hook->faults, struct ilk_fault, draw_below (rand, hook->faults->len));
  switch (draw_below (rand, 4))
    {
    case 0:
      g_array_remove_index (hook->faults, draw_below (rand, hook->faults->len));
      break;
    case 1:
      fault->offset = g_array_index (begins, guint, draw_below (rand, begins->len));
      break;
    default:
      fault->fixup = SLOT + g_array_index (begins, guint, draw_below (rand, begins->len));
    }
}

static void
flip_bit (Hook *hook, GRand *rand)
{
  guint at = draw_below (rand, hook->code->len);

  if (draw_below (rand, 2) != 0)
    hook->code->data[at] ^= (uint8_t) (1u << draw_below (rand, 8));
  else
    hook->code->data[at] = (uint8_t) g_rand_int (rand);
}

static void
corrupt_hook (Hook *hook, GRand *rand)
{
  GArray *begins = find_boundaries (hook->code);

  switch (draw_below (rand, 12))
    {
    case 0: case 1: case 2: flip_bit (hook, rand); break;
    case 3: insert_again (hook, begins, rand); break;
    case 4: case 5: insert_other (hook, begins, rand); break;
    case 6: remove_one (hook, begins, rand); break;
    case 7: swap_two_insns (hook, begins, rand); break;
    case 8: case 9: change_number (hook, begins, rand); break;
    case 10: redirect_branch (hook, begins, rand); break;
    default: change_fault (hook, begins, rand);
    }
  g_array_unref (begins);
}

/* ---- running mutated code, and judging the result ---- */

static void
print_hook (const Hook *hook, const char *broken)
{
  printf ("# %s; may change %04x, flags dead %02x, payload %u\n#", broken, hook->what.may_change,
          hook->what.flags_dead, hook->what.payload);
  for (guint i = 0; i < hook->code->len; i++)
    printf (" %02x", hook->code->data[i]);
  for (guint i = 0; i < hook->faults->len; i++)
    printf (" fault %x to %x", g_array_index (hook->faults, struct ilk_fault, i).offset,
            (guint) (g_array_index (hook->faults, struct ilk_fault, i).fixup - SLOT));
  printf ("\n");
}

static void
judge_hook (const Hook *hook, GRand *rand, guint runs, Totals *totals)
{
  for (guint i = 0; i < runs; i++)
    {
      const char *broken = fuzz_verifier_interpret (&hook->what, rand);

      totals->runs++;
      if (broken == NULL)
        continue;
      totals->wrong++;
      print_hook (hook, broken);
      return;
    }
}

static void
corrupt_and_judge (const Hook *from, GRand *rand, Totals *totals)
{
  Hook hook = *from;
  gboolean changed;

  hook.code = g_byte_array_sized_new (from->code->len + 16);
  g_byte_array_append (hook.code, from->code->data, from->code->len);
  hook.faults = g_array_copy (from->faults);
  for (guint n = 1 + draw_below (rand, 5) / 3; n > 0 && hook.code->len > 0; n--)
    corrupt_hook (&hook, rand);
  get_hook_point (&hook);
  totals->mutants++;
  if (gilk_verify (&hook.what, NULL))
    {
      totals->accepted++;
      changed = hook.code->len != from->code->len || hook.faults->len != from->faults->len ||
                memcmp (hook.code->data, from->code->data, from->code->len) != 0 ||
                (from->faults->len > 0 &&
                 memcmp (hook.faults->data, from->faults->data, from->faults->len * sizeof (struct ilk_fault)) != 0);
      totals->changed += changed;
      if (changed)
        judge_hook (&hook, rand, runs_of_one, totals);
    }
  hook_clear (&hook);
}

static void
run_hook (guint32 seed, Totals *totals)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr(GError) error = NULL;
  Hook hook;

  hook_make (&hook, rand);
  get_hook_point (&hook);
  totals->hooks++;
  if (hook.code->len > 0 && !gilk_verify (&hook.what, &error))
    {
      totals->wrong++;
      printf ("# seed %u: as emitted: ", seed);
      print_hook (&hook, error->message);
    }
  else if (hook.code->len > 0)
    {
      judge_hook (&hook, rand, 4, totals);
      for (guint i = 0; i < MUTANTS_OF_ONE; i++)
        corrupt_and_judge (&hook, rand, totals);
    }
  hook_clear (&hook);
}

int
main (int argc, char **argv)
{
  int count = 0, seconds = 0, seed = 1, runs = 0;
  const GOptionEntry entries[] = {
    { "count", 0, 0, G_OPTION_ARG_INT, &count, "Mutants", "N" },
    { "seconds", 0, 0, G_OPTION_ARG_INT, &seconds, "Time", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "Of the first hook", "N" },
    { "runs", 0, 0, G_OPTION_ARG_INT, &runs, "Of each accepted mutant", "N" },
    { NULL },
  };
  g_autoptr(GOptionContext) options = g_option_context_new (NULL);
  Totals totals = { 0 };
  gint64 end;

  g_option_context_add_main_entries (options, entries, NULL);
  if (!g_option_context_parse (options, &argc, &argv, NULL))
    return 2;
  if (runs > 0)
    runs_of_one = (guint) runs;
  end = g_get_monotonic_time () + (seconds > 0 ? seconds : 2) * G_USEC_PER_SEC;
  printf ("1..1\n");
  for (int i = 0; count > 0 ? totals.mutants < (guint64) count : g_get_monotonic_time () < end; i++)
    run_hook ((guint32) (seed + i), &totals);

  printf ("# %" G_GUINT64_FORMAT " hooks from seed %d, %" G_GUINT64_FORMAT " mutants, %" G_GUINT64_FORMAT
          " accepted, of them %" G_GUINT64_FORMAT " other than before; %" G_GUINT64_FORMAT " runs\n",
          totals.hooks, seed, totals.mutants, totals.accepted, totals.changed, totals.runs);
  printf ("%s 1 - what is accepted keeps the rules\n", totals.wrong == 0 ? "ok" : "not ok");

  return totals.wrong == 0 ? 0 : 1;
}
