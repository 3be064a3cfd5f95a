/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program-model.h - operations of a program, run one by one against a pretended machine
 *
 * The kernel's memory is one buffer; whatever else is read is bad.
 */
#pragma once

#include <string.h>

#include "core/emit/gilk-ops.h"
#include "ilk/ilk-abi.h"

#define MODEL_BASE  UINT64_C (0xffff888000010000)
#define MODEL_BYTES 4096
#define MODEL_CPUS  2
#define MODEL_TASK_OFFSET 0x1000
#define MODEL_CPU_OFFSET  0x2000

typedef struct {
  uint64_t registers[16];
  uint64_t now;
  uint64_t task;
  guint    cpu;
  gboolean full;                      /* rings have no room */
  uint8_t  memory[MODEL_BYTES];
} ModelMachine;

typedef struct {
  const GilkOps *ops;
  uint64_t      *areas[GILK_OPS_AREAS][MODEL_CPUS];       /* a shared one is the same for all CPUs */
  GByteArray    *samples;             /* payloads, one behind the other */
  guint          n_samples, counts, lost;
  GString       *gates;               /* "+0-1": what was started and stopped */
  guint          longest;             /* operations of a hit so far */
} Model;

static inline Model *
model_new (const GilkOps *ops)
{
  Model *model = g_new0 (Model, 1);

  model->ops = ops;
  model->samples = g_byte_array_new ();
  model->gates = g_string_new (NULL);
  for (guint a = 0; a < ops->areas->len; a++)
    for (guint cpu = 0; cpu < MODEL_CPUS; cpu++)
      {
        const GilkOpsArea *area = &g_array_index (ops->areas, GilkOpsArea, a);

        model->areas[a][cpu] = area->per_cpu || cpu == 0 ? g_new0 (uint64_t, area->elements) : model->areas[a][0];
      }

  return model;
}

static inline void
model_free (Model *model)
{
  for (guint a = 0; a < model->ops->areas->len; a++)
    for (guint cpu = 0; cpu < MODEL_CPUS; cpu++)
      if (cpu == 0 || model->areas[a][cpu] != model->areas[a][0])
        g_free (model->areas[a][cpu]);
  g_byte_array_unref (model->samples);
  g_string_free (model->gates, TRUE);
  g_free (model);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Model, model_free)

/* What an element of an area holds, of all CPUs. */
static inline uint64_t
model_sum (const Model *model, guint area, guint element)
{
  uint64_t sum = model->areas[area][0][element];

  if (model->areas[area][1] != model->areas[area][0])
    sum += model->areas[area][1][element];

  return sum;
}

static inline uint64_t
model_extend (uint64_t value, guint size, gboolean is_signed)
{
  const guint shift = 64 - 8 * size;

  return is_signed ? (uint64_t) ((int64_t) (value << shift) >> shift) : value << shift >> shift;
}

static inline gboolean
model_read (const ModelMachine *machine, uint64_t address, guint size, uint64_t *value)
{
  const uint64_t at = address - MODEL_BASE;

  *value = 0;
  if (at > MODEL_BYTES - size)
    return FALSE;
  memcpy (value, machine->memory + at, size);

  return TRUE;
}

static inline gboolean
model_compares (const GilkOp *op, uint64_t a, uint64_t b)
{
  switch ((GilkCompare) op->compare)
    {
    case GILK_IF_EQ: return a == b;
    case GILK_IF_NE: return a != b;
    case GILK_IF_BELOW: return a < b;
    case GILK_IF_NOT_ABOVE: return a <= b;
    case GILK_IF_ABOVE: return a > b;
    case GILK_IF_NOT_BELOW: return a >= b;
    case GILK_IF_LESS: return (int64_t) a < (int64_t) b;
    case GILK_IF_NOT_GREATER: return (int64_t) a <= (int64_t) b;
    case GILK_IF_GREATER: return (int64_t) a > (int64_t) b;
    case GILK_IF_NOT_LESS: return (int64_t) a >= (int64_t) b;
    case GILK_IF_BITS: return (a & b) != 0;
    case GILK_IF_NO_BITS: return (a & b) == 0;
    }
  g_assert_not_reached ();
}

/* FALSE: to the label. */
static inline gboolean
model_divide (const GilkOp *op, uint64_t a, uint64_t b, uint64_t *to)
{
  const gboolean rest = op->kind == GILK_OP_MOD;

  if (b == 0 || (op->is_signed && b == UINT64_MAX && a == (uint64_t) INT64_MIN))
    return FALSE;
  if (op->is_signed)
    *to = (uint64_t) (rest ? (int64_t) a % (int64_t) b : (int64_t) a / (int64_t) b);
  else
    *to = rest ? a % b : a / b;

  return TRUE;
}

static inline uint64_t
model_compute (const GilkOp *op, uint64_t a, uint64_t b)
{
  switch (op->kind)
    {
    case GILK_OP_ADD: return a + b;
    case GILK_OP_SUB: return a - b;
    case GILK_OP_MUL: return a * b;
    case GILK_OP_AND: return a & b;
    case GILK_OP_OR: return a | b;
    case GILK_OP_XOR: return a ^ b;
    case GILK_OP_SHL: return a << (b & 63);
    case GILK_OP_SHR: return a >> (b & 63);
    default: return (uint64_t) ((int64_t) a >> (b & 63));
    }
}

