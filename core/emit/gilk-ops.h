/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops.h - the actions of a probe program at a hit, as operations on values
 *
 * Operations are the contract between the compiler (core/program), which generates them, and the
 * emitter, which turns them into the code of one hook (gilk-ops-code.h). They do not depend on a
 * kernel: members of structs are offsets, and names are resolved.
 *
 * Operations run in order. Control goes forward only: a branch names a label, and its GILK_OP_LABEL
 * follows the branch. So every program terminates. The hit ends after the last operation.
 *
 * Values are 64 bits wide and numbered from 0. A value may be written more than once; on every path
 * to an operation that reads it, it must have been written. Narrower results (@size of 1, 2 or 4
 * bytes) are extended: by their sign if @is_signed, otherwise by zeros.
 *
 * Memory:
 *
 *   the kernel's   Only GILK_OP_LOAD reads it, at a computed address. If the address is outside the
 *                  kernel's half, or not below the vsyscall page, or if the load faults, it
 *                  branches to @label and writes no value. In a hook of a user program it reads the
 *                  process's memory: there an address in the kernel's half branches to @label as
 *                  well, unless it comes from the kernel (gilk_ops_given()). gilk_ops_load_bound()
 *                  rounds, so that loads through one pointer share a comparison: addresses just
 *                  below the vsyscall page may be treated as in it. Only GILK_OP_STORE writes it,
 *                  with the same rules for addresses; a store to memory that is not writable
 *                  branches to @label, too. Only programs that change what the kernel does use
 *                  GILK_OP_STORE
 *   the process's  In a hook in the kernel, a GILK_OP_LOAD with @is_user reads the memory of the
 *                  current task, in any context and without faulting a page in. If the address is
 *                  not in the user half or its page is not present, or if the task is a kernel
 *                  thread, it branches to @label and writes no value. With @is_text it succeeds also
 *                  if only the bytes up to the first 0 byte can be read; the bytes after that 0 are
 *                  then unspecified. It calls a service of the driver, so it is not in a sample
 *   the CPU's      GILK_OP_CPU_LOAD: a per-CPU variable of the kernel, at an offset from the
 *                  kernel's symbols or the driver. Does not fault
 *   areas          memory that the driver allocated for the run, per CPU or for all CPUs. An
 *                  operation names an area and an 8-byte element in it: @imm, plus @index unless
 *                  that is GILK_NO_VALUE. An index is masked with @mask first, so that no program
 *                  reaches beyond its area: gilk_ops_check() requires that @imm + @mask is within
 *                  it
 *   the ring's     GILK_OP_RESERVE to GILK_OP_COMMIT: one sample of the hook
 *
 * The driver's services (ilk-abi-services.h) are called in guarded critical sections, outside of
 * samples. REGISTER_SET sets the value that a register has after the hit; a later REGISTER reads
 * that value. EXIT ends the hit and continues elsewhere than at the point, optionally after a call
 * of another function, with all registers as at the point except those that were set. It must be
 * outside of critical sections.
 *
 * ENTER starts a critical section in which the hit stays on its CPU, LEAVE ends it; they do not
 * nest. An operation that takes more than one step on a CPU's memory (a map, a sample, load and
 * store of an area) must be in one. With GILK_OPS_GUARD it also has a recursion guard: a hit that
 * occurs while another one of the same context (task, softirq, hardirq, NMI) is in a guarded
 * section branches to @label and counts as missed. GILK_OP_LOAD and GILK_OP_STORE must be in
 * guarded sections, because a fault may run the very function that is hooked.
 *
 * Threads: a GilkOps belongs to one thread at a time; once finished it is immutable and may be
 * shared.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

