/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-program-exec.c - runs programs in patches and clones, checks their counts and samples, and
 * checks that the verifier accepts them
 *
 * Functions of this test, as compiled, are hooked with code placed next to them. The test enters a
 * patch as the jump at the start of the function would, and enters a clone at the clone's start.
 * The maps of the programs are compared with the same computation in C.
 */
#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-ops-code.h"
#include "core/program/gilk-program.h"
#include "core/run/gilk-armed.h"
#include "clone-verify.h"
#include "splice-run.h"

#define HOOKABLE __attribute__ ((noinline, noclone, no_sanitize_address, section ("hookable"), \
                                 optimize ("no-jump-tables", "no-reorder-blocks-and-partition")))
#define CALLS 500

typedef uint64_t (*Function) (uint64_t a, uint64_t b);

extern const uint8_t __start_hookable[], __stop_hookable[];

HOOKABLE static uint64_t
mix (uint64_t a, uint64_t b)
{
  uint64_t n = (a ^ (b << 7)) * 0x9e3779b97f4a7c15, steps = 0;

  if (a > b)
    return n - b;
  while (n > 100 && steps < 20)
    {
      n = n & 1 ? n / 3 : n / 2;
      steps++;
    }

  return n + steps;
}

HOOKABLE static uint64_t
even (uint64_t a, uint64_t b)
{
  return (a + b) & ~UINT64_C (1);
}

/* ---- data that the driver provides ---- */

enum { RING = 1 << 16, IID = 5, OTHER = 9, ELEMENTS = 1024 };

/* Data at low addresses. The base of %gs is 0 here, so an offset from %gs is an address. */
typedef struct {
  uint32_t preempt, pad;
  uint64_t head, limit, base, mask, ring_lost, guard, current_task, cpu;
  uint64_t counter, lost, missed;
  uint64_t near[ELEMENTS];
} Words;

static GilkImage     *image;
static GilkFunctions *functions;
static Words         *words;
static uint8_t       *slots, *gates, *ring;
static uint64_t      *far[GILK_OPS_AREAS];

static void
open_image (void)
{
  g_autofree char *kallsyms = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkSymbols) symbols = NULL;

  kallsyms = g_strdup_printf ("%016lx T _stext\n%016lx t mix\n%016lx t even\n%016lx T _etext\n",
                              (gulong) __start_hookable, (gulong) mix, (gulong) even, (gulong) __stop_hookable);
  symbols = gilk_symbols_new_parse (kallsyms, strlen (kallsyms), &error);
  g_assert_no_error (error);
  image = gilk_image_new_static (symbols, (uint64_t) (uintptr_t) __start_hookable, __start_hookable,
                                 __stop_hookable - __start_hookable, NULL, 0);
  functions = gilk_functions_new (image);
}

