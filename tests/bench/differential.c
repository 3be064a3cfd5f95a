/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * differential.c - runs instructions of a live kernel in place and moved, and compares the results
 *
 *   differential TARGET INSTANCES SEED
 *
 * The kernel's text is copied to a low address in this process, followed by space for its data and
 * per-CPU data at the same distances, so that displacements lead to the same data as in the kernel.
 * Functions are chosen at random. In these, the test moves each instruction that may run in a
 * patch, works on integers and does not harm this process. The planner's own code moves it, as if
 * for the kernel's addresses. Then the original and the moved instruction run on the same random
 * registers, flags and memory. They must leave the same state: registers, flags, memory, stack, the
 * exit taken, and the fault if there was one.
 *
 * Only the return address that a moved call pushes differs: the kernel's address is translated to
 * the address in this process before the comparison.
 */
#include <asm/prctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/cfg/gilk-cfg.h"
#include "core/emit/gilk-reloc.h"

#define RUN_CODE 0x20000000ull      /* address of the copy of the kernel's text and data */
#define RUN_EXIT 0x26000000ull
#define RUN_SLOT 0x28000000ull      /* address of moved code, at most 2 GiB below the per-CPU
                                     * data */
#include "tests/unit/splice-run.h"

#define KERNEL_BYTES 0x05000000ull
#define PERCPU_BYTES 0x00080000ull
#define GS_BASE      0x00200000ull  /* address of per-CPU data; low, because instructions address
                                     * the data absolutely or relative to rip */
#define STATES       3
#define WAY_OUT      5              /* size of an instruction that calls the exit stub, which ends a
                                     * test run */
#define OPERAND      128            /* bytes compared around a rip-relative operand */
#define PREFIX_GS    0x65

typedef struct {
  uint64_t addr;             /* address of the original instruction in this process */
  guint    len;
  uint64_t ways[2];          /* addresses in this process where execution may continue after the
                              * instruction; 0: none */
  uint8_t  saved[2][WAY_OUT];
  uint8_t *operand;          /* memory that the instruction may change, besides run_memory */
  gsize    operand_bytes;    /* 0: none */
} Case;

static struct {
  guint64 cases, runs, faults, completed, by_branch[GILK_BRANCH_HLT + 1], rip, gs, moved;
  guint64 functions;
} counts;

static uint64_t kernel_base;    /* kernel address of the byte that this process has at RUN_CODE */
static GilkDecoder *decoder;
static uint64_t fast_state;

static uint64_t
map_to_copy (uint64_t kernel_addr)
{
  return kernel_addr - kernel_base + RUN_CODE;
}

static uint64_t
fast_random (void)
{
  fast_state ^= fast_state << 13;
  fast_state ^= fast_state >> 7;
  fast_state ^= fast_state << 17;

  return fast_state;
}

static void
fill_random (uint8_t *bytes, gsize length)
{
  for (gsize i = 0; i < length; i += 8)
    {
      const uint64_t value = fast_random ();

      memcpy (bytes + i, &value, sizeof value);
    }
}

/* ---- choice of instructions that may run in this process ---- */

static gboolean
is_harmless_0f (const uint8_t *at, guint left)
{
  const uint8_t op = at[0], modrm = left > 1 ? at[1] : 0;

  switch (op & 0xf0)
    {
    case 0x40:
    case 0x80:
    case 0x90:
      return TRUE;
    default:
      break;
    }
  if (op == 0x38)
    return left > 2 && (modrm == 0xf0 || modrm == 0xf1);          /* movbe, crc32 */
  if (op == 0xae)
    return modrm == 0xe8 || modrm == 0xf0 || modrm == 0xf8;       /* fences */
  if (op == 0xc7)
    return modrm >> 6 != 3 && ((modrm >> 3) & 7) == 1;            /* cmpxchg8b, 16b */

  return op == 0x0d || op == 0x18 || op == 0x1f || (op & 0xf8) == 0xc8 || op == 0xc3 ||
         op == 0xa3 || op == 0xa4 || op == 0xa5 || op == 0xab || op == 0xac || op == 0xad ||
         op == 0xaf || op == 0xb0 || op == 0xb1 || op == 0xb3 || (op >= 0xb6 && op <= 0xb8) ||
         (op >= 0xba && op <= 0xc1);
}

