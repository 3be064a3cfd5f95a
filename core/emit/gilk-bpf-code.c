/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bpf-code.c - turns operations into a BPF program
 *
 * r6 holds the address of the program's context (pt_regs, or the arguments of a function or
 * tracepoint), and r7 the CPU's number. A program that does not need the context or the CPU's
 * number uses r6 or r7 for values of operations, as all programs use r8 and r9. r0 to r5 are
 * scratch within one operation. Control goes forward only, so a value's live range extends from its
 * first write to its last read.
 */
#include "core/emit/gilk-bpf-code.h"

#include <glib/gi18n.h>
#include <string.h>

#include "agent/gilk-wire.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-bpf-insns.h"
#include "core/emit/gilk-bpf-service.h"
#include "core/emit/gilk-ops-code.h"

enum {
  STACK_BYTES = 512,             /* MAX_BPF_STACK */
  TEMP_SLOT = 1,                 /* stack slot for data that helpers read: the first word below
                                  * r10 */
  N_SLOTS = STACK_BYTES / 8,
  CELL = GILK_OPS_VALUES,        /* internal value: address of this CPU's ring; after RESERVE, which
                                  * reserves a record in the ring, address of the record minus
                                  * DATA */
  HEAD,                          /* internal value: the ring's head before the record was
                                  * reserved */
  HOOK,                          /* internal value: iid of the hook; only if hooks share the
                                  * program */
  START,                         /* internal value: time at which a watchpoint's program started */
  WATCHED,                       /* internal value: the watched data after this access */
  BEFORE,                        /* internal value: the watched data after the previous access */
  N_VALUES,
  DATA = sizeof (struct gilk_bpf_ring),   /* offset of the first cell of the ring in a struct
                                           * gilk_bpf_ring */
  RING_TRIES = 2,                /* number of attempts to reserve cells. An attempt fails if another
                                  * hit reserves cells at the same time; if the last one fails, the
                                  * sample is lost */
};

typedef enum { IN_NOTHING, IN_CONSTANT, IN_POINT, IN_REG, IN_STACK } Where;

typedef struct {
  Where   where;
  guint   defs, uses;
  guint   first, last;           /* operations */
  int64_t imm;                   /* IN_CONSTANT */
  guint   reg;                   /* for IN_REG: number of the BPF register; for IN_POINT: offset of
                                  * the value in the context */
  guint   slot;                  /* for IN_STACK: number of the value's stack word; words are
                                  * counted down from r10, starting with 1 */
} Value;

typedef struct { guint insn, label; } Jump;

typedef struct {
  const GilkOps      *ops;
  const GilkBpfPlace *place;
  GArray             *insns;
  gsize               begin;     /* length of @insns before this program is appended */
  const GilkOp       *op;
  Value               values[N_VALUES];
  GArray             *jumps;     /* Jump */
  int                 labels[GILK_OPS_LABELS + 2];  /* for each label: index of its instruction; -1:
                                                     * not known yet. The last two labels are
                                                     * END_LABEL and EXIT_LABEL */
  gboolean            needs_cpu, needs_regs;
  gboolean            needs_guard;  /* the program loads from a memory area and later stores to it,
                                     * so it must hold the CPU's recursion guard */
  gboolean           *given;     /* for each operation: whether its address comes from the kernel,
                                  * see gilk_ops_given(); NULL if the hook is in the kernel */
} Writer;

enum {
  END_LABEL = GILK_OPS_LABELS,   /* end of the hit */
  EXIT_LABEL,                    /* end of the program, for paths on which the CPU's number is not
                                  * known */
  REGS_BYTES = 168,              /* size of struct pt_regs */
  WATCH_ADDRESS = REGS_BYTES + 8,     /* offset of @addr in struct bpf_perf_event_data */
  /* Parts of the preempt count: the bit of a running softirq, the value of one hardirq, and the
   * mask of the number of hardirqs. In newer kernels, the parts for hardirqs are higher up, and
   * HIGH_NMI_BIT, which older kernels never set, is set in an NMI (include/linux/preempt.h). */
  SOFTIRQ_BIT = 0x100, HARDIRQ = 0x10000, HIGH_HARDIRQ = 0x1000000, HIGH_NMI_BIT = 0x10000000, HARDIRQS = 15,
};

/* ---- appending of jumps and of loads from the context ---- */

static guint
here (const Writer *w)
{
  return w->insns->len;
}

/* Writes a conditional jump to the code at label @label of the operations. */
static void
put_jump (Writer *w, guint code, guint a, guint b, int32_t imm, guint label)
{
  const Jump jump = { here (w), label };

  g_array_append_val (w->jumps, jump);
  gilk_bpf_put (w->insns, BPF_JMP | code, a, b, 0, imm);
}

/* Writes code that loads the word at @offset of the program's context into register @to. */
static void
put_context (Writer *w, guint to, guint offset)
{
  gilk_bpf_put_load (w->insns, 8, to, BPF_REG_6, (int) offset);
  if (w->place->returns && offset == (guint) gilk_pt_regs_offset (GILK_RSP))
    gilk_bpf_put_alu_imm (w->insns, BPF_SUB, to, 8);
}

/* ---- arguments at a function's entry ---- */

/* Returns the number of the argument that register @reg holds at a function's entry, or -1. */
static int
argument_of (guint reg)
{
  static const guint8 arguments[] = { GILK_RDI, GILK_RSI, GILK_RDX, GILK_RCX, GILK_R8, GILK_R9 };

  for (guint i = 0; i < G_N_ELEMENTS (arguments); i++)
    if (arguments[i] == reg)
      return (int) i;

  return -1;
}

/* Returns whether another operation than number @i writes the same value. */
static gboolean
is_defined_twice (const GilkOps *ops, guint i)
{
  const GilkOp *op = &g_array_index (ops->ops, GilkOp, i);

  for (guint j = 0; j < ops->ops->len; j++)
    {
      const GilkOp *other = &g_array_index (ops->ops, GilkOp, j);

      if (j != i && gilk_ops_makes_value (other) && other->to == op->to)
        return TRUE;
    }

  return FALSE;
}

gboolean
gilk_bpf_reads_arguments (const GilkOps *ops, guint *arguments)
{
  *arguments = 0;
  for (guint i = 0; i < ops->ops->len; i++)
    {
      const GilkOp *op = &g_array_index (ops->ops, GilkOp, i);
      const int argument = op->kind == GILK_OP_REGISTER ? argument_of ((guint) op->imm) : -1;

      if (op->kind == GILK_OP_REGISTER && (argument < 0 || is_defined_twice (ops, i)))
        return FALSE;
      if (op->kind == GILK_OP_CONTEXT || op->kind == GILK_OP_FACT ||
          (op->kind == GILK_OP_CALL && gilk_bpf_service_uses_regs ((guint) op->imm)))
        return FALSE;
      if (argument >= 0)
        *arguments |= 1u << argument;
    }

  return TRUE;
}

/* ---- locations of values in registers and on the stack ---- */

static int
slot_offset (guint slot)
{
  return -8 * (int) slot;
}

/* Returns a register that holds value @v: the value's own register, or @scratch, after writing code
 * that loads the value into it. */
static guint
read_value (Writer *w, guint v, guint scratch)
{
  const Value *value = &w->values[v];

  switch (value->where)
    {
    case IN_REG:
      return value->reg;
    case IN_CONSTANT:
      gilk_bpf_put_constant (w->insns, scratch, value->imm);
      break;
    case IN_POINT:
      put_context (w, scratch, value->reg);
      break;
    case IN_STACK:
      gilk_bpf_put_load (w->insns, 8, scratch, BPF_REG_10, slot_offset (value->slot));
      break;
    case IN_NOTHING:
    default:
      gilk_bpf_put_constant (w->insns, scratch, 0);
    }

  return scratch;
}

/* Writes code that loads value @v into register @to, which later code may change. */
static void
copy_value (Writer *w, guint v, guint to)
{
  gilk_bpf_put_move (w->insns, to, read_value (w, v, to));
}

static void
write_value (Writer *w, guint v, guint from)
{
  const Value *value = &w->values[v];

  if (value->where == IN_REG)
    gilk_bpf_put_move (w->insns, value->reg, from);
  else if (value->where == IN_STACK)
    gilk_bpf_put_store (w->insns, 8, BPF_REG_10, slot_offset (value->slot), from);
}

