/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program-hit.h - runs a test's probe program on a simulated machine and reads the results of its
 * hits
 */
#pragma once

#include "tests/unit/program-kernel.h"

/* Addresses of objects in the simulated memory. */
#define FILE_AT  (MODEL_BASE + 0x100)
#define INODE_AT (MODEL_BASE + 0x300)
#define OTHER_AT (MODEL_BASE + 0x340)
#define TASK_AT  (MODEL_BASE + 0x800)
#define USER_FILE_AT  (FILE_AT - MODEL_BASE + MODEL_USER)
#define USER_INODE_AT (INODE_AT - MODEL_BASE + MODEL_USER)
#define NOWHERE  UINT64_C (0xffff000000000000)

typedef struct {
  GilkBtf      *btf;
  GilkProgram  *program;
  Model        *model;
  ModelMachine  machine;
} Hit;

static inline void
hit_poke (Hit *hit, uint64_t address, guint size, uint64_t value)
{
  memcpy (hit->machine.memory + (address - MODEL_BASE), &value, size);
}

static inline void
hit_set_up (Hit *hit)
{
  ModelMachine *machine = &hit->machine;

  machine->registers[7] = FILE_AT;
  machine->registers[6] = NOWHERE;
  machine->registers[2] = 4096;
  machine->registers[1] = UINT64_C (0xdeadbeeffffffffe);      /* mode: -2 */
  machine->registers[8] = 0x1ff;                              /* flag: 255 */
  machine->registers[9] = 0x101;                              /* yes */
  machine->registers[0] = 100;
  machine->now = 1000;
  machine->task = TASK_AT;
  machine->cpu = 1;
  hit_poke (hit, TASK_AT, 8, 1);
  hit_poke (hit, TASK_AT + 8, 4, 42);
  hit_poke (hit, TASK_AT + 12, 4, 40);
  hit_poke (hit, TASK_AT + 16, 8, TASK_AT);
  memcpy (machine->memory + 0x800 + 24, "kworker/1:2\0\0\0\0", 16);
  hit_poke (hit, FILE_AT, 8, INODE_AT);
  hit_poke (hit, FILE_AT + 8, 4, 0x8001);
  hit_poke (hit, FILE_AT + 12, 4, (uint32_t) -7);
  hit_poke (hit, FILE_AT + 16, 8, UINT64_C (0x1122334455667788));
  hit_poke (hit, FILE_AT + 24, 4, 5 | 0xa7 << 3 | 0x123456u << 11);
  hit_poke (hit, FILE_AT + 28, 4, 0x1d | (uint32_t) -1000 << 5);
  hit_poke (hit, FILE_AT + 32, 8, UINT64_C (0x0807060504030201));
  for (guint i = 0; i < 4; i++)
    hit_poke (hit, FILE_AT + 40 + 4 * i, 4, (uint32_t) (-10 * (int) (i + 1)));
  hit_poke (hit, FILE_AT + 56, 8, 77);
  hit_poke (hit, FILE_AT + 80, 8, NOWHERE);
  hit_poke (hit, FILE_AT + 88, 8, OTHER_AT);
  hit_poke (hit, FILE_AT + 96, 4, 5);
  hit_poke (hit, FILE_AT + 104, 8, UINT64_C (0xabcdef) << 40 | UINT64_C (0x9988776655));
  for (guint i = 0; i < 12; i++)
    hit_poke (hit, FILE_AT + 112 + 4 * i, 4, 100 + i);
  hit_poke (hit, FILE_AT + 168, 8, NOWHERE);
  memcpy (machine->memory + 0x100 + 176, "name", 5);
  hit_poke (hit, INODE_AT, 8, 123456789012);
  hit_poke (hit, INODE_AT + 8, 4, 1000);
  hit_poke (hit, INODE_AT + 12, 2, (uint16_t) -300);
  hit_poke (hit, INODE_AT + 14, 1, 200);
  hit_poke (hit, INODE_AT + 15, 1, 1);
  hit_poke (hit, INODE_AT + 16, 8, OTHER_AT);
  hit_poke (hit, OTHER_AT, 8, 9);
  hit_poke (hit, OTHER_AT + 16, 8, 0);
}

static inline Hit *
hit_new_at (const char *text, const GilkProgramPlace *place, GilkBtf *btf)
{
  g_autoptr(GError) error = NULL;
  Hit *hit = g_new0 (Hit, 1);

  hit->btf = btf;
  hit->program = gilk_program_new (text, place, NULL, &error);
  if (error != NULL)
    g_error ("%s: %s", text, error->message);
  hit->model = model_new (gilk_program_ops (hit->program));
  hit_set_up (hit);

  return hit;
}

static inline Hit *
hit_new (const char *text)
{
  GilkBtf *btf = program_btf ();
  GilkProgramPlace place = program_place (btf);

  return hit_new_at (text, &place, btf);
}

static inline void
hit_free (Hit *hit)
{
  model_free (hit->model);
  gilk_program_unref (hit->program);
  g_clear_pointer (&hit->btf, gilk_btf_unref);
  g_free (hit);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Hit, hit_free)

static inline void
hit_it (Hit *hit)
{
  model_hit (hit->model, &hit->machine);
}

static inline const GilkProgramMap *
hit_map (const Hit *hit, GilkMapKind kind, const char *name)
{
  guint count;
  const GilkProgramMap *kept = gilk_program_maps (hit->program, &count);

  for (guint i = 0; i < count; i++)
    if (kept[i].kind == kind && (name == NULL || strcmp (kept[i].name, name) == 0))
      return &kept[i];

  return NULL;
}

/* Sets the name of the current thread; bytes after its end may be anything. */
static inline void
hit_comm (Hit *hit, const char comm[16])
{
  uint64_t words[2];

  memcpy (words, comm, sizeof words);
  hit_poke (hit, TASK_AT + 24, 8, words[0]);
  hit_poke (hit, TASK_AT + 32, 8, words[1]);
}

/* Returns the value of a global, or the sum of a counter. */
static inline int64_t
hit_value (const Hit *hit, GilkMapKind kind, const char *name)
{
  const GilkProgramMap *kept = hit_map (hit, kind, name);

  g_assert_nonnull (kept);

  return (int64_t) (model_sum (hit->model, kept->area, kept->element) + (uint64_t) kept->initial);
}

/* Returns the number of hits in which a memory access failed, or 0 if no access of the program can
 * fail. */
static inline int64_t
hit_bad (const Hit *hit)
{
  return hit_map (hit, GILK_MAP_BAD, NULL) != NULL ? hit_value (hit, GILK_MAP_BAD, NULL) : 0;
}

static inline const struct ilk_field *
hit_field (const Hit *hit, const char *name)
{
  guint count;
  const struct ilk_field *fields = gilk_program_fields (hit->program, &count);

  for (guint i = 0; i < count; i++)
    if (strcmp (fields[i].name, name) == 0)
      return &fields[i];
  g_error ("no field %s", name);
}

/* Returns a field of the last sample, sign- or zero-extended according to the field's type. */
static inline int64_t
hit_sampled (const Hit *hit, const char *name)
{
  const struct ilk_field *field = hit_field (hit, name);
  const GByteArray *samples = hit->model->run.samples;
  uint64_t value = 0;

  g_assert_cmpuint (hit->model->run.n_samples, >, 0);
  memcpy (&value, samples->data + samples->len - hit->model->ops->payload + field->offset, MIN (field->size, 8));

  return (int64_t) ops_model_extend (value, MIN (field->size, 8u), field->type == ILK_FIELD_S32);
}