static void
map_rooms (void)
{
  const uintptr_t near = (uintptr_t) __start_hookable & ~(uintptr_t) 4095;

  for (uintptr_t at = near + (64 << 20); slots == NULL && at < near + (1 << 30); at += 16 << 20)
    {
      void *got = mmap ((void *) at, 1 << 20, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

      slots = got != MAP_FAILED ? got : NULL;
    }
  g_assert_nonnull (slots);
  gates = slots + (1 << 19);
  words = mmap (NULL, sizeof *words, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  g_assert_true (words != MAP_FAILED);
  ring = g_malloc0 (RING);
  for (guint i = 0; i < GILK_OPS_AREAS; i++)
    far[i] = g_new0 (uint64_t, ELEMENTS);
}

static int32_t
offset_of (const void *word)
{
  return (int32_t) (uintptr_t) word;
}

static struct ilk_info
make_driver_info (void)
{
  return (struct ilk_info) {
    .ring_bytes = RING, .gates = (uint64_t) (uintptr_t) gates, .context_mask = 0x00ffff00,
    .gs_preempt_count = offset_of (&words->preempt), .gs_ring_head = offset_of (&words->head),
    .gs_ring_limit = offset_of (&words->limit), .gs_ring_base = offset_of (&words->base),
    .gs_ring_mask = offset_of (&words->mask), .gs_ring_lost = offset_of (&words->ring_lost),
    .gs_guard = offset_of (&words->guard), .gs_current_task = offset_of (&words->current_task),
    .gs_cpu_number = offset_of (&words->cpu),
  };
}

/* ---- execution of a hook ---- */

typedef struct {
  GilkProgram      *program;
  GilkCfg          *cfg;
  GilkSplicePlan   *plan;
  GilkCode          code;
  struct ilk_info   info;
  GilkBinding       binding;
  uint64_t          areas[GILK_OPS_AREAS];
  uint32_t          gates[1];
} Hook;

static int
other_hook (const char *label, gpointer data)
{
  return strcmp (label, "other") == 0 ? 0 : -1;
}

static void
reset_hook (Hook *hook)
{
  memset (words, 0, sizeof *words);
  memset (gates, 0, 256);
  memset (ring, 0, RING);
  words->limit = RING - 4096;
  words->base = (uint64_t) (uintptr_t) ring;
  words->mask = RING - 1;
  words->guard = ~UINT64_C (0);
  words->preempt = 0x100;
  words->cpu = 3;
  for (guint i = 0; i < GILK_OPS_AREAS; i++)
    {
      memset (far[i], 0, ELEMENTS * sizeof *far[i]);
      hook->areas[i] = (uint64_t) (uintptr_t) far[i];
    }
}

/* Binds a hook to its areas. The first area is at a near address if it is a per-CPU area. */
static void
bind_hook (Hook *hook)
{
  const GilkOps *ops = gilk_program_ops (hook->program);

  reset_hook (hook);
  if (ops->areas->len > 0 && g_array_index (ops->areas, GilkOpsArea, 0).per_cpu)
    hook->areas[0] = (uint64_t) (uintptr_t) words->near;
  hook->gates[0] = OTHER;
  hook->binding = (GilkBinding) {
    .iid = IID, .counter = (uint64_t) (uintptr_t) &words->counter, .lost = (uint64_t) (uintptr_t) &words->lost,
    .missed = (uint64_t) (uintptr_t) &words->missed, .areas = hook->areas, .gates = hook->gates,
  };
}

static void
hook_init (Hook *hook, Function function, const char *text, guint tactic, gboolean gated)
{
  const GilkProgramPlace place = {
    .at_entry = TRUE, .current_task = offset_of (&words->current_task), .cpu_number = offset_of (&words->cpu),
    .hook = other_hook,
  };
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GError) error = NULL;
  GilkWant want = { .kind = GILK_INLINE_PROGRAM, .force = tactic, .gated = gated, .inner = tactic == ILK_TACTIC_CLONE };

  *hook = (Hook) { .info = make_driver_info () };
  hook->program = gilk_program_new (text, &place, NULL, &error);
  g_assert_no_error (error);
  hook->cfg = gilk_cfg_new (functions, gilk_functions_at (functions, (uint64_t) (uintptr_t) function), decoder, &error);
  g_assert_no_error (error);
  want.block = hook->cfg->entry;
  want.ops = gilk_program_ops (hook->program);
  bind_hook (hook);

  hook->plan = gilk_splice_plan_new (hook->cfg, decoder, &want, 1);
  g_assert_cmpstr (gilk_refusal_name (hook->plan->choices[0].refusal), ==, "none");
  g_assert_cmpuint (hook->plan->choices[0].tactic, ==, tactic);
  gilk_emit_code (hook->plan, 0, (uint64_t) (uintptr_t) slots, &hook->info, &hook->binding, &hook->code, &error);
  g_assert_no_error (error);
  if (tactic == ILK_TACTIC_CLONE)
    {
      g_autofree char *wrong = clone_verify (hook->cfg, decoder, &hook->code, (uint64_t) (uintptr_t) slots);

      g_assert_cmpstr (wrong, ==, NULL);
    }
  memcpy (slots, hook->code.code->data, hook->code.code->len);
}

static void
hook_clear (Hook *hook)
{
  gilk_code_clear (&hook->code);
  gilk_splice_plan_free (hook->plan);
  gilk_cfg_unref (hook->cfg);
  gilk_program_unref (hook->program);
}

static gboolean
verify_hook (const Hook *hook, GError **error)
{
  return gilk_programs_verify (hook->plan, &hook->code, (uint64_t) (uintptr_t) slots, &hook->info, &hook->binding, error);
}

static uint64_t
sum_of (const Hook *hook, const char *name, GilkMapKind kind, uint64_t key)
{
  guint n;
  const GilkProgramMap *kept = gilk_program_maps (hook->program, &n);

  for (guint i = 0; i < n; i++)
    {
      const uint64_t *area = (const uint64_t *) (uintptr_t) hook->areas[kept[i].area] + kept[i].element;
      guint slots_of = kept[i].slots;

      if (kept[i].kind != kind || strcmp (kept[i].name, name) != 0)
        continue;
      if (kind == GILK_MAP_HISTOGRAM)
        return area[gilk_ops_bucket (key, kept[i].bits)];
      if (kind != GILK_MAP_HASH)
        return area[0] + (uint64_t) kept[i].initial;
      for (guint slot = 0; slot < slots_of; slot++)
        if (area[slot] == GILK_OPS_SLOT_TAKEN && area[slots_of + slot] == key)
          return area[2 * slots_of + slot];
      return 0;
    }
  g_error ("nothing kept of the name %s", name);
}

/* ---- tests ---- */

static const char everything[] =
  "global last = 7; counter large; histogram h(2); map m[16];\n"
  "if (arg0 > 40) { large++; h(arg1); last = arg0; m[arg0 & 7] += arg1; count(); sample(arg0, (u32) arg1, cpu); }\n"
  "if (arg1 == 13) start(other); else if (arg1 == 14) stop(other);";

/* Values that program "everything" should have counted. */
typedef struct {
  uint64_t large, in_bucket, last, by_key, samples;
  uint8_t  gate;                       /* state of hook "other", which the program starts and stops:
                                          1: started; 0: stopped */
} Told;

/* Does in C what program "everything" does in a hit with arguments @a and @b. Of histogram h,
 * counts only the bucket of 50; of map m, adds up only key 3. */
static void
compute_expected (Told *told, uint64_t a, uint64_t b)
{
  if (a > 40)
    {
      told->large++;
      told->in_bucket += gilk_ops_bucket (b, 2) == gilk_ops_bucket (50, 2);
      told->last = a;
      told->by_key += (a & 7) == 3 ? b : 0;
      told->samples++;
    }
  told->gate = b == 13 ? 1 : b == 14 ? 0 : told->gate;
}

/* Checks a record of arg0 (8 bytes), arg1 (4 bytes) and the CPU (4 bytes). */
static void
check_sample (guint number, uint64_t a, uint64_t b)
{
  const uint8_t *at = ring + number * ILK_CELL * ILK_RECORD_CELLS (16);
  const struct ilk_record *record = (const struct ilk_record *) at;

  g_assert_cmphex (record->commit, ==, (uint64_t) (at - ring));
  g_assert_cmpuint (record->iid, ==, IID);
  g_assert_cmpuint (record->len, ==, 16);
  g_assert_cmpuint (*(const uint64_t *) record->data, ==, a);
  g_assert_cmpuint (*(const uint32_t *) (at + ILK_CELL), ==, b);
  g_assert_cmpuint (*(const uint32_t *) (at + ILK_CELL + 4), ==, 3);
}

static void
call_all (const Hook *hook, Function function, gboolean works)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (10);
  Told told = { .last = 7 };

  for (guint i = 0; i < CALLS; i++)
    {
      uint64_t a = (uint64_t) g_rand_int_range (rand, 0, 100), b = (uint64_t) g_rand_int_range (rand, 0, 60);
      uint64_t samples = told.samples;

      if (works)
        compute_expected (&told, a, b);
      g_assert_cmphex (((Function) slots) (a, b), ==, function (a, b));
      if (told.samples > samples)
        check_sample ((guint) samples, a, b);
    }
  g_assert_cmpuint (sum_of (hook, "large", GILK_MAP_COUNTER, 0), ==, told.large);
  g_assert_cmpuint (sum_of (hook, "h", GILK_MAP_HISTOGRAM, 50), ==, told.in_bucket);
  g_assert_cmpuint (sum_of (hook, "last", GILK_MAP_GLOBAL, 0), ==, told.last);
  g_assert_cmpuint (sum_of (hook, "m", GILK_MAP_HASH, 3), ==, told.by_key);
  g_assert_cmpuint (words->counter, ==, told.samples);
  g_assert_cmpuint (words->head, ==, told.samples * ILK_CELL * ILK_RECORD_CELLS (16));
  g_assert_cmpuint (gates[OTHER], ==, told.gate);
  g_assert_cmpuint (words->preempt, ==, 0x100);
  g_assert_cmphex (words->guard, ==, ~UINT64_C (0));
  g_assert_cmpuint (words->lost + words->missed, ==, 0);
}