/* Sets @imm to value @v and returns TRUE if the value is a constant of 32 bits; otherwise returns
 * FALSE. */
static gboolean
get_immediate (const Writer *w, guint v, int32_t *imm)
{
  const Value *value = v != GILK_NO_VALUE ? &w->values[v] : NULL;

  if (value == NULL || value->where != IN_CONSTANT || value->imm != (int32_t) value->imm)
    return FALSE;
  *imm = (int32_t) value->imm;

  return TRUE;
}

static void
note_use (Writer *w, guint v, guint i)
{
  w->values[v].uses++;
  w->values[v].last = i;
}

static void
note_definition (Writer *w, guint v, guint i)
{
  if (w->values[v].defs++ == 0)
    w->values[v].first = i;
  w->values[v].last = MAX (w->values[v].last, i);
}

/* Returns whether @op loads a word of the context: pt_regs, a tracepoint's arguments, or the data
 * about a hit of a watchpoint. */
static gboolean
is_context (const GilkOp *op)
{
  return op->kind == GILK_OP_REGISTER || op->kind == GILK_OP_CONTEXT ||
         (op->kind == GILK_OP_FACT && (op->imm == GILK_FACT_IP || op->imm == GILK_FACT_ADDRESS));
}

/* Returns whether @op makes the address of the function. Hooks that share the program are at the
 * entries of different functions, so the kernel's helper is asked for it. */
static gboolean
is_function (const Writer *w, const GilkOp *op)
{
  return w->place->is_shared && op->kind == GILK_OP_CONST && (uint64_t) op->imm == w->place->function;
}

static guint
context_offset (const GilkOp *op)
{
  if (op->kind == GILK_OP_FACT)
    return op->imm == GILK_FACT_IP ? 8 * GILK_OPS_CONTEXT_IP : WATCH_ADDRESS;

  return op->kind == GILK_OP_REGISTER ? (guint) gilk_pt_regs_offset ((guint) op->imm) : 8 * (guint) op->imm;
}

static void
note_value (Writer *w, const GilkOp *op, guint i)
{
  const gboolean is_argument = w->place->is_entry && op->kind == GILK_OP_REGISTER;
  Value *to;

  if (!gilk_ops_makes_value (op))
    return;
  note_definition (w, op->to, is_argument ? 0 : i);
  to = &w->values[op->to];
  if (is_argument)
    return;
  if (to->defs > 1 || is_function (w, op))
    to->where = IN_NOTHING;
  else
    to->where = op->kind == GILK_OP_CONST ? IN_CONSTANT : is_context (op) ? IN_POINT : IN_NOTHING;
  to->imm = op->imm;
  to->reg = is_context (op) ? context_offset (op) : 0;
}

static gboolean
is_per_cpu (const Writer *w, const GilkOp *op)
{
  return g_array_index (w->ops->areas, GilkOpsArea, op->area).per_cpu;
}

/* Keeps value HOOK, the iid of the hook, live in the whole program if hooks share the program: the
 * value is set at the start, and each counter and record needs it. */
static void
note_hook (Writer *w)
{
  if (!w->place->is_shared)
    return;
  note_definition (w, HOOK, 0);
  note_use (w, HOOK, w->ops->ops->len);
}

static gboolean
is_watch (const Writer *w)
{
  return w->place->watch.bytes != 0;
}

/* Notes the values and registers that every program of a watchpoint uses. */
static void
note_watch (Writer *w)
{
  if (!is_watch (w))
    return;
  w->needs_regs = w->needs_cpu = TRUE;
  note_definition (w, START, 0);
  note_use (w, START, w->ops->ops->len);
}

static void
note_fact (Writer *w, guint v, guint i)
{
  if (w->values[v].defs == 0)
    note_definition (w, v, 0);
  note_use (w, v, i);
}

static void
note_operation (Writer *w, const GilkOp *op, guint i)
{
  if (gilk_ops_reads_a (op))
    note_use (w, op->a, i);
  if (gilk_ops_reads_b (op))
    note_use (w, op->b, i);
  if (gilk_ops_reads_index (op))
    note_use (w, op->index, i);
  note_value (w, op, i);
  if (op->kind == GILK_OP_RESERVE)
    {
      note_definition (w, CELL, i);
      note_definition (w, HEAD, i);
    }
  if (op->kind == GILK_OP_FIELD || op->kind == GILK_OP_COMMIT)
    note_use (w, CELL, i);
  if (op->kind == GILK_OP_COMMIT)
    note_use (w, HEAD, i);
  if (op->kind == GILK_OP_FACT && (op->imm == GILK_FACT_VALUE || op->imm == GILK_FACT_BEFORE))
    note_fact (w, op->imm == GILK_FACT_VALUE ? WATCHED : BEFORE, i);
  w->needs_regs |= is_context (op) || is_function (w, op) || (op->kind == GILK_OP_CALL && gilk_bpf_service_uses_regs ((guint) op->imm));
  w->needs_guard |= op->kind == GILK_OP_AREA_STORE;
  w->needs_cpu |= op->kind == GILK_OP_AREA_STORE || op->kind == GILK_OP_COUNT || op->kind == GILK_OP_RESERVE ||
                  (op->kind == GILK_OP_CALL && gilk_bpf_service_uses_cpu ((guint) op->imm)) ||
                  (op->kind == GILK_OP_CPU_LOAD && op->imm == GILK_BPF_GS_CPU) ||
                  (((op->kind >= GILK_OP_AREA_LOAD && op->kind <= GILK_OP_AREA_CLAIM) || gilk_op_is_map (op)) &&
                   is_per_cpu (w, op));
}

static gboolean
is_taken (const Writer *w, const Value *value, Where where, guint number)
{
  for (guint v = 0; v < N_VALUES; v++)
    {
      const Value *other = &w->values[v];

      if (other != value && other->where == where && (where == IN_REG ? other->reg : other->slot) == number &&
          other->first <= value->last && value->first <= other->last)
        return TRUE;
    }

  return FALSE;
}

static void
assign_register (Writer *w, Value *value)
{
  for (guint reg = w->needs_regs ? BPF_REG_7 : BPF_REG_6; reg <= BPF_REG_9; reg++)
    if (!(reg == BPF_REG_7 && w->needs_cpu) && !is_taken (w, value, IN_REG, reg))
      {
        value->where = IN_REG;
        value->reg = reg;
        return;
      }
}

static gboolean
assign_slot (Writer *w, Value *value)
{
  for (guint slot = TEMP_SLOT + 1; slot <= N_SLOTS; slot++)
    if (!is_taken (w, value, IN_STACK, slot))
      {
        value->where = IN_STACK;
        value->slot = slot;
        return TRUE;
      }

  return FALSE;
}

static int
compare_weights (gconstpointer a, gconstpointer b)
{
  const Value *of_a = *(const Value *const *) a, *of_b = *(const Value *const *) b;
  const guint weight_a = 64 * (of_a->uses + of_a->defs) / (1 + of_a->last - of_a->first);
  const guint weight_b = 64 * (of_b->uses + of_b->defs) / (1 + of_b->last - of_b->first);

  return weight_a != weight_b ? (weight_a < weight_b ? 1 : -1) : of_a < of_b ? -1 : 1;
}

/* Assigns registers to the values that are used most often in relation to the length of their live
 * ranges, and stack slots to all other values. */
static gboolean
assign_values (Writer *w, GError **error)
{
  g_autoptr(GPtrArray) order = g_ptr_array_new ();

  note_hook (w);
  note_watch (w);
  for (guint i = 0; i < w->ops->ops->len; i++)
    note_operation (w, &g_array_index (w->ops->ops, GilkOp, i), i);
  for (guint v = 0; v < N_VALUES; v++)
    if (w->values[v].defs > 0 && w->values[v].where == IN_NOTHING)
      g_ptr_array_add (order, &w->values[v]);
  g_ptr_array_sort (order, compare_weights);
  for (guint i = 0; i < order->len; i++)
    assign_register (w, g_ptr_array_index (order, i));
  for (guint i = 0; i < order->len; i++)
    {
      Value *value = g_ptr_array_index (order, i);

      if (value->where == IN_NOTHING && !assign_slot (w, value))
        {
          g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
                       _("The program needs more than the %u values that a BPF program can keep at a time. Make the program shorter, or use the driver if it can be loaded: --by ilk."),
                       (guint) N_SLOTS);
          return FALSE;
        }
    }

  return TRUE;
}

