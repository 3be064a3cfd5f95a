/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-elf.h - code and functions of a program or library, from its ELF file
 *
 * The one place that looks into such files. They may be anybody's work: each number is checked before it is used, and
 * what is read is bounded. Pure but for the reader.
 *
 * Threads: any; a GilkElf belongs to one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

enum {
  GILK_ELF_TABLE_MAX   = 256 << 20,    /* bytes of a table of symbols, or of names */
  GILK_ELF_SYMBOLS_MAX = 4 << 20,
  GILK_ELF_NAME_MAX    = 480,          /* bytes of a function's name; others are left out */
};

/**
 * GilkElfRead:
 * Puts all of [offset, offset + length) of the file into @out.
 * Returns: FALSE with @error, also where the file ends before
 */
typedef gboolean (*GilkElfRead) (gpointer data, uint64_t offset, gsize length, uint8_t *out, GError **error);

typedef struct {
  uint64_t    addr;
  uint64_t    size;        /* 0: not told */
  const char *name;        /* of the file's tables */
  gboolean    is_local;
  gboolean    is_chosen;   /* an indirect function: what it is is chosen when the program starts */
} GilkElfSymbol;

/* Code: a segment that may be run. */
typedef struct {
  uint64_t addr;           /* of its first byte, as the file has it */
  uint64_t offset;         /* where that is in the file */
  uint64_t length;
} GilkElfSegment;

/* What a program does with return addresses on its stack, beside returning to them. */
typedef enum {
  GILK_ELF_RETURNS,        /* nothing that is known */
  GILK_ELF_UNWINDS,        /* its exceptions look for their callers by them */
  GILK_ELF_GO,             /* it moves its stacks, and looks for callers by them */
} GilkElfRuntime;

typedef struct {
  GArray  *segments;       /* GilkElfSegment: one or more, disjoint, by address */
  uint64_t entry;          /* 0: none */
  GArray  *symbols;        /* GilkElfSymbol, within the code, in no order */
  GilkElfRuntime runtime;
  /* private: */
  GPtrArray *tables;       /* what names point into */
} GilkElf;

/**
 * gilk_elf_new:
 * @size: bytes of the file
 * @name: of it, for messages
 * Returns: NULL with GILK_ERROR_FORMAT where it is no program of this machine, or breaks a rule of its format
 */
GilkElf *gilk_elf_new  (GilkElfRead read, gpointer data, uint64_t size, const char *name, GError **error);
void     gilk_elf_free (GilkElf *elf);
/* The segment that has @addr; NULL: none does. */
const GilkElfSegment *gilk_elf_segment_at (const GArray *segments, uint64_t addr);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkElf, gilk_elf_free)

G_END_DECLS