static void
test_runs (gconstpointer data)
{
  guint tactic = GPOINTER_TO_UINT (data);
  const Function all[] = { mix, even };
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    for (guint gate = 0; gate < 3; gate++)
      {
        Hook hook;

        hook_init (&hook, all[i], everything, tactic, gate > 0);
        g_assert_cmpuint (hook.code.programs->len, ==, 1);
        verify_hook (&hook, &error);
        g_assert_no_error (error);
        gates[IID] = gate == 1;
        call_all (&hook, all[i], gate < 2);
        hook_clear (&hook);
      }
}

/* Tests that loads from NULL, the user half and non-canonical addresses count as bad and do nothing
 * else. */
static void
test_bad (void)
{
  g_autoptr(GError) error = NULL;
  Hook hook;

  hook_init (&hook, mix, "if (*(u32 *) arg0 == 5) count(); else count(); sample(x = *(u64 *) (arg1 + 8))", ILK_TACTIC_SPLICE,
             FALSE);
  g_assert_cmpuint (hook.code.faults->len, ==, 2);
  verify_hook (&hook, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < CALLS; i++)
    g_assert_cmphex (((Function) slots) (i, 1000), ==, mix (i, 1000));
  g_assert_cmpuint (words->counter, ==, 0);
  g_assert_cmpuint (words->head, ==, CALLS * ILK_CELL * ILK_RECORD_CELLS (16));
  g_assert_cmpuint (*(const uint64_t *) (ring + 24), ==, 0);
  g_assert_cmpuint (*(const uint64_t *) (ring + ILK_CELL), ==, 1);
  hook_clear (&hook);
}