/* ---- counters and memory areas ---- */

static void
put_counters (Writer *w, guint to, guint scratch, guint offset)
{
  const guint block = gilk_bpf_block (w->place->iid), size = gilk_bpf_block_size (block);
  const guint within = w->place->is_shared ? 0 : (w->place->iid - 1) & (size - 1);

  gilk_bpf_put_map (w->insns, to, GILK_BPF_HANDLE (GILK_BPF_COUNTERS, block), within * sizeof (struct gilk_bpf_counter) + offset);
  if (w->place->is_shared)
    {
      copy_value (w, HOOK, scratch);
      gilk_bpf_put_alu_imm (w->insns, BPF_SUB, scratch, 1);
      gilk_bpf_put_alu_imm (w->insns, BPF_AND, scratch, (int32_t) size - 1);
      gilk_bpf_put_alu_imm (w->insns, BPF_MUL, scratch, sizeof (struct gilk_bpf_counter));
      gilk_bpf_put_alu (w->insns, BPF_ADD, to, scratch);
    }
  gilk_bpf_add_cpu (w->insns, w->place->n_cpus, to, scratch, size * sizeof (struct gilk_bpf_counter));
}

/* Writes code that atomically adds 1 to the word at @at + @off. Changes @scratch. */
static void
put_increment (Writer *w, guint at, int off, guint scratch)
{
  gilk_bpf_put_constant (w->insns, scratch, 1);
  gilk_bpf_put (w->insns, BPF_STX | BPF_ATOMIC | BPF_DW, at, scratch, off, BPF_ADD);
}

/* Writes code that puts the address of element @element of the operation's memory area into r2.
 * Does not add the operation's index. Changes r1. */
static void
put_area (Writer *w, uint64_t element)
{
  const GilkOpsArea *area = &g_array_index (w->ops->areas, GilkOpsArea, w->op->area);

  gilk_bpf_put_map (w->insns, BPF_REG_2, GILK_BPF_HANDLE (GILK_BPF_AREA, (uint32_t) w->place->areas[w->op->area]), 8 * element);
  if (area->per_cpu)
    gilk_bpf_add_cpu (w->insns, w->place->n_cpus, BPF_REG_2, BPF_REG_1, 8 * (uint64_t) area->elements);
}

static void
step_area (Writer *w)
{
  const GilkOp *op = w->op;
  int32_t imm;

  put_area (w, (uint64_t) op->imm);
  if (op->index != GILK_NO_VALUE)
    {
      copy_value (w, op->index, BPF_REG_1);
      gilk_bpf_put_alu_imm (w->insns, BPF_AND, BPF_REG_1, (int32_t) op->mask);
      gilk_bpf_put_alu_imm (w->insns, BPF_LSH, BPF_REG_1, 3);
      gilk_bpf_put_alu (w->insns, BPF_ADD, BPF_REG_2, BPF_REG_1);
    }

  switch (op->kind)
    {
    case GILK_OP_AREA_LOAD:
      gilk_bpf_put_load (w->insns, 8, BPF_REG_1, BPF_REG_2, 0);
      write_value (w, op->to, BPF_REG_1);
      break;
    case GILK_OP_AREA_STORE:
      if (get_immediate (w, op->a, &imm))
        gilk_bpf_put_store_imm (w->insns, 8, BPF_REG_2, 0, imm);
      else
        gilk_bpf_put_store (w->insns, 8, BPF_REG_2, 0, read_value (w, op->a, BPF_REG_1));
      break;
    case GILK_OP_AREA_CLAIM:
      gilk_bpf_put_constant (w->insns, BPF_REG_1, 1);
      gilk_bpf_put (w->insns, BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_2, BPF_REG_1, 0, BPF_XCHG);
      write_value (w, op->to, BPF_REG_1);
      break;
    case GILK_OP_AREA_ADD:
    default:
      if (op->a != GILK_NO_VALUE)
        copy_value (w, op->a, BPF_REG_1);
      else
        gilk_bpf_put_constant (w->insns, BPF_REG_1, op->imm2);
      gilk_bpf_put (w->insns, BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_2, BPF_REG_1, 0, BPF_ADD);
    }
}

/* ---- maps: their layout is described at gilk_ops_map_first() ---- */

/* Writes the end of a successful search for a key in a map: adds @i to r3, the number of the first
 * slot, so that r3 is the slot of the key. Appends the jump out of the search to @found. */
static void
put_found (Writer *w, guint i, GArray *found)
{
  guint jump;

  if (i > 0)
    gilk_bpf_put_alu_imm (w->insns, BPF_ADD, BPF_REG_3, (int32_t) i);
  jump = gilk_bpf_put_jump (w->insns, BPF_JA, 0, 0, 0);
  g_array_append_val (found, jump);
}

/* Writes code that checks whether the map's slot @i, counted from the first one in which the key
 * can be, has the key in register @key. Expects the address of the first slot's state in r2, and
 * the address of the first slot's key in r4. */
static void
put_slot_search (Writer *w, guint key, guint i, GArray *found)
{
  guint other[2];

  gilk_bpf_put_load (w->insns, 8, BPF_REG_1, BPF_REG_2, 8 * (int) i);
  other[0] = gilk_bpf_put_jump (w->insns, BPF_JNE | BPF_K, BPF_REG_1, 0, GILK_OPS_SLOT_TAKEN);
  gilk_bpf_put_load (w->insns, 8, BPF_REG_1, BPF_REG_4, 8 * (int) i);
  other[1] = gilk_bpf_put_jump (w->insns, BPF_JNE | BPF_X, BPF_REG_1, key, 0);
  put_found (w, i, found);
  gilk_bpf_land (w->insns, other[0]);
  gilk_bpf_land (w->insns, other[1]);
}

static void
put_slot_claim (Writer *w, guint key, guint i, GArray *found)
{
  guint other[2];

  gilk_bpf_put_load (w->insns, 8, BPF_REG_0, BPF_REG_2, 8 * (int) i);
  other[0] = gilk_bpf_put_jump (w->insns, BPF_JNE | BPF_K, BPF_REG_0, 0, GILK_OPS_SLOT_FREE);
  gilk_bpf_put_constant (w->insns, BPF_REG_1, GILK_OPS_SLOT_CLAIMED);
  gilk_bpf_put (w->insns, BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_2, BPF_REG_1, 8 * (int) i, BPF_CMPXCHG);
  other[1] = gilk_bpf_put_jump (w->insns, BPF_JNE | BPF_K, BPF_REG_0, 0, GILK_OPS_SLOT_FREE);
  gilk_bpf_put_store (w->insns, 8, BPF_REG_4, 8 * (int) i, key);
  gilk_bpf_put_store_imm (w->insns, 8, BPF_REG_2, 8 * (int) i, GILK_OPS_SLOT_TAKEN);
  put_found (w, i, found);
  gilk_bpf_land (w->insns, other[0]);
  gilk_bpf_land (w->insns, other[1]);
}

static void
step_map (Writer *w)
{
  const guint slots = g_array_index (w->ops->areas, GilkOpsArea, w->op->area).map_slots;
  g_autoptr(GArray) found = g_array_new (FALSE, FALSE, sizeof (guint));
  guint key;

  put_area (w, 0);
  key = read_value (w, w->op->a, BPF_REG_5);
  gilk_bpf_put_wide (w->insns, BPF_REG_3, 0, 0x7f4a7c15, 0x9e3779b9);
  gilk_bpf_put_alu (w->insns, BPF_MUL, BPF_REG_3, key);
  gilk_bpf_put_alu_imm (w->insns, BPF_RSH, BPF_REG_3, 40);
  gilk_bpf_put_alu_imm (w->insns, BPF_AND, BPF_REG_3, (int32_t) (slots - GILK_OPS_PROBES));
  gilk_bpf_put_move (w->insns, BPF_REG_1, BPF_REG_3);
  gilk_bpf_put_alu_imm (w->insns, BPF_LSH, BPF_REG_1, 3);
  gilk_bpf_put_alu (w->insns, BPF_ADD, BPF_REG_2, BPF_REG_1);
  gilk_bpf_put_move (w->insns, BPF_REG_4, BPF_REG_2);
  gilk_bpf_put_alu_imm (w->insns, BPF_ADD, BPF_REG_4, (int32_t) (8 * slots));

  for (guint i = 0; i < GILK_OPS_PROBES; i++)
    put_slot_search (w, key, i, found);
  for (guint i = 0; w->op->kind == GILK_OP_MAP_SLOT && i < GILK_OPS_PROBES; i++)
    put_slot_claim (w, key, i, found);
  put_jump (w, BPF_JA, 0, 0, 0, w->op->label);
  for (guint i = 0; i < found->len; i++)
    gilk_bpf_land (w->insns, g_array_index (found, guint, i));
  /* Hide the value of r3 from the verifier. Otherwise the verifier would follow the rest of the
   * program once for each slot in which the key can be. */
  gilk_bpf_put_load (w->insns, 8, BPF_REG_1, BPF_REG_2, 0);
  gilk_bpf_put_alu (w->insns, BPF_XOR, BPF_REG_3, BPF_REG_1);
  gilk_bpf_put_alu (w->insns, BPF_XOR, BPF_REG_3, BPF_REG_1);
  write_value (w, w->op->to, BPF_REG_3);
}

