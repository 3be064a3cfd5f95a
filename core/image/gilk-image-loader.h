/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-loader.h - state of an image that is being opened, shared by the files that open it
 *
 * Threads: only the one that opens the image; locks are unnecessary, because no other thread has
 * the image yet.
 */
#pragma once

#include "core/image/gilk-image-private.h"

G_BEGIN_DECLS

typedef struct {
  char    *name;
  uint32_t index;          /* the module's index in the symbol table */
  gboolean ours;           /* the module is ilk itself or one of its instruments */
  GArray  *sections;       /* (element-type GilkSection) */
  uint64_t text_start, text_end;
  gboolean end_known;      /* @text_end is exact, not an upper bound */
} GilkModule;

/* Parses one of the kernel's tables, such as the exception table, and appends a site for each entry
 * to @sites. */
typedef void (*GilkTableFunc) (const GilkTable *table, GArray *sites);

typedef struct {
  const GilkModule *module;      /* module that has the table; NULL: the kernel */
  GilkTableFunc     func;        /* parser of the table; NULL: the table is part of an ORC table */
  struct gilk_range range;
  gsize             offset;      /* offset of the table in the buffer of all tables */
} GilkTableJob;

typedef struct {
  GilkTarget         *target;
  const GilkProgress *progress;
  GCancellable       *cancellable;
  GilkImage          *image;
  GArray             *areas;     /* (element-type GilkArea): areas found so far, which may
                                  * overlap */
  GPtrArray          *modules;   /* (element-type GilkModule) */
  GArray             *jobs;      /* (element-type GilkTableJob): tables to read */
  uint64_t            text_start, text_end;
  /* the kernel's boot id, which is part of cache keys; NULL: unknown, or the cache is not used */
  char               *boot_id;
  char               *blacklist; /* text of the kprobe blacklist; NULL: cannot be read */
  char               *ftrace;
} GilkLoader;

/* A kernel file to read from the target or from the cache. */
typedef struct {
  enum gilk_file file;
  /* whether a failure to read the file is an error; if not, @text is NULL after a failure */
  gboolean       needed;
  /* name of the file in the cache; NULL: not cached, because the contents can change during a
   * boot */
  const char    *cached_as;
  uint32_t       seq;
  char          *text;           /* NUL-terminated */
  gsize          length;
  gboolean       was_cached;
} GilkFileJob;

/* Reads all files at once. Takes a file from the cache if it is cached for this boot. */
gboolean gilk_loader_read_files    (GilkLoader *loader, GilkFileJob *jobs, guint count, GError **error);
void     gilk_file_jobs_clear      (GilkFileJob *jobs, guint count);
/* Returns a cache key of the boot alone, whatever modules are loaded; NULL if nothing is cached.
 * (transfer full) (nullable) */
char    *gilk_loader_boot_key      (GilkLoader *loader);
/* Sets the cache key of the boot from everything that determines the symbols: the target, its boot
 * id, and the address and sections of each module. @modules: contents of /proc/modules. Without a
 * boot id no key is set, and nothing is cached. */
void     gilk_loader_set_cache_key (GilkLoader *loader, const char *modules);
/* Writes the files of a complete image to the cache. @modules: contents of /proc/modules, read
 * after the other files */
void     gilk_loader_cache_files   (GilkLoader *loader, const GilkFileJob *jobs, guint count, const char *modules);

/* maximum size in bytes of a table of the kernel, far above the real sizes */
#define KERNEL_TABLE_MAX (64u << 20)

/*
 * Sets @range to the bytes between two symbols; its length is 0 if the kernel does not have both.
 * Fails if the range is longer than @most or outside the kernel. No other code derives a length
 * from symbols. May be called by any thread.
 */
gboolean gilk_loader_range_of (GilkSymbols *symbols, const char *from, const char *to,
                               uint64_t most, struct gilk_range *range, GError **error);

/* Adds the areas of text, in which hooks are allowed or restricted, to @loader, and the text of
 * modules to the image as regions; also sets the ends of the last functions of modules. */
void     gilk_loader_add_areas        (GilkLoader *loader);
/* Adds the ftrace sites of functions to the image, taken from the kernel's own list or, without a
 * list, from the first bytes of all functions. */
gboolean gilk_loader_add_fentry_sites (GilkLoader *loader, GError **error);

G_END_DECLS