/* Returns whether the instruction may run in this process. Refuses instructions that load segments
 * or control registers, enter the kernel, read the time or a random number, or use vectors; and
 * popf, which could set the trap flag. */
static gboolean
is_harmless (const uint8_t *bytes, guint length)
{
  guint i = 0;
  uint8_t op, modrm;

  while (i < length && (bytes[i] == 0x66 || bytes[i] == 0xf2 || bytes[i] == 0xf3 ||
                        bytes[i] == 0xf0 || bytes[i] == 0x65 || bytes[i] == 0x2e ||
                        bytes[i] == 0x3e || (bytes[i] & 0xf0) == 0x40))
    i++;
  if (i == length)
    return FALSE;
  op = bytes[i];
  modrm = i + 1 < length ? bytes[i + 1] : 0;
  if (op == 0x0f)
    return i + 1 < length && is_harmless_0f (bytes + i + 1, length - i - 1);
  if (op < 0x40)
    return (op & 7) < 6;
  if (op == 0xc6 || op == 0xc7)
    return modrm != 0xf8;                                         /* xabort, xbegin */
  if (op == 0xff)
    return ((modrm >> 3) & 7) != 3 && ((modrm >> 3) & 7) != 5;    /* far */

  return (op >= 0x50 && op <= 0x5f) || op == 0x63 || (op >= 0x68 && op <= 0x6b) ||
         (op >= 0x70 && op <= 0x8b) || op == 0x8d || op == 0x8f ||
         (op >= 0x90 && op <= 0x99) || op == 0x9c || (op >= 0xa4 && op <= 0xaf) ||
         (op >= 0xb0 && op <= 0xc3) || op == 0xc9 || (op >= 0xd0 && op <= 0xd3) ||
         (op >= 0xe0 && op <= 0xe3) || op == 0xe8 || op == 0xe9 || op == 0xeb ||
         op == 0xf5 || op == 0xf6 || op == 0xf7 || op == 0xf8 || op == 0xf9 ||
         op == 0xfc || op == 0xfd || op == 0xfe;
}

/* ---- test of one instruction ---- */

static gboolean
is_inside_text (uint64_t addr)
{
  return addr >= RUN_CODE && addr < RUN_CODE + KERNEL_BYTES - WAY_OUT;
}

/* Replaces the code at both addresses where the instruction may continue with calls of the exit
 * stub. The return address that a call pushes shows which of them was reached. If the calls would
 * overlap, uses int3 instead. */
static void
close_ways (Case *c)
{
  const gboolean close = c->ways[0] != 0 && c->ways[1] != 0 &&
                         c->ways[1] - c->ways[0] + WAY_OUT < 2 * WAY_OUT;

  for (int i = 0; i < 2; i++)
    if (c->ways[i] != 0)
      memcpy (c->saved[i], (void *) c->ways[i], WAY_OUT);
  for (int i = 0; i < 2; i++)
    if (c->ways[i] != 0)
      {
        const int32_t distance = (int32_t) (RUN_EXIT - (c->ways[i] + WAY_OUT));
        uint8_t *way = (uint8_t *) c->ways[i];

        way[0] = close ? 0xcc : 0xe8;
        if (!close)
          memcpy (way + 1, &distance, sizeof distance);
      }
}

static void
open_ways (const Case *c)
{
  for (int i = 1; i >= 0; i--)
    if (c->ways[i] != 0)
      memcpy ((void *) c->ways[i], c->saved[i], WAY_OUT);
}

/* Finds the addresses where execution may continue after the instruction. Returns FALSE if one is
 * outside of the text or overlaps the instruction. */
static gboolean
find_ways (Case *c, const GilkInsn *insn)
{
  c->ways[0] = c->addr + c->len;
  c->ways[1] = insn->target != 0 ? map_to_copy (insn->target) : 0;
  if (c->ways[1] == c->ways[0])
    c->ways[1] = 0;

  for (int i = 0; i < 2; i++)
    if (c->ways[i] != 0 && (!is_inside_text (c->ways[i]) ||
                            (c->ways[i] < c->addr + c->len && c->ways[i] + WAY_OUT > c->addr)))
      return FALSE;

  return TRUE;
}

static gboolean
has_gs (const uint8_t *bytes)
{
  guint i = 0;

  while (bytes[i] == 0x66 || bytes[i] == 0xf2 || bytes[i] == 0xf3 || bytes[i] == 0xf0 ||
         bytes[i] == 0x2e || bytes[i] == 0x3e)
    i++;

  return bytes[i] == PREFIX_GS;
}

