/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-verifier.c - tests that the verifier accepts code that obeys each rule, and refuses code
 * that breaks it, naming the rule
 *
 * Code is given as bytes, with its assembly in comments. All registers and flags except rax, rcx
 * and rdx are live unless a case says otherwise; there are two areas of 64 elements, one per CPU
 * and one shared.
 */
/* Promise: the verifier accepts code that obeys each rule, and refuses code that breaks it */
#include <string.h>

#include "core/emit/gilk-hook-code.h"
#include "core/verify/gilk-verify.h"
#include "splice-fixture.h"

#define SLOT   0xffffffffc0800000ull
#define GATES  (SLOT + 0x1000)
#define SHARED 0xffffffffc0900000ull

enum {
  PREEMPT = 0x100, HEAD = 0x200, LIMIT = 0x208, BASE = 0x210, GUARD = 0x218, MASK = 0x220, RING_LOST = 0x228,
  COUNTER = 0x300, LOST = 0x308, DROPPED = 0x310, VARIABLE = 0x400, AREA = 0x1000, IID = 7, OTHER = 9,
};

static const struct ilk_info info = {
  .gates = GATES, .context_mask = 0x00ffff00,
  .gs_preempt_count = PREEMPT, .gs_ring_head = HEAD, .gs_ring_limit = LIMIT,
  .gs_ring_base = BASE, .gs_ring_mask = MASK, .gs_ring_lost = RING_LOST, .gs_guard = GUARD,
  .services = { [ILK_SERVICE_STACK] = SLOT + 0x2100, [ILK_SERVICE_FREEZE] = SLOT + 0x2000 },
  .reschedule = SLOT + 0x2300,
};
static const uint32_t gates[] = { OTHER };
static const GilkVerifyRange own[] = {
  { COUNTER, COUNTER + 24, TRUE }, { AREA, AREA + 512, TRUE }, { SHARED, SHARED + 512, FALSE },
};
static const GilkVerifyRange readable[] = { { VARIABLE, VARIABLE + 8, TRUE } };

/* ---- macros for sequences of instructions ---- */

#define GS(n)       0x04, 0x25, (n) & 0xff, (n) >> 8, 0, 0         /* operands %gs:n and %rax */
#define GS_CX(n)    0x0c, 0x25, (n) & 0xff, (n) >> 8, 0, 0         /* operands %gs:n and %rcx */
#define GS_DX(n)    0x14, 0x25, (n) & 0xff, (n) >> 8, 0, 0         /* operands %gs:n and %rdx */
#define HOLD        0x65, 0xff, GS (PREEMPT)                       /* incl preempt */
#define LET_GO      0x65, 0xff, GS_CX (PREEMPT)                    /* decl preempt */
#define JCC(cc, n)  0x0f, 0x80 | (cc), n, 0, 0, 0                  /* conditional jump by n bytes */
enum { B = 2, AE, E, NE, BE, A, L = 12, GE, LE, G };

/* Enters a critical section: sets the driver's re-entry guard, whose old value is in rcx
 * afterwards. Takes 8 + 8 + 5 + 9 + 3 + 6 + 9 bytes. If a critical section is already active in
 * this context, continues at the last LET_GO. */
#define ENTER(n) \
  HOLD, \
  0x65, 0x8b, GS (PREEMPT), \
  0x25, 0x00, 0xff, 0xff, 0x00,          /* and $context,%eax */ \
  0x65, 0x48, 0x8b, GS_CX (GUARD), \
  0x48, 0x39, 0xc1,                      /* cmp %rax,%rcx */ \
  JCC (E, 9 + (n) + 9), \
  0x65, 0x48, 0x89, GS (GUARD)
#define LEAVE \
  0x65, 0x48, 0x89, GS_CX (GUARD), LET_GO

/* Reserves two cells of the ring, 64 bytes. Afterwards rdx is the position of the first cell in the
 * ring, and rax its address. If the ring is full, jumps over the next n bytes. */
#define RESERVE(n) \
  0x65, 0x48, 0x8b, GS_DX (HEAD), \
  0x65, 0x48, 0x3b, GS_DX (LIMIT), \
  JCC (AE, 10 + 5 + 2 + 8 + 9 + (n)), \
  0xba, 0x40, 0, 0, 0,                   /* mov $64,%edx */ \
  0x65, 0x48, 0x0f, 0xc1, GS_DX (HEAD), \
  0x89, 0xd0,                            /* mov %edx,%eax */ \
  0x65, 0x23, GS (MASK), \
  0x65, 0x48, 0x03, GS (BASE)
