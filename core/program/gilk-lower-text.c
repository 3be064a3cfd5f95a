/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lower-text.c - loads text: strings and the thread's name, for samples and as keys of maps
 */
#include "core/program/gilk-lower-private.h"

/*
 * Text is loaded word by word up to its end.
 *
 * The bytes after the first 0 byte of a word are cleared without a branch: (w - 0x01..01) & ~w &
 * 0x80..80 has its lowest bit set at that 0 (Knuth, TAOCP 7.1.3). Always loads whole words. If a
 * word extends into unreadable memory, the string is bad, even if it ends in front of that memory.
 * The exception is user memory, where the next page often is not present: there the readable bytes
 * are used (GilkOp.is_text).
 */

typedef struct {
  GilkLower *lower;
  guint      ones, tops;         /* values that hold the constants 0x01..01 and 0x80..80, which are
                                  * too large for an operation's 32-bit immediate */
  guint      x, y;               /* scratch values; like the constants, they are live until the
                                  * string is complete */
} Text;

static void
add_operation (const Text *text, GilkOpKind kind, guint to, guint a, guint b, int64_t imm)
{
  GilkOp op = gilk_lower_op (kind);

  op.to = (uint16_t) to;
  op.a = (uint16_t) a;
  op.b = (uint16_t) b;
  op.imm = imm;
  gilk_lower_add (text->lower, op);
}

/* Sets x to a number whose lowest set bit is in the first 0 byte of @word; bits in later bytes are
 * arbitrary. Sets x to 0 if no byte of @word is 0. */
static void
find_zeros (const Text *text, guint word)
{
  add_operation (text, GILK_OP_SUB, text->x, word, text->ones, 0);
  add_operation (text, GILK_OP_XOR, text->y, word, GILK_NO_VALUE, -1);
  add_operation (text, GILK_OP_AND, text->x, text->x, text->y, 0);
  add_operation (text, GILK_OP_AND, text->x, text->x, text->tops, 0);
}

/* Sets y to a mask of the bytes below the lowest set bit of x; to all ones if x is 0. */
static void
set_low_mask (const Text *text)
{
  add_operation (text, GILK_OP_SUB, text->y, text->x, GILK_NO_VALUE, 1);
  add_operation (text, GILK_OP_AND, text->y, text->y, text->x, 0);
  add_operation (text, GILK_OP_XOR, text->y, text->y, text->x, 0);
  add_operation (text, GILK_OP_SHR, text->y, text->y, GILK_NO_VALUE, 7);
  add_operation (text, GILK_OP_SUB, text->y, text->y, GILK_NO_VALUE, 1);
}

/* Loads word @i of text @node. A load from a string branches to lower->bad if it fails. */
static guint
load_word (GilkLower *lower, const GilkNode *node, guint at, guint i)
{
  GilkOp op = gilk_lower_op (GILK_OP_LOAD);

  if (node->kind != GILK_NODE_STRING)
    return gilk_lower_task_load (lower, node->meaning->number + 8 * i, 8, FALSE).value;
  op.is_user = op.is_text = gilk_ctype_is_user (&node->first->type);
  op.a = (uint16_t) at;
  op.imm = 8 * i;
  op.size = 8;
  op.to = (uint16_t) gilk_lower_value (lower);
  op.label = (uint16_t) gilk_lower_label (lower, lower->bad);
  gilk_lower_add (lower, op);

  return op.to;
}

void
gilk_lower_text (GilkLower      *lower,
                 const GilkNode *node,
                 guint           at,
                 const guint    *words)
{
  const guint n = gilk_typing_words (node);
  const Text text = {
    lower, gilk_lower_as_value (lower, gilk_lower_constant (0x0101010101010101)),
    gilk_lower_as_value (lower, gilk_lower_constant ((int64_t) UINT64_C (0x8080808080808080))),
    gilk_lower_value (lower), gilk_lower_value (lower),
  };
  GilkOpTarget end = { .is_used = FALSE };

  for (guint i = 0; i < n; i++)
    {
      const guint word = load_word (lower, node, at, i);

      find_zeros (&text, word);
      set_low_mask (&text);
      add_operation (&text, GILK_OP_AND, words[i], word, text.y, 0);
      if (i + 1 < n)
        gilk_lower_branch (lower, GILK_IF_NE, gilk_lower_operand (text.x), gilk_lower_constant (0), &end);
    }
  gilk_lower_place_target (lower, &end);
}

/* Returns the hash of a text, gilk_map_text_key() of its words. Operands of gilk_lower_compute() are free for reuse, but the words
 * and the hash are read later, so this emits its operations itself. */
static GilkOperand
compute_hash (GilkLower *lower, const guint *words, guint n)
{
  const Text text = { .lower = lower, .x = gilk_lower_value (lower), .y = gilk_lower_value (lower) };
  const guint hash = text.x, factor = gilk_lower_as_value (lower, gilk_lower_constant ((int64_t) GILK_TEXT_FACTOR));

  gilk_lower_move (lower, hash, gilk_lower_constant (0));
  for (guint i = 0; i < n; i++)
    {
      add_operation (&text, GILK_OP_XOR, hash, hash, words[i], 0);
      add_operation (&text, GILK_OP_MUL, hash, hash, factor, 0);
      add_operation (&text, GILK_OP_SHR, text.y, hash, GILK_NO_VALUE, 32);
      add_operation (&text, GILK_OP_XOR, hash, hash, text.y, 0);
    }

  return gilk_lower_operand (hash);
}

GilkOperand
gilk_lower_text_key (GilkLower      *lower,
                     const GilkNode *node,
                     guint           at,
                     guint          *words)
{
  const guint n = gilk_typing_words (node);

  for (guint i = 0; i < n; i++)
    {
      words[i] = gilk_lower_value (lower);
      gilk_lower_move (lower, words[i], gilk_lower_constant (0));
    }
  gilk_lower_text (lower, node, at, words);

  return compute_hash (lower, words, n);
}

void
gilk_lower_key_text (GilkLower            *lower,
                     const GilkProgramMap *map,
                     guint                 slot,
                     const guint          *words)
{
  GilkOp store = gilk_lower_op (GILK_OP_AREA_STORE);

  store.area = (uint16_t) map->area;
  store.index = (uint16_t) slot;
  store.mask = map->slots - 1;
  for (guint i = 0; i < map->words; i++)
    {
      store.a = (uint16_t) words[i];
      store.imm = gilk_map_text_first (map, i);
      gilk_lower_add (lower, store);
    }
}
