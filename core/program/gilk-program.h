/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-program.h - compiles a probe program from its text to operations
 *
 * The language is described in gilk-probes(7).
 *
 * Threads: any; immutable once created. On failure outputs are untouched.
 */
#pragma once

#include "core/emit/gilk-ops.h"
#include "core/language/gilk-changes.h"
#include "core/language/gilk-maps.h"
#include "core/language/gilk-program-place.h"
#include "core/language/gilk-source.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

typedef struct _GilkProgram GilkProgram;

/**
 * gilk_program_new:
 * @where: (out) (optional): position of the error
 * Returns: NULL with GILK_ERROR_USAGE: line, column, what is wrong and how to correct it
 */
GilkProgram *gilk_program_new   (const char *text, const GilkProgramPlace *place,
                                 GilkProgramError *where, GError **error);
GilkProgram *gilk_program_ref   (GilkProgram *program);
void         gilk_program_unref (GilkProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkProgram, gilk_program_unref)

const GilkOps         *gilk_program_ops    (const GilkProgram *program);
/*
 * Returns the fields of the program's samples; none if the program does not take samples, or its
 * samples consist of a time stamp only.
 */
const struct ilk_field *gilk_program_fields (const GilkProgram *program, guint *count);
/* Returns the meaning of a field's numbers, as in data/schema.sql. (nullable), interned */
const char *gilk_program_field_meaning (const GilkProgram *program, guint field);
/*
 * Returns the name of @value in the enum that @meaning names: "B", or "A|B" for flags. (transfer
 * full) (nullable)
 */
char       *gilk_program_constant (const GilkProgram *program, const char *meaning, int64_t value);
gboolean               gilk_program_samples (const GilkProgram *program);
const GilkProgramMap        *gilk_program_maps   (const GilkProgram *program, guint *count);
/* Returns the ways in which the program changes the kernel (GilkChange bits); 0: it changes
 * nothing. */
guint                  gilk_program_changes (const GilkProgram *program);
/* Returns the statements that change something in the kernel, in the order of the text. */
const GilkProgramAct  *gilk_program_acts   (const GilkProgram *program, guint *count);
const GilkProgramCall *gilk_program_calls   (const GilkProgram *program, guint *count);
/* Returns the indices (from GilkProgramPlace.hook) of the hooks that the program starts or stops.
 * The program's operations refer to these hooks by their position in this array. */
const int             *gilk_program_gates  (const GilkProgram *program, guint *count);

G_END_DECLS
