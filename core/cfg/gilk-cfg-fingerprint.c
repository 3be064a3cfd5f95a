/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-fingerprint.c - computes fingerprints of blocks; a fingerprint does not depend on
 * addresses
 *
 * The fingerprint of a block is a hash of the instructions of the block, its predecessors and its
 * successors, because error paths often differ only in their predecessors. Called functions and
 * variables are hashed by name, because addresses differ from boot to boot. Code that the kernel
 * itself patches is left out: static keys and calls, ftrace sites, and the thunks that boot code
 * selects for the CPU.
 */
#include <string.h>

#include "core/cfg/gilk-cfg-private.h"
#include "core/cfg/gilk-cfg.h"
#include "core/decode/gilk-insn.h"

#define HASH_START 0xcbf29ce484222325u
#define TWIN       "twin"

static void
hash_bytes (uint64_t *hash, const void *data, gsize length)
{
  const uint8_t *bytes = data;

  for (gsize i = 0; i < length; i++)
    *hash = (*hash ^ bytes[i]) * 0x100000001b3u;
}

/* ---- hashes names ---- */

/*
 * Returns the length of @name without a compiler's suffix such as ".isra.0". Such suffixes vary
 * between builds.
 */
static gsize
get_stem_length (const char *name)
{
  gsize length = strcspn (name, ".");

  return length > 0 ? length : strlen (name);
}

/*
 * Hashes the name of the symbol at @addr. Of several aliases, hashes the alphabetically first one,
 * which is the same in each kernel.
 */
static void
hash_name_at (GilkSymbols *symbols, uint64_t addr, uint64_t *hash)
{
  guint count;
  const GilkSymbol *at = gilk_symbols_exactly (symbols, addr, &count);
  const char *name = NULL;

  for (guint i = 0; i < count; i++)
    if (name == NULL || strcmp (at[i].name, name) < 0)
      name = at[i].name;
  if (name == NULL && (at = gilk_symbols_at (symbols, addr)) != NULL)
    name = at->name;
  if (name != NULL)
    hash_bytes (hash, name, get_stem_length (name));
}

/* ---- hashes instructions ---- */

/* Returns whether the value (64 bits, or 32 sign-extended bits) looks like an address in the kernel
 * or a module. Small negative numbers (errno) do not. */
static gboolean
is_address (int64_t value)
{
  uint64_t v = (uint64_t) value;

  return (v >= 0xffffffff80000000u && v < 0xffffffffff000000u) ||
         (v >= 0xffff800000000000u && v < 0xffffffff80000000u);
}

/* Zeroes the bytes of an instruction that depend on the kernel's address layout. If @symbols is
 * set, hashes the names of the symbols to which these bytes refer instead. */
static void
mask_addresses (uint8_t *bytes, const GilkInsn *insn, GilkSymbols *symbols, uint64_t *hash)
{
  uint64_t next = insn->addr + insn->len;
  GilkOpcode op;
  int64_t value;

  if (!gilk_opcode_parse (bytes, insn->len, &op))
    return;

  if (op.disp_size == 4)
    {
      value = gilk_opcode_value (bytes, op.disp_offset, 4);
      if (op.rip_relative || op.prefixes & GILK_PREFIX_GS || is_address (value))
        {
          memset (bytes + op.disp_offset, 0, 4);
          if (symbols != NULL)
            hash_name_at (symbols, (uint64_t) value + (op.rip_relative ? next : 0), hash);
        }
    }
  if (op.imm_size >= 4 && op.imm_offset >= 0)
    {
      value = gilk_opcode_value (bytes, op.imm_offset, op.imm_size);
      if (is_address (value))
        {
          memset (bytes + op.imm_offset, 0, op.imm_size);
          if (symbols != NULL)
            hash_name_at (symbols, (uint64_t) value, hash);
        }
    }
}

static gboolean
is_rewritten (const GilkCfg *cfg, const GilkInsn *insn)
{
  guint n_sites;
  const GilkSite *sites = gilk_image_sites (cfg->image, insn->addr, insn->addr + 1, &n_sites);

  for (guint i = 0; i < n_sites; i++)
    if (sites[i].kind == GILK_SITE_JUMP_LABEL || sites[i].kind == GILK_SITE_STATIC_CALL ||
        sites[i].kind == GILK_SITE_FENTRY)
      return TRUE;

  return FALSE;
}

