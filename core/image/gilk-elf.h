/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-elf.h - code and functions of a user program or library, from its ELF file
 *
 * No other code parses such files. They are untrusted input: each number is checked before it is
 * used, and the amount of data read is bounded. Calls of the read function are the only side
 * effects.
 *
 * Threads: any; a GilkElf belongs to one thread at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

enum {
  GILK_ELF_TABLE_MAX   = 256 << 20,    /* maximum size of a symbol or string table */
  GILK_ELF_SYMBOLS_MAX = 4 << 20,
  GILK_ELF_NAME_MAX    = 480,          /* maximum length of a symbol's name; longer names are
                                        * skipped */
  GILK_ELF_ID_MAX      = 64,           /* maximum size of a build id; longer ones are ignored */
};

/**
 * GilkElfRead:
 * Reads [@offset, @offset + @length) of the file into @out.
 * Returns: FALSE with @error on failure, or if the file is too short
 */
typedef gboolean (*GilkElfRead) (gpointer data, uint64_t offset, gsize length, uint8_t *out, GError **error);

typedef struct {
  uint64_t    addr;
  uint64_t    size;       /* 0: unknown */
  const char *name;       /* name; points into one of GilkElf.tables */
  gboolean    is_local;
  /* the symbol is an indirect function (IFUNC), resolved when the program starts */
  gboolean    is_ifunc;
} GilkElfSymbol;

/* An executable segment. */
typedef struct {
  uint64_t addr;           /* address of the segment's first byte, as stated in the file */
  uint64_t offset;         /* file offset of the segment's first byte */
  uint64_t length;
} GilkElfSegment;

/* How a program uses the return addresses on its stack. */
typedef enum {
  GILK_ELF_RETURNS,        /* as far as is known, only return instructions use the return
                            * addresses */
  GILK_ELF_UNWINDS,        /* exceptions use the return addresses, too, to unwind the stack */
  GILK_ELF_GO,             /* the Go runtime uses the return addresses, too, to move and unwind
                            * stacks */
} GilkElfRuntime;

typedef struct {
  GArray  *segments;       /* (element-type GilkElfSegment): executable segments: at least one,
                            * disjoint, sorted by address */
  uint64_t entry;          /* 0: none */
  GArray  *symbols;        /* (element-type GilkElfSymbol): functions, all within the segments,
                            * unsorted */
  GilkElfRuntime runtime;
  char     build_id[2 * GILK_ELF_ID_MAX + 1];   /* build id in lower-case hex; "": none */
  /* (nullable): name of the file with the program's debug data, without a folder */
  char    *debug_link;
  uint32_t debug_crc;      /* checksum of the file @debug_link */
  gboolean has_debug;      /* the file itself contains debug data */
  gboolean is_stripped;    /* the file has only symbols for dynamic linking */
  /* private: */
  GPtrArray *tables;       /* symbol and string tables that the names point into */
} GilkElf;

/**
 * gilk_elf_new:
 * @size: size of the file
 * @name: name of the file, for messages
 * Returns: NULL with GILK_ERROR_FORMAT if the file is malformed, or not a program or library for
 *   x86-64
 */
GilkElf *gilk_elf_new  (GilkElfRead read, gpointer data, uint64_t size, const char *name, GError **error);
void     gilk_elf_free (GilkElf *elf);
/**
 * gilk_elf_add_symbols:
 * @read, @data, @size, @name: the file with the program's debug data
 * Adds functions at addresses where @elf has none. On failure some may have been added.
 */
gboolean gilk_elf_add_symbols (GilkElf *elf, GilkElfRead read, gpointer data, uint64_t size, const char *name,
                               GError **error);
/* Returns the segment that contains @addr; NULL: none. */
const GilkElfSegment *gilk_elf_segment_at (const GArray *segments, uint64_t addr);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkElf, gilk_elf_free)

G_END_DECLS
