/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-operand-notes.h - what the operands of a function's instructions mean, in names
 *
 * Per-CPU variables, data and functions at the addresses that instructions hold, texts of the program,
 * members of structs behind the function's arguments. Where more than one thing may be meant there is no note.
 *
 * Threads: any; the decoder is the caller's. Making it may block on the target. Immutable once made.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/target/gilk-btf.h"

G_BEGIN_DECLS

typedef enum {
  GILK_NOTE_PER_CPU,           /* "current_task", "runqueues.curr" */
  GILK_NOTE_SYMBOL,            /* "jiffies", "init_task+0x8", "vfs_read" */
  GILK_NOTE_TABLE,             /* "__per_cpu_offset[]": registers say where in it */
  GILK_NOTE_STRING,            /* "\"ext4\"", see gilk-literal.h */
  GILK_NOTE_MEMBER,            /* "iov_iter.count" */
} GilkNoteKind;

typedef struct {
  GilkNoteKind kind;
  char        *text;
  uint64_t     addr;           /* what is taken or meant: of PER_CPU as symbols have it; 0 of MEMBER */
} GilkNote;

typedef struct _GilkOperandNotes GilkOperandNotes;

/**
 * gilk_operand_notes_new:
 * The target is asked for texts, and for types if that was not done before; without types no members are named.
 * Returns: NULL, with GILK_ERROR_CANCELLED, if that was wanted; what could not be named has no note, be it that the
 *   target is gone
 */
GilkOperandNotes *gilk_operand_notes_new  (const GilkCfg *cfg, GilkDecoder *decoder, GCancellable *cancellable,
                                           GError **error);
void              gilk_operand_notes_free (GilkOperandNotes *notes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkOperandNotes, gilk_operand_notes_free)

/* Of instruction @index of the graph, of its memory operand first. NULL with a @count of 0: none. */
const GilkNote   *gilk_operand_notes_at   (const GilkOperandNotes *notes, guint index, guint *count);
/* All of them, "file.f_op, ext4_file_operations"; NULL: none. (transfer none) */
const char       *gilk_operand_notes_text (const GilkOperandNotes *notes, guint index);
/* "per-cpu", "symbol", "table", "string", "member" */
const char       *gilk_note_kind_name     (GilkNoteKind kind);

G_END_DECLS