/*
 * Returns whether @insn is like "call *%rax" or "jmp *%r11": boot code may replace a call of a
 * thunk by such an instruction.
 */
static gboolean
is_through_register (const uint8_t *bytes, const GilkInsn *insn)
{
  guint at = bytes[0] == 0x41 ? 1 : 0;

  return insn->len == at + 2 && bytes[at] == 0xff && bytes[at + 1] >= 0xd0 && bytes[at + 1] < 0xe8;
}

/* Hashes the kind of a branch, but not its bytes, because a branch over a longer distance has more
 * bytes. */
static void
hash_branch (const GilkCfg *cfg, const GilkInsn *insn, uint64_t *hash)
{
  const GilkFunction *f = cfg->function;
  GilkSymbols *symbols = gilk_image_symbols (cfg->image);
  const uint8_t *bytes = gilk_cfg_bytes (cfg, insn);
  uint8_t kind[3] = { 0xff, insn->branch, insn->opcode_hint };

  if (insn->target != 0 && gilk_image_is_return_thunk (cfg->image, insn->target))
    kind[1] = GILK_BRANCH_RET;
  else if (insn->target != 0 && gilk_image_is_indirect_thunk (cfg->image, insn->target))
    kind[1] = insn->branch == GILK_BRANCH_CALL ? GILK_BRANCH_CALL_INDIRECT : GILK_BRANCH_JUMP_INDIRECT;
  else if (insn->target == 0 && insn->branch != GILK_BRANCH_RET && !is_through_register (bytes, insn))
    {
      uint8_t copy[16];

      memcpy (copy, bytes, insn->len);
      mask_addresses (copy, insn, symbols, hash);
      hash_bytes (hash, copy, insn->len);
    }
  else if (insn->target != 0 && symbols != NULL &&
           (insn->branch == GILK_BRANCH_CALL ||
            !((insn->target >= f->hot.start && insn->target < f->hot.end) ||
              (insn->target >= f->cold.start && insn->target < f->cold.end))))
    hash_name_at (symbols, insn->target, hash);
  hash_bytes (hash, kind, sizeof kind);
}

static void
hash_insn (const GilkCfg *cfg, const GilkInsn *insn, uint64_t *hash)
{
  uint8_t bytes[16];

  if (is_rewritten (cfg, insn) || insn->flags & (GILK_INSN_NOP | GILK_INSN_ENDBR))
    return;
  if (insn->target != 0 || insn->branch == GILK_BRANCH_RET ||
      insn->branch == GILK_BRANCH_CALL_INDIRECT || insn->branch == GILK_BRANCH_JUMP_INDIRECT)
    {
      hash_branch (cfg, insn, hash);
      return;
    }

  memcpy (bytes, gilk_cfg_bytes (cfg, insn), insn->len);
  mask_addresses (bytes, insn, gilk_image_symbols (cfg->image), hash);
  hash_bytes (hash, bytes, insn->len);
}

static uint64_t
hash_block (const GilkCfg *cfg, const GilkBlock *block)
{
  uint64_t hash = HASH_START;

  for (guint i = 0; i < block->n_insns; i++)
    hash_insn (cfg, &cfg->insns[block->first_insn + i], &hash);

  return hash;
}

/* ---- hashes blocks with their neighbours ---- */

/* Returns the class of the edge that goes into a hash. Both edges of a static key have the same
 * class, because the key may be flipped at any time. Jumps and fall-through share a class, too,
 * because the jump instruction itself is hashed. */
static guint
get_edge_class (const GilkCfg *cfg, const GilkEdge *edge)
{
  const GilkBlock *from = &cfg->blocks[edge->from];

  for (guint i = from->first_out; i < from->first_out + from->n_out; i++)
    if (cfg->edges[i].kind == GILK_EDGE_STATIC_KEY && edge->kind != GILK_EDGE_FIXUP)
      return GILK_EDGE_STATIC_KEY;

  return edge->kind == GILK_EDGE_JUMP ? GILK_EDGE_FALL : edge->kind;
}