enum {
  GILK_OPS_MAX       = 1024,     /* maximum number of operations of a program */
  GILK_OPS_VALUES    = 256,
  GILK_OPS_LABELS    = 256,
  GILK_OPS_AREAS     = 16,
  GILK_OPS_AREA_MAX  = 1 << 17,  /* maximum number of 8-byte elements of an area, the program's own
                                  * memory */
  GILK_OPS_PROBES    = 8,        /* number of slots of a map in which a key can be; each map has at
                                  * least this number of slots */
  GILK_OPS_BUCKET_BITS = 4,
  GILK_OPS_CONTEXT   = 20,       /* highest index of a word that GILK_OP_CONTEXT loads */
  GILK_OPS_CONTEXT_IP = 16,      /* index of the word of struct pt_regs that has the address of the
                                  * interrupted instruction */
  GILK_OPS_REACH     = 1 << 30,  /* maximum absolute value of a load's @imm */
};

#define GILK_NO_VALUE 0xffffu
#define GILK_NO_LABEL 0xffffu

typedef enum {
  /* operations that set @to */
  GILK_OP_CONST,         /* @imm */
  GILK_OP_REGISTER,      /* @to = value of machine register @imm (0 rax .. 15 r15) at the probe
                          * point, or the value that REGISTER_SET has set since */
  GILK_OP_CLOCK,         /* @to = the time-stamp counter */
  GILK_OP_FACT,          /* @to = value number @imm (a GilkWatchFact) of the data about the
                          * watchpoint hit */
  GILK_OP_CONTEXT,       /* @to = word number @imm (0 to GILK_OPS_CONTEXT) of the context that the
                          * kernel gives to a BPF program: the arguments at a tracepoint, or struct
                          * pt_regs at a timer */
  GILK_OP_MOVE,          /* @a */
  GILK_OP_EXTEND,        /* @to = the low @size bytes of @a, extended to 64 bits */

  /* @to = the result of the operation on @a and @b, or on @a and @imm (32 bits, signed) if @b is
   * GILK_NO_VALUE */
  GILK_OP_ADD,
  GILK_OP_SUB,
  GILK_OP_MUL,
  GILK_OP_AND,
  GILK_OP_OR,
  GILK_OP_XOR,
  GILK_OP_SHL,           /* shifts by @b modulo 64; SHR and SAR do the same */
  GILK_OP_SHR,
  GILK_OP_SAR,
  GILK_OP_DIV,           /* branches to @label if the divisor is 0, or the quotient overflows */
  GILK_OP_MOD,           /* @to = the remainder; branches to @label as DIV does */
  GILK_OP_BUCKET,        /* @to = gilk_ops_bucket() of @a, with 2^@imm buckets per octave; @imm is 0
                          * to 4 */

  /* control */
  GILK_OP_LABEL,         /* places @label */
  GILK_OP_JUMP,          /* jumps to @label */
  GILK_OP_BRANCH,        /* branches to @label if the comparison "@a @compare @b" is true; without
                          * @b it compares @a with @imm */
  GILK_OP_ENTER,         /* starts a critical section; if @imm is GILK_OPS_GUARD, branches to @label
                          * if the hit has interrupted another one in such a section */
  GILK_OP_LEAVE,

  /* operations on memory, described at the top of this file */
  GILK_OP_LOAD,          /* @to = the @size bytes at address @a + @imm, extended; branches to @label
                          * if that fails */
  GILK_OP_CPU_LOAD,      /* @to = @size bytes of this CPU's per-CPU memory at offset @imm,
                          * extended */
  GILK_OP_STORE,         /* stores the low @size bytes of @b at address @a + @imm; branches to
                          * @label if that fails */
  GILK_OP_AREA_LOAD,     /* @to = the element of the area */
  GILK_OP_AREA_STORE,    /* the element of the area = @a */
  GILK_OP_AREA_ADD,      /* the element of the area += @a (or @imm2 if @a is GILK_NO_VALUE); atomic,
                          * so that no update is lost */
  GILK_OP_AREA_CLAIM,    /* atomically sets the element of the area to 1; @to = its old value. Only
                          * for areas that all CPUs share */
  /* @to = the slot of key @a in the map in area @area; takes a free slot if the key has none;
   * branches to @label if none of GILK_OPS_PROBES slots is free or has the key. Layout:
   * gilk_ops_map_first() */
  GILK_OP_MAP_SLOT,
  GILK_OP_MAP_FIND,      /* like MAP_SLOT, but branches to @label if the key is not in the map */

  /* Operations that record a sample. @imm of RESERVE is the size of the payload in bytes, a
   * multiple of 8 up to ILK_SAMPLE_MAX */
  GILK_OP_RESERVE,       /* reserves a record in the ring; branches to @label if the ring is full:
                          * the sample is lost */
  GILK_OP_FIELD,         /* stores @size bytes of @a at offset @imm of the payload, a multiple of
                          * @size */
  GILK_OP_COMMIT,        /* completes the sample; FIELD operations must have written each byte of
                          * the payload, on every path */

  /* other operations */
  GILK_OP_GATE,          /* starts (if @imm2 is 1) or stops (if @imm2 is 0) hook
                          * GilkOpsBinding.gates[@imm] */
  GILK_OP_COUNT,         /* increments the counter of the hook's hits */
  /*
   * Calls service @imm, an enum ilk_service, GILK_SERVICE_EVENT or GILK_SERVICE_MOVE. STACK: @to = the id of this hit's
   * stack trace in area @area, or 0; the area has is_stacks set. MARKER: value @a, and @text of up to
   * 15 bytes. EVENT, only by BPF: @to = the counter of key @imm2, or GILK_EVENT_BAD. CRASH: @text of up
   * to 39 bytes. MOVE, only by BPF: moves watchpoint GilkOpsBinding.gates[@imm2] to address @a. Other services use none
   * of these members.
   */
  GILK_OP_CALL,
  GILK_OP_REGISTER_SET,  /* sets register @imm, neither rsp nor rbp, to @a after the hit */
  GILK_OP_EXIT,          /* ends the hit; if @imm2 is not 0, first calls the function at that
                          * address; then control continues at @imm, a GilkExit */
  GILK_OP_KINDS,
} GilkOpKind;

