/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg.h - control-flow graph of one function, from live bytes
 *
 * Calls do not end blocks (calls that never return do). Blocks are sorted by
 * address; block 0 is the entry unless the cold part lies lower, see @entry.
 * Immutable once built; safe to share between threads.
 *
 * Threads: any; the decoder is the caller's. Reading text may block on the target. On
 * failure there is no graph; outputs are untouched.
 */
#pragma once

#include "core/cfg/gilk-function.h"
#include "core/decode/gilk-insn.h"

G_BEGIN_DECLS

typedef enum {
  GILK_EDGE_FALL,          /* runs on into the next leader */
  GILK_EDGE_TAKEN,         /* jcc taken */
  GILK_EDGE_NOT_TAKEN,
  GILK_EDGE_JUMP,
  GILK_EDGE_STATIC_KEY,    /* where the site would go if the key were flipped */
  GILK_EDGE_FIXUP,         /* exception table: faulting instruction to its fix-up */
} GilkEdgeKind;

typedef struct {
  uint32_t from, to;       /* block indices */
  uint8_t  kind;           /* GilkEdgeKind */
  gboolean back;           /* target dominates or DFS back edge: closes a loop */
} GilkEdge;

typedef enum {
  GILK_END_FALL,           /* next leader follows */
  GILK_END_JCC,
  GILK_END_JUMP,
  GILK_END_RETURN,
  GILK_END_TAIL_CALL,      /* jump out of the function */
  GILK_END_NORETURN,       /* call that never returns */
  GILK_END_TRAP,           /* ud2 (BUG), int3, hlt loop */
  GILK_END_INDIRECT,       /* indirect jump; as a tail call unless refused */
} GilkBlockEnd;

enum {                      /* GilkBlock.flags */
  GILK_BLOCK_COLD      = 1 << 0,
  GILK_BLOCK_LOOP_HEAD = 1 << 1,
  GILK_BLOCK_ENTRY     = 1 << 2,
  GILK_BLOCK_INBOUND   = 1 << 3,   /* other functions jump to it as well */
  GILK_BLOCK_LEAVES    = 1 << 4,   /* a fix-up or static key leads out of the function; no edge */
};

typedef struct {
  uint64_t start, end;     /* [start, end) */
  uint32_t first_insn;     /* index into insns; blocks' instructions are contiguous */
  uint32_t n_insns;
  uint32_t first_out, n_out;   /* edges leaving, index into edges (sorted by from) */
  uint32_t n_in;
  uint8_t  ending;         /* GilkBlockEnd */
  uint8_t  flags;
  uint16_t loop_depth;
} GilkBlock;

typedef struct {
  const GilkFunction *function;   /* kept alive by @functions */
  GilkInsn  *insns;   guint n_insns;
  GilkBlock *blocks;  guint n_blocks;
  GilkEdge  *edges;   guint n_edges;
  guint      entry;               /* block index of the function's first instruction */
  guint      refusal;             /* GilkRefusal for the whole function, 0 none */
  uint64_t   refusal_addr;        /* the instruction that stood in the way */
  /* private: */
  gatomicrefcount ref_count;
  GilkFunctions  *functions;
  GilkImage      *image;
} GilkCfg;

/**
 * gilk_cfg_new:
 * Builds the graph from the bytes of now. A refused function still gets what
 * could be decoded, with @refusal set. NULL only if the text cannot be read.
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
 * The graph as it was written down, without the kernel: insns is NULL, though blocks
 * know how many they had; it has neither bytes nor fingerprints. It may come from
 * anyone's file: NULL with GILK_ERROR_FORMAT unless it is a graph. @edges: back is found anew.
 */
GilkCfg *gilk_cfg_new_recorded (const char *name, uint64_t entry,
                                const GilkRecordedBlock *blocks, guint n_blocks,
                                const GilkEdge *edges, guint n_edges, GError **error);
GilkCfg *gilk_cfg_ref   (GilkCfg *cfg);
void     gilk_cfg_unref (GilkCfg *cfg);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCfg, gilk_cfg_unref)

/* Block that starts at / that covers @addr; -1 if none */
int      gilk_cfg_block_at     (const GilkCfg *cfg, uint64_t start);
int      gilk_cfg_block_around (const GilkCfg *cfg, uint64_t addr);
/* Per block: can control get there from the entry? (transfer full) */
gboolean *gilk_cfg_reached     (const GilkCfg *cfg);
/* Live bytes of an instruction as they were when the graph was built. */
const uint8_t *gilk_cfg_bytes  (const GilkCfg *cfg, const GilkInsn *insn);
/* Offset used to name a block: "+0x1f", or ".cold+0x10" for the cold part. (transfer full) */
char    *gilk_cfg_offset_name  (const GilkCfg *cfg, uint64_t addr);
/* Where a direct branch or call goes: "+0x5f" in the function, "mutex_lock" outside. (transfer full) */
char    *gilk_cfg_target_name  (const GilkCfg *cfg, const GilkInsn *insn);
gboolean gilk_cfg_parse_offset (const GilkCfg *cfg, const char *text, uint64_t *addr);
#define GILK_FINGERPRINT_SIZE 34   /* with the NUL */
/**
 * gilk_cfg_fingerprint:
 * "FUNCTION:BLOCK", 16 hex digits each: what the whole function does, and what the
 * block and its neighbours do, callees and variables by name, addresses masked out.
 * The same code at another place or in another build has the same prints. A block that
 * is not the only one of its print in the function has the word "twin" for it.
 */
void     gilk_cfg_fingerprint  (const GilkCfg *cfg, guint block, char out[GILK_FINGERPRINT_SIZE]);
/* TRUE if all of the function is as it was when @print was taken, offsets included. */
gboolean gilk_cfg_is_graph     (const GilkCfg *cfg, const char *print);
/* How many blocks of the whole graph have that print, which is none of a twin; the first through @block. */
guint    gilk_cfg_find_print   (const GilkCfg *cfg, const char *print, guint *block);
/* The same of the instruction at @addr, which begins there: by its block's print and its number in it. */
void     gilk_cfg_insn_print   (const GilkCfg *cfg, uint64_t addr, char out[GILK_FINGERPRINT_SIZE]);
guint    gilk_cfg_find_insn_print (const GilkCfg *cfg, const char *print, uint64_t *addr);
/* As version 1 of the plan format had it: 16 digits over the block alone, callees unnamed. */
void     gilk_cfg_old_print    (const GilkCfg *cfg, guint block, char out[17]);
/* Graphviz text. (transfer full) */
char    *gilk_cfg_to_dot       (const GilkCfg *cfg);

G_END_DECLS