/* ---- code that writes samples: gilk-wire-bpf.h ---- */

/* Writes code that counts a lost sample. @ring: register with the ring's address */
static void
put_lost (Writer *w, guint ring)
{
  put_increment (w, ring, offsetof (struct gilk_bpf_ring, lost), BPF_REG_1);
  put_counters (w, BPF_REG_2, BPF_REG_1, offsetof (struct gilk_bpf_counter, lost));
  put_increment (w, BPF_REG_2, 0, BPF_REG_1);
}

/* Writes one attempt to reserve @bytes of the ring whose address is in CELL. Sets HEAD to the
 * ring's head before the reserved bytes, and r4 to the time. Returns the jump that is taken if the
 * attempt succeeds; appends the jump that is taken if the ring is full to @full. */
static guint
put_take (Writer *w, int32_t bytes, GArray *full)
{
  guint ring = read_value (w, CELL, BPF_REG_2), jump;

  gilk_bpf_put_load (w->insns, 8, BPF_REG_1, ring, offsetof (struct gilk_bpf_ring, head));
  gilk_bpf_put_load (w->insns, 8, BPF_REG_3, ring, offsetof (struct gilk_bpf_ring, limit));
  jump = gilk_bpf_put_jump (w->insns, BPF_JGE | BPF_X, BPF_REG_1, BPF_REG_3, 0);
  g_array_append_val (full, jump);
  write_value (w, HEAD, BPF_REG_1);
  gilk_bpf_put_call (w->insns, BPF_FUNC_ktime_get_ns);
  gilk_bpf_put_move (w->insns, BPF_REG_4, BPF_REG_0);
  ring = read_value (w, CELL, BPF_REG_2);
  copy_value (w, HEAD, BPF_REG_0);
  gilk_bpf_put_move (w->insns, BPF_REG_3, BPF_REG_0);
  gilk_bpf_put_alu_imm (w->insns, BPF_ADD, BPF_REG_3, bytes);
  gilk_bpf_put (w->insns, BPF_STX | BPF_ATOMIC | BPF_DW, ring, BPF_REG_3, offsetof (struct gilk_bpf_ring, head), BPF_CMPXCHG);

  return gilk_bpf_put_jump (w->insns, BPF_JEQ | BPF_X, BPF_REG_0, read_value (w, HEAD, BPF_REG_1), 0);
}

static void
step_reserve (Writer *w)
{
  const guint payload = (guint) w->op->imm;
  g_autoptr(GArray) full = g_array_new (FALSE, FALSE, sizeof (guint));
  guint taken[RING_TRIES];

  gilk_bpf_put_map (w->insns, BPF_REG_2, GILK_BPF_HANDLE (GILK_BPF_RING, 0), 0);
  gilk_bpf_add_cpu (w->insns, w->place->n_cpus, BPF_REG_2, BPF_REG_1, GILK_BPF_RING_STRIDE (w->place->ring_bytes));
  write_value (w, CELL, BPF_REG_2);
  for (guint i = 0; i < RING_TRIES; i++)
    taken[i] = put_take (w, (int32_t) (ILK_CELL * ILK_RECORD_CELLS (payload)), full);
  for (guint i = 0; i < full->len; i++)
    gilk_bpf_land (w->insns, g_array_index (full, guint, i));
  put_lost (w, read_value (w, CELL, BPF_REG_2));
  put_jump (w, BPF_JA, 0, 0, 0, w->op->label);

  for (guint i = 0; i < RING_TRIES; i++)
    gilk_bpf_land (w->insns, taken[i]);
  copy_value (w, CELL, BPF_REG_2);
  copy_value (w, HEAD, BPF_REG_3);
  gilk_bpf_put_alu_imm (w->insns, BPF_AND, BPF_REG_3, (int32_t) (w->place->ring_bytes - ILK_CELL));
  gilk_bpf_put_alu (w->insns, BPF_ADD, BPF_REG_2, BPF_REG_3);
  gilk_bpf_put_store (w->insns, 8, BPF_REG_2, DATA + offsetof (struct ilk_record, tsc), BPF_REG_4);
  if (w->place->is_shared)
    gilk_bpf_put_store (w->insns, 4, BPF_REG_2, DATA + offsetof (struct ilk_record, iid), read_value (w, HOOK, BPF_REG_1));
  else
    gilk_bpf_put_store_imm (w->insns, 4, BPF_REG_2, DATA + offsetof (struct ilk_record, iid), (int32_t) w->place->iid);
  gilk_bpf_put_store_imm (w->insns, 4, BPF_REG_2, DATA + offsetof (struct ilk_record, len), (int32_t) payload);
  write_value (w, CELL, BPF_REG_2);
}

static void
step_field (Writer *w)
{
  const guint cell = read_value (w, CELL, BPF_REG_2);
  const int off = DATA + (int) offsetof (struct ilk_record, data) + (int) w->op->imm;
  int32_t imm;

  if (get_immediate (w, w->op->a, &imm))
    gilk_bpf_put_store_imm (w->insns, w->op->size, cell, off, imm);
  else
    gilk_bpf_put_store (w->insns, w->op->size, cell, off, read_value (w, w->op->a, BPF_REG_1));
}

static void
step_commit (Writer *w)
{
  const guint cell = read_value (w, CELL, BPF_REG_2);

  gilk_bpf_put_store (w->insns, 8, cell, DATA, read_value (w, HEAD, BPF_REG_1));
}

/* ---- code of arithmetic and comparisons ---- */

static void
put_extend (Writer *w, guint reg, guint size, gboolean is_signed)
{
  if (size == 8)
    return;
  if (!is_signed && size == 4)
    {
      gilk_bpf_put (w->insns, BPF_ALU | BPF_MOV | BPF_X, reg, reg, 0, 0);
      return;
    }
  if (!is_signed)
    {
      gilk_bpf_put_alu_imm (w->insns, BPF_AND, reg, (1 << (8 * size)) - 1);
      return;
    }
  gilk_bpf_put_alu_imm (w->insns, BPF_LSH, reg, (int32_t) (64 - 8 * size));
  gilk_bpf_put_alu_imm (w->insns, BPF_ARSH, reg, (int32_t) (64 - 8 * size));
}

static guint
alu_code (GilkOpKind kind)
{
  static const uint8_t codes[] = {
    [GILK_OP_ADD] = BPF_ADD, [GILK_OP_SUB] = BPF_SUB, [GILK_OP_MUL] = BPF_MUL, [GILK_OP_AND] = BPF_AND,
    [GILK_OP_OR] = BPF_OR, [GILK_OP_XOR] = BPF_XOR, [GILK_OP_SHL] = BPF_LSH, [GILK_OP_SHR] = BPF_RSH,
    [GILK_OP_SAR] = BPF_ARSH,
  };

  return codes[kind];
}

static gboolean
is_shift (GilkOpKind kind)
{
  return kind == GILK_OP_SHL || kind == GILK_OP_SHR || kind == GILK_OP_SAR;
}

