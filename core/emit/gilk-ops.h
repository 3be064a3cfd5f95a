/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops.h - what a probe program does at a hit, as operations on values
 *
 * The contract between the language (core/program), which makes them, and the emitter, which
 * turns them into the code of one hook (gilk-ops-code.h). Nothing here knows a kernel: members
 * are offsets by now, names are gone.
 *
 * Operations run in their order. Control goes forward only: a branch names a label, and the
 * GILK_OP_LABEL of it stands behind the branch. So every program ends. Behind the last operation
 * the hit is over.
 *
 * Values are 64 bits wide and are numbered from 0. A value may be written more than once; on every
 * way to an operation that reads a value it has been written. What an operation makes of a value
 * that is narrower (@size of 1, 2 or 4 bytes) is extended: by its sign if @is_signed, else by zeros.
 *
 * Memory:
 *
 *   the kernel's   GILK_OP_LOAD alone reads it, at an address that was computed. An address that is not
 *                  of the kernel's half, is the user's page of vsyscalls or behind it, or faults leads to
 *                  @label: no value is made. Nothing writes it. In a hook of a program it reads the process's memory: there
 *                  an address of the kernel's half leads to @label as well, unless the kernel gave it (gilk_ops_given()). So that loads through one pointer share a
 *                  comparison, gilk_ops_load_bound() rounds: what is just below that page may count as it.
 *                  GILK_OP_STORE alone writes it, at an address of which the same holds; what may not be written
 *                  leads to @label, too. Only programs that change what the kernel does have it, as the next
 *   the CPU's      GILK_OP_CPU_LOAD: a per-CPU variable of the kernel, at an offset that the kernel's
 *                  symbols or the driver told. Does not fault.
 *   ours           areas, that the driver gave for the run: of each CPU, or of all. An operation names
 *                  an area and an element of 8 bytes in it: @imm, with @index added where it is not
 *                  GILK_NO_VALUE. An index is anded with @mask first, so that no program reaches
 *                  beyond its area: gilk_ops_check() asks that @imm + @mask is below its elements.
 *   the ring's     GILK_OP_RESERVE to GILK_OP_COMMIT: one sample of the hook.
 *
 * The driver's services (ilk-abi-services.h) are called within guarded stretches, and not within a sample.
 * What the kernel does: REGISTER_SET changes what a register holds once the hit is over; a later REGISTER reads that.
 * EXIT ends the hit and goes on elsewhere than at the point, maybe by way of a call of another function, with all
 * registers as at the point but those that were set. Neither is in a stretch's way: EXIT stands outside of one.
 *
 * ENTER begins a stretch in which the hit stays on its CPU, LEAVE ends it; neither nests. Whatever takes
 * more than one step on a CPU's memory (a map, a sample, load and store of an area) stands in such a
 * stretch. With GILK_OPS_GUARD it is also guarded against itself: a hit that comes while one of the
 * same context (task, softirq, hardirq, NMI) is inside a guarded stretch goes to @label and counts
 * as dropped. GILK_OP_LOAD and GILK_OP_STORE stand in guarded stretches only, for a fault may lead
 * through the very function that is hooked.
 *
 * Threads: a GilkOps belongs to one at a time; finished it is not changed and may be shared.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

enum {
  GILK_OPS_MAX       = 1024,     /* operations of a program */
  GILK_OPS_VALUES    = 256,
  GILK_OPS_LABELS    = 256,
  GILK_OPS_AREAS     = 16,
  GILK_OPS_AREA_MAX  = 1 << 17,  /* elements of 8 bytes */
  GILK_OPS_PROBES    = 8,        /* slots of a map where a key may be; no map has fewer */
  GILK_OPS_BUCKET_BITS = 4,
  GILK_OPS_REACH     = 1 << 30,  /* a load's @imm is within it, either way */
};

#define GILK_NO_VALUE 0xffffu
#define GILK_NO_LABEL 0xffffu