#define TSC_0   0x48, 0xc7, 0x40, 0x08, 0, 0, 0, 0
#define NAME    0x48, 0xc7, 0x40, 0x10, IID, 0, 0, 0
#define LEN     0xc7, 0x40, 0x14, 16, 0, 0, 0
#define FIELD_0 0x48, 0x89, 0x50, 0x18
#define SECOND \
  0x8d, 0x4a, 0x20,                      /* lea 32(%rdx),%ecx */ \
  0x65, 0x23, GS_CX (MASK), \
  0x65, 0x48, 0x03, GS_CX (BASE), \
  0x48, 0x89, 0x11                       /* mov %rdx,(%rcx) */
#define COMMIT  0x48, 0x89, 0x10
/* Calls of services of the driver, in a critical section that starts at @at; they preserve rcx.
 * FREEZE passes an iid and is 12 bytes long, STACK is 22 bytes long. */
#define FREEZE(at, iid) 0x51, 0xbf, iid, 0, 0, 0, 0xe8, (0x2000 - (at) - 59) & 0xff, (0x2000 - (at) - 59) >> 8, 0, 0, 0x59
#define RESCHEDULE(at) 0xe8, (0x2300 - (at) - 5) & 0xff, (0x2300 - (at) - 5) >> 8, 0, 0
#define STACK(n) \
  0x51, 0x48, 0xbf, 0, 0, 0x90, 0xc0, 0xff, 0xff, 0xff, 0xff,      /* movabs $SHARED,%rdi */ \
  0xbe, n, 0, 0, 0,                                                 /* mov $n,%esi */ \
  0xe8, (0x2100 - 69) & 0xff, (0x2100 - 69) >> 8, 0, 0, 0x59
#define CALLS DEAD, .more = 0x0fc0                                  /* registers that a call may
                                                                       change */
enum { FILLED = 8 + 8 + 7 + 4 + 23 + 3 };       /* bytes of code from TSC_0 to COMMIT */

typedef struct {
  const char    *name;
  const char    *rule;                   /* rule that the code breaks; NULL: accepted */
  uint8_t        code[192];
  guint          length;
  /* Offsets of an instruction that may fault and of its fix-up; 0: no such instruction. */
  int            fault, fixup;
  uint16_t       flags_dead;
  /* Bit mask of registers that the code may change, in addition to rax, rcx and rdx. */
  uint16_t       more;
  guint          longest;
  gboolean       backward;
} Case;

#define BYTES(...) { __VA_ARGS__ }, sizeof ((const uint8_t[]) { __VA_ARGS__ })
#define DEAD       .flags_dead = 0x3f