static void
step_alu (Writer *w)
{
  const GilkOp *op = w->op;
  const guint code = alu_code ((GilkOpKind) op->kind);
  int32_t imm = (int32_t) op->imm;
  guint b;

  copy_value (w, op->a, BPF_REG_1);
  if (op->b == GILK_NO_VALUE || get_immediate (w, op->b, &imm))
    {
      gilk_bpf_put_alu_imm (w->insns, code, BPF_REG_1, is_shift ((GilkOpKind) op->kind) ? imm & 63 : imm);
    }
  else
    {
      b = read_value (w, op->b, BPF_REG_2);
      if (is_shift ((GilkOpKind) op->kind))
        {
          gilk_bpf_put_move (w->insns, BPF_REG_2, b);
          gilk_bpf_put_alu_imm (w->insns, BPF_AND, BPF_REG_2, 63);
          b = BPF_REG_2;
        }
      gilk_bpf_put_alu (w->insns, code, BPF_REG_1, b);
    }
  write_value (w, op->to, BPF_REG_1);
}

static void
put_absolute (Writer *w, guint reg)
{
  const guint positive = gilk_bpf_put_jump (w->insns, BPF_JSGE | BPF_K, reg, 0, 0);

  gilk_bpf_put (w->insns, BPF_ALU64 | BPF_NEG, reg, 0, 0, 0);
  gilk_bpf_land (w->insns, positive);
}

/* Writes code for r1 = r1 / r2 or r1 = r1 % r2 with signed numbers. BPF before version 4 has only
 * unsigned division, so the code divides the absolute values and then sets the sign: r3 gets a
 * number with the sign of the result. */
static void
put_signed_division (Writer *w, guint code)
{
  guint positive;

  gilk_bpf_put_move (w->insns, BPF_REG_3, BPF_REG_1);
  if (code == BPF_DIV)
    gilk_bpf_put_alu (w->insns, BPF_XOR, BPF_REG_3, BPF_REG_2);
  put_absolute (w, BPF_REG_1);
  put_absolute (w, BPF_REG_2);
  gilk_bpf_put_alu (w->insns, code, BPF_REG_1, BPF_REG_2);
  positive = gilk_bpf_put_jump (w->insns, BPF_JSGE | BPF_K, BPF_REG_3, 0, 0);
  gilk_bpf_put (w->insns, BPF_ALU64 | BPF_NEG, BPF_REG_1, 0, 0, 0);
  gilk_bpf_land (w->insns, positive);
}

static void
step_divide (Writer *w)
{
  const GilkOp *op = w->op;
  const guint code = op->kind == GILK_OP_DIV ? BPF_DIV : BPF_MOD;
  guint other;

  copy_value (w, op->a, BPF_REG_1);
  if (op->b == GILK_NO_VALUE)
    gilk_bpf_put_constant (w->insns, BPF_REG_2, op->imm);
  else
    copy_value (w, op->b, BPF_REG_2);
  put_jump (w, BPF_JEQ | BPF_K, BPF_REG_2, 0, 0, op->label);
  if (op->is_signed)
    {
      other = gilk_bpf_put_jump (w->insns, BPF_JNE | BPF_K, BPF_REG_2, 0, -1);
      gilk_bpf_put_constant (w->insns, BPF_REG_3, G_MININT64);
      put_jump (w, BPF_JEQ | BPF_X, BPF_REG_1, BPF_REG_3, 0, op->label);
      gilk_bpf_land (w->insns, other);
      put_signed_division (w, code);
    }
  else
    {
      gilk_bpf_put_alu (w->insns, code, BPF_REG_1, BPF_REG_2);
    }
  write_value (w, op->to, BPF_REG_1);
}

/* Writes code for r4 = (r2 >> @shift) & @mask. */
static void
put_masked_shift (Writer *w, int32_t shift, uint64_t mask)
{
  gilk_bpf_put_move (w->insns, BPF_REG_4, BPF_REG_2);
  gilk_bpf_put_alu_imm (w->insns, BPF_RSH, BPF_REG_4, shift);
  gilk_bpf_put_constant (w->insns, BPF_REG_5, (int64_t) mask);
  gilk_bpf_put_alu (w->insns, BPF_AND, BPF_REG_4, BPF_REG_5);
}

/* Writes code that replaces r2 by the number of set bits in r2. */
static void
put_bit_count (Writer *w)
{
  put_masked_shift (w, 1, UINT64_C (0x5555555555555555));
  gilk_bpf_put_alu (w->insns, BPF_SUB, BPF_REG_2, BPF_REG_4);
  put_masked_shift (w, 2, UINT64_C (0x3333333333333333));
  gilk_bpf_put_alu (w->insns, BPF_AND, BPF_REG_2, BPF_REG_5);
  gilk_bpf_put_alu (w->insns, BPF_ADD, BPF_REG_2, BPF_REG_4);
  gilk_bpf_put_move (w->insns, BPF_REG_4, BPF_REG_2);
  gilk_bpf_put_alu_imm (w->insns, BPF_RSH, BPF_REG_4, 4);
  gilk_bpf_put_alu (w->insns, BPF_ADD, BPF_REG_2, BPF_REG_4);
  gilk_bpf_put_constant (w->insns, BPF_REG_5, 0x0f0f0f0f0f0f0f0f);
  gilk_bpf_put_alu (w->insns, BPF_AND, BPF_REG_2, BPF_REG_5);
  gilk_bpf_put_constant (w->insns, BPF_REG_5, 0x0101010101010101);
  gilk_bpf_put_alu (w->insns, BPF_MUL, BPF_REG_2, BPF_REG_5);
  gilk_bpf_put_alu_imm (w->insns, BPF_RSH, BPF_REG_2, 56);
}

/* Writes code that computes gilk_ops_bucket(): it sets all bits below the highest set bit, and
 * counts the set bits. It avoids branches, because the verifier would follow each of them. */
static void
step_bucket (Writer *w)
{
  const int32_t bits = (int32_t) w->op->imm;

  copy_value (w, w->op->a, BPF_REG_1);
  gilk_bpf_put_move (w->insns, BPF_REG_2, BPF_REG_1);
  gilk_bpf_put_alu_imm (w->insns, BPF_OR, BPF_REG_2, 1 << bits);
  for (int32_t shift = 1; shift < 64; shift *= 2)
    {
      gilk_bpf_put_move (w->insns, BPF_REG_4, BPF_REG_2);
      gilk_bpf_put_alu_imm (w->insns, BPF_RSH, BPF_REG_4, shift);
      gilk_bpf_put_alu (w->insns, BPF_OR, BPF_REG_2, BPF_REG_4);
    }
  put_bit_count (w);
  gilk_bpf_put_alu_imm (w->insns, BPF_SUB, BPF_REG_2, 1 + bits);
  gilk_bpf_put_alu_imm (w->insns, BPF_AND, BPF_REG_2, 63);
  gilk_bpf_put_alu (w->insns, BPF_RSH, BPF_REG_1, BPF_REG_2);
  gilk_bpf_put_alu_imm (w->insns, BPF_LSH, BPF_REG_2, bits);
  gilk_bpf_put_alu (w->insns, BPF_ADD, BPF_REG_1, BPF_REG_2);
  write_value (w, w->op->to, BPF_REG_1);
}

static void
step_branch (Writer *w)
{
  static const uint8_t codes[] = {
    [GILK_IF_EQ] = BPF_JEQ, [GILK_IF_NE] = BPF_JNE, [GILK_IF_BELOW] = BPF_JLT, [GILK_IF_NOT_ABOVE] = BPF_JLE,
    [GILK_IF_ABOVE] = BPF_JGT, [GILK_IF_NOT_BELOW] = BPF_JGE, [GILK_IF_LESS] = BPF_JSLT,
    [GILK_IF_NOT_GREATER] = BPF_JSLE, [GILK_IF_GREATER] = BPF_JSGT, [GILK_IF_NOT_LESS] = BPF_JSGE,
    [GILK_IF_BITS] = BPF_JSET, [GILK_IF_NO_BITS] = BPF_JSET,
  };
  const GilkOp *op = w->op;
  const gboolean is_number = op->b == GILK_NO_VALUE;
  const guint a = read_value (w, op->a, BPF_REG_1), b = is_number ? 0 : read_value (w, op->b, BPF_REG_2);
  const guint code = codes[op->compare] | (is_number ? BPF_K : BPF_X);
  guint bits;

  if (op->compare != GILK_IF_NO_BITS)
    {
      put_jump (w, code, a, b, is_number ? (int32_t) op->imm : 0, op->label);
      return;
    }
  bits = gilk_bpf_put_jump (w->insns, code, a, b, is_number ? (int32_t) op->imm : 0);
  put_jump (w, BPF_JA, 0, 0, 0, op->label);
  gilk_bpf_land (w->insns, bits);
}

/* ---- memory of the kernel and of the current task ---- */

