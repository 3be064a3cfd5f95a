/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lower-string.c - loads a string from memory, word by word up to its end
 *
 * The bytes after the first 0 byte of a word are cleared without a branch: (w - 0x01..01) & ~w &
 * 0x80..80 has its lowest bit set at that 0 (Knuth, TAOCP 7.1.3). Words are loaded whole: a word
 * that extends into unreadable memory is bad, even if the string ends in front of that memory.
 */
#include "core/program/gilk-lower-private.h"

typedef struct {
  GilkLower *lower;
  guint      ones, tops;         /* 0x01..01, 0x80..80: too large for an operation's 32-bit immediate */
  guint      x, y;               /* scratch; ones, tops, x and y are all live until the string is
                                  * complete */
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

/* Sets x to a number whose lowest bit is in the first 0 byte of @word; later bytes may also have
 * bits. Sets x to 0 if no byte of @word is 0. */
static void
find_zeros (const Text *text, guint word)
{
  add_operation (text, GILK_OP_SUB, text->x, word, text->ones, 0);
  add_operation (text, GILK_OP_XOR, text->y, word, GILK_NO_VALUE, -1);
  add_operation (text, GILK_OP_AND, text->x, text->x, text->y, 0);
  add_operation (text, GILK_OP_AND, text->x, text->x, text->tops, 0);
}

/* Sets y to a mask of the bytes below the lowest bit of x; to all ones if x is 0. */
static void
set_low_mask (const Text *text)
{
  add_operation (text, GILK_OP_SUB, text->y, text->x, GILK_NO_VALUE, 1);
  add_operation (text, GILK_OP_AND, text->y, text->y, text->x, 0);
  add_operation (text, GILK_OP_XOR, text->y, text->y, text->x, 0);
  add_operation (text, GILK_OP_SHR, text->y, text->y, GILK_NO_VALUE, 7);
  add_operation (text, GILK_OP_SUB, text->y, text->y, GILK_NO_VALUE, 1);
}

void
gilk_lower_string (GilkLower      *lower,
                   const GilkNode *node,
                   const guint    *words,
                   guint           n)
{
  const GilkCType type = gilk_ctype_number (FALSE, 8);
  const guint at = gilk_lower_as_value (lower, gilk_lower_expression (lower, node->first));
  const Text text = {
    lower, gilk_lower_as_value (lower, gilk_lower_constant (0x0101010101010101)),
    gilk_lower_as_value (lower, gilk_lower_constant ((int64_t) UINT64_C (0x8080808080808080))),
    gilk_lower_value (lower), gilk_lower_value (lower),
  };
  GilkOpTarget end = { .is_used = FALSE };

  for (guint i = 0; i < n; i++)
    {
      const guint word = gilk_lower_load_at (lower, at, 8 * i, &type).value;

      find_zeros (&text, word);
      set_low_mask (&text);
      add_operation (&text, GILK_OP_AND, words[i], word, text.y, 0);
      if (i + 1 < n)
        gilk_lower_branch (lower, GILK_IF_NE, gilk_lower_operand (text.x), gilk_lower_constant (0), &end);
    }
  gilk_lower_place_target (lower, &end);
}