/* FALSE: to the label. */
static inline gboolean
model_map_slot (const Model *model, const ModelMachine *machine, const GilkOp *op, uint64_t key, uint64_t *slot)
{
  const guint slots = g_array_index (model->ops->areas, GilkOpsArea, op->area).map_slots;
  uint64_t *area = model->areas[op->area][machine->cpu];

  for (guint i = 0; i < GILK_OPS_PROBES; i++)
    {
      *slot = (gilk_ops_map_hash (key, slots) + i) & (slots - 1);
      if (area[*slot] == GILK_OPS_SLOT_FREE)
        {
          area[*slot] = GILK_OPS_SLOT_TAKEN;
          area[slots + *slot] = key;
        }
      if (area[slots + *slot] == key)
        return TRUE;
    }

  return FALSE;
}

static inline guint
model_label (const Model *model, guint from, guint label)
{
  for (guint i = from; i < model->ops->ops->len; i++)
    {
      const GilkOp *op = &g_array_index (model->ops->ops, GilkOp, i);

      if (op->kind == GILK_OP_LABEL && op->label == label)
        return i;
    }
  g_assert_not_reached ();
}

/* One that loads, stores or branches: FALSE: to its label. */
static inline gboolean
model_step (Model *model, const ModelMachine *machine, const GilkOp *op, uint64_t *values)
{
  const uint64_t a = op->a != GILK_NO_VALUE ? values[op->a] : 0;
  const uint64_t b = op->b != GILK_NO_VALUE ? values[op->b] : (uint64_t) op->imm;
  uint64_t nowhere = 0, *to = op->to != GILK_NO_VALUE ? &values[op->to] : &nowhere, *element = NULL;

  if (op->kind >= GILK_OP_AREA_LOAD && op->kind <= GILK_OP_AREA_CLAIM)
    element = model->areas[op->area][machine->cpu] + op->imm +
              (op->index != GILK_NO_VALUE ? values[op->index] & op->mask : 0);
  switch ((GilkOpKind) op->kind)
    {
    case GILK_OP_CONST: *to = (uint64_t) op->imm; break;
    case GILK_OP_REGISTER: *to = machine->registers[op->imm]; break;
    case GILK_OP_CLOCK: *to = machine->now; break;
    case GILK_OP_MOVE: *to = a; break;
    case GILK_OP_EXTEND: *to = model_extend (a, op->size, op->is_signed); break;
    case GILK_OP_DIV: case GILK_OP_MOD: return model_divide (op, a, b, to);
    case GILK_OP_BUCKET: *to = gilk_ops_bucket (a, (guint) op->imm); break;
    case GILK_OP_LABEL: case GILK_OP_ENTER: case GILK_OP_LEAVE: break;
    case GILK_OP_JUMP: return FALSE;
    case GILK_OP_BRANCH: return !model_compares (op, a, b);
    case GILK_OP_LOAD:
      if (!model_read (machine, a + (uint64_t) op->imm, op->size, &nowhere))
        return FALSE;
      *to = model_extend (nowhere, op->size, op->is_signed);
      break;
    case GILK_OP_CPU_LOAD: *to = op->imm == MODEL_TASK_OFFSET ? machine->task : machine->cpu; break;
    case GILK_OP_AREA_LOAD: *to = *element; break;
    case GILK_OP_AREA_STORE: *element = a; break;
    case GILK_OP_AREA_ADD: *element += op->a != GILK_NO_VALUE ? a : (uint64_t) op->imm2; break;
    case GILK_OP_AREA_CLAIM: *to = *element; *element = 1; break;
    case GILK_OP_MAP_SLOT: return model_map_slot (model, machine, op, a, to);
    case GILK_OP_RESERVE:
      model->lost += machine->full ? 1 : 0;
      if (machine->full)
        return FALSE;
      g_byte_array_set_size (model->samples, model->samples->len + (guint) op->imm);
      break;
    case GILK_OP_FIELD:
      memcpy (model->samples->data + model->samples->len - model->ops->payload + op->imm, &a, op->size);
      break;
    case GILK_OP_COMMIT: model->n_samples++; break;
    case GILK_OP_GATE: g_string_append_printf (model->gates, "%c%d", op->imm2 ? '+' : '-', (int) op->imm); break;
    case GILK_OP_COUNT: model->counts++; break;
    default: *to = model_compute (op, a, b); break;
    }

  return TRUE;
}

static inline void
model_hit (Model *model, const ModelMachine *machine)
{
  uint64_t values[GILK_OPS_VALUES] = { 0 };
  guint steps = 0;

  for (guint i = 0; i < model->ops->ops->len; i++, steps++)
    {
      const GilkOp *op = &g_array_index (model->ops->ops, GilkOp, i);

      if (!model_step (model, machine, op, values))
        i = model_label (model, i, op->label);
    }
  model->longest = MAX (model->longest, steps);
}