static const Case cases[] = {
  { "nothing", NULL, { 0 }, 0 },
  { "control/branch", NULL, BYTES (0x74, 0x01, 0x90) },
  { "control/into-instruction", "where no instruction starts", BYTES (0x74, 0x01, 0xb8, 0, 0, 0, 0) },
  { "control/beyond", "where no instruction starts", BYTES (0x74, 0x02, 0x90) },
  { "control/before", "where no instruction starts", BYTES (0x74, 0xf0) },
  { "control/out-of-line", NULL, BYTES (0x74, 0x02, 0xeb, 0x04, 0x90, 0x90, 0xeb, 0xfa) },
  { "control/loop", "a loop", BYTES (0x90, 0x74, 0xfd) },
  { "control/loop-to-begin", "a loop", BYTES (0x74, 0xfe) },
  { "control/unknown", "instruction is not allowed", BYTES (0xf4) },
  { "control/call", "not a service of the driver", BYTES (0xe8, 0, 0, 0, 0) },
  { "control/return", "instruction is not allowed", BYTES (0xc3) },
  { "control/cli", "instruction is not allowed", BYTES (0xfa) },
  { "control/std", "instruction is not allowed", BYTES (0xfd) },
  { "control/cut", "ends within", BYTES (0xb8, 0, 0) },
  { "control/cut-behind-it", "instruction is not allowed", BYTES (0x90, 0xcc) },
  { "control/16-bit-push", "form of the instruction is not allowed", BYTES (0x66, 0x50, 0x66, 0x58) },
  { "control/upper-byte", "form of the instruction is not allowed", BYTES (0x88, 0xe0) },
  { "control/lock-of-register", "form of the instruction is not allowed", BYTES (0xf0, 0x01, 0xc8), DEAD },

  { "stack/push-pop", NULL, BYTES (0x53, 0x31, 0xdb, 0x5b), DEAD },
  { "stack/not-popped", "remain on the stack", BYTES (0x53) },
  { "stack/too-many-pops", "pops more", BYTES (0x58) },
  { "stack/other-slot", "register", BYTES (0x53, 0x55, 0x5b, 0x5d) },
  { "stack/slot-written", "register", BYTES (0x53, 0x48, 0x89, 0x04, 0x24, 0x5b) },
  { "stack/byte-of-slot-written", "register", BYTES (0x53, 0xc6, 0x44, 0x24, 0x07, 0x00, 0x5b) },
  { "stack/two-slots-written", "register", BYTES (0x53, 0x50, 0x48, 0x89, 0x44, 0x24, 0x04, 0x58, 0x5b) },
  { "stack/moved-back", NULL, BYTES (0x53, 0x31, 0xdb, 0x48, 0x8b, 0x1c, 0x24, 0x48, 0x8d, 0x64, 0x24, 0x08), DEAD },
  { "stack/beyond", "outside of what the hook pushed", BYTES (0x48, 0x89, 0x44, 0x24, 0xf8) },
  { "stack/callers", "not the hook's", BYTES (0x48, 0xff, 0x04, 0x25, 0, 0, 0, 0), DEAD },
  { "stack/above", "outside of what the hook pushed", BYTES (0x50, 0x48, 0x89, 0x44, 0x24, 0x08, 0x58) },
  { "stack/read-below", "outside of what the hook pushed", BYTES (0x48, 0x8b, 0x44, 0x24, 0xf8) },
  { "stack/room", NULL, BYTES (0x48, 0x8d, 0x64, 0x24, 0xf0, 0x48, 0x89, 0x44, 0x24, 0x08, 0x48, 0x8d, 0x64,
      0x24, 0x10) },
  { "stack/room-odd", "moves the stack pointer", BYTES (0x48, 0x8d, 0x64, 0x24, 0xf4) },
  { "stack/one-way", "stack depth differs", BYTES (0x74, 0x01, 0x50) },
  { "stack/mov-to-rsp", "must not change the stack pointer", BYTES (0x48, 0x89, 0xc4) },
  { "stack/pop-to-rsp", "must not change the stack pointer", BYTES (0x50, 0x5c) },

  { "registers/dead", NULL, BYTES (0xb8, 0, 0, 0, 0) },
  { "registers/live", "register", BYTES (0xbb, 0, 0, 0, 0) },
  { "registers/upper-half", "register", BYTES (0x89, 0xdb) },
  { "registers/same", NULL, BYTES (0x48, 0x89, 0xd8, 0x48, 0x89, 0xc3) },
  { "registers/half-back", "register", BYTES (0x48, 0x89, 0xd8, 0x89, 0xc3) },
  { "registers/exchanged", NULL, BYTES (0x48, 0x87, 0xd8, 0x48, 0x87, 0xd8) },
  { "registers/low-byte", "register", BYTES (0x0f, 0x94, 0xc3) },
  { "registers/one-way", "register", BYTES (0x74, 0x05, 0xbb, 0, 0, 0, 0) },

  { "flags/kept", NULL, BYTES (0x9c, 0x31, 0xc0, 0x9d) },
  { "flags/lost", "flag", BYTES (0x31, 0xc0) },
  { "flags/carry-of-inc", NULL, BYTES (0x48, 0xff, 0xc0), .flags_dead = 0x3e },
  { "flags/carry-of-add", "flag", BYTES (0x48, 0x83, 0xc0, 0x01), .flags_dead = 0x3e },
  { "flags/other-word", "pops flags", BYTES (0x50, 0x9d) },
  { "flags/other-depth", "pops flags", BYTES (0x9c, 0xff, 0x34, 0x24, 0x9d, 0x58), DEAD },
  { "flags/word-changed", "pops flags", BYTES (0x9c, 0x48, 0x83, 0x0c, 0x24, 0x01, 0x9d), DEAD },
  { "flags/pushed-late", "flag", BYTES (0x31, 0xc0, 0x9c, 0x9d) },

  { "own/count", NULL, BYTES (0x65, 0x48, 0xff, GS (COUNTER)), DEAD },
  { "own/other", "not the hook's", BYTES (0x65, 0x48, 0xff, GS (COUNTER + 24)), DEAD },
  { "own/begin-only", "not the hook's", BYTES (0x65, 0x48, 0xff, GS (AREA + 508)), DEAD },
  { "own/not-per-cpu", "not the hook's", BYTES (0x48, 0xff, GS (COUNTER)), DEAD },
  { "own/odd", "not naturally aligned", BYTES (0x65, 0x48, 0xff, GS (AREA + 4)), DEAD },
  /* and $63,%eax; incq %gs:area(,%rax,8) */
  { "own/index", NULL, BYTES (0x83, 0xe0, 0x3f, 0x65, 0x48, 0xff, 0x04, 0xc5, 0, 0x10, 0, 0), DEAD },
  { "own/index-too-large", "not the hook's", BYTES (0x83, 0xe0, 0x7f, 0x65, 0x48, 0xff, 0x04, 0xc5, 0, 0x10, 0,
      0), DEAD },
  { "own/index-unknown", "not the hook's", BYTES (0x65, 0x48, 0xff, 0x04, 0xc5, 0, 0x10, 0, 0), DEAD },
  { "own/index-times-4", "not naturally aligned", BYTES (0x83, 0xe0, 0x3f, 0x65, 0x48, 0xff, 0x04, 0x85, 0, 0x10,
      0, 0), DEAD },
  { "own/index-and-one", "not the hook's", BYTES (0x83, 0xe0, 0x3f, 0x65, 0x48, 0xff, 0x04, 0xc5, 8, 0x10, 0, 0),
      DEAD },
  /* The instruction "and $63,%al" leaves the rest of rax unchanged. */
  { "own/index-of-byte", "not the hook's", BYTES (0x24, 0x3f, 0x65, 0x48, 0xff, 0x04, 0xc5, 0, 0x10, 0, 0), DEAD },
  /* cmp $64,%rax; jae past the increment */
  { "own/compared", NULL, BYTES (0x48, 0x83, 0xf8, 0x40, 0x73, 0x09, 0x65, 0x48, 0xff, 0x04, 0xc5, 0, 0x10, 0,
      0), DEAD },
  { "own/compared-signed", "not the hook's",
    BYTES (0x48, 0x83, 0xf8, 0x40, 0x7d, 0x09, 0x65, 0x48, 0xff, 0x04, 0xc5, 0, 0x10, 0, 0), DEAD },
  { "own/compared-half", "not the hook's",
    BYTES (0x83, 0xf8, 0x40, 0x73, 0x09, 0x65, 0x48, 0xff, 0x04, 0xc5, 0, 0x10, 0, 0), DEAD },
  { "own/compared-too-late", "not the hook's",
    BYTES (0x48, 0x83, 0xf8, 0x41, 0x73, 0x09, 0x65, 0x48, 0xff, 0x04, 0xc5, 0, 0x10, 0, 0), DEAD },
  { "own/compared-then-changed", "not the hook's",
    BYTES (0x48, 0x83, 0xf8, 0x40, 0x48, 0x89, 0xd0, 0x73, 0x09, 0x65, 0x48, 0xff, 0x04, 0xc5, 0, 0x10, 0, 0),
      DEAD },
  /* mov $shared,%rcx; lock incq (%rcx) */
  { "own/shared", NULL, BYTES (0x48, 0xc7, 0xc1, 0, 0, 0x90, 0xc0, 0xf0, 0x48, 0xff, 0x01), DEAD },
  { "own/shared-unlocked", "non-atomically", BYTES (0x48, 0xc7, 0xc1, 0, 0, 0x90, 0xc0, 0x48, 0xff, 0x01),
      DEAD },
  { "own/shared-wrapped", "not the hook's", BYTES (0xb9, 0, 0, 0x90, 0xc0, 0xf0, 0x48, 0xff, 0x01), DEAD },
  { "own/claim", NULL, BYTES (0xb8, 1, 0, 0, 0, 0x48, 0x87, 0x04, 0x25, 0, 0, 0x90, 0xc0) },
  { "own/load-alone", "task may migrate", BYTES (0x65, 0x48, 0x8b, GS (AREA)) },
  { "own/store-alone", "task may migrate", BYTES (0x65, 0x48, 0x89, GS (AREA)) },
  { "own/load-and-store", NULL, BYTES (HOLD, 0x65, 0x48, 0x8b, GS (AREA), 0x65, 0x48, 0x89, GS (AREA), LET_GO),
      DEAD },

  { "gate/own-read", NULL, BYTES (0x80, 0x3d, 0x00, 0x10 + 0, 0, 0, 0), .flags_dead = 0x3f, .longest = 0,
      .fault = 0 },
  { "gate/written", NULL, BYTES (0xc6, 0x05, 0x02, 0x10, 0, 0, 1) },
  { "gate/2", "a gate", BYTES (0xc6, 0x05, 0x02, 0x10, 0, 0, 2) },
  { "gate/others", "not the hook's", BYTES (0xc6, 0x05, 0x03, 0x10, 0, 0, 1) },
  { "gate/its-own", "a gate", BYTES (0xc6, 0x05, 0x00, 0x10, 0, 0, 1) },


  { "readable/read", NULL, BYTES (0x65, 0x48, 0x8b, GS (VARIABLE)) },
  { "readable/beyond", "must not read", BYTES (0x65, 0x48, 0x8b, GS (VARIABLE + 4)) },
  { "readable/written", "not the hook's", BYTES (0x65, 0x48, 0x89, GS (VARIABLE)) },

  { "cpu/balanced", NULL, BYTES (HOLD, LET_GO), DEAD },
  { "cpu/held", "not balanced", BYTES (HOLD), DEAD },
  { "cpu/let-go-first", "below its initial value", BYTES (LET_GO, HOLD), DEAD },
  { "cpu/one-way", "preempt count differs", BYTES (0x74, 0x08, HOLD, LET_GO), DEAD },
  { "cpu/reschedule", NULL, BYTES (HOLD, LET_GO, JCC (NE, 5), RESCHEDULE (22)), DEAD },
  { "cpu/reschedule-held", "within a critical section", BYTES (HOLD, RESCHEDULE (8), LET_GO), DEAD },
  { "cpu/reschedule-backward", "direction flag may be set", BYTES (HOLD, LET_GO, RESCHEDULE (16)), DEAD, .backward = TRUE },
  { "cpu/written", "not the hook's", BYTES (0x65, 0x89, GS (PREEMPT)) },
  { "cpu/wide", "not the hook's", BYTES (0x65, 0x48, 0xff, GS (PREEMPT)), DEAD },
  { "guard/kept", NULL, BYTES (ENTER (0), LEAVE), DEAD },
  { "guard/left", "holds the recursion guard", BYTES (ENTER (16), LET_GO, HOLD, LEAVE), DEAD },
  { "guard/not-looked-at", "wrong value to the recursion guard", BYTES (HOLD, 0x65, 0x8b, GS (PREEMPT), 0x25, 0, 0xff, 0xff, 0,
                                                  0x65, 0x48, 0x8b, GS_CX (GUARD), 0x65, 0x48, 0x89, GS (GUARD),
      LEAVE), DEAD },
  { "guard/other-mask", "wrong value to the recursion guard", BYTES (HOLD, 0x65, 0x8b, GS (PREEMPT), 0x25, 0, 0xff, 0, 0,
                                               0x65, 0x48, 0x8b, GS_CX (GUARD), 0x48, 0x39, 0xc1, JCC (E, 18),
                                               0x65, 0x48, 0x89, GS (GUARD), LEAVE), DEAD },

  /* cmp $-0xa00008,%rdx; jge out; mov (%rdx),%rdx */
  { "load/kept", NULL, BYTES (ENTER (16), 0x48, 0x81, 0xfa, 0xf8, 0xff, 0x5f, 0xff, JCC (GE, 3), 0x48, 0x8b,
      0x12, LEAVE),
    61, 64, DEAD },
  { "load/too-near", "not compared", BYTES (ENTER (16), 0x48, 0x81, 0xfa, 0xfa, 0xff, 0x5f, 0xff, JCC (GE, 3),
      0x48, 0x8b, 0x12, LEAVE),
    61, 64, DEAD },
  { "load/unsigned", "not compared", BYTES (ENTER (16), 0x48, 0x81, 0xfa, 0xf8, 0xff, 0x5f, 0xff, JCC (AE, 3),
      0x48, 0x8b, 0x12, LEAVE),
    61, 64, DEAD },
  { "load/half-compared", "not compared", BYTES (ENTER (15), 0x81, 0xfa, 0xf8, 0xff, 0x5f, 0xff, JCC (GE, 3),
      0x48, 0x8b, 0x12, LEAVE),
    60, 63, DEAD },
  { "load/displaced", "not compared", BYTES (ENTER (17), 0x48, 0x81, 0xfa, 0xf8, 0xff, 0x5f, 0xff, JCC (GE, 4),
      0x48, 0x8b, 0x52, 0x08, LEAVE),
    61, 65, DEAD },
  /* cmp $0,%rdx; jl out; mov (%rdx),%rdx: an address of the process */
  { "load/of-process", "not compared", BYTES (ENTER (13), 0x48, 0x83, 0xfa, 0x00, JCC (L, 3), 0x48, 0x8b, 0x12, LEAVE),
    58, 61, DEAD },
  { "load/no-entry", "no exception-table entry", BYTES (ENTER (16), 0x48, 0x81, 0xfa, 0xf8, 0xff, 0x5f, 0xff, JCC (GE, 3), 0x48,
      0x8b, 0x12, LEAVE), DEAD },
  { "call/freeze", NULL, BYTES (ENTER (12), FREEZE (0, IID), LEAVE), CALLS },
  { "call/other-iid", "another hook's id", BYTES (ENTER (12), FREEZE (0, OTHER), LEAVE), CALLS },
  { "call/elsewhere", "not a service of the driver", BYTES (ENTER (12), FREEZE (1, IID), LEAVE), CALLS },
  { "call/loses-guard", "wrong value to the recursion guard", BYTES (ENTER (10), 0xbf, IID, 0, 0, 0, 0xe8, (0x2000 - 58) & 0xff, 0x1f, 0, 0, LEAVE), CALLS },
  { "call/unguarded", "outside of a critical section", BYTES (HOLD, 0xbf, IID, 0, 0, 0, 0xe8, (0x2000 - 18) & 0xff, 0x1f, 0, 0, LET_GO),
    CALLS },
  { "call/needed", "live register", BYTES (ENTER (12), FREEZE (0, IID), LEAVE), DEAD },
  { "call/flags", "live flag", BYTES (0x9c, ENTER (12), FREEZE (1, IID), LEAVE, 0x59), .more = 0x0fc0 },
  { "call/stack", NULL, BYTES (ENTER (22), STACK (64), LEAVE), CALLS },
  { "call/stack-beyond", "outside of the hook's memory", BYTES (ENTER (22), STACK (65), LEAVE), CALLS },
  { "call/backward", "direction flag", BYTES (ENTER (12), FREEZE (0, IID), LEAVE), CALLS, .backward = TRUE },
  { "call/forward", NULL, BYTES (0x9c, 0xfc, ENTER (12), FREEZE (2, IID), LEAVE, 0x9d), .more = 0x0fc0, .backward = TRUE },
  { "call/forward-one-way", "direction flag",
    BYTES (0x9c, 0x0f, 0x84, 1, 0, 0, 0, 0xfc, ENTER (12), FREEZE (8, IID), LEAVE, 0x9d), .more = 0x0fc0, .backward = TRUE },
  { "call/left-forward", "live flag", BYTES (0xfc, ENTER (12), FREEZE (1, IID), LEAVE), CALLS, .backward = TRUE },
  { "load/fixup-behind-guard", "guard differs", BYTES (ENTER (16), 0x48, 0x81, 0xfa, 0xf8, 0xff, 0x5f,
      0xff, JCC (GE, 3), 0x48, 0x8b, 0x12, LEAVE),
    61, 73, DEAD },
  { "load/fixup-within", "where no instruction starts", BYTES (ENTER (16), 0x48, 0x81, 0xfa, 0xf8, 0xff,
      0x5f, 0xff, JCC (GE, 3), 0x48, 0x8b, 0x12, LEAVE),
    61, 62, DEAD },
  { "load/unguarded", "kernel memory outside of a critical section", BYTES (0x48, 0x81, 0xfa, 0xf8, 0xff, 0x5f, 0xff, 0x7d, 0x03, 0x48,
      0x8b, 0x12), 9, 12, DEAD },
  { "load/entry-of-another", "does not read memory", BYTES (0x90, 0x90), 1, 2 },
  { "load/add", "must not read", BYTES (ENTER (16), 0x48, 0x81, 0xfa, 0xf8, 0xff, 0x5f, 0xff, JCC (GE, 3),
      0x48, 0x03, 0x12, LEAVE),
    61, 64, DEAD },

  { "record/kept", NULL, BYTES (HOLD, RESERVE (FILLED), TSC_0, NAME, LEN, FIELD_0, SECOND, COMMIT, LET_GO), DEAD },
  { "record/not-committed", "record is open", BYTES (HOLD, RESERVE (FILLED - 3), TSC_0, NAME, LEN, FIELD_0,
      SECOND, LET_GO), DEAD },
  { "record/twice", "not the hook's", BYTES (HOLD, RESERVE (FILLED + 3), TSC_0, NAME, LEN, FIELD_0, SECOND,
      COMMIT, COMMIT, LET_GO), DEAD },
  { "record/no-time", "incomplete", BYTES (HOLD, RESERVE (FILLED - 8), NAME, LEN, FIELD_0, SECOND, COMMIT,
      LET_GO), DEAD },
  { "record/no-field", "incomplete", BYTES (HOLD, RESERVE (FILLED - 4), TSC_0, NAME, LEN, SECOND, COMMIT, LET_GO),
      DEAD },
  { "record/no-length", "incomplete", BYTES (HOLD, RESERVE (FILLED - 7), TSC_0, NAME, FIELD_0, SECOND, COMMIT,
      LET_GO), DEAD },
  { "record/beyond-cell", "reserved ring space", BYTES (HOLD, RESERVE (4), 0x48, 0x89, 0x50, 0x20, LET_GO), DEAD },
  { "record/across-cell", "reserved ring space", BYTES (HOLD, RESERVE (4), 0x48, 0x89, 0x50, 0x1c, LET_GO), DEAD },
  /* The record's second cell is addressed by a position that is not masked to the size of the
   * ring. */
  { "record/unmasked", "not the hook's", BYTES (HOLD, RESERVE (15), 0x8d, 0x4a, 0x20, 0x65, 0x48, 0x03,
      GS_CX (BASE), 0x48, 0x89, 0x11, LET_GO), DEAD },
  { "record/third-cell", "not the hook's", BYTES (HOLD, RESERVE (23), 0x8d, 0x4a, 0x40, 0x65, 0x23, GS_CX (MASK),
      0x65, 0x48, 0x03, GS_CX (BASE),
                                                  0x48, 0x89, 0x11, LET_GO), DEAD },
  /* The ring's head was read before the first record, so it cannot be used to check the second. */
  { "record/room-of-another", "without checking",
    BYTES (HOLD, 0x65, 0x4c, 0x8b, GS (HEAD), RESERVE (FILLED + 9 + 6 + 5 + 10), TSC_0, NAME, LEN, FIELD_0,
      SECOND, COMMIT, 0x65, 0x4c, 0x3b, GS (LIMIT), JCC (AE, 15),
      0xba, 0x40, 0, 0, 0, 0x65, 0x48, 0x0f, 0xc1, GS_DX (HEAD), LET_GO),
    .flags_dead = 0x3f, .more = 1 << 8 },
  { "record/not-held", "task may migrate", BYTES (0x65, 0x48, 0x8b, GS_DX (HEAD)) },
  { "record/let-go", "or an open record", BYTES (HOLD, RESERVE (8), LET_GO), DEAD },
  { "record/full-not-looked-at", "without checking", BYTES (HOLD, 0xba, 0x40, 0, 0, 0, 0x65, 0x48, 0x0f, 0xc1,
      GS_DX (HEAD), LET_GO), DEAD },
  { "record/cells", "wrong size", BYTES (HOLD, 0x65, 0x48, 0x8b, GS_DX (HEAD), 0x65, 0x48, 0x3b,
      GS_DX (LIMIT), JCC (AE, 15),
                                              0xba, 0x20, 0, 0, 0, 0x65, 0x48, 0x0f, 0xc1, GS_DX (HEAD), LET_GO),
      DEAD },

  /* test %rcx,%rcx; je out; xor %edx,%edx; div %rcx */
  { "divide/kept", NULL, BYTES (0x48, 0x85, 0xc9, 0x74, 0x05, 0x31, 0xd2, 0x48, 0xf7, 0xf1), DEAD },
  { "divide/by-0", "may be 0", BYTES (0x31, 0xd2, 0x48, 0xf7, 0xf1), DEAD },
  { "divide/other-way", "may be 0", BYTES (0x48, 0x85, 0xc9, 0x75, 0x05, 0x31, 0xd2, 0x48, 0xf7, 0xf1), DEAD },
  { "divide/large", "quotient may overflow", BYTES (0x48, 0x85, 0xc9, 0x74, 0x03, 0x48, 0xf7, 0xf1), DEAD },
  /* .. cmp $-1,%rcx; je out; cqo; idiv %rcx */
  { "divide/signed", NULL, BYTES (0x48, 0x85, 0xc9, 0x74, 0x0b, 0x48, 0x83, 0xf9, 0xff, 0x74, 0x05, 0x48, 0x99,
      0x48, 0xf7, 0xf9), DEAD },
  { "divide/signed-minus-1", "quotient may overflow", BYTES (0x48, 0x85, 0xc9, 0x74, 0x05, 0x48, 0x99, 0x48, 0xf7, 0xf9), DEAD },
  { "divide/sign-stale", "quotient may overflow",
    BYTES (0x48, 0x85, 0xc9, 0x74, 0x0d, 0x48, 0x83, 0xf9, 0xff, 0x74, 0x07, 0x48, 0x99, 0x31, 0xc0, 0x48, 0xf7,
      0xf9), DEAD },

  { "time/kept", NULL, BYTES (0x74, 0x02, 0x90, 0x90), .longest = 3 },
  { "time/too-long", "maximum length", BYTES (0x74, 0x02, 0x90, 0x90), .longest = 2 },
};

