/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg.h - builds the control-flow graph of one function from the live bytes of its text
 *
 * Calls do not end blocks, except calls that never return. Blocks are sorted by address; the entry
 * is block 0 unless the cold part has lower addresses, see @entry.
 *
 * Threads: any; immutable once built. The decoder belongs to the caller. Reading text may block on
 * the target. On failure no graph is returned and outputs are unchanged.
 */
#pragma once

#include "core/cfg/gilk-function.h"
#include "core/decode/gilk-insn.h"

G_BEGIN_DECLS

typedef enum {
  GILK_EDGE_FALL,          /* falls through into the next block */
  GILK_EDGE_TAKEN,         /* jcc taken */
  GILK_EDGE_NOT_TAKEN,
  GILK_EDGE_JUMP,
  GILK_EDGE_STATIC_KEY,    /* taken only while the static key has been flipped */
  GILK_EDGE_FIXUP,         /* exception table: from a faulting instruction to its fix-up */
} GilkEdgeKind;

typedef struct {
  uint32_t from, to;       /* block indices */
  uint8_t  kind;           /* GilkEdgeKind */
  gboolean back;           /* back edge of a depth-first walk: closes a loop */
} GilkEdge;

typedef enum {
  GILK_END_FALL,           /* falls through into the next block */
  GILK_END_JCC,
  GILK_END_JUMP,
  GILK_END_RETURN,
  GILK_END_TAIL_CALL,      /* jump out of the function */
  GILK_END_NORETURN,       /* call that never returns */
  GILK_END_TRAP,           /* ud2 (BUG), int3, hlt loop */
  GILK_END_INDIRECT,       /* indirect jump; a tail call unless the function is refused */
} GilkBlockEnd;

enum {                      /* GilkBlock.flags */
  GILK_BLOCK_COLD      = 1 << 0,
  GILK_BLOCK_LOOP_HEAD = 1 << 1,
  GILK_BLOCK_ENTRY     = 1 << 2,
  GILK_BLOCK_INBOUND   = 1 << 3,   /* other functions also jump to this block */
  GILK_BLOCK_LEAVES    = 1 << 4,   /* a fix-up or static key in the block leads out of the function,
                                    * so there is an exit without an edge */
};

typedef struct {
  uint64_t start, end;     /* address range: @start is included, @end is not */
  uint32_t first_insn;     /* index in insns; a block's instructions are contiguous */
  uint32_t n_insns;
  uint32_t first_out, n_out;   /* index of the first outgoing edge (edges are sorted by source), and
                                * number of outgoing edges */
  uint32_t n_in;
  uint8_t  ending;         /* GilkBlockEnd */
  uint8_t  flags;
  uint16_t loop_depth;
} GilkBlock;

typedef struct {
  const GilkFunction *function;   /* the graph's function; lives as long as @functions */
  GilkInsn  *insns;   guint n_insns;
  GilkBlock *blocks;  guint n_blocks;
  GilkEdge  *edges;   guint n_edges;
  guint      entry;               /* block index of the function's first instruction */
  guint      refusal;             /* GilkRefusal of the whole function; 0: none */
  uint64_t   refusal_addr;        /* instruction that caused the refusal */
  /* private: */
  gatomicrefcount ref_count;
  GilkFunctions  *functions;
  GilkImage      *image;
} GilkCfg;

/**
 * gilk_cfg_new:
 * Builds the graph from live bytes. For a refused function, the graph has only the part that could
 * be decoded, and @refusal is set. Returns NULL only if the text cannot be read.
 */
GilkCfg *gilk_cfg_new   (GilkFunctions *functions, const GilkFunction *function,
                         GilkDecoder *decoder, GError **error);

typedef struct {
  uint64_t start, end;
  uint32_t n_insns;
  uint8_t  ending;         /* GilkBlockEnd */
  gboolean cold;
} GilkRecordedBlock;

/**
 * gilk_cfg_new_recorded:
 * @edges: member @back of each edge is ignored and computed again
 * Builds a recorded graph without the kernel: member insns is NULL, but each block has its number
 * of instructions; bytes and fingerprints are missing. The input is untrusted: returns NULL
 * with GILK_ERROR_FORMAT unless it is a valid graph.
 */
GilkCfg *gilk_cfg_new_recorded (const char *name, uint64_t entry,
                                const GilkRecordedBlock *blocks, guint n_blocks,
                                const GilkEdge *edges, guint n_edges, GError **error);
GilkCfg *gilk_cfg_ref   (GilkCfg *cfg);
void     gilk_cfg_unref (GilkCfg *cfg);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCfg, gilk_cfg_unref)

/* Return the index of the block that starts at @start, or that contains @addr; -1: none. */
int      gilk_cfg_block_at     (const GilkCfg *cfg, uint64_t start);
int      gilk_cfg_block_around (const GilkCfg *cfg, uint64_t addr);
/* Returns for each block whether control can reach it from the entry. (transfer full) */
gboolean *gilk_cfg_reached     (const GilkCfg *cfg);
/* Returns the bytes that an instruction had when the graph was built. */
const uint8_t *gilk_cfg_bytes  (const GilkCfg *cfg, const GilkInsn *insn);
/* Returns the offset that names a block: "+0x1f", or ".cold+0x10" in the cold part.
 * (transfer full) */
