/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ops-model.h - interprets a probe program's operations one after the other
 *
 * This is the reference for the emitter's code and for the language, so it is as simple as
 * possible. It shares with the emitter only the constants of gilk-ops.h. Models one CPU without
 * interrupts.
 */
#pragma once

#include <string.h>

#include "agent/gilk-wire.h"
#include "core/emit/gilk-ops.h"

typedef struct {
  /* Input of one execution of the operations, that is, of one hit. */
  uint64_t   regs[16];
  uint64_t   clock;                        /* value of the time-stamp counter */
  int64_t    kernel_end;
  gboolean   is_full, is_taken;            /* the ring is full; a guarded critical section is
                                              active */
  uint64_t  *areas[GILK_OPS_AREAS];
  /* Load from and store to simulated memory. Return FALSE if the access faults. */
  gboolean (*load) (uint64_t address, void *to, guint size, gpointer data);
  gboolean (*store) (uint64_t address, const void *from, guint size, gpointer data);
  /* Reads memory of the current task's address space. Returns FALSE if it cannot be read. */
  gboolean (*user) (uint64_t address, void *to, guint size, gpointer data);
  void     (*cpu)  (int64_t offset, void *to, guint size, gpointer data);
  gpointer   data;
  /* Output. The counters accumulate over several executions. */
  GByteArray *samples;                     /* payloads */
  guint       n_samples, lost, missed, count;
  guint       exit;                        /* 1 + the GilkExit that was taken; 0: execution
                                              continues after the hook */
  int64_t     called;
  uint8_t    *gates;                       /* state of each gate: 1: its hook is on; 0: off */
  const uint32_t *iids;                    /* hook id (iid) of each gate; NULL: the number of a gate
                                              is its iid */
  uint64_t    facts[GILK_FACTS];
  uint64_t    context[GILK_OPS_CONTEXT + 1];
  /* Input. The model's id for a stack trace is @point plus the number of elements in the area for
   * stacks. */
  uint64_t    point;
  /* Input. If TRUE, reading an event counter fails; otherwise it returns the counter's key. */
  gboolean    is_blind;
  /* Input. Returns the id for a stack trace in @area, the area for stacks. If this is NULL, ids are
   * as described at @point. */
  uint64_t (*stack) (uint64_t *area, guint elements, gpointer data);
  gboolean   freezes_ring;                 /* TRUE: if an operation freezes the rings, the ring
                                              counts as full from then on */
  /* @marked: sum of the arguments of all service calls; @freezes: number of times that the rings
   * were frozen */
  uint64_t    marked, freezes;
  /* Private to this file. */
  uint64_t    values[GILK_OPS_VALUES];
  uint8_t     payload[ILK_SAMPLE_MAX];
} OpsModel;

static inline uint64_t
ops_model_extend (uint64_t value, guint size, gboolean is_signed)
{
  switch (size)
    {
    case 1: return is_signed ? (uint64_t) (int8_t) value : (uint8_t) value;
    case 2: return is_signed ? (uint64_t) (int16_t) value : (uint16_t) value;
    case 4: return is_signed ? (uint64_t) (int32_t) value : (uint32_t) value;
    default: return value;
    }
}

static inline gboolean
ops_model_compare (GilkCompare compare, uint64_t a, uint64_t b)
{
  switch (compare)
    {
    case GILK_IF_EQ:          return a == b;
    case GILK_IF_NE:          return a != b;
    case GILK_IF_BELOW:       return a < b;
    case GILK_IF_NOT_ABOVE:   return a <= b;
    case GILK_IF_ABOVE:       return a > b;
    case GILK_IF_NOT_BELOW:   return a >= b;
    case GILK_IF_LESS:        return (int64_t) a < (int64_t) b;
    case GILK_IF_NOT_GREATER: return (int64_t) a <= (int64_t) b;
    case GILK_IF_GREATER:     return (int64_t) a > (int64_t) b;
    case GILK_IF_NOT_LESS:    return (int64_t) a >= (int64_t) b;
    case GILK_IF_BITS:        return (a & b) != 0;
    case GILK_IF_NO_BITS:
    default:                  return (a & b) == 0;
    }
}

/* Divides @a by @b. Returns FALSE if the division would fault. */
static inline gboolean
ops_model_divide (const GilkOp *op, uint64_t a, uint64_t b, uint64_t *to)
{
  gboolean mod = op->kind == GILK_OP_MOD;

  if (b == 0 || (op->is_signed && a == UINT64_C (1) << 63 && b == G_MAXUINT64))
    return FALSE;
  if (op->is_signed)
    *to = (uint64_t) (mod ? (int64_t) a % (int64_t) b : (int64_t) a / (int64_t) b);
  else
    *to = mod ? a % b : a / b;

  return TRUE;
}

