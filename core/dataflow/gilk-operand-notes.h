/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-operand-notes.h - finds names for the operands of a function's instructions
 *
 * An operand is named after a per-CPU variable, after the data, function or string at its address,
 * or after a member of a struct to which an argument points. Ambiguous operands get no note.
 *
 * Threads: any; the decoder belongs to the caller. Making notes may block on the target. Immutable
 * once made.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/types/gilk-btf.h"

G_BEGIN_DECLS

typedef enum {
  GILK_NOTE_PER_CPU,           /* "current_task", "runqueues.curr" */
  GILK_NOTE_SYMBOL,            /* a symbol: "jiffies", "init_task+0x8", "vfs_read" */
  GILK_NOTE_TABLE,             /* a table that registers index: "__per_cpu_offset[]" */
  GILK_NOTE_STRING,            /* a string literal, in quotes: "\"ext4\"" */
  GILK_NOTE_MEMBER,            /* "iov_iter.count" */
} GilkNoteKind;

typedef struct {
  GilkNoteKind kind;
  char        *text;
  uint64_t     addr;           /* the address that has this name; for PER_CPU, the address of the
                                * symbol; for MEMBER, 0 */
} GilkNote;

typedef struct _GilkOperandNotes GilkOperandNotes;

/**
 * gilk_operand_notes_new:
 * Reads strings from the target, and the kernel's types if these were not read yet. Without types,
 * members remain unnamed. Operands that cannot be named, for example because the target is gone,
 * get no note.
 * Returns: NULL with GILK_ERROR_CANCELLED if cancelled
 */
GilkOperandNotes *gilk_operand_notes_new  (const GilkCfg *cfg, GilkDecoder *decoder, GCancellable *cancellable,
                                           GError **error);
void              gilk_operand_notes_free (GilkOperandNotes *notes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkOperandNotes, gilk_operand_notes_free)

/*
 * Returns the notes of instruction @index of the graph, notes on its memory operand first. Returns
 * NULL with a @count of 0 if there are none.
 */
const GilkNote   *gilk_operand_notes_at   (const GilkOperandNotes *notes, guint index, guint *count);
/* Returns all notes of an instruction as text: "file.f_op, ext4_file_operations". (transfer none)
 * (nullable) */
const char       *gilk_operand_notes_text (const GilkOperandNotes *notes, guint index);
/* Returns "per-cpu", "symbol", "table", "string" or "member". */
const char       *gilk_note_kind_name     (GilkNoteKind kind);

G_END_DECLS