char    *gilk_cfg_offset_name  (const GilkCfg *cfg, uint64_t addr);
/* Returns the target of a direct branch or call: "+0x5f" in the function, "mutex_lock" outside.
 * (transfer full) */
char    *gilk_cfg_target_name  (const GilkCfg *cfg, const GilkInsn *insn);
gboolean gilk_cfg_parse_offset (const GilkCfg *cfg, const char *text, uint64_t *addr);
#define GILK_FINGERPRINT_SIZE 34   /* size of a fingerprint, including the NUL */
/**
 * gilk_cfg_fingerprint: Writes "FUNCTION:BLOCK". FUNCTION is a hash of the whole function, BLOCK is
 * a hash of the block and its neighbours; both have 16 hex digits. Callees and variables are hashed
 * by name, addresses are masked. The same code at another address or in another build has the same
 * fingerprints. If several blocks of the function have the same hash, the word "twin" replaces
 * BLOCK.
 */
void     gilk_cfg_fingerprint  (const GilkCfg *cfg, guint block, char out[GILK_FINGERPRINT_SIZE]);
/* Returns whether the first half of the fingerprint @print is the hash of this function. If so, all
 * blocks and offsets are the same as when @print was made. */
gboolean gilk_cfg_is_graph     (const GilkCfg *cfg, const char *print);
/* Returns how many blocks of the whole graph have the fingerprint @print, whose second part must
 * not be "twin". @block: (out): the first such block */
guint    gilk_cfg_find_fingerprint   (const GilkCfg *cfg, const char *print, guint *block);
/* Write and find the fingerprint of an instruction, which is made from the hash of the block and
 * the position of the instruction in the block. @addr: address of the instruction */
void     gilk_cfg_insn_fingerprint   (const GilkCfg *cfg, uint64_t addr, char out[GILK_FINGERPRINT_SIZE]);
guint    gilk_cfg_find_insn_fingerprint (const GilkCfg *cfg, const char *print, uint64_t *addr);
/* Writes the fingerprint of version 1 of the plan format: 16 digits for the block alone, without
 * names of callees. */
void     gilk_cfg_old_fingerprint    (const GilkCfg *cfg, guint block, char out[17]);
/* Returns the graph in Graphviz's format. (transfer full) */
char    *gilk_cfg_to_dot       (const GilkCfg *cfg);

/*
 * Graphs with blocks cut in two, for hooks at any instruction
 *
 * A cut turns a block into two. The first half falls through into the second half and is its only
 * predecessor. A cut graph has the same instructions as the whole graph, with the same indices. A
 * cut block has the properties of the whole block that contains it, such as the fingerprint.
 *
 * Threads: any; the decoder belongs to the caller.
 */

/**
 * gilk_cfg_new_cut:
 * @cfg: graph of a kernel function; if it is cut already, the new graph has only the cuts in @at
 * @at: addresses of instructions; other addresses, and starts of blocks, are ignored
 * Makes a graph whose blocks are cut in front of the instructions at @at.
 */
GilkCfg       *gilk_cfg_new_cut (const GilkCfg *cfg, GilkDecoder *decoder, const uint64_t *at, guint n);
/* Returns the graph that @cfg was cut from, or @cfg itself. (transfer none) */
const GilkCfg *gilk_cfg_whole   (const GilkCfg *cfg);
/* Returns the index of the instruction that starts at @addr; -1: none. */
int            gilk_cfg_insn_at (const GilkCfg *cfg, uint64_t addr);

/*
 * Blocks that leave a function: returns and tail calls
 *
 * Threads: any; the graph is not changed.
 */

typedef struct {
  guint block;
  guint number;            /* number of a return, counted from 1 in the hot part and then in the
                            * cold part; 0: tail call */
} GilkCfgExit;

/**
 * gilk_cfg_exits:
 * @whole: (out) (optional): whether the result has all exits of the function. It does not if a jump
 *   has unknown targets, or if a block only sometimes leaves the function
 * Finds returns and tail calls, first in the hot part, then in the cold part, each sorted by
 * address. Unreachable exits are left out, except in user programs, where exceptions may lead to
 * them.
 * Returns: (element-type GilkCfgExit) (transfer full)
 */
GArray *gilk_cfg_exits (const GilkCfg *cfg, gboolean *whole);
/*
 * Returns whether control may leave the function from the block by a conditional tail call, a
 * fix-up or a static key.
 */
gboolean gilk_cfg_may_leave_early (const GilkCfg *cfg, guint block);

/*
 * Loops around a block
 *
 * Threads: any. Pure: depends on one graph only.
 */

/* Returns the headers of the loops that contain @block, outermost first. A header is in its own
 * loop. (transfer full) (element-type guint) */
GArray *gilk_cfg_loops_around (const GilkCfg *cfg, guint block);
/* Fills @in, a flag for each block, with the loop whose header is @head. Returns its number of
 * blocks. */
guint   gilk_cfg_loop_blocks  (const GilkCfg *cfg, guint head, gboolean *in);

G_END_DECLS