/* Returns whether the load must read the process's memory. In a hook of a user program, a load must
 * do that unless its address comes from the kernel. */
static gboolean
is_of_process (const Writer *w)
{
  return w->given != NULL && !w->given[w->op - &g_array_index (w->ops->ops, GilkOp, 0)];
}

/* Writes a load by a BPF helper, which returns an error where a plain load would fault. Addresses
 * have the same limits as in native code; if the load is from the process's memory, the helper
 * itself checks the address. */
static void
step_load (Writer *w)
{
  const GilkOp *op = w->op;
  const int64_t bound = gilk_ops_load_bound (GILK_OPS_KERNEL_END, op->imm, op->size);

  copy_value (w, op->a, BPF_REG_3);
  if (!is_of_process (w))
    put_jump (w, BPF_JSGE | BPF_K, BPF_REG_3, 0, (int32_t) bound, op->label);
  if (op->imm != 0)
    gilk_bpf_put_alu_imm (w->insns, BPF_ADD, BPF_REG_3, (int32_t) op->imm);
  gilk_bpf_put_move (w->insns, BPF_REG_1, BPF_REG_10);
  gilk_bpf_put_alu_imm (w->insns, BPF_ADD, BPF_REG_1, slot_offset (TEMP_SLOT));
  gilk_bpf_put_constant (w->insns, BPF_REG_2, op->size);
  gilk_bpf_put_call (w->insns, is_of_process (w) ? BPF_FUNC_probe_read_user : BPF_FUNC_probe_read_kernel);
  put_jump (w, BPF_JNE | BPF_K, BPF_REG_0, 0, 0, op->label);
  gilk_bpf_put_load (w->insns, op->size, BPF_REG_1, BPF_REG_10, slot_offset (TEMP_SLOT));
  if (op->is_signed)
    put_extend (w, BPF_REG_1, op->size, TRUE);
  write_value (w, op->to, BPF_REG_1);
}

/* Writes code that sets the arguments of a helper that reads @size bytes at the operation's
 * address. */
static void
put_user_arguments (Writer *w, guint size)
{
  copy_value (w, w->op->a, BPF_REG_3);
  if (w->op->imm != 0)
    gilk_bpf_put_alu_imm (w->insns, BPF_ADD, BPF_REG_3, (int32_t) w->op->imm);
  gilk_bpf_put_move (w->insns, BPF_REG_1, BPF_REG_10);
  gilk_bpf_put_alu_imm (w->insns, BPF_ADD, BPF_REG_1, slot_offset (TEMP_SLOT));
  gilk_bpf_put_constant (w->insns, BPF_REG_2, size);
}

/*
 * Writes a load from the current task's memory. A word of a string may be partly unreadable: then
 * bpf_probe_read_user_str() reads the bytes up to the end of the string. It returns their number,
 * which is less than 8 because the word cannot be read as a whole, or a negative error.
 */
static void
step_user_load (Writer *w)
{
  const GilkOp *op = w->op;
  guint whole = 0;

  put_user_arguments (w, op->size);
  gilk_bpf_put_call (w->insns, BPF_FUNC_probe_read_user);
  if (op->is_text)
    {
      whole = gilk_bpf_put_jump (w->insns, BPF_JEQ | BPF_K, BPF_REG_0, 0, 0);
      put_user_arguments (w, op->size);
      gilk_bpf_put_call (w->insns, BPF_FUNC_probe_read_user_str);
      put_jump (w, BPF_JGT | BPF_K, BPF_REG_0, 0, 7, op->label);
      gilk_bpf_land (w->insns, whole);
    }
  else
    put_jump (w, BPF_JNE | BPF_K, BPF_REG_0, 0, 0, op->label);
  gilk_bpf_put_load (w->insns, op->size, BPF_REG_1, BPF_REG_10, slot_offset (TEMP_SLOT));
  if (op->is_signed)
    put_extend (w, BPF_REG_1, op->size, TRUE);
  write_value (w, op->to, BPF_REG_1);
}

static void
step_cpu_load (Writer *w)
{
  /* Without the AND, the verifier of Linux 6.1 would treat @to as a copy of r7. After a branch that
   * compares the copy, it would apply the bounds of the copy to r7, even if they contradict the
   * bounds of r7. */
  if (w->op->imm == GILK_BPF_GS_CPU)
    {
      gilk_bpf_put_move (w->insns, BPF_REG_1, BPF_REG_7);
      gilk_bpf_put_alu_imm (w->insns, BPF_AND, BPF_REG_1, 0xffff);
      write_value (w, w->op->to, BPF_REG_1);
      return;
    }
  gilk_bpf_put_call (w->insns, BPF_FUNC_get_current_task);
  write_value (w, w->op->to, BPF_REG_0);
}

/* ---- watchpoints: struct gilk_bpf_watch ---- */

/* Writes code that puts the address of a watchpoint's data (struct gilk_bpf_watch) for this CPU, if
 * @of_cpu is set, or for all CPUs into @to. Changes @scratch. */
static void
put_watch (Writer *w, guint slot, gboolean of_cpu, guint to, guint scratch)
{
  const uint64_t stride = (1 + (uint64_t) w->place->n_cpus) * sizeof (struct gilk_bpf_watch);

  gilk_bpf_put_map (w->insns, to, GILK_BPF_HANDLE (GILK_BPF_WATCHES, 0), slot * stride + (of_cpu ? sizeof (struct gilk_bpf_watch) : 0));
  if (of_cpu)
    gilk_bpf_add_cpu (w->insns, w->place->n_cpus, to, scratch, sizeof (struct gilk_bpf_watch));
}

/* Writes code that reads @bytes bytes at the address in r3 into the temporary stack word and from
 * there into @to, zero-extended; @to is 0 if the read fails. */
static void
put_read (Writer *w, guint bytes, guint to)
{
  gilk_bpf_put_move (w->insns, BPF_REG_1, BPF_REG_10);
  gilk_bpf_put_alu_imm (w->insns, BPF_ADD, BPF_REG_1, slot_offset (TEMP_SLOT));
  gilk_bpf_put_constant (w->insns, BPF_REG_2, bytes);
  gilk_bpf_put_call (w->insns, BPF_FUNC_probe_read_kernel);
  gilk_bpf_put_load (w->insns, bytes, to, BPF_REG_10, slot_offset (TEMP_SLOT));
}

/* Writes the start of a watchpoint's program, which counts the run and notes the time. */
static void
put_watch_start (Writer *w)
{
  put_watch (w, w->place->watch.slot, TRUE, BPF_REG_2, BPF_REG_1);
  put_increment (w, BPF_REG_2, offsetof (struct gilk_bpf_watch, runs), BPF_REG_1);
  gilk_bpf_put_call (w->insns, BPF_FUNC_ktime_get_ns);
  write_value (w, START, BPF_REG_0);
}

/* Writes code that reads the watched data, stores it as the last value, and gets the value that was
 * stored at the previous access. */
static void
put_watch_values (Writer *w)
{
  const GilkOpsWatch *watch = &w->place->watch;

  if (watch->executes)
    {
      gilk_bpf_put_constant (w->insns, BPF_REG_1, 0);
      write_value (w, WATCHED, BPF_REG_1);
      write_value (w, BEFORE, BPF_REG_1);
      return;
    }
  gilk_bpf_put_load (w->insns, 8, BPF_REG_3, BPF_REG_6, WATCH_ADDRESS);
  put_read (w, watch->bytes, BPF_REG_3);
  write_value (w, WATCHED, BPF_REG_3);
  put_watch (w, watch->slot, watch->each_cpu, BPF_REG_2, BPF_REG_1);
  gilk_bpf_put_atomic (w->insns, BPF_XCHG, BPF_REG_2, offsetof (struct gilk_bpf_watch, last), BPF_REG_3);
  write_value (w, BEFORE, BPF_REG_3);
}

/* Writes the end of a watchpoint's program, which adds the time that the program took to a sum. */
static void
put_watch_end (Writer *w)
{
  gilk_bpf_put_call (w->insns, BPF_FUNC_ktime_get_ns);
  gilk_bpf_put_move (w->insns, BPF_REG_3, BPF_REG_0);
  gilk_bpf_put_alu (w->insns, BPF_SUB, BPF_REG_3, read_value (w, START, BPF_REG_1));
  put_watch (w, w->place->watch.slot, TRUE, BPF_REG_2, BPF_REG_1);
  gilk_bpf_put_atomic (w->insns, BPF_ADD, BPF_REG_2, offsetof (struct gilk_bpf_watch, spent_ns), BPF_REG_3);
}