/* Finds the memory that the instruction may change, besides run_memory. If an operand is
 * rip-relative, it is the memory around the operand's address. If another operand is relative to
 * gs, it is all per-CPU data. Returns FALSE if a rip-relative operand is in the text. */
static gboolean
find_operand (Case *c, const GilkInsn *insn, const uint8_t *bytes, uint64_t text_end)
{
  const gboolean gs = has_gs (bytes);
  uint64_t addr;
  int32_t disp;

  counts.gs += gs;
  if (gs && !(insn->flags & GILK_INSN_RIP_RELATIVE))
    {
      c->operand = (uint8_t *) GS_BASE;
      c->operand_bytes = PERCPU_BYTES;
    }
  if (!(insn->flags & GILK_INSN_RIP_RELATIVE))
    return TRUE;
  counts.rip++;
  memcpy (&disp, bytes + insn->disp_offset, sizeof disp);
  addr = (c->addr + (uint64_t) (int64_t) disp + (gs ? GS_BASE : 0)) & ~(uint64_t) 63;
  if (addr + OPERAND > RUN_CODE && addr < text_end)
    return FALSE;
  /* Per-CPU data has its own range of addresses; since Linux 6.15 it is part of the linked
   * image. */
  if (!(gs && addr - (map_to_copy (0) + GS_BASE) + OPERAND <= PERCPU_BYTES) &&
      !(addr >= RUN_CODE && addr + OPERAND <= RUN_CODE + KERNEL_BYTES))
    return TRUE;                        /* the operand is not mapped: both runs must fault */
  c->operand = (uint8_t *) addr;
  c->operand_bytes = OPERAND;

  return TRUE;
}

/* If a moved call has pushed the kernel's return address, translates that address to this
 * process. */
static void
translate_pushed (const Case *c, const GilkInsn *insn)
{
  uint64_t *slot = (uint64_t *) (RUN_STACK - 8), kernel = c->ways[0] - RUN_CODE + kernel_base;

  if ((insn->branch == GILK_BRANCH_CALL || insn->branch == GILK_BRANCH_CALL_INDIRECT) &&
      *slot == kernel)
    *slot = c->ways[0];
}

/* Runs the original or the moved form of an instruction. Both forms have their stack at the same
 * address, so that the stacks can be compared. */
static uint64_t
run_form (const Case *c, const GilkInsn *insn, const RunState *from, const uint8_t *before,
          const uint8_t *operand, uint64_t entry, guint length, RunState *result)
{
  memcpy (c->operand, operand, c->operand_bytes);
  memcpy (run_memory, before, RUN_BYTES);
  run_state = *from;
  run_state.target = entry;
  run_fault_rip = 0;
  run_inside = TRUE;
  if (sigsetjmp (run_out_of_fault, 0) == 0)
    run_enter ();
  run_inside = FALSE;
  *result = run_state;
  result->target = result->host_sp = 0;
  result->flags &= ~(uint64_t) 0x10000;
  if (entry == RUN_SLOT)
    translate_pushed (c, insn);

  /* Return 0 for a fault in the tested code: the address would differ between the original and the
   * moved code. Return the address of a fault elsewhere. */
  return run_fault_rip - entry < length ? 0 : run_fault_rip;
}

static void
print_difference (const Case *c, const GilkInsn *insn, const RunState *was, const RunState *is,
                  const uint64_t way[2])
{
  char mnemonic[32], operands[160];

  gilk_insn_text (decoder, (const uint8_t *) c->addr, insn, mnemonic, operands);
  printf ("differs when moved: %" G_GINT64_MODIFIER "x %s %s; faults %d %d, ways %" G_GINT64_MODIFIER
          "x %" G_GINT64_MODIFIER "x, flags %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x\n",
          (uint64_t) insn->addr, mnemonic, operands, (int) was->fault, (int) is->fault,
          (uint64_t) way[0], (uint64_t) way[1], (uint64_t) was->flags, (uint64_t) is->flags);
  for (int i = 0; i < 16; i++)
    if (was->regs[i] != is->regs[i])
      printf ("  register %d: %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x\n", i,
              (uint64_t) was->regs[i], (uint64_t) is->regs[i]);
}

