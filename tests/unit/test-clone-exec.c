/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-clone-exec.c - tests that clones behave like their functions, and their counts are exact
 *
 * Functions of this test, as compiled, are cloned. The clones are next to the test, and are
 * called with the same random arguments as the originals. The reference for the counts is the
 * processor: the original is single-stepped, and the executions of each address are counted.
 * Each clone is tested in the original order of blocks and in many random ones.
 */
#include "clone-verify.h"
#include "splice-run.h"

#define CLONABLE __attribute__ ((noinline, noclone, no_sanitize_address, section ("clonable"), \
                                 optimize ("no-jump-tables", "no-reorder-blocks-and-partition")))
#define MOST_BLOCKS 256
#define ROUNDS      60
/* Number of random block orders. Each of them gets fewer rounds than the original order. */
#define ORDERS      12

typedef uint64_t (*Function) (uint64_t a, uint64_t b, uint8_t *memory);

extern const uint8_t __start_clonable[], __stop_clonable[];

/* ---- the functions to clone ---- */

static uint64_t keep (uint64_t a, uint64_t b, uint8_t *memory);

CLONABLE static uint64_t
keep (uint64_t a, uint64_t b, uint8_t *memory)
{
  return a ^ (b << 7) ^ memory[a & 63];
}

CLONABLE static uint64_t
collatz (uint64_t a, uint64_t b, uint8_t *memory)
{
  uint64_t n = (a & 0x3ff) + 1, steps = 0;

  while (n != 1)
    {
      n = n & 1 ? 3 * n + 1 : n / 2;
      memory[n & 63]++;
      if (++steps == 500)
        break;
    }

  return steps + b;
}

CLONABLE static uint64_t
select_one (uint64_t a, uint64_t b, uint8_t *memory)
{
  switch (a % 11)
    {
    case 0: return b + 1;
    case 1: memory[1] ^= 3; return b * 3;
    case 3: return (b >> 3) | (b << 61);
    case 4: return memory[b & 63] > 7 ? a : b;
    case 7: return b % 1000 > 500 ? b - a : a - b;
    case 9: memory[b & 31] = (uint8_t) a; return 9;
    default: return a * b;
    }
}

CLONABLE static uint64_t
calls (uint64_t a, uint64_t b, uint8_t *memory)
{
  uint64_t sum = 0;

  for (uint64_t i = 0; i < (b & 15); i++)
    {
      sum += keep (a + i, sum, memory);
      if (sum & 1)
        sum -= collatz (i, sum, memory);
    }

  return sum;
}

CLONABLE static uint64_t
indirect (uint64_t a, uint64_t b, uint8_t *memory)
{
  static const Function to[] = { keep, collatz, select_one };
  uint64_t got = to[a % 3] (b, a, memory);

  return got > 5 ? got : to[b % 3] (a, b, memory) + 1;
}

CLONABLE static uint64_t
ackermann (uint64_t a, uint64_t b, uint8_t *memory)
{
  uint64_t m = a & 3, n = b & 3;

  memory[m]++;
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann (m - 1, 1, memory) & 3;

  return ackermann (m - 1, ackermann (m, n - 1, memory), memory) + 1;
}

CLONABLE static uint64_t
copies (uint64_t a, uint64_t b, uint8_t *memory)
{
  uint8_t own[64];
  uint64_t hash = 5381;

  memcpy (own, memory, sizeof own);
  for (guint i = 0; i < (a & 63); i++)
    {
      own[i] = (uint8_t) (own[63 - i] + b);
      if (own[i] < 20)
        continue;
      hash = hash * 33 + own[i];
      if (hash % 97 == 3)
        break;
    }
  memcpy (memory, own, sizeof own);

  return hash;
}

/* Contains the instructions loop and jrcxz, and flags that are live between two blocks. */
CLONABLE static uint64_t
assembly (uint64_t a, uint64_t b, uint8_t *memory)
{
  uint64_t sum = b, count = a & 7;

  __asm__ volatile (
    "test %[count], %[count]\n"
    "jrcxz 2f\n"
    "1:\n"
    "adc %[a], %[sum]\n"
    "loop 1b\n"
    "2:\n"
    "rcl $1, %[sum]\n"
    : [sum] "+r" (sum), [count] "+c" (count)
    : [a] "r" (a)
    : "cc");

  return sum + memory[0];
}