/* Tests hooks in whose code one byte was changed: the verifier refuses most of them, and may accept
 * those that are different but valid programs. */
static void
test_spoilt (void)
{
  guint refused = 0;
  Hook hook;

  hook_init (&hook, mix, everything, ILK_TACTIC_SPLICE, FALSE);
  for (guint i = 0; i < hook.code.code->len; i++)
    {
      const GilkCodeProgram *part = &g_array_index (hook.code.programs, GilkCodeProgram, 0);
      gboolean inside = i >= part->offset && i < part->offset + part->length;
      g_autoptr(GError) error = NULL;

      hook.code.code->data[i] ^= 0x40;
      if (!verify_hook (&hook, &error))
        {
          g_assert_error (error, GILK_ERROR, GILK_ERROR_FAILED);
          g_assert_true (inside);
          refused++;
        }
      hook.code.code->data[i] ^= 0x40;
    }
  g_assert_cmpuint (refused, >, hook.code.code->len / 2);
  hook_clear (&hook);
}

/* Tests that the reported cost of a hit is that of the path on which the program's condition is
 * false, not that of all the code. */
static void
test_cost (void)
{
  Hook hook;

  hook_init (&hook, even, "if (arg0 > 40) { sample(arg0, arg1, cpu); }", ILK_TACTIC_SPLICE, FALSE);
  g_assert_cmpuint (hook.plan->choices[0].cost, <=, 6);
  g_assert_cmpuint (hook.plan->choices[0].cost, >=, 4);
  hook_clear (&hook);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  open_image ();
  map_rooms ();
  g_test_add_data_func ("/program-exec/splice", GUINT_TO_POINTER (ILK_TACTIC_SPLICE), test_runs);
  g_test_add_data_func ("/program-exec/trap", GUINT_TO_POINTER (ILK_TACTIC_TRAP), test_runs);
  g_test_add_data_func ("/program-exec/clone", GUINT_TO_POINTER (ILK_TACTIC_CLONE), test_runs);
  g_test_add_func ("/program-exec/bad", test_bad);
  g_test_add_func ("/program-exec/spoilt", test_spoilt);
  g_test_add_func ("/program-exec/cost", test_cost);

  return g_test_run ();
}