/* Makes all addresses in the registers and memory of a test canonical. A call of a non-canonical
 * address faults before it pushes the return address, but its moved form faults after the push. In
 * a kernel both are fatal. */
static void
make_canonical (RunState *from, uint8_t *before, uint8_t *operand)
{
  for (int i = 0; i < 16; i++)
    from->regs[i] &= G_MAXUINT64 >> 17;
  for (gsize i = 6; i < RUN_BYTES; i += 8)
    before[i] = before[i + 1] = 0;
  for (gsize i = 6; i < OPERAND; i += 8)
    operand[i] = operand[i + 1] = 0;
}

static void
run_states (Case *c, const GilkInsn *insn, guint moved)
{
  static uint8_t before[RUN_BYTES], left[RUN_BYTES];
  static uint8_t operand[PERCPU_BYTES], operand_left[PERCPU_BYTES];

  for (int state = 0; state < STATES; state++)
    {
      RunState from, was, is;
      uint64_t way[2];

      for (int i = 0; i < 16; i++)
        {
          const uint64_t random = fast_random ();

          from.regs[i] = random & 3 ? RUN_MEMORY + 8 * (200 + (random >> 8) % 600)
                       : random & 4 ? fast_random () & 0xff : fast_random ();
        }
      from.regs[GILK_RSP] = RUN_STACK;
      from.flags = 0x202 | (fast_random () & 0xcd5);
      from.fault = 0;
      fill_random (before, sizeof before);
      fill_random (operand, c->operand_bytes);
      if (insn->branch == GILK_BRANCH_CALL_INDIRECT)
        make_canonical (&from, before, operand);

      way[0] = run_form (c, insn, &from, before, operand, c->addr, c->len, &was);
      memcpy (left, run_memory, RUN_BYTES);
      memcpy (operand_left, c->operand, c->operand_bytes);
      way[1] = run_form (c, insn, &from, before, operand, RUN_SLOT, moved, &is);
      counts.runs++;
      counts.faults += was.fault != 0;
      counts.completed += was.fault == 0;

      if (memcmp (&was.regs, &is.regs, sizeof was.regs) != 0 || was.flags != is.flags ||
          was.fault != is.fault || way[0] != way[1] || memcmp (left, run_memory, RUN_BYTES) != 0 ||
          memcmp (operand_left, c->operand, c->operand_bytes) != 0)
        {
          print_difference (c, insn, &was, &is, way);
          counts.moved++;
          return;
        }
    }
}

static void
run_insn (const GilkCfg *cfg, guint index, uint64_t text_end)
{
  const GilkInsn *insn = &cfg->insns[index];
  const uint8_t *bytes = gilk_cfg_bytes (cfg, insn);
  g_autoptr(GByteArray) moved = NULL;
  Case c = { .addr = map_to_copy (insn->addr), .len = insn->len, .operand = run_memory };
  GilkAsm as = { .base = RUN_SLOT - RUN_CODE + kernel_base, .image = cfg->image };

  if (!is_harmless (bytes, insn->len) || gilk_reloc_check (cfg, index, 1) != 0 ||
      !find_ways (&c, insn) || !find_operand (&c, insn, bytes, text_end))
    return;

  moved = as.code = g_byte_array_new ();
  if (gilk_reloc_emit (&as, cfg, index))
    gilk_asm_jmp (&as, insn->addr + insn->len);
  if (as.too_far || moved->len > 256)
    {
      printf ("cannot be moved: %" G_GINT64_MODIFIER "x\n", insn->addr);
      counts.moved++;
      return;
    }
  memcpy ((void *) RUN_SLOT, moved->data, moved->len);
  close_ways (&c);
  run_states (&c, insn, moved->len);
  open_ways (&c);
  counts.cases++;
  counts.by_branch[insn->branch]++;
}

/* ---- copy of the kernel in this process ---- */

static void
exit_with_error (const char *what, const GError *error)
{
  fprintf (stderr, "differential: %s: %s\n", what, error ? error->message : "failed");
  exit (1);
}

static void
copy_range (GilkImage *image, const GilkRange *range)
{
  const uint8_t *bytes;

  if (range->start < kernel_base || range->end > kernel_base + KERNEL_BYTES)
    return;
  bytes = gilk_image_bytes (image, range->start, range->end - range->start, NULL);
  if (bytes != NULL)
    memcpy ((void *) map_to_copy (range->start), bytes, range->end - range->start);
}