/* Writes code that puts the context in which the watched data was accessed (task, softirq, hardirq:
 * enum gilk_watch_context) into r1. The code takes it from the preempt count, without the hardirq
 * that the handler of debug exceptions has added to the count. */
static void
put_watch_context (Writer *w)
{
  guint unknown, low, hardirq, task;

  put_watch (w, w->place->watch.slot, TRUE, BPF_REG_2, BPF_REG_1);
  gilk_bpf_put_load (w->insns, 8, BPF_REG_3, BPF_REG_2, offsetof (struct gilk_bpf_watch, preempt_count));
  gilk_bpf_put_constant (w->insns, BPF_REG_1, GILK_CONTEXT_TASK);
  unknown = gilk_bpf_put_jump (w->insns, BPF_JEQ | BPF_K, BPF_REG_3, 0, 0);
  put_read (w, 4, BPF_REG_2);
  gilk_bpf_put_move (w->insns, BPF_REG_1, BPF_REG_2);
  gilk_bpf_put_alu_imm (w->insns, BPF_AND, BPF_REG_1, HIGH_NMI_BIT);
  gilk_bpf_put_constant (w->insns, BPF_REG_4, HARDIRQ);
  low = gilk_bpf_put_jump (w->insns, BPF_JEQ | BPF_K, BPF_REG_1, 0, 0);
  gilk_bpf_put_constant (w->insns, BPF_REG_4, HIGH_HARDIRQ);
  gilk_bpf_land (w->insns, low);
  gilk_bpf_put_alu (w->insns, BPF_SUB, BPF_REG_2, BPF_REG_4);
  gilk_bpf_put_alu_imm (w->insns, BPF_MUL, BPF_REG_4, HARDIRQS);
  gilk_bpf_put_constant (w->insns, BPF_REG_1, GILK_CONTEXT_HARDIRQ);
  hardirq = gilk_bpf_put_jump (w->insns, BPF_JSET | BPF_X, BPF_REG_2, BPF_REG_4, 0);
  gilk_bpf_put_constant (w->insns, BPF_REG_1, GILK_CONTEXT_TASK);
  gilk_bpf_put_alu_imm (w->insns, BPF_AND, BPF_REG_2, SOFTIRQ_BIT);
  task = gilk_bpf_put_jump (w->insns, BPF_JEQ | BPF_K, BPF_REG_2, 0, 0);
  gilk_bpf_put_constant (w->insns, BPF_REG_1, GILK_CONTEXT_SOFTIRQ);
  gilk_bpf_land (w->insns, unknown);
  gilk_bpf_land (w->insns, hardirq);
  gilk_bpf_land (w->insns, task);
}

static void
step_fact (Writer *w)
{
  if (w->op->imm == GILK_FACT_CONTEXT)
    put_watch_context (w);
  else
    copy_value (w, w->op->imm == GILK_FACT_VALUE ? WATCHED : BEFORE, BPF_REG_1);
  write_value (w, w->op->to, BPF_REG_1);
}

/* Writes code that asks the agent, gilkd, to move a watchpoint to another address. */
static void
step_move (Writer *w)
{
  put_watch (w, w->place->slots[w->op->imm2], FALSE, BPF_REG_2, BPF_REG_1);
  gilk_bpf_put_store (w->insns, 8, BPF_REG_2, offsetof (struct gilk_bpf_watch, wanted), read_value (w, w->op->a, BPF_REG_1));
  gilk_bpf_put_call (w->insns, BPF_FUNC_ktime_get_ns);
  put_watch (w, w->place->slots[w->op->imm2], FALSE, BPF_REG_2, BPF_REG_1);
  gilk_bpf_put_store (w->insns, 8, BPF_REG_2, offsetof (struct gilk_bpf_watch, asked_ns), BPF_REG_0);
  put_increment (w, BPF_REG_2, offsetof (struct gilk_bpf_watch, asked), BPF_REG_1);
}

static void
step_call (Writer *w)
{
  if (w->op->imm == GILK_SERVICE_MOVE)
    {
      step_move (w);
      return;
    }
  gilk_bpf_service_put (w->insns, w->place, w->ops, w->op);
  if (w->op->to != GILK_NO_VALUE)
    write_value (w, w->op->to, BPF_REG_0);
}

/* ---- code of one operation of any kind ---- */

static void
step_value (Writer *w)
{
  const GilkOp *op = w->op;

  switch (op->kind)
    {
    case GILK_OP_CONST:
      if (is_function (w, op))
        {
          gilk_bpf_put_move (w->insns, BPF_REG_1, BPF_REG_6);
          gilk_bpf_put_call (w->insns, BPF_FUNC_get_func_ip);
          gilk_bpf_put_move (w->insns, BPF_REG_1, BPF_REG_0);
        }
      else
        {
          gilk_bpf_put_constant (w->insns, BPF_REG_1, op->imm);
        }
      break;
    case GILK_OP_REGISTER: case GILK_OP_CONTEXT: case GILK_OP_FACT:
      put_context (w, BPF_REG_1, context_offset (op));
      break;
    case GILK_OP_CLOCK:
      gilk_bpf_put_call (w->insns, BPF_FUNC_ktime_get_ns);
      gilk_bpf_put_move (w->insns, BPF_REG_1, BPF_REG_0);
      break;
    case GILK_OP_MOVE:
      write_value (w, op->to, read_value (w, op->a, BPF_REG_1));
      return;
    case GILK_OP_EXTEND:
    default:
      copy_value (w, op->a, BPF_REG_1);
      put_extend (w, BPF_REG_1, op->size, op->is_signed);
    }
  write_value (w, op->to, BPF_REG_1);
}

static void
step (Writer *w)
{
  const GilkOp *op = w->op;

  switch (op->kind)
    {
    case GILK_OP_FACT:
      if (!is_context (op))
        {
          step_fact (w);
          break;
        }
      G_GNUC_FALLTHROUGH;
    case GILK_OP_CONST: case GILK_OP_REGISTER: case GILK_OP_CONTEXT:
      if (w->place->is_entry && op->kind == GILK_OP_REGISTER)
        break;                          /* put_arguments() has done that at the start of the
                                         * program */
      if (w->values[op->to].where != IN_CONSTANT && w->values[op->to].where != IN_POINT)
        step_value (w);
      break;
    case GILK_OP_CLOCK: case GILK_OP_MOVE: case GILK_OP_EXTEND:
      step_value (w);
      break;
    case GILK_OP_DIV: case GILK_OP_MOD:
      step_divide (w);
      break;
    case GILK_OP_BUCKET:
      step_bucket (w);
      break;
    case GILK_OP_LABEL:
      w->labels[op->label] = (int) here (w);
      break;
    case GILK_OP_JUMP:
      put_jump (w, BPF_JA, 0, 0, 0, op->label);
      break;
    case GILK_OP_BRANCH:
      step_branch (w);
      break;
    case GILK_OP_ENTER: case GILK_OP_LEAVE:
      break;
    case GILK_OP_LOAD:
      if (op->is_user)
        step_user_load (w);
      else
        step_load (w);
      break;
    case GILK_OP_CPU_LOAD:
      step_cpu_load (w);
      break;
    case GILK_OP_AREA_LOAD: case GILK_OP_AREA_STORE: case GILK_OP_AREA_ADD: case GILK_OP_AREA_CLAIM:
      step_area (w);
      break;
    case GILK_OP_MAP_SLOT: case GILK_OP_MAP_FIND:
      step_map (w);
      break;
    case GILK_OP_RESERVE:
      step_reserve (w);
      break;
    case GILK_OP_FIELD:
      step_field (w);
      break;
    case GILK_OP_COMMIT:
      step_commit (w);
      break;
    case GILK_OP_GATE:
      gilk_bpf_put_map (w->insns, BPF_REG_1, GILK_BPF_HANDLE (GILK_BPF_GATES, 0), w->place->gates[op->imm]);
      gilk_bpf_put_store_imm (w->insns, 1, BPF_REG_1, 0, (int32_t) op->imm2);
      break;
    case GILK_OP_COUNT:
      put_counters (w, BPF_REG_2, BPF_REG_1, 0);
      put_increment (w, BPF_REG_2, 0, BPF_REG_1);
      break;
    case GILK_OP_CALL:
      step_call (w);
      break;
    default:
      step_alu (w);
    }
}

