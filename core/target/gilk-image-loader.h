/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-loader.h - state of an opening image, shared by the files that open it
 *
 * Threads: the one that opens the image: nobody else has it yet, and no lock is held.
 */
#pragma once

#include "core/target/gilk-image-private.h"

G_BEGIN_DECLS

typedef struct {
  char    *name;
  uint32_t index;          /* in the symbol table */
  gboolean ours;           /* ilk or one of its instruments */
  GArray  *sections;       /* GilkSection */
  uint64_t text_start, text_end;
  gboolean end_known;      /* before: text_end is an upper bound */
} GilkModule;

/* One table to read: its place in memory, and what it is of. */
typedef void (*GilkTableFunc) (const GilkTable *table, GArray *sites);

typedef struct {
  const GilkModule *module;      /* NULL = kernel */
  GilkTableFunc     func;        /* NULL for the halves of an ORC table */
  struct gilk_range range;
  gsize             offset;      /* in the bytes that were read */
} GilkTableJob;

typedef struct {
  GilkTarget         *target;
  const GilkProgress *progress;
  GCancellable       *cancellable;
  GilkImage          *image;
  GArray             *areas;     /* GilkArea, overlapping */
  GPtrArray          *modules;   /* GilkModule */
  GArray             *jobs;      /* GilkTableJob */
  uint64_t            text_start, text_end;
  char               *boot_id;   /* NULL: not told, or nothing is cached */
  char               *blacklist; /* NULL if it cannot be had */
  char               *ftrace;
} GilkLoader;

/* One file to read. */
typedef struct {
  enum gilk_file file;
  gboolean       needed;         /* the agent cannot open it: an error, else no text */
  const char    *cached_as;      /* NULL: it may be another one each time */
  uint32_t       seq;
  char          *text;           /* a NUL behind its bytes */
  gsize          length;
  gboolean       was_cached;
} GilkFileJob;

/* All of them together; those that are cached, of a boot with a name, are not asked for. */
gboolean gilk_loader_read_files (GilkLoader *loader, GilkFileJob *jobs, guint count, GError **error);
void     gilk_file_jobs_clear   (GilkFileJob *jobs, guint count);
/* Names the boot by all that decides which symbols there are: the target, its boot, each module, its place and its
 * sections'. @modules: /proc/modules. A boot whose id the agent does not tell has no name, and nothing of it is cached. */
void     gilk_loader_name_boot  (GilkLoader *loader, const char *modules);
/* For who opens the same boot again: files that made an image. @modules: /proc/modules, read behind them */
void     gilk_loader_keep_files (GilkLoader *loader, const GilkFileJob *jobs, guint count, const char *modules);

#define KERNEL_TABLE_MAX (64u << 20)      /* far more than any kernel has */

/*
 * The run from symbol to symbol, of @most bytes; length 0 if the kernel has no such symbols.
 * All lengths that are made from symbols come from here. Any thread.
 */
gboolean gilk_loader_range_of (GilkSymbols *symbols, const char *from, const char *to,
                               uint64_t most, struct gilk_range *range, GError **error);

/* Fills @areas and the image's regions; sets the ends of functions. */
void     gilk_loader_add_areas        (GilkLoader *loader);
/* Sites of the function tracer, from its own list or else from the bytes. */
gboolean gilk_loader_add_fentry_sites (GilkLoader *loader, GError **error);

G_END_DECLS
