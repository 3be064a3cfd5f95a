/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-program.c - compiles a probe program from its text to operations
 *
 *   text -> tokens (gilk-token) -> tree (gilk-syntax) -> meanings (gilk-typing)
 *        -> operations (gilk-lower)
 */
#include "core/program/gilk-program.h"

#include <glib/gi18n.h>

#include "core/program/gilk-lower.h"

struct _GilkProgram {
  gatomicrefcount   refs;
  GilkOps          *ops;
  GilkMapList     *maps;
  GArray           *gates;
  GArray           *calls;
  GArray           *acts;
  guint             changes;
  gboolean          samples;
  guint             n_fields;
  struct ilk_field  fields[ILK_FIELDS_MAX];
  const char       *meanings[ILK_FIELDS_MAX];
  GilkBtf          *btf;                 /* (nullable) */
};

/*
 * Returns whether @name is a type in the debug data at the probe point, and not a local variable
 * there, as in "(size) + 1". Other compilation units are not searched, because @name may also be a
 * variable of the program ("let").
 */
static gboolean
has_debug_type (GilkNames *names, const char *name)
{
  const GilkProgramPlace *place = names->place;
  const GArray *locals = place->locals != NULL ? place->locals (place->data, NULL) : NULL;
  GilkCType type;

  for (guint i = 0; locals != NULL && i < locals->len; i++)
    if (strcmp (g_array_index (locals, GilkDwarfVariable, i).name, name) == 0)
      return FALSE;

  return locals != NULL && gilk_names_load_more (names, NULL, (GilkTextPart) { 0, 0 }) &&
         gilk_ctype_find (names->place->btf, name, &type);
}

static gboolean
is_type (const char *name, gpointer data)
{
  GilkNames *names = data;
  GilkCType type;

  if (gilk_ctype_plain (name, &type))
    return TRUE;
  if (!gilk_names_load_types (names, (GilkTextPart) { 0, 0 }))
    return FALSE;
  for (guint i = 0; i < names->prototype.n_arguments; i++)
    if (g_strcmp0 (names->prototype.names[i], name) == 0)
      return FALSE;

  return gilk_ctype_find (names->place->btf, name, &type) || has_debug_type (names, name);
}

static void
clear_call (gpointer data)
{
  GilkProgramCall *call = data;

  g_free (call->name);
  g_free (call->module);
}

/*
 * Checks the program of a hook in user space. A watchpoint observes kernel memory, so the program
 * must not set it to an address that the process has chosen.
 */
static gboolean
check_watchpoints (GilkSource *source, const GilkOps *ops)
{
  g_autofree gboolean *given = gilk_ops_given (ops);

  for (guint i = 0; i < ops->ops->len; i++)
    {
      const GilkOp *op = &g_array_index (ops->ops, GilkOp, i);

      if (op->kind == GILK_OP_CALL && op->imm == GILK_SERVICE_MOVE && !given[i])
        return gilk_source_fail (source, (GilkTextPart) { op->place, 1 },
                                 _("The address comes from the process, which could choose any "
                                   "kernel address. In a hook of a user program, watch an "
                                   "address that comes from the kernel, such as &task->flags."));
    }

  return TRUE;
}

/* Compiles a program. Returns NULL with the error in @source. */
static GilkProgram *
build_program (GilkSource *source, GilkProgramPlace *place)
{
  g_autoptr(GilkProgram) program = g_new0 (GilkProgram, 1);
  g_autoptr(GilkNames) names = gilk_names_new (place, source);
  g_autoptr(GilkSyntax) syntax = NULL;
  GilkTyping typing = { .source = source, .place = place, .names = names };

  g_atomic_ref_count_init (&program->refs);
  program->maps = typing.maps = gilk_map_list_new ();
  program->gates = typing.gates = g_array_new (FALSE, TRUE, sizeof (int));
  program->calls = typing.calls = g_array_new (FALSE, TRUE, sizeof (GilkProgramCall));
  g_array_set_clear_func (program->calls, clear_call);
  program->acts = typing.acts = g_array_new (FALSE, TRUE, sizeof (GilkProgramAct));
  syntax = gilk_syntax_new (source, is_type, names);
  if (syntax == NULL || !gilk_typing_program (&typing, syntax->program))
    return NULL;
  program->ops = gilk_lower_program (&typing, syntax->program);
  if (program->ops == NULL)
    return NULL;
  if (place->is_user && !check_watchpoints (source, program->ops))
    return NULL;
  program->changes = typing.changes;
  program->samples = typing.layout.samples;
  program->n_fields = typing.layout.count;
  for (guint i = 0; i < program->n_fields; i++)
    {
      program->fields[i] = typing.layout.fields[i];
      program->meanings[i] = typing.layout.meanings[i];
    }
  program->btf = place->btf != NULL ? gilk_btf_ref ((GilkBtf *) place->btf) : NULL;

  return g_steal_pointer (&program);
}

GilkProgram *
gilk_program_new (const char             *text,
                  const GilkProgramPlace *place,
                  GilkProgramError       *where,
                  GError                **error)
{
  GilkSource source = { .text = text };
  GilkProgramPlace own = *place;
  g_autoptr(GilkProgram) program = build_program (&source, &own);

  if (program == NULL)
    {
      if (where != NULL)
        *where = source.where;
      g_propagate_error (error, source.error);
      return NULL;
    }
  if (!gilk_ops_check (program->ops, error))
    return NULL;

  return g_steal_pointer (&program);
}

GilkProgram *
gilk_program_ref (GilkProgram *program)
{
  g_atomic_ref_count_inc (&program->refs);

  return program;
}

void
gilk_program_unref (GilkProgram *program)
{
  if (!g_atomic_ref_count_dec (&program->refs))
    return;
  g_clear_pointer (&program->ops, gilk_ops_free);
  gilk_map_list_free (program->maps);
  g_array_unref (program->gates);
  g_clear_pointer (&program->btf, gilk_btf_unref);
  g_array_unref (program->calls);
  g_array_unref (program->acts);
  g_free (program);
}

const GilkOps *
gilk_program_ops (const GilkProgram *program)
{
  return program->ops;
}

const struct ilk_field *
gilk_program_fields (const GilkProgram *program,
                     guint             *count)
{
  *count = program->n_fields;

  return program->fields;
}

const char *
gilk_program_field_meaning (const GilkProgram *program,
                            guint              field)
{
  return program->meanings[field];
}

char *
gilk_program_constant (const GilkProgram *program,
                       const char        *meaning,
                       int64_t            value)
{
  guint id = program->btf != NULL ? gilk_btf_find (program->btf, meaning) : 0;

  return id != 0 ? gilk_btf_constant_name (program->btf, id, value) : NULL;
}

gboolean
gilk_program_samples (const GilkProgram *program)
{
  return program->samples;
}

const GilkProgramMap *
gilk_program_maps (const GilkProgram *program,
                   guint             *count)
{
  *count = program->maps->maps->len;

  return (const GilkProgramMap *) program->maps->maps->data;
}

const int *
gilk_program_gates (const GilkProgram *program,
                    guint             *count)
{
  *count = program->gates->len;

  return (const int *) program->gates->data;
}

guint
gilk_program_changes (const GilkProgram *program)
{
  return program->changes;
}

const GilkProgramAct *
gilk_program_acts (const GilkProgram *program,
                   guint             *count)
{
  *count = program->acts->len;

  return (const GilkProgramAct *) program->acts->data;
}

const GilkProgramCall *
gilk_program_calls (const GilkProgram *program,
                    guint             *count)
{
  *count = program->calls->len;

  return (const GilkProgramCall *) program->calls->data;
}