static gboolean
is_possible (const GilkOp *op)
{
  switch (op->kind)
    {
    case GILK_OP_STORE: case GILK_OP_REGISTER_SET: case GILK_OP_EXIT:
      return FALSE;
    case GILK_OP_CALL:
      return op->imm == GILK_SERVICE_MOVE || gilk_bpf_service_exists ((guint) op->imm);
    case GILK_OP_CPU_LOAD:
      return op->imm == GILK_BPF_GS_CPU || op->imm == GILK_BPF_GS_CURRENT;
    default:
      return TRUE;
    }
}

guint
gilk_bpf_refusal (const GilkOps *ops)
{
  for (guint i = 0; i < ops->ops->len; i++)
    {
      const GilkOp *op = &g_array_index (ops->ops, GilkOp, i);

      if (!is_possible (op))
        return gilk_ops_changes (ops) ? GILK_REFUSAL_BPF_CHANGE : GILK_REFUSAL_BPF_SERVICE;
    }

  return GILK_REFUSAL_NONE;
}

/* ---- code of the whole program ---- */

/* Writes code that takes the CPU's recursion guard. If the guard is taken already, the code counts
 * the hit as missed and ends it. */
static void
put_lock (Writer *w)
{
  guint free;

  gilk_bpf_put_map (w->insns, BPF_REG_2, GILK_BPF_HANDLE (GILK_BPF_GUARDS, 0), 0);
  gilk_bpf_add_cpu (w->insns, w->place->n_cpus, BPF_REG_2, BPF_REG_1, sizeof (uint64_t));
  gilk_bpf_put_constant (w->insns, BPF_REG_1, 1);
  gilk_bpf_put (w->insns, BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_2, BPF_REG_1, 0, BPF_XCHG);
  free = gilk_bpf_put_jump (w->insns, BPF_JEQ | BPF_K, BPF_REG_1, 0, 0);
  put_counters (w, BPF_REG_2, BPF_REG_1, offsetof (struct gilk_bpf_counter, missed));
  put_increment (w, BPF_REG_2, 0, BPF_REG_1);
  put_jump (w, BPF_JA, 0, 0, 0, END_LABEL);
  gilk_bpf_land (w->insns, free);
}

static void
put_unlock (Writer *w)
{
  gilk_bpf_put_map (w->insns, BPF_REG_2, GILK_BPF_HANDLE (GILK_BPF_GUARDS, 0), 0);
  gilk_bpf_add_cpu (w->insns, w->place->n_cpus, BPF_REG_2, BPF_REG_1, sizeof (uint64_t));
  gilk_bpf_put_store_imm (w->insns, 8, BPF_REG_2, 0, 0);
}

/* Writes code that ends the hit if the hook's gate is closed: the hook is stopped. If hooks share
 * the program, the code first gets the iid of the hook that is hit. */
static void
put_gate (Writer *w)
{
  if (w->place->is_shared)
    {
      gilk_bpf_put_call (w->insns, BPF_FUNC_get_attach_cookie);
      write_value (w, HOOK, BPF_REG_0);
      gilk_bpf_put_alu_imm (w->insns, BPF_AND, BPF_REG_0, GILK_BPF_HOOKS_MAX);
      gilk_bpf_put_map (w->insns, BPF_REG_2, GILK_BPF_HANDLE (GILK_BPF_GATES, 0), 0);
      gilk_bpf_put_alu (w->insns, BPF_ADD, BPF_REG_2, BPF_REG_0);
    }
  else
    {
      gilk_bpf_put_map (w->insns, BPF_REG_2, GILK_BPF_HANDLE (GILK_BPF_GATES, 0), w->place->gate);
    }
  gilk_bpf_put_load (w->insns, 1, BPF_REG_2, BPF_REG_2, 0);
  put_jump (w, BPF_JEQ | BPF_K, BPF_REG_2, 0, 0, END_LABEL);
}

static void
put_cpu (Writer *w)
{
  gilk_bpf_put_call (w->insns, BPF_FUNC_get_smp_processor_id);
  gilk_bpf_put_move (w->insns, BPF_REG_7, BPF_REG_0);
  put_jump (w, BPF_JGE | BPF_K, BPF_REG_7, 0, (int32_t) w->place->n_cpus, EXIT_LABEL);
}

/* Writes code that reads the function's arguments into the values that hold them. The code does not
 * load arguments from the context, because the verifier would give pointers from there a type that
 * forbids most arithmetic. */
static void
put_arguments (Writer *w)
{
  for (guint i = 0; i < w->ops->ops->len; i++)
    {
      const GilkOp *op = &g_array_index (w->ops->ops, GilkOp, i);
      const Value *to = op->kind == GILK_OP_REGISTER ? &w->values[op->to] : NULL;
      int at;

      if (to == NULL || to->where == IN_NOTHING)
        continue;
      at = slot_offset (to->where == IN_STACK ? to->slot : TEMP_SLOT);
      gilk_bpf_put_store_imm (w->insns, 8, BPF_REG_10, at, 0);  /* the verifier of Linux 6.1
                                                                 * requires this word to be
                                                                 * initialized */
      gilk_bpf_put_move (w->insns, BPF_REG_1, BPF_REG_6);
      gilk_bpf_put_constant (w->insns, BPF_REG_2, argument_of ((guint) op->imm));
      gilk_bpf_put_move (w->insns, BPF_REG_3, BPF_REG_10);
      gilk_bpf_put_alu_imm (w->insns, BPF_ADD, BPF_REG_3, at);
      gilk_bpf_put_call (w->insns, BPF_FUNC_get_func_arg);
      if (to->where == IN_REG)
        gilk_bpf_put_load (w->insns, 8, to->reg, BPF_REG_10, at);
    }
}

static void
put_begin (Writer *w)
{
  if (w->needs_regs)
    gilk_bpf_put_move (w->insns, BPF_REG_6, BPF_REG_1);
  if (is_watch (w))
    {
      put_cpu (w);
      put_watch_start (w);
      put_watch_values (w);
    }
  if (w->place->gate != 0 || w->place->is_shared)
    put_gate (w);
  if (!is_watch (w) && w->needs_cpu)
    put_cpu (w);
  if (w->needs_guard)
    put_lock (w);
  if (w->place->is_entry)
    put_arguments (w);
}

static void
put_end (Writer *w)
{
  if (w->needs_guard)
    put_unlock (w);
  w->labels[END_LABEL] = (int) here (w);
  if (is_watch (w))
    put_watch_end (w);
  w->labels[EXIT_LABEL] = (int) here (w);
  gilk_bpf_put_constant (w->insns, BPF_REG_0, 0);
  gilk_bpf_put (w->insns, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static gboolean
link_jumps (Writer *w, GError **error)
{
  for (guint i = 0; i < w->jumps->len; i++)
    {
      const Jump *jump = &g_array_index (w->jumps, Jump, i);
      const int distance = w->labels[jump->label] - (int) jump->insn - 1;

      if (distance != (int16_t) distance)
        {
          g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
                       "%s %s", gilk_refusal_cause (GILK_REFUSAL_BPF_LONG), gilk_refusal_remedy (GILK_REFUSAL_BPF_LONG));
          return FALSE;
        }
      g_array_index (w->insns, struct bpf_insn, jump->insn).off = (int16_t) distance;
    }

  return TRUE;
}

gboolean
gilk_bpf_code (const GilkOps      *ops,
               const GilkBpfPlace *place,
               GArray             *insns,
               GError            **error)
{
  g_autofree Writer *w = g_new0 (Writer, 1);
  gboolean good;

  *w = (Writer) {
    .ops = ops, .place = place, .insns = insns, .begin = insns->len,
    .jumps = g_array_new (FALSE, FALSE, sizeof (Jump)), .given = place->is_user ? gilk_ops_given (ops) : NULL,
  };
  good = assign_values (w, error);
  if (good)
    {
      put_begin (w);
      for (guint i = 0; i < ops->ops->len; i++)
        {
          w->op = &g_array_index (ops->ops, GilkOp, i);
          step (w);
        }
      put_end (w);
      good = link_jumps (w, error);
    }
  if (!good)
    g_array_set_size (insns, (guint) w->begin);
  g_array_unref (w->jumps);
  g_free (w->given);

  return good;
}