/* ---- counting executions by single-stepping the original ---- */

static const GilkCfg *stepped;
static uint64_t steps[MOST_BLOCKS][2];       /* indexed by GilkWhere */

static void
on_step (int number, siginfo_t *info, void *context)
{
  const ucontext_t *uc = context;
  const uint64_t at = (uint64_t) uc->uc_mcontext.gregs[REG_RIP];
  const int block = stepped != NULL ? gilk_cfg_block_around (stepped, at) : -1;
  const GilkBlock *b;

  if (block < 0)
    return;
  b = &stepped->blocks[block];
  if (at == stepped->insns[b->first_insn].addr)
    steps[block][GILK_WHERE_PRE]++;
  if (at == stepped->insns[b->first_insn + b->n_insns - 1].addr)
    steps[block][GILK_WHERE_POST]++;
}

static uint64_t __attribute__ ((noinline, optimize ("O0")))
run_stepped (const GilkCfg *cfg, Function function, uint64_t a, uint64_t b, uint8_t *memory)
{
  uint64_t result;

  stepped = cfg;
  __asm__ volatile ("pushf\n orl $0x100, (%%rsp)\n popf\n" ::: "memory", "cc");
  result = function (a, b, memory);
  __asm__ volatile ("pushf\n andl $~0x100, (%%rsp)\n popf\n" ::: "memory", "cc");
  stepped = NULL;

  return result;
}

/* ---- tests of one cloned function ---- */

typedef struct {
  const char *name;
  Function    function;
  guint       least_blocks;
} Case;

static const Case cases[] = {
  { "keep", keep, 1 }, { "collatz", collatz, 4 }, { "select_one", select_one, 6 },
  { "calls", calls, 3 }, { "indirect", indirect, 2 }, { "ackermann", ackermann, 3 },
  { "copies", copies, 4 }, { "assembly", assembly, 3 },
};

static GilkImage     *image;
static GilkFunctions *functions;
static uint8_t       *slots;                 /* space for a clone, in reach of the functions */
static uint64_t      *near_counters, *far_counters;

static void
open_image (void)
{
  g_autoptr(GString) kallsyms = g_string_new (NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkSymbols) symbols = NULL;

  g_string_append_printf (kallsyms, "%016lx T _stext\n", (gulong) __start_clonable);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_string_append_printf (kallsyms, "%016lx t %s\n", (gulong) cases[i].function, cases[i].name);
  g_string_append_printf (kallsyms, "%016lx T _etext\n", (gulong) __stop_clonable);
  symbols = gilk_symbols_new_parse (kallsyms->str, kallsyms->len, &error);
  g_assert_no_error (error);
  image = gilk_image_new_static (symbols, (uint64_t) (uintptr_t) __start_clonable,
                                 __start_clonable, __stop_clonable - __start_clonable, NULL, 0);
  functions = gilk_functions_new (image);
}

