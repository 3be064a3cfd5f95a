/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-comparison.c - comparison operators: lookup by token, negation, swapped and signed forms
 */
#include "core/language/gilk-comparison.h"

#include "core/language/gilk-token.h"

gboolean
gilk_compare_of (guint        mark,
                 GilkCompare *compare)
{
  static const struct { guint mark; GilkCompare compare; } all[] = {
    { GILK_MARKS ('=', '='), GILK_IF_EQ }, { GILK_MARKS ('!', '='), GILK_IF_NE },
    { GILK_MARK ('<'), GILK_IF_BELOW }, { GILK_MARKS ('<', '='), GILK_IF_NOT_ABOVE },
    { GILK_MARK ('>'), GILK_IF_ABOVE }, { GILK_MARKS ('>', '='), GILK_IF_NOT_BELOW },
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i].mark == mark)
      {
        *compare = all[i].compare;
        return TRUE;
      }

  return FALSE;
}

GilkCompare
gilk_compare_negated (GilkCompare compare)
{
  static const GilkCompare other[] = {
    [GILK_IF_EQ] = GILK_IF_NE, [GILK_IF_NE] = GILK_IF_EQ,
    [GILK_IF_BELOW] = GILK_IF_NOT_BELOW, [GILK_IF_NOT_BELOW] = GILK_IF_BELOW,
    [GILK_IF_ABOVE] = GILK_IF_NOT_ABOVE, [GILK_IF_NOT_ABOVE] = GILK_IF_ABOVE,
    [GILK_IF_LESS] = GILK_IF_NOT_LESS, [GILK_IF_NOT_LESS] = GILK_IF_LESS,
    [GILK_IF_GREATER] = GILK_IF_NOT_GREATER, [GILK_IF_NOT_GREATER] = GILK_IF_GREATER,
    [GILK_IF_BITS] = GILK_IF_NO_BITS, [GILK_IF_NO_BITS] = GILK_IF_BITS,
  };

  return other[compare];
}

GilkCompare
gilk_compare_swapped (GilkCompare compare)
{
  static const GilkCompare other[] = {
    [GILK_IF_EQ] = GILK_IF_EQ, [GILK_IF_NE] = GILK_IF_NE,
    [GILK_IF_BELOW] = GILK_IF_ABOVE, [GILK_IF_ABOVE] = GILK_IF_BELOW,
    [GILK_IF_NOT_BELOW] = GILK_IF_NOT_ABOVE, [GILK_IF_NOT_ABOVE] = GILK_IF_NOT_BELOW,
  };

  return other[compare];
}

GilkCompare
gilk_compare_signed (GilkCompare compare)
{
  static const GilkCompare other[] = {
    [GILK_IF_EQ] = GILK_IF_EQ, [GILK_IF_NE] = GILK_IF_NE,
    [GILK_IF_BELOW] = GILK_IF_LESS, [GILK_IF_ABOVE] = GILK_IF_GREATER,
    [GILK_IF_NOT_BELOW] = GILK_IF_NOT_LESS, [GILK_IF_NOT_ABOVE] = GILK_IF_NOT_GREATER,
  };

  return other[compare];
}
