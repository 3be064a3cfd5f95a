/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops.c - manages lists of operations, and implements conventions that the model, the emitter
 * and the reader of samples share
 */
#include "core/emit/gilk-ops.h"

#include "ilk/ilk-abi.h"

GilkOps *
gilk_ops_new (void)
{
  GilkOps *ops = g_new0 (GilkOps, 1);

  ops->ops = g_array_new (FALSE, TRUE, sizeof (GilkOp));
  ops->areas = g_array_new (FALSE, TRUE, sizeof (GilkOpsArea));

  return ops;
}

void
gilk_ops_free (GilkOps *ops)
{
  g_array_unref (ops->ops);
  g_array_unref (ops->areas);
  g_free (ops);
}

guint
gilk_ops_value (GilkOps *ops)
{
  return ops->n_values++;
}

guint
gilk_ops_label (GilkOps *ops)
{
  return ops->n_labels++;
}

void
gilk_ops_add (GilkOps      *ops,
              const GilkOp *op)
{
  g_array_append_val (ops->ops, *op);
}

/* ---- changes that operations make to the kernel's behaviour ---- */

guint
gilk_ops_sets (const GilkOps *ops)
{
  guint sets = 0;

  for (guint i = 0; i < ops->ops->len; i++)
    {
      const GilkOp *op = &g_array_index (ops->ops, GilkOp, i);

      if (op->kind == GILK_OP_REGISTER_SET)
        sets |= 1u << (op->imm & 15);
    }

  return sets;
}

gboolean
gilk_ops_replaces (const GilkOps *ops)
{
  for (guint i = 0; i < ops->ops->len; i++)
    {
      const GilkOp *op = &g_array_index (ops->ops, GilkOp, i);

      if (op->kind == GILK_OP_EXIT && op->imm2 != 0)
        return TRUE;
    }

  return FALSE;
}

gboolean
gilk_ops_changes (const GilkOps *ops)
{
  for (guint i = 0; i < ops->ops->len; i++)
    {
      guint kind = g_array_index (ops->ops, GilkOp, i).kind;

      if (kind == GILK_OP_REGISTER_SET || kind == GILK_OP_EXIT || kind == GILK_OP_STORE)
        return TRUE;
    }

  return FALSE;
}

/* ---- buckets of histograms ---- */

/*
 * Returns the exponent of the octave (a range of values from 2^n to 2^(n + 1)) in which a histogram
 * counts @value; all values below 2^@bits are in the first octave.
 */
static guint
find_octave (uint64_t value, guint bits)
{
  return 63 - (guint) __builtin_clzll (value | UINT64_C (1) << bits);
}

guint
gilk_ops_bucket (uint64_t value,
                 guint    bits)
{
  guint above = find_octave (value, bits) - bits;

  return (above << bits) + (guint) (value >> above);
}

guint
gilk_ops_buckets (guint bits)
{
  return gilk_ops_bucket (G_MAXUINT64, bits) + 1;
}

uint64_t
gilk_ops_bucket_least (guint bucket,
                       guint bits)
{
  guint octave = bucket >> bits;

  if (octave == 0)
    return bucket;

  return (uint64_t) (bucket - ((octave - 1) << bits)) << (octave - 1);
}

/* ---- properties of each kind of operation ---- */

gboolean
gilk_ops_reads_a (const GilkOp *op)
{
  switch (op->kind)
    {
    case GILK_OP_MOVE: case GILK_OP_EXTEND: case GILK_OP_BRANCH: case GILK_OP_LOAD: case GILK_OP_AREA_STORE:
    case GILK_OP_MAP_SLOT: case GILK_OP_MAP_FIND: case GILK_OP_FIELD: case GILK_OP_STORE: case GILK_OP_REGISTER_SET:
      return TRUE;
    case GILK_OP_AREA_ADD:
      return op->a != GILK_NO_VALUE;
    case GILK_OP_CALL:
      return op->imm == ILK_SERVICE_MARKER || op->imm == GILK_SERVICE_MOVE;
    default:
      return op->kind >= GILK_OP_ADD && op->kind <= GILK_OP_BUCKET;
    }
}

gboolean
gilk_ops_reads_b (const GilkOp *op)
{
  return op->b != GILK_NO_VALUE &&
         (op->kind == GILK_OP_BRANCH || op->kind == GILK_OP_STORE || (op->kind >= GILK_OP_ADD && op->kind <= GILK_OP_MOD));
}

gboolean
gilk_ops_reads_index (const GilkOp *op)
{
  return op->index != GILK_NO_VALUE && op->kind >= GILK_OP_AREA_LOAD && op->kind <= GILK_OP_AREA_CLAIM;
}

gboolean
gilk_ops_makes_value (const GilkOp *op)
{
  return op->kind <= GILK_OP_BUCKET || op->kind == GILK_OP_LOAD || op->kind == GILK_OP_CPU_LOAD ||
         op->kind == GILK_OP_AREA_LOAD || op->kind == GILK_OP_AREA_CLAIM || gilk_op_is_map (op) ||
         (op->kind == GILK_OP_CALL && (op->imm == ILK_SERVICE_STACK || op->imm == GILK_SERVICE_EVENT));
}

gboolean
gilk_ops_is_rare (const GilkOp *op)
{
  return op->kind == GILK_OP_LOAD || op->kind == GILK_OP_STORE || op->kind == GILK_OP_DIV || op->kind == GILK_OP_MOD ||
         gilk_op_is_map (op) || op->kind == GILK_OP_RESERVE ||
         (op->kind == GILK_OP_ENTER && op->imm == GILK_OPS_GUARD);
}

gboolean
gilk_ops_has_label (const GilkOp *op)
{
  return op->kind == GILK_OP_JUMP || op->kind == GILK_OP_BRANCH || gilk_ops_is_rare (op);
}

gboolean
gilk_ops_ends_path (const GilkOp *op)
{
  return op->kind == GILK_OP_JUMP || op->kind == GILK_OP_EXIT;
}