static void
map_rooms (void)
{
  const uintptr_t near = (uintptr_t) __start_clonable & ~(uintptr_t) 4095;

  for (uintptr_t at = near + (64 << 20); slots == NULL && at < near + (1 << 30); at += 16 << 20)
    {
      void *got = mmap ((void *) at, 1 << 20, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

      slots = got != MAP_FAILED ? got : NULL;
    }
  g_assert_nonnull (slots);
  /* The base of %gs is 0 in this process, so an offset from %gs is an address. */
  near_counters = mmap (NULL, 65536, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  g_assert_true (near_counters != MAP_FAILED);
  far_counters = g_new0 (uint64_t, 4096);
}

/* Returns the counter of hook @i; every third counter is not in reach of a 32-bit offset. */
static uint64_t *
counter_of (guint i)
{
  return i % 3 == 0 ? &far_counters[i] : &near_counters[i];
}

/* Plans a pre-hook and a post-hook for every block. */
static GilkSplicePlan *
plan_all_points (GilkCfg *cfg, GilkDecoder *decoder)
{
  g_autofree GilkWant *wants = g_new0 (GilkWant, 2 * cfg->n_blocks);

  for (guint i = 0; i < 2 * cfg->n_blocks; i++)
    wants[i] = (GilkWant) {
      .block = i / 2, .where = i % 2 ? GILK_WHERE_POST : GILK_WHERE_PRE,
      .force = ILK_TACTIC_CLONE, .inner = TRUE,
    };

  return gilk_splice_plan_new (cfg, decoder, wants, 2 * cfg->n_blocks);
}

static void
write_clone (const GilkSplicePlan *plan, GilkDecoder *decoder)
{
  const struct ilk_info info = { .ring_bytes = 1 << 20, .gates = (uint64_t) (uintptr_t) slots };
  const uint64_t slot = (uint64_t) (uintptr_t) slots;
  g_autoptr(GHashTable) links = g_hash_table_new (NULL, NULL);
  g_autofree GilkBinding *bindings = g_new0 (GilkBinding, plan->n_wants);
  g_autofree char *wrong = NULL;
  g_autoptr(GError) error = NULL;
  g_auto(GilkCode) code = { NULL };

  for (guint i = 0; i < plan->n_wants; i++)
    bindings[i] = (GilkBinding) { .iid = i + 1, .counter = (uint64_t) (uintptr_t) counter_of (i) };
  /* A recursive call must stay in the clone to be counted. */
  g_hash_table_insert (links, GSIZE_TO_POINTER (plan->cfg->function->hot.start), slots);
  gilk_emit_code_linked (plan, 0, slot, &info, bindings, links, &code, &error);
  g_assert_no_error (error);
  wrong = clone_verify (plan->cfg, decoder, &code, slot);
  g_assert_cmpstr (wrong, ==, NULL);
  memcpy (slots, code.code->data, code.code->len);
}

/* Tests a clone. @seed: seed for a random order of blocks, or 0 for the original order */
static void
run_order (const Case *c, guint seed)
{
  g_autofree char *order = g_strdup_printf ("%u", seed);
  g_autoptr(GRand) rand = g_rand_new_with_seed (2026 + seed);
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkCfg) cfg =
    gilk_cfg_new (functions, gilk_functions_at (functions, (uint64_t) (uintptr_t) c->function),
                  decoder, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (cfg->refusal, ==, 0);
  g_assert_cmpuint (cfg->n_blocks, >=, c->least_blocks);
  g_assert_cmpuint (cfg->n_blocks, <=, MOST_BLOCKS);
  if (seed != 0)
    g_setenv ("GILK_CLONE_ORDER", order, TRUE);
  g_autoptr(GilkSplicePlan) plan = plan_all_points (cfg, decoder);
  g_unsetenv ("GILK_CLONE_ORDER");
  g_assert_cmpuint (plan->n_patches, ==, 1);
  g_assert_true ((plan->patches[0].order != NULL) == (seed != 0));
  write_clone (plan, decoder);
  memset (steps, 0, sizeof steps);
  for (guint i = 0; i < plan->n_wants; i++)
    *counter_of (i) = 0;

  for (guint round = 0; round < (seed == 0 ? ROUNDS : ROUNDS / 4); round++)
    {
      const uint64_t a = g_rand_int (rand), b = g_rand_int (rand);
      uint8_t memory[2][64];

      for (guint i = 0; i < sizeof memory[0]; i++)
        memory[0][i] = memory[1][i] = (uint8_t) g_rand_int (rand);
      g_assert_cmphex (run_stepped (cfg, c->function, a, b, memory[0]), ==,
                       ((Function) slots) (a, b, memory[1]));
      g_assert_cmpmem (memory[0], sizeof memory[0], memory[1], sizeof memory[1]);
    }

  for (guint i = 0; i < plan->n_wants; i++)
    if (plan->choices[i].refusal == 0)
      g_assert_cmpuint (*counter_of (i), ==, steps[i / 2][i % 2]);
  if (seed == 0)
    g_test_message ("%u blocks", cfg->n_blocks);
}

static void
test_function (gconstpointer data)
{
  for (guint seed = 0; seed <= ORDERS; seed++)
    run_order (data, seed);
}

int
main (int argc, char **argv)
{
  const struct sigaction action = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO };

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (sigaction (SIGTRAP, &action, NULL), ==, 0);
  open_image ();
  map_rooms ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/clone-exec/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_function);
    }

  return g_test_run ();
}