typedef enum {
  /* @to = .. */
  GILK_OP_CONST,         /* @imm */
  GILK_OP_REGISTER,      /* what the machine's register @imm held at the point, or was set to: 0 rax .. 15 r15, by the machine's numbers */
  GILK_OP_CLOCK,         /* the time-stamp counter */
  GILK_OP_FACT,          /* what a hook that is called as a function is told beside registers: @imm is a GilkWatchFact */
  GILK_OP_MOVE,          /* @a */
  GILK_OP_EXTEND,        /* the low @size bytes of @a, extended */

  /* @to = @a op @b; @b may be GILK_NO_VALUE: then it is @imm, which fits 32 bits with its sign */
  GILK_OP_ADD,
  GILK_OP_SUB,
  GILK_OP_MUL,
  GILK_OP_AND,
  GILK_OP_OR,
  GILK_OP_XOR,
  GILK_OP_SHL,           /* by @b modulo 64, as the next two */
  GILK_OP_SHR,
  GILK_OP_SAR,
  GILK_OP_DIV,           /* signed if @is_signed; a divisor of 0, or the one quotient that overflows, goes to @label */
  GILK_OP_MOD,           /* likewise */
  GILK_OP_BUCKET,        /* of @a in a log-linear histogram with 2^@imm buckets an octave, @imm of 0..4: gilk_ops_bucket() */

  /* control */
  GILK_OP_LABEL,         /* @label is here */
  GILK_OP_JUMP,          /* to @label */
  GILK_OP_BRANCH,        /* to @label if @a @compare @b (or @imm, as above) */
  GILK_OP_ENTER,         /* @imm: 0 or GILK_OPS_GUARD, which has @label */
  GILK_OP_LEAVE,

  /* memory; see above */
  GILK_OP_LOAD,          /* @to = @size bytes at @a + @imm, extended; or to @label */
  GILK_OP_CPU_LOAD,      /* @to = @size bytes of the CPU's at offset @imm, extended */
  GILK_OP_STORE,         /* @size bytes at @a + @imm = @b; or to @label */
  GILK_OP_AREA_LOAD,     /* @to = the element */
  GILK_OP_AREA_STORE,    /* the element = @a */
  GILK_OP_AREA_ADD,      /* the element += @a (or @imm2 with GILK_NO_VALUE): exact, whoever else adds */
  GILK_OP_AREA_CLAIM,    /* @to = what the element held, which is 1 now: in one step. Of an area of all CPUs */
  /* @to = the slot of key @a in the map that area @area is, taking a free one if it has none; to @label if none
   * of GILK_OPS_PROBES slots is free or the key's. Layout: gilk_ops_map_first(). */
  GILK_OP_MAP_SLOT,
  GILK_OP_MAP_FIND,      /* the same, but that none is taken: to @label if the key has no slot */

  /* a sample of @imm payload bytes: a multiple of 8, up to ILK_SAMPLE_MAX */
  GILK_OP_RESERVE,       /* to @label, counted as lost, if the ring is full */
  GILK_OP_FIELD,         /* @size bytes of @a at offset @imm of the payload, a multiple of @size */
  GILK_OP_COMMIT,        /* each byte of the payload is written by then, on every way there */

  /* others */
  GILK_OP_GATE,          /* the hook that GilkOpsBinding.gates[@imm] is works from now on: @imm2 1; or not: 0 */
  GILK_OP_COUNT,         /* the hook's own hit counter + 1 */
  /*
   * Service @imm, an enum ilk_service. STACK: @to = the number of this hit's stack in area @area, which has
   * is_stacks, or 0. MARKER: value @a, and @text of up to 15 bytes. EVENT: @to = what the counter of key @imm2
   * holds, or ILK_EVENT_BAD. CRASH: @text, up to 39 bytes. WATCH: address @a, for the hook that
   * GilkOpsBinding.gates[@imm2] is. Others have none of these.
   */
  GILK_OP_CALL,
  GILK_OP_REGISTER_SET,  /* register @imm, neither rsp nor rbp, holds @a when the hit is over */
  GILK_OP_EXIT,          /* the hit is over, and control goes on where @imm, a GilkExit, says: behind a call of the
                          * function at address @imm2, unless that is 0 */
  GILK_OP_KINDS,
} GilkOpKind;

#define GILK_OPS_GUARD 1

/* In the order of struct ilk_watch_facts. */
typedef enum {
  GILK_FACT_VALUE,
  GILK_FACT_BEFORE,
  GILK_FACT_ADDRESS,
  GILK_FACT_IP,
  GILK_FACTS,
} GilkWatchFact;

/* Where control goes on from the point. */
typedef enum {
  GILK_EXIT_RETURN,      /* to the function's caller: the point is where a function is entered */
  GILK_EXIT_NEXT,        /* behind the instruction at the point, a call or a conditional branch */
  GILK_EXIT_TARGET,      /* where the branch there leads */
  GILK_EXITS,
} GilkExit;

typedef enum {
  GILK_IF_EQ,
  GILK_IF_NE,
  GILK_IF_BELOW,         /* unsigned */
  GILK_IF_NOT_ABOVE,
  GILK_IF_ABOVE,
  GILK_IF_NOT_BELOW,
  GILK_IF_LESS,          /* signed */
  GILK_IF_NOT_GREATER,
  GILK_IF_GREATER,
  GILK_IF_NOT_LESS,
  GILK_IF_BITS,          /* @a & @b is not 0 */
  GILK_IF_NO_BITS,
} GilkCompare;

typedef struct {
  uint8_t  kind;         /* GilkOpKind */
  uint8_t  compare;      /* GilkCompare */
  uint8_t  size;         /* 1, 2, 4, 8 where the operation has one */
  uint8_t  is_signed;
  uint16_t to, a, b;     /* values, or GILK_NO_VALUE */
  uint16_t index;        /* of an element: a value, or GILK_NO_VALUE */
  uint16_t label;
  uint16_t area;
  uint32_t mask;         /* of @index: a power of two less one */
  int64_t  imm;
  int64_t  imm2;
  uint64_t text[5];      /* the bytes of a text, and zeros, the last word's last byte among them */
  uint32_t place;        /* where in the program's text it comes from; for messages */
} GilkOp;