static GilkVerifyInput
case_for (const uint8_t *code, gsize length)
{
  return (GilkVerifyInput) {
    .address = SLOT, .code = code, .length = length, .may_change = 7, .info = &info,
    .own = own, .n_own = G_N_ELEMENTS (own), .readable = readable, .n_readable = G_N_ELEMENTS (readable),
    .gates = gates, .n_gates = G_N_ELEMENTS (gates), .iid = IID, .payload = 16,
    .kernel_end = -0xa00000, .longest = 1000,
  };
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  const struct ilk_fault fault = { (uint32_t) c->fault, 1, SLOT + (uint64_t) c->fixup };
  GilkVerifyInput what = case_for (c->code, c->length);
  g_autoptr(GError) error = NULL;

  what.flags_dead = c->flags_dead;
  what.may_change |= c->more;
  what.backward = c->backward;
  what.longest = c->longest != 0 ? c->longest : what.longest;
  if (c->fixup != 0)
    {
      what.faults = &fault;
      what.n_faults = 1;
    }

  if (c->rule == NULL)
    {
      gilk_verify (&what, &error);
      g_assert_no_error (error);
      return;
    }
  g_assert_false (gilk_verify (&what, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_FAILED);
  if (strstr (error->message, c->rule) == NULL)
    g_error ("%s: \"%s\" is not in: %s", c->name, c->rule, error->message);
}

/* ---- test of hooks whose code the emitter made ---- */

/* Verifies a hook with a random set of live registers and flags, at a point of fixture_typical; the
 * slow path follows at the end. */
static void
prove_hook (GilkInstrumentKind kind, gboolean gated, gboolean far, GRand *rand)
{
  const GilkSite site = FIXTURE_C;
  const GilkWant want = { .block = 0, .kind = kind, .gated = gated };
  const uint64_t base = far ? 0x123456789000 : 0;
  const GilkBinding binding = { IID, base + COUNTER, base + LOST, base + DROPPED, 0, 0 };
  const GilkVerifyRange counters = { base + COUNTER, base + COUNTER + 24, TRUE };
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, site);
  g_autoptr(GError) error = NULL;
  GilkAsm as = { .base = SLOT, .code = g_byte_array_new () };
  GilkVerifyInput what;
  GilkHookWriter writer;
  GilkLive live;
  gsize over;
  g_autoptr(GilkSplicePlan) plan = gilk_splice_plan_new (fixture.cfg, fixture.decoder, &want, 1);

  live.regs = (g_rand_int (rand) & GILK_REGS_ALL) | GILK_REG_BIT (GILK_RSP) | GILK_REG_BIT (GILK_RBP);
  live.flags = g_rand_boolean (rand) ? 0 : g_rand_int (rand) & GILK_FLAGS_ARITH;
  plan->liveness->before[1] = live;
  as.image = fixture.image;
  as.unwind_as = FIXTURE_BASE + 5;
  gilk_hook_writer_init (&writer, &as, plan, &info, &binding);
  gilk_hook_writer_hook (&writer, 0, 1);
  over = gilk_asm_jmp_ahead (&as);
  gilk_hook_writer_finish (&writer);
  gilk_asm_land (&as, over);

  what = case_for (as.code->data, as.code->len);
  what.own = &counters;
  what.n_own = 1;
  what.payload = kind == GILK_INLINE_SPAN ? 8 : 0;
  what.may_change = (uint16_t) ~live.regs;
  what.flags_dead = (uint16_t) (GILK_FLAGS_ARITH & ~live.flags);
  gilk_verify (&what, &error);
  g_assert_no_error (error);

  /* The verifier must refuse the same code if the sample is to have another hook's iid. */
  what.iid++;
  if (kind != GILK_INLINE_COUNT)
    g_assert_false (gilk_verify (&what, NULL));
  g_byte_array_unref (as.code);
}

static void
test_hooks (void)
{
  static const GilkInstrumentKind kinds[] = { GILK_INLINE_COUNT, GILK_INLINE_STAMP, GILK_INLINE_SPAN };
  g_autoptr(GRand) rand = g_rand_new_with_seed (3);

  for (guint round = 0; round < 300; round++)
    prove_hook (kinds[round % 3], g_rand_boolean (rand), g_rand_boolean (rand), rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/proof/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/proof/hooks", test_hooks);

  return g_test_run ();
}