static inline uint64_t
ops_model_arithmetic (const GilkOp *op, uint64_t a, uint64_t b)
{
  switch (op->kind)
    {
    case GILK_OP_ADD:    return a + b;
    case GILK_OP_SUB:    return a - b;
    case GILK_OP_MUL:    return a * b;
    case GILK_OP_AND:    return a & b;
    case GILK_OP_OR:     return a | b;
    case GILK_OP_XOR:    return a ^ b;
    case GILK_OP_SHL:    return a << (b & 63);
    case GILK_OP_SHR:    return a >> (b & 63);
    case GILK_OP_SAR:    return (uint64_t) ((int64_t) a >> (b & 63));
    case GILK_OP_BUCKET: return gilk_ops_bucket (a, (guint) op->imm);
    default:             return a;
    }
}

/* Reads a word of user memory, or with @is_text at least the bytes up to the first 0. */
static inline gboolean
ops_model_user (OpsModel *model, const GilkOp *op, uint64_t address, uint64_t *value)
{
  if (model->user (address, value, op->size, model->data))
    return TRUE;
  *value = 0;
  for (guint i = 0; op->is_text && i < op->size; i++)
    {
      uint8_t byte = 0;

      if (!model->user (address + i, &byte, 1, model->data))
        return FALSE;
      if (byte == 0)
        return TRUE;
      *value |= (uint64_t) byte << 8 * i;
    }

  return FALSE;
}

static inline gboolean
ops_model_load (OpsModel *model, const GilkOp *op)
{
  uint64_t a = model->values[op->a], value = 0;

  if (op->is_user && !ops_model_user (model, op, a + (uint64_t) op->imm, &value))
    return FALSE;
  if (op->is_user)
    {
      model->values[op->to] = ops_model_extend (value, op->size, op->is_signed);
      return TRUE;
    }

  if ((int64_t) a >= gilk_ops_load_bound (model->kernel_end, op->imm, op->size) ||
      !model->load (a + (uint64_t) op->imm, &value, op->size, model->data))
    return FALSE;
  model->values[op->to] = ops_model_extend (value, op->size, op->is_signed);

  return TRUE;
}

static inline gboolean
ops_model_store (OpsModel *model, const GilkOp *op)
{
  uint64_t a = model->values[op->a];

  return (int64_t) a < gilk_ops_load_bound (model->kernel_end, op->imm, op->size) &&
         model->store (a + (uint64_t) op->imm, &model->values[op->b], op->size, model->data);
}

static inline uint64_t *
ops_model_element (OpsModel *model, const GilkOp *op)
{
  uint64_t index = op->index != GILK_NO_VALUE ? model->values[op->index] & op->mask : 0;

  return &model->areas[op->area][(uint64_t) op->imm + index];
}

static inline gboolean
ops_model_map (OpsModel *model, const GilkOps *ops, const GilkOp *op)
{
  guint slots = g_array_index (ops->areas, GilkOpsArea, op->area).map_slots;
  uint64_t key = model->values[op->a], *area = model->areas[op->area];
  guint first = gilk_ops_map_first (key, slots);

  for (guint slot = first; slot < first + GILK_OPS_PROBES; slot++)
    if (area[slot] == GILK_OPS_SLOT_TAKEN && area[slots + slot] == key)
      {
        model->values[op->to] = slot;
        return TRUE;
      }
  for (guint slot = first; op->kind == GILK_OP_MAP_SLOT && slot < first + GILK_OPS_PROBES; slot++)
    if (area[slot] == GILK_OPS_SLOT_FREE)
      {
        area[slot] = GILK_OPS_SLOT_TAKEN;
        area[slots + slot] = key;
        model->values[op->to] = slot;
        return TRUE;
      }

  return FALSE;
}

static inline void
ops_model_area (OpsModel *model, const GilkOp *op)
{
  uint64_t *element = ops_model_element (model, op);

  switch (op->kind)
    {
    case GILK_OP_AREA_LOAD:
      model->values[op->to] = *element;
      break;
    case GILK_OP_AREA_STORE:
      *element = model->values[op->a];
      break;
    case GILK_OP_AREA_CLAIM:
      model->values[op->to] = *element;
      *element = 1;
      break;
    case GILK_OP_AREA_ADD:
    default:
      *element += op->a != GILK_NO_VALUE ? model->values[op->a] : (uint64_t) op->imm2;
    }
}

static inline void
ops_model_value (OpsModel *model, const GilkOp *op)
{
  uint64_t a = op->a != GILK_NO_VALUE ? model->values[op->a] : 0;
  uint64_t b = op->b != GILK_NO_VALUE ? model->values[op->b] : (uint64_t) op->imm;
  uint64_t value = 0;

  switch (op->kind)
    {
    case GILK_OP_CONST:    value = (uint64_t) op->imm; break;
    case GILK_OP_REGISTER: value = model->regs[op->imm]; break;
    case GILK_OP_CLOCK:    value = model->clock; break;
    case GILK_OP_FACT:     value = model->facts[op->imm]; break;
    case GILK_OP_CONTEXT:  value = model->context[op->imm]; break;
    case GILK_OP_EXTEND:   value = ops_model_extend (a, op->size, op->is_signed); break;
    default:               value = ops_model_arithmetic (op, a, b);
    }
  model->values[op->to] = value;
}

