/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lower-sample.c - emits operations for a sample: computes its fields first, then reserves
 * space in the ring buffer
 *
 * The value of a field is bad if it could not be computed (gilk-lower-private.h). Before a field
 * that can be bad is computed, it is set to 0, and its bit in the mask of bad fields is set. The
 * code after the computation clears the bit; if the computation fails, that code is skipped. So a
 * good value costs no branch.
 */
#include "core/program/gilk-lower-private.h"

typedef struct {
  GilkLower *lower;
  guint      values[ILK_FIELDS_MAX];
  /* for each 8-byte word of the payload that is part of a text field: number of the value that
   * holds it */
  guint      words[ILK_SAMPLE_MAX / 8];
  guint      bad;                    /* number of the value that holds the mask of bad fields */
} Sample;

static gboolean
can_be_bad (const GilkNode *field)
{
  return (field->needs & GILK_NEEDS_CHECK) != 0;
}

static gboolean
is_comm (const GilkNode *field)
{
  return field->first->kind == GILK_NODE_NAME && field->first->meaning->kind == GILK_MEANS_COMM;
}

/* Returns the mask of all fields whose values can be bad. */
static int64_t
collect_bad_bits (const GilkNode *sample)
{
  int64_t bits = 0;
  guint i = 0;

  for (const GilkNode *field = sample->first; field != NULL; field = field->next, i++)
    if (can_be_bad (field))
      bits |= INT64_C (1) << i;

  return bits;
}

static void
compute_uncertain_field (Sample *sample, const GilkNode *field, guint i)
{
  GilkLower *lower = sample->lower;
  const struct ilk_field *place = &lower->typing->layout.fields[i];
  const guint n_words = gilk_typing_words (field->first), n = MAX (n_words, 1);
  guint *to = n_words > 0 ? &sample->words[place->offset / 8] : &sample->values[i];
  GilkOpTarget *before = lower->bad, bad = { .is_used = FALSE };
  GilkOp clear = gilk_lower_op (GILK_OP_XOR);

  for (guint k = 0; k < n; k++)
    {
      to[k] = gilk_lower_value (lower);
      gilk_lower_move (lower, to[k], gilk_lower_constant (0));
    }
  lower->bad = &bad;
  if (n_words > 0)
    gilk_lower_text (lower, field->first, gilk_lower_text_address (lower, field->first), to);
  else
    gilk_lower_move (lower, *to, gilk_lower_expression (lower, field->first));
  clear.to = clear.a = (uint16_t) sample->bad;
  clear.imm = INT64_C (1) << i;
  gilk_lower_add (lower, clear);
  gilk_lower_place_target (lower, &bad);
  lower->bad = before;
}

static void
compute_field (Sample *sample, const GilkNode *field, guint i)
{
  GilkLower *lower = sample->lower;

  if (is_comm (field))
    for (guint k = 0; k < 2; k++)
      sample->words[lower->typing->layout.fields[i].offset / 8 + k] =
        gilk_lower_task_load (lower, field->first->meaning->number + 8 * k, 8, FALSE).value;
  else if (can_be_bad (field))
    compute_uncertain_field (sample, field, i);
  else
    sample->values[i] = gilk_lower_as_value (lower, gilk_lower_expression (lower, field->first));
}

static void
write_field (GilkLower *lower, guint value, guint offset, guint size)
{
  GilkOp op = gilk_lower_op (GILK_OP_FIELD);

  op.a = (uint16_t) value;
  op.imm = offset;
  op.size = (uint8_t) size;
  gilk_lower_add (lower, op);
}

/* Sets to 0 the parts of the sample's payload that no field uses. */
static void
clear_unused (GilkLower *lower, const GilkSampleLayout *layout, guint zero)
{
  for (guint at = 0; at < layout->payload; at += 4)
    if ((layout->used[at / 8] & 0x0f << at % 8) == 0)
      write_field (lower, zero, at, 4);
}

static gboolean
has_unused (const GilkSampleLayout *layout)
{
  for (guint at = 0; at < layout->payload; at += 8)
    if (layout->used[at / 8] != 0xff)
      return TRUE;

  return FALSE;
}

static void
write_fields (const Sample *sample)
{
  const GilkSampleLayout *layout = &sample->lower->typing->layout;

  for (guint i = 0; i < layout->count; i++)
    {
      const struct ilk_field *field = &layout->fields[i];

      if (field->type != ILK_FIELD_TEXT)
        write_field (sample->lower, sample->values[i], field->offset, field->size);
      for (guint at = field->offset; field->type == ILK_FIELD_TEXT && at < field->offset + field->size; at += 8)
        write_field (sample->lower, sample->words[at / 8], at, 8);
    }
}

/* If a field of the sample is bad (could not be computed), adds 1 to the program's counter of bad
 * values. */
static void
count_bad_fields (const Sample *sample, const GilkNode *node)
{
  GilkOpTarget good = { .is_used = FALSE };

  if (collect_bad_bits (node) == 0)
    return;
  gilk_lower_branch (sample->lower, GILK_IF_EQ, gilk_lower_operand (sample->bad), gilk_lower_constant (0), &good);
  gilk_lower_area_add (sample->lower, sample->lower->typing->bad_map, gilk_lower_constant (1));
  gilk_lower_place_target (sample->lower, &good);
}

void
gilk_lower_sample (GilkLower      *lower,
                   const GilkNode *node)
{
  const GilkSampleLayout *layout = &lower->typing->layout;
  Sample sample = { .lower = lower };
  GilkOp reserve = gilk_lower_op (GILK_OP_RESERVE);
  GilkOpTarget full = { .is_used = FALSE };
  guint i = 0, zero = 0;

  if (layout->has_bad)
    {
      sample.bad = gilk_lower_value (lower);
      gilk_lower_move (lower, sample.bad, gilk_lower_constant (collect_bad_bits (node)));
      sample.values[layout->count - 1] = sample.bad;
    }
  for (const GilkNode *field = node->first; field != NULL; field = field->next)
    compute_field (&sample, field, i++);
  count_bad_fields (&sample, node);
  if (has_unused (layout))
    zero = gilk_lower_as_value (lower, gilk_lower_constant (0));

  reserve.imm = layout->payload;
  reserve.label = gilk_lower_label (lower, &full);
  gilk_lower_add (lower, reserve);
  write_fields (&sample);
  clear_unused (lower, layout, zero);
  gilk_lower_add (lower, gilk_lower_op (GILK_OP_COMMIT));
  gilk_lower_place_target (lower, &full);
}