#define GILK_OPS_GUARD 1
/* Services that only BPF programs can call, because the driver does not have them. */
enum {
  GILK_SERVICE_EVENT = ILK_SERVICES,   /* reads an event counter with a BPF helper of the kernel */
  GILK_SERVICE_MOVE,                   /* asks the agent to move a watchpoint */
};

/* Data about a watchpoint hit, as in struct gilk_watch_sample. */
typedef enum {
  GILK_FACT_VALUE,
  GILK_FACT_BEFORE,
  GILK_FACT_ADDRESS,
  GILK_FACT_IP,
  GILK_FACT_CONTEXT,     /* enum gilk_watch_context */
  GILK_FACTS,
} GilkWatchFact;

/* The properties of a watchpoint that its program needs to know. */
typedef struct {
  guint    bytes;        /* size of the watched data; 0: the hook is not a watchpoint */
  guint    slot;         /* number of the watchpoint, see struct gilk_watch_point */
  gboolean each_cpu;     /* each CPU watches its own copy */
  gboolean executes;     /* an instruction is watched, not data */
} GilkOpsWatch;

/* The place where control continues after an EXIT operation. */
typedef enum {
  GILK_EXIT_RETURN,      /* in the function's caller; only if the probe point is the function's
                          * entry */
  GILK_EXIT_NEXT,        /* after the instruction at the probe point, which is a call or a
                          * conditional branch */
  GILK_EXIT_TARGET,      /* at the target of the conditional branch at the probe point */
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
  GILK_IF_BITS,          /* the comparison is true if @a & @b is not 0 */
  GILK_IF_NO_BITS,
} GilkCompare;

