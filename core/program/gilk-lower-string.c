/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lower-string.c - a text of memory, word by word up to its end
 *
 * What is behind the first 0 of a word is cleared without a branch: (w - 0x01..01) & ~w & 0x80..80 has its lowest bit at that 0
 * (Knuth, TAOCP 7.1.3). A word is loaded whole: of a text that ends less than 8 bytes before memory that cannot be read the last
 * one is bad.
 */
#include "core/program/gilk-lower-private.h"

typedef struct {
  GilkLower  *lower;
  GilkOperand ones, tops;        /* 0x01..01, 0x80..80: no constants of an operation, which has 32 bits */
} Text;

static GilkOperand
compute (const Text *text, GilkOpKind kind, GilkOperand a, GilkOperand b)
{
  return gilk_lower_compute (text->lower, kind, a, b);
}

/* The bit at the first 0 of @word, and perhaps at others behind it; 0: it has none. */
static GilkOperand
zeros (const Text *text, GilkOperand word)
{
  const GilkOperand less = compute (text, GILK_OP_SUB, word, text->ones);
  const GilkOperand not = compute (text, GILK_OP_XOR, word, gilk_lower_constant (-1));

  return compute (text, GILK_OP_AND, compute (text, GILK_OP_AND, less, not), text->tops);
}

/* What is before the lowest bit of @zeros, byte by byte; all if there is none. */
static GilkOperand
before (const Text *text, GilkOperand zeros)
{
  const GilkOperand others = compute (text, GILK_OP_AND, zeros,
                                      compute (text, GILK_OP_SUB, zeros, gilk_lower_constant (1)));
  const GilkOperand lowest = compute (text, GILK_OP_XOR, zeros, others);

  return compute (text, GILK_OP_SUB, compute (text, GILK_OP_SHR, lowest, gilk_lower_constant (7)), gilk_lower_constant (1));
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
    lower, gilk_lower_in (gilk_lower_as_value (lower, gilk_lower_constant (0x0101010101010101))),
    gilk_lower_in (gilk_lower_as_value (lower, gilk_lower_constant ((int64_t) UINT64_C (0x8080808080808080)))),
  };
  GilkSpot end = { .is_used = FALSE };

  for (guint i = 0; i < n; i++)
    {
      const GilkOperand word = gilk_lower_load_at (lower, at, 8 * i, &type);
      const GilkOperand bits = zeros (&text, word);

      gilk_lower_move (lower, words[i], compute (&text, GILK_OP_AND, word, before (&text, bits)));
      if (i + 1 < n)
        gilk_lower_branch (lower, GILK_IF_NE, bits, gilk_lower_constant (0), &end);
    }
  gilk_lower_place (lower, &end);
}