/* Memory that a program wants of the driver. */
typedef struct {
  uint32_t elements;     /* of 8 bytes; 1..GILK_OPS_AREA_MAX */
  gboolean per_cpu;      /* each CPU has its own; else one for all */
  uint32_t map_slots;    /* a power of two: it is a map's; 0: it is not */
  uint32_t map_values;   /* elements of each slot behind its key */
  gboolean is_stacks;    /* it is one of stacks, as ilk-abi-services.h has them */
} GilkOpsArea;

typedef struct {
  GArray *ops;           /* GilkOp */
  GArray *areas;         /* GilkOpsArea */
  guint   n_values;
  guint   n_labels;
  guint   n_gates;       /* other hooks that it starts or stops */
  guint   payload;       /* bytes of its samples; 0: it has none */
} GilkOps;

GilkOps *gilk_ops_new  (void);
void     gilk_ops_free (GilkOps *ops);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkOps, gilk_ops_free)

guint    gilk_ops_value (GilkOps *ops);      /* a new one */
guint    gilk_ops_label (GilkOps *ops);      /* a new one, to be placed once by a GILK_OP_LABEL */
/* Appends it. Fields that its kind does not have are to be 0 or "none". */
void     gilk_ops_add   (GilkOps *ops, const GilkOp *op);

/**
 * gilk_ops_check:
 * Are all rules above kept? An @ops that is not may not be emitted. What is asked: kinds, sizes, numbers
 * and labels in their bounds; branches forward, labels placed once; values written on every way before they
 * are read; ENTER and LEAVE in turn, the same on every way to a label; what wants a stretch in one;
 * RESERVE, FIELD and COMMIT in turn, no word of the payload left out; elements within areas.
 * Returns: FALSE, with GILK_ERROR_FAILED that names the operation: a bug of whoever made it
 */
gboolean gilk_ops_check (const GilkOps *ops, GError **error);

/* One operation a line, for tests and for people: "v3 = load u32 v1 + 0x38 else L2". Free it. */
char    *gilk_ops_text  (const GilkOps *ops);

gboolean gilk_ops_calls (const GilkOps *ops);      /* some service */
gboolean gilk_ops_calls_service (const GilkOps *ops, guint service);
/* Keys of the counters of events that it reads, each once. (element-type uint64_t) (transfer full) */
GArray  *gilk_ops_events (const GilkOps *ops);
/* By operation: did the kernel give the address @a, or is it a number of the kernel's half? Else it is an address of the
 * process, which may have chosen it. Of a hook in a program. (transfer full): free it */
gboolean *gilk_ops_given    (const GilkOps *ops);
/* Registers that it sets; may it call a function of the kernel; does it change what that does? */
guint    gilk_ops_sets     (const GilkOps *ops);
gboolean gilk_ops_replaces (const GilkOps *ops);
gboolean gilk_ops_changes  (const GilkOps *ops);

static inline gboolean
gilk_op_is_map (const GilkOp *op)
{
  return op->kind == GILK_OP_MAP_SLOT || op->kind == GILK_OP_MAP_FIND;
}

/* ---- what model, emitter and reader have to agree on ---- */

/* With 2^@bits buckets an octave: values below 2^@bits have one each. */
/* An address from there on, as a signed number, is bad for a load of @size at @imm from it. */
static inline int64_t
gilk_ops_load_bound (int64_t kernel_end, int64_t imm, guint size)
{
  int64_t beyond = imm + size;

  return kernel_end - (beyond > 0 ? (beyond + 4095) & ~(int64_t) 4095 : 0);
}

guint    gilk_ops_bucket       (uint64_t value, guint bits);
/* Buckets there are; and the least value of one. */
guint    gilk_ops_buckets      (guint bits);
uint64_t gilk_ops_bucket_least (guint bucket, guint bits);

/*
 * A map's area is a struct of arrays, so that a slot is the index of all of them: @map_slots words of
 * state, as many keys, then for each of its @map_values as many values. Value i of slot s is element
 * (2 + i) * map_slots + s. A key may be in GILK_OPS_PROBES slots from gilk_ops_map_first() on: all of them are
 * looked at, each one's state before its key, before the first that is free is taken. A slot goes from
 * GILK_OPS_SLOT_FREE by one cmpxchg to _CLAIMED, its key is written, then it is _TAKEN; a program gives it up
 * by AREA_STOREs, of 0 to its values and then of _FREE. A hit that comes between takes another slot for the
 * same key: who reads adds them up. In a map of all CPUs the same may happen to two that use a key at once.
 */
enum { GILK_OPS_SLOT_FREE, GILK_OPS_SLOT_TAKEN, GILK_OPS_SLOT_CLAIMED };

static inline guint
gilk_ops_map_first (uint64_t key, guint slots)
{
  return (guint) ((key * UINT64_C (0x9e3779b97f4a7c15)) >> 40) & (slots - GILK_OPS_PROBES);
}

G_END_DECLS