static uint64_t
hash_edge (guint class, gboolean leaves, uint64_t other)
{
  const uint64_t parts[] = { class, leaves, other };
  uint64_t hash = HASH_START;

  hash_bytes (&hash, parts, sizeof parts);

  return hash;
}

/* Hashes all blocks. The hashes of neighbours are added up, so that their order does not matter. */
static uint64_t *
hash_blocks (const GilkCfg *cfg)
{
  g_autofree uint64_t *own = g_new (uint64_t, cfg->n_blocks);
  g_autofree uint64_t *around = g_new0 (uint64_t, cfg->n_blocks);
  uint64_t *fingerprints = g_new (uint64_t, cfg->n_blocks);

  for (guint i = 0; i < cfg->n_blocks; i++)
    own[i] = hash_block (cfg, &cfg->blocks[i]);
  for (guint i = 0; i < cfg->n_edges; i++)
    {
      const GilkEdge *edge = &cfg->edges[i];
      guint class = get_edge_class (cfg, edge);

      around[edge->from] += hash_edge (class, TRUE, own[edge->to]);
      around[edge->to] += hash_edge (class, FALSE, own[edge->from]);
    }
  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      fingerprints[i] = own[i];
      hash_bytes (&fingerprints[i], &around[i], sizeof around[i]);
    }

  return fingerprints;
}

static uint64_t
get_offset (const GilkCfg *cfg, const GilkBlock *block)
{
  gboolean cold = (block->flags & GILK_BLOCK_COLD) != 0;

  return block->start - (cold ? cfg->function->cold.start : cfg->function->hot.start);
}

static uint64_t
hash_graph (const GilkCfg *cfg, const uint64_t *fingerprints)
{
  uint64_t hash = HASH_START;

  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      const GilkBlock *block = &cfg->blocks[i];
      const uint64_t parts[] = {
        (block->flags & GILK_BLOCK_COLD) != 0, get_offset (cfg, block), fingerprints[i],
      };

      hash_bytes (&hash, parts, sizeof parts);
    }

  return hash;
}

static const GilkCfgFull *
ensure_fingerprints (const GilkCfg *cfg)
{
  GilkCfgFull *full = (GilkCfgFull *) gilk_cfg_whole (cfg);

  if (g_once_init_enter (&full->fingerprints_known))
    {
      full->fingerprints = hash_blocks (&full->cfg);
      full->graph_fingerprint = hash_graph (&full->cfg, full->fingerprints);
      g_once_init_leave (&full->fingerprints_known, 1);
    }

  return full;
}

/* ---- fingerprints as text ---- */

static guint
count_fingerprint (const GilkCfgFull *full, uint64_t print, guint *first)
{
  guint found = 0;

  for (guint i = full->cfg.n_blocks; i-- > 0;)
    if (full->fingerprints[i] == print)
      {
        *first = i;
        found++;
      }

  return found;
}

/* Writes @print, the fingerprint of @block or of an instruction in it, as text. */
static void
write_fingerprint (const GilkCfgFull *full, guint block, uint64_t print, char out[GILK_FINGERPRINT_SIZE])
{
  guint first;
  int n = g_snprintf (out, GILK_FINGERPRINT_SIZE, "%016" G_GINT64_MODIFIER "x:", full->graph_fingerprint);

  if (count_fingerprint (full, full->fingerprints[block], &first) > 1)
    g_strlcpy (out + n, TWIN, GILK_FINGERPRINT_SIZE - n);
  else
    g_snprintf (out + n, GILK_FINGERPRINT_SIZE - n, "%016" G_GINT64_MODIFIER "x", print);
}

/* Returns the block of the uncut graph that contains block @block of @cfg, whose blocks may be cut
 * in two. */
static guint
find_whole_block (const GilkCfg *cfg, guint block)
{
  const GilkCfg *whole = gilk_cfg_whole (cfg);

  return whole == cfg ? block : (guint) gilk_cfg_block_around (whole, cfg->blocks[block].start);
}