static inline void
ops_model_call (OpsModel *model, const GilkOps *ops, const GilkOp *op)
{
  const GilkOpsArea *area = op->imm == ILK_SERVICE_STACK ? &g_array_index (ops->areas, GilkOpsArea, op->area) : NULL;

  if (area != NULL && model->stack != NULL)
    model->values[op->to] = model->stack (model->areas[op->area], area->elements, model->data);
  else if (area != NULL)
    model->values[op->to] = area->elements + model->point;
  else if (op->imm == ILK_SERVICE_MARKER)
    model->marked += model->values[op->a] + op->text[0] + op->text[1];
  else if (op->imm == ILK_SERVICE_CRASH)
    for (guint i = 0; i < ILK_CRASH_WORDS; i++)
      model->marked += op->text[i];
  else if (op->imm == GILK_SERVICE_EVENT)
    model->values[op->to] = model->is_blind ? GILK_EVENT_BAD : (uint64_t) op->imm2;
  else if (op->imm == GILK_SERVICE_MOVE)
    model->marked += model->values[op->a] + (model->iids != NULL ? model->iids[op->imm2] : (uint64_t) op->imm2);
  else
    {
      model->freezes++;
      model->is_full |= model->freezes_ring;
    }
}

/* Executes one operation. Returns FALSE if execution branches to the operation's label. */
static inline gboolean
ops_model_step (OpsModel *model, const GilkOps *ops, const GilkOp *op)
{
  uint64_t b = op->b != GILK_NO_VALUE ? model->values[op->b] : (uint64_t) op->imm, value = 0;

  switch (op->kind)
    {
    case GILK_OP_DIV: case GILK_OP_MOD:
      return ops_model_divide (op, model->values[op->a], b, &model->values[op->to]);
    case GILK_OP_LABEL: case GILK_OP_LEAVE:
      return TRUE;
    case GILK_OP_JUMP:
      return FALSE;
    case GILK_OP_BRANCH:
      return !ops_model_compare ((GilkCompare) op->compare, model->values[op->a], b);
    case GILK_OP_ENTER:
      model->missed += op->imm == GILK_OPS_GUARD && model->is_taken;
      return op->imm != GILK_OPS_GUARD || !model->is_taken;
    case GILK_OP_LOAD:
      return ops_model_load (model, op);
    case GILK_OP_STORE:
      return ops_model_store (model, op);
    case GILK_OP_REGISTER_SET:
      model->regs[op->imm] = model->values[op->a];
      return TRUE;
    case GILK_OP_CPU_LOAD:
      model->cpu (op->imm, &value, op->size, model->data);
      model->values[op->to] = ops_model_extend (value, op->size, op->is_signed);
      return TRUE;
    case GILK_OP_AREA_LOAD: case GILK_OP_AREA_STORE: case GILK_OP_AREA_ADD: case GILK_OP_AREA_CLAIM:
      ops_model_area (model, op);
      return TRUE;
    case GILK_OP_MAP_SLOT: case GILK_OP_MAP_FIND:
      return ops_model_map (model, ops, op);
    case GILK_OP_RESERVE:
      model->lost += model->is_full;
      return !model->is_full;
    case GILK_OP_FIELD:
      memcpy (model->payload + op->imm, &model->values[op->a], op->size);
      return TRUE;
    case GILK_OP_COMMIT:
      model->n_samples++;
      g_byte_array_append (model->samples, model->payload, ops->payload);
      return TRUE;
    case GILK_OP_GATE:
      model->gates[op->imm] = (uint8_t) op->imm2;
      return TRUE;
    case GILK_OP_COUNT:
      model->count++;
      return TRUE;
    case GILK_OP_CALL:
      ops_model_call (model, ops, op);
      return TRUE;
    default:
      ops_model_value (model, op);
      return TRUE;
    }
}

/* Runs the operations of one hit. */
static inline void
ops_model_run (OpsModel *model, const GilkOps *ops)
{
  for (guint i = 0; i < ops->ops->len; i++)
    {
      const GilkOp *op = &g_array_index (ops->ops, GilkOp, i);

      if (op->kind == GILK_OP_EXIT)
        {
          model->exit = 1 + (guint) op->imm;
          model->called = op->imm2;
          return;
        }
      if (ops_model_step (model, ops, op))
        continue;
      while (g_array_index (ops->ops, GilkOp, i).kind != GILK_OP_LABEL ||
             g_array_index (ops->ops, GilkOp, i).label != op->label)
        i++;
    }
}
