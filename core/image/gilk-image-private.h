/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-private.h - contents of an image, shared by the files that fill and read it
 */
#pragma once

#include <inttypes.h>

#include "core/image/gilk-elf.h"
#include "core/image/gilk-image.h"
#include "core/image/gilk-sections.h"
#include "core/image/gilk-symbols-private.h"
#include "core/image/gilk-tables.h"

G_BEGIN_DECLS

/* A contiguous part of text. All of it is cached in one buffer, so that any range of it is
 * contiguous in memory. */
typedef struct {
  uint64_t start, end;
  uint32_t module;
  uint8_t *bytes;          /* the text; NULL: no chunk was read yet */
  uint8_t *valid;          /* for each chunk of the text: a GilkChunkState */
} GilkRegion;

#define GILK_CHUNK GILK_WIRE_SUM_BYTES

typedef enum {
  GILK_CHUNK_MISSING,
  GILK_CHUNK_READ,              /* the chunk was read, but may still contain jumps and int3s of live
                                 * hooks */
  GILK_CHUNK_VALID,
} GilkChunkState;

/* Data of a user program's image, see gilk-image-user.c. */
typedef struct {
  GilkImage *kernel;
  uint64_t   unwind_function; /* address of a kernel function whose frame at its first instruction
                               * is only the return address; 0: none */
  char      *path;
  struct gilk_user_file file;
  GArray    *segments;        /* (element-type GilkElfSegment): executable segments */
  GilkElfRuntime runtime;
  char      *build_id;        /* @build_id, @debug_link and @debug_crc are the same as in GilkElf */
  char      *debug_link;
  uint32_t   debug_crc;
  gboolean   has_debug;       /* the file itself has debug data */
  /* Reads code of the program from its file. Blocks on the target. */
  gboolean (*read) (GilkImage *image, uint64_t addr, gsize length, uint8_t *out, GCancellable *cancellable, GError **error);
} GilkImageUser;

static inline gsize
gilk_region_count_chunks (const GilkRegion *region)
{
  return (region->end - region->start - 1) / GILK_CHUNK + 1;
}

/* Allocates the buffer of a region if it has none. */
static inline void
gilk_region_allocate (GilkRegion *region)
{
  const gsize size = region->end - region->start;

  if (region->bytes != NULL)
    return;
  region->bytes = g_malloc0 (size);
  region->valid = g_malloc0 (size / GILK_CHUNK + 1);
}

struct _GilkImage {
  gatomicrefcount refs;
  GilkTarget     *target;       /* (nullable) */
  GilkSymbols    *symbols;
  GilkTypes      *types;
  GilkDebug      *debug;
  GilkImageUser  *user;         /* (nullable): data of a user program's image; NULL for a
                                 * kernel's */

  /* The members down to @lock are immutable after opening. */
  GArray         *sites;        /* (element-type GilkSite): addresses that the kernel's tables list,
                                 * such as static keys; sorted */
  GArray         *areas;        /* (element-type GilkArea): areas of text in which hooks are allowed
                                 * or restricted; disjoint, sorted by address */
  GArray         *text_areas;   /* the areas in @areas of kind GILK_AREA_TEXT */
  guint           bug_size;     /* size of struct bug_entry; 0: no entries */
  GHashTable     *noreturns;    /* set of the addresses of functions that never return; the next two
                                 * members are sets of addresses, too */
  GHashTable     *return_thunks;
  GHashTable     *indirect_thunks;
  GPtrArray      *module_orc;   /* (element-type GilkOrcTable): ORC tables of the modules */
  GArray         *constants;    /* (element-type struct gilk_range): ranges of constant data */
  char           *boot_key;     /* (nullable): cache key of the boot; NULL: nothing is cached */
  char           *module_list;  /* (nullable): contents of /proc/modules, read after the symbols */
  GBytes         *static_constants;     /* (nullable): constant data of an image from
                                         * gilk_image_new_static() */
  uint64_t        static_constants_base;

  GMutex          lock;         /* protects all members below */
  GHashTable     *modules_lost; /* modules that were unloaded or had moved when modules were last
                                 * checked */
  GArray         *regions;      /* (element-type GilkRegion), sorted by address; only the text
                                 * cached in them changes */
  GilkOrcTable   *kernel_orc;
  /* register numbers in the ORC entries of the kernel and of modules */
  const GilkOrcNumbers *orc_numbers;
  gboolean        kernel_orc_tried;
};

GilkImage *gilk_image_new_empty (GilkTarget *target, GilkSymbols *symbols);
/* Completes an image: sorts its sites, and makes the areas disjoint. Consumes @areas. */
void       gilk_image_seal      (GilkImage *image, GArray *areas);
void       gilk_image_add_region (GilkImage *image, uint32_t module, uint64_t start, uint64_t end);
void       gilk_image_add_constants (GilkImage *image, uint64_t start, uint64_t end);

/* Restores the original bytes in @bytes, a copy of the text at @start, wherever the driver changed
 * the text. */
void    gilk_image_restore_original (const GArray *hooks, uint64_t start, gsize length, uint8_t *bytes);

G_END_DECLS