typedef struct {
  uint8_t  kind;         /* GilkOpKind */
  uint8_t  compare;      /* GilkCompare */
  uint8_t  size;         /* 1, 2, 4 or 8 bytes, if the operation has a size */
  uint8_t  is_signed;
  uint16_t to, a, b;     /* index of the result's value, and of the operands' values, or
                          * GILK_NO_VALUE */
  uint16_t index;        /* index of the value that selects an element of the area, or
                          * GILK_NO_VALUE */
  uint16_t label;
  uint16_t area;
  uint32_t mask;         /* number with which the value of @index is masked: a power of two minus
                          * 1 */
  uint8_t  is_user;      /* for a LOAD: the address is in the memory of the current task */
  uint8_t  is_text;      /* for a LOAD of 8 bytes with @is_user: the bytes are part of a string that
                          * ends with 0 */
  int64_t  imm;
  int64_t  imm2;
  uint64_t text[5];      /* the string of a CALL, padded with zeros; the last byte of the last word
                          * is 0 */
  uint32_t place;        /* position in the program's text, for error messages */
} GilkOp;

/* An area: memory that a program needs from the driver. */
typedef struct {
  uint32_t elements;     /* number of 8-byte elements; 1..GILK_OPS_AREA_MAX */
  gboolean per_cpu;      /* each CPU has its own copy; otherwise all share one */
  uint32_t map_slots;    /* number of slots of a map, a power of two; 0: not a map */
  uint32_t map_values;   /* number of elements that each slot of a map has for its values, in
                          * addition to the key */
  gboolean is_stacks;    /* the area holds stack traces, in the format of ilk-abi-services.h */
} GilkOpsArea;

typedef struct {
  GArray *ops;           /* GilkOp */
  GArray *areas;         /* GilkOpsArea */
  guint   n_values;
  guint   n_labels;
  guint   n_gates;       /* number of hooks that the program starts, stops or moves */
  guint   payload;       /* size of a sample's payload in bytes; 0: the program takes no samples */
} GilkOps;

GilkOps *gilk_ops_new  (void);
void     gilk_ops_free (GilkOps *ops);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkOps, gilk_ops_free)

guint gilk_ops_value (GilkOps *ops);      /* returns a new value */
guint gilk_ops_label (GilkOps *ops);      /* returns a new label; one GILK_OP_LABEL must place it */
/* Appends @op. Members that its kind does not use must be 0, GILK_NO_VALUE or GILK_NO_LABEL. */
void  gilk_ops_add   (GilkOps *ops, const GilkOp *op);

/**
 * gilk_ops_check:
 * Checks that @ops follows all of the rules above; operations that do not must not be emitted. The
 * function checks that kinds, sizes, numbers and labels are in bounds; that branches go forward and
 * labels are placed once; that values are written on every path before they are read; that ENTER
 * and LEAVE alternate in the same way on every path to a label; that operations which need a
 * critical section are in one; that RESERVE, FIELD and COMMIT follow each other and no byte of the
 * payload is left out; and that elements are within areas.
 * Returns: FALSE with GILK_ERROR_FAILED that names the operation: a bug in the code that generated
 * it
 */
gboolean gilk_ops_check (const GilkOps *ops, GError **error);

/*
 * Returns one operation per line, for tests and for users: "v3 = load u32 v1 + 0x38 else L2".
 * (transfer full)
 */
char    *gilk_ops_text  (const GilkOps *ops);

gboolean gilk_ops_calls (const GilkOps *ops);      /* Returns whether any operation calls a service
                                                    * of the driver, as a LOAD with is_user does. */
gboolean gilk_ops_calls_service (const GilkOps *ops, guint service);
/*
 * Returns the keys of the event counters that a program reads, each once. (element-type uint64_t)
 * (transfer full)
 */
GArray  *gilk_ops_events (const GilkOps *ops);
/* Returns, for each operation of a hook in a user program, TRUE if its address @a comes from the
 * kernel or is a number in the kernel's half, FALSE if the process may have chosen the address.
 * (transfer full) */