void
gilk_cfg_fingerprint (const GilkCfg *cfg, guint block, char out[GILK_FINGERPRINT_SIZE])
{
  const GilkCfgFull *full = ensure_fingerprints (cfg);
  guint whole = find_whole_block (cfg, block);

  write_fingerprint (full, whole, full->fingerprints[whole], out);
}

gboolean
gilk_cfg_is_graph (const GilkCfg *cfg, const char *print)
{
  return g_ascii_strtoull (print, NULL, 16) == ensure_fingerprints (cfg)->graph_fingerprint;
}

guint
gilk_cfg_find_fingerprint (const GilkCfg *cfg, const char *print, guint *block)
{
  const char *colon = strchr (print, ':');

  if (colon == NULL || strcmp (colon + 1, TWIN) == 0)
    return 0;

  return count_fingerprint (ensure_fingerprints (cfg), g_ascii_strtoull (colon + 1, NULL, 16), block);
}

/* ---- fingerprints of instructions ---- */

/* Returns whether @insn gets a number within its block, for fingerprints of instructions. Nops and
 * ENDBR get none, because they differ between builds, unless the kernel patches them. */
static gboolean
is_counted (const GilkCfg *cfg, const GilkInsn *insn)
{
  return (insn->flags & (GILK_INSN_NOP | GILK_INSN_ENDBR)) == 0 || is_rewritten (cfg, insn);
}

static uint64_t
hash_numbered_insn (uint64_t block_print, guint number)
{
  const uint64_t parts[] = { block_print, number };
  uint64_t hash = HASH_START;

  hash_bytes (&hash, parts, sizeof parts);

  return hash;
}

void
gilk_cfg_insn_fingerprint (const GilkCfg *cfg, uint64_t addr, char out[GILK_FINGERPRINT_SIZE])
{
  const GilkCfgFull *full = ensure_fingerprints (cfg);
  guint block = (guint) gilk_cfg_block_around (&full->cfg, addr), number = 0;

  for (guint i = full->cfg.blocks[block].first_insn; full->cfg.insns[i].addr < addr; i++)
    number += is_counted (&full->cfg, &full->cfg.insns[i]);
  write_fingerprint (full, block, hash_numbered_insn (full->fingerprints[block], number), out);
}

guint
gilk_cfg_find_insn_fingerprint (const GilkCfg *cfg, const char *print, uint64_t *addr)
{
  const GilkCfgFull *full = ensure_fingerprints (cfg);
  const char *colon = strchr (print, ':');
  uint64_t wanted = colon != NULL ? g_ascii_strtoull (colon + 1, NULL, 16) : 0;
  guint found = 0;

  for (guint i = 0; colon != NULL && strcmp (colon + 1, TWIN) != 0 && i < full->cfg.n_blocks; i++)
    {
      const GilkBlock *block = &full->cfg.blocks[i];
      guint number = 0;

      for (guint k = block->first_insn; k < block->first_insn + block->n_insns; k++)
        if (is_counted (&full->cfg, &full->cfg.insns[k]) && hash_numbered_insn (full->fingerprints[i], number++) == wanted)
          {
            *addr = full->cfg.insns[k].addr;
            found++;
          }
    }

  return found;
}

/* ---- fingerprints of plan format 1 ---- */

void
gilk_cfg_old_fingerprint (const GilkCfg *cfg, guint block, char out[17])
{
  const GilkBlock *b = &cfg->blocks[block];
  uint64_t hash = HASH_START;

  for (guint i = 0; i < b->n_insns; i++)
    {
      const GilkInsn *insn = &cfg->insns[b->first_insn + i];
      uint8_t bytes[16] = { 0xff, insn->branch, insn->opcode_hint };
      guint length = 3;

      if (is_rewritten (cfg, insn) || insn->flags & (GILK_INSN_NOP | GILK_INSN_ENDBR))
        continue;
      if (insn->target == 0)
        {
          length = insn->len;
          memcpy (bytes, gilk_cfg_bytes (cfg, insn), length);
          mask_addresses (bytes, insn, NULL, NULL);
        }
      hash_bytes (&hash, bytes, length);
    }

  g_snprintf (out, 17, "%016" G_GINT64_MODIFIER "x", hash);
}