/* Copies the kernel's text into this process, and maps space for its data. Returns the address in
 * this process where the text ends. */
static uint64_t
map_kernel (GilkImage *image, GilkFunctions *functions)
{
  GilkSymbols *symbols = gilk_image_symbols (image);
  const GilkFunction *all;
  guint n;

  kernel_base = gilk_symbols_address (symbols, "_stext") & ~(uint64_t) 0xfff;
  if (kernel_base == 0)
    exit_with_error ("_stext", NULL);
  run_map_all (KERNEL_BYTES);
  run_map (map_to_copy (0) + GS_BASE, PERCPU_BYTES, PROT_READ | PROT_WRITE);
  run_map (GS_BASE, PERCPU_BYTES, PROT_READ | PROT_WRITE);
  if (syscall (SYS_arch_prctl, ARCH_SET_GS, GS_BASE) != 0)
    exit_with_error ("the base of %gs", NULL);

  all = gilk_functions_all (functions, &n);
  for (guint i = 0; i < n; i++)
    {
      copy_range (image, &all[i].hot);
      copy_range (image, &all[i].cold);
    }

  return map_to_copy (gilk_symbols_address (symbols, "_etext"));
}

static void
run_function (GilkFunctions *functions, const GilkFunction *function, uint64_t text_end,
              guint64 wanted)
{
  g_autoptr(GilkCfg) cfg = NULL;

  if (function->refusal != 0 || map_to_copy (function->hot.start) < RUN_CODE ||
      map_to_copy (function->hot.end) > text_end)
    return;
  cfg = gilk_cfg_new (functions, function, decoder, NULL);
  if (cfg == NULL || cfg->refusal != 0)
    return;
  counts.functions++;
  for (guint i = 0; i < cfg->n_insns && counts.cases < wanted; i++)
    run_insn (cfg, i, text_end);
}

static void
run_all (GilkImage *image, guint64 wanted, guint32 seed)
{
  g_autoptr(GilkFunctions) functions = gilk_functions_new (image);
  g_autoptr(GRand) rand = g_rand_new_with_seed (seed);
  guint n;
  const GilkFunction *all = gilk_functions_all (functions, &n);
  g_autofree guint *order = g_new (guint, n);
  uint64_t text_end = map_kernel (image, functions);

  fast_state = seed + 1;
  decoder = gilk_decoder_new ();
  run_catch_faults ();
  for (guint i = 0; i < n; i++)
    {
      guint other = (guint) g_rand_int_range (rand, 0, (gint32) i + 1);

      order[i] = order[other];
      order[other] = i;
    }
  for (guint i = 0; i < n && counts.cases < wanted; i++)
    run_function (functions, &all[order[i]], text_end, wanted);
  gilk_decoder_free (decoder);
}

int
main (int argc, char **argv)
{
  static const char *const branches[] = {
    "next", "jump", "jcc", "call", "call-indirect", "jump-indirect", "ret", "ud", "int3", "hlt",
  };
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkTarget) target = NULL;
  g_autoptr(GilkImage) image = NULL;

  if (argc != 4)
    {
      fputs ("usage: differential TARGET INSTANCES SEED\n", stderr);
      return 2;
    }
  target = gilk_target_open (argv[1], NULL, NULL, &error);
  if (target == NULL)
    exit_with_error (argv[1], error);
  image = gilk_image_open (target, NULL, NULL, &error);
  if (image == NULL || !gilk_image_load_all (image, NULL, NULL, &error))
    exit_with_error ("text", error);

  run_all (image, g_ascii_strtoull (argv[2], NULL, 0), (guint32) atoi (argv[3]));
  printf ("instances %" G_GUINT64_FORMAT "\ndiffer %" G_GUINT64_FORMAT "\nfunctions %"
          G_GUINT64_FORMAT "\nruns %" G_GUINT64_FORMAT "\nfaulted %" G_GUINT64_FORMAT
          "\nrip-relative %" G_GUINT64_FORMAT "\nper-cpu %" G_GUINT64_FORMAT "\n",
          counts.cases, counts.moved, counts.functions, counts.runs, counts.faults,
          counts.rip, counts.gs);
  for (guint i = 0; i < G_N_ELEMENTS (branches); i++)
    if (counts.by_branch[i] != 0)
      printf ("%s %" G_GUINT64_FORMAT "\n", branches[i], counts.by_branch[i]);

  return counts.moved != 0;
}