gboolean *gilk_ops_given    (const GilkOps *ops);
/*
 * Return the set of registers that a program sets; whether it calls a kernel function in place of
 * the hooked code; and whether it changes what the kernel does.
 */
guint    gilk_ops_sets     (const GilkOps *ops);
gboolean gilk_ops_replaces (const GilkOps *ops);
gboolean gilk_ops_changes  (const GilkOps *ops);

/* Returns whether @op is a load from the current task's memory. In native code, a service of the
 * driver makes such a load. */
static inline gboolean
gilk_op_is_user_load (const GilkOp *op)
{
  return op->kind == GILK_OP_LOAD && op->is_user;
}

static inline gboolean
gilk_op_is_map (const GilkOp *op)
{
  return op->kind == GILK_OP_MAP_SLOT || op->kind == GILK_OP_MAP_FIND;
}

/* Return whether @op reads value @a, @b or @index. */
gboolean gilk_ops_reads_a     (const GilkOp *op);
gboolean gilk_ops_reads_b     (const GilkOp *op);
gboolean gilk_ops_reads_index (const GilkOp *op);
/* Returns whether @op writes a value. */
gboolean gilk_ops_makes_value (const GilkOp *op);
/* Returns whether @op may branch to its @label. */
gboolean gilk_ops_has_label   (const GilkOp *op);
/* Returns whether the branch of @op is rarely taken, such as the branch on a failed load. */
gboolean gilk_ops_is_rare     (const GilkOp *op);
/* Returns whether control never continues at the operation after @op. */
gboolean gilk_ops_ends_path   (const GilkOp *op);

/* ---- conventions that the model, the emitter and the reader of samples share ---- */

/* Returns the exclusive upper bound, as a signed number, of the base address of a load of @size
 * bytes at offset @imm. */
static inline int64_t
gilk_ops_load_bound (int64_t kernel_end, int64_t imm, guint size)
{
  int64_t beyond = imm + size;

  return kernel_end - (beyond > 0 ? (beyond + 4095) & ~(int64_t) 4095 : 0);
}

/* Returns the index of the histogram bucket that counts @value, with 2^@bits buckets per octave
 * (power of two). Each value below 2^@bits has a bucket of its own. */
guint    gilk_ops_bucket       (uint64_t value, guint bits);
/* Return the number of buckets of a histogram, and the smallest value that @bucket counts. */
guint    gilk_ops_buckets      (guint bits);
uint64_t gilk_ops_bucket_least (guint bucket, guint bits);

/*
 * A map's area is a struct of arrays, all indexed by slot: @map_slots words
 * of state, @map_slots keys, then @map_slots values for each of @map_values. Value i of slot s is
 * element (2 + i) * map_slots + s. A key is in one of GILK_OPS_PROBES slots from
 * gilk_ops_map_first() on. A hit probes all of these slots, and reads each slot's state before its
 * key. If no slot has the key, MAP_SLOT takes the first free one. A slot goes from
 * GILK_OPS_SLOT_FREE to _CLAIMED by one cmpxchg, then its key is written, then it becomes _TAKEN.
 * To free a slot, a program stores 0 to the slot's values by AREA_STORE, then _FREE to its state. A
 * hit that occurs between these steps takes another slot for the same key, so readers must add up
 * the values of all slots with equal keys. In a map for all CPUs a key may also take two slots if
 * two CPUs add it at once.
 */
enum { GILK_OPS_SLOT_FREE, GILK_OPS_SLOT_TAKEN, GILK_OPS_SLOT_CLAIMED };

static inline guint
gilk_ops_map_first (uint64_t key, guint slots)
{
  return (guint) ((key * UINT64_C (0x9e3779b97f4a7c15)) >> 40) & (slots - GILK_OPS_PROBES);
}

G_END_DECLS
