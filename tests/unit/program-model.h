/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program-model.h - runs the operations of a program on a simulated machine with several CPUs
 *
 * The kernel's memory is one buffer; any access outside the buffer is bad. The memory of the current
 * task is the same buffer in the user half, with the lowest bit of each eighth byte inverted.
 */
#pragma once

#include "core/emit/gilk-ops-code.h"
#include "tests/unit/ops-model.h"

#define MODEL_BASE  UINT64_C (0xffff888000010000)
#define MODEL_BYTES 4096
#define MODEL_USER  (MODEL_BASE & UINT64_C (0x7fffffffffff))
#define MODEL_CPUS  2
#define MODEL_TASK_OFFSET 0x1000
#define MODEL_CPU_OFFSET  0x2000

typedef struct {
  uint64_t registers[16];
  uint64_t now;
  uint64_t task;
  guint    cpu;
  gboolean full;                      /* TRUE: the rings are full */
  /* If TRUE, reading an event counter fails. Otherwise the value read is the counter's key. */
  gboolean blind;
  uint8_t  memory[MODEL_BYTES];
} ModelMachine;

typedef struct {
  const GilkOps *ops;
  OpsModel       run;
  /* For a shared area, all CPUs have the same pointer. */
  uint64_t      *areas[GILK_OPS_AREAS][MODEL_CPUS];
} Model;

#define MODEL_UNTOUCHED 9             /* value of a hook's gate, its on/off byte, until a program
                                         starts or stops the hook */

static inline Model *
model_new (const GilkOps *ops)
{
  Model *model = g_new0 (Model, 1);

  model->ops = ops;
  model->run.kernel_end = GILK_OPS_KERNEL_END;
  model->run.samples = g_byte_array_new ();
  model->run.gates = g_malloc (ops->n_gates + 1);
  memset (model->run.gates, MODEL_UNTOUCHED, ops->n_gates + 1);
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
  g_byte_array_unref (model->run.samples);
  g_free (model->run.gates);
  g_free (model);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Model, model_free)

/* Returns the sum over all CPUs of an element of an area. */
static inline uint64_t
model_sum (const Model *model, guint area, guint element)
{
  uint64_t sum = model->areas[area][0][element];

  if (model->areas[area][1] != model->areas[area][0])
    sum += model->areas[area][1][element];

  return sum;
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
model_load (uint64_t address, void *to, guint size, gpointer machine)
{
  uint64_t value;
  const gboolean good = model_read (machine, address, size, &value);

  memcpy (to, &value, size);

  return good;
}

static inline gboolean
model_read_user (const ModelMachine *machine, uint64_t address, guint size, uint64_t *value)
{
  const uint64_t at = address - MODEL_USER;

  *value = 0;
  if (at > MODEL_BYTES - size)
    return FALSE;
  for (guint i = 0; i < size; i++)
    *value |= (uint64_t) (machine->memory[at + i] ^ ((at + i) % 8 == 0)) << 8 * i;

  return TRUE;
}

static inline gboolean
model_user (uint64_t address, void *to, guint size, gpointer machine)
{
  uint64_t value;
  const gboolean good = model_read_user (machine, address, size, &value);

  memcpy (to, &value, size);

  return good;
}

static inline void
model_cpu (int64_t offset, void *to, guint size, gpointer data)
{
  const ModelMachine *machine = data;
  const uint64_t value = offset == MODEL_TASK_OFFSET ? machine->task : machine->cpu;

  memcpy (to, &value, size);
}

static inline void
model_hit (Model *model, ModelMachine *machine)
{
  OpsModel *run = &model->run;

  memcpy (run->regs, machine->registers, sizeof run->regs);
  run->clock = machine->now;
  run->is_blind = machine->blind;
  run->is_full = machine->full;
  run->load = model_load;
  run->user = model_user;
  run->cpu = model_cpu;
  run->data = machine;
  for (guint a = 0; a < model->ops->areas->len; a++)
    run->areas[a] = model->areas[a][machine->cpu];
  ops_model_run (run, model->ops);
}
