/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-private.h - an image's insides, shared by the files that fill and read it
 */
#pragma once

#include <inttypes.h>

#include "core/target/gilk-elf.h"
#include "core/target/gilk-image.h"
#include "core/target/gilk-symbols-private.h"
#include "core/target/gilk-tables.h"

G_BEGIN_DECLS

/* A run of text that is cached as one piece, so that any range of it is contiguous. */
typedef struct {
  uint64_t start, end;
  uint32_t module;
  uint8_t *bytes;          /* NULL before the first look */
  uint8_t *valid;          /* one byte per chunk */
} GilkRegion;

/* Of a program: gilk-image-user.c */
typedef struct {
  GilkImage *kernel;
  uint64_t   unwind_as;    /* a function of it, at whose begin nothing was pushed; 0: none is known */
  char      *path;
  struct gilk_user_file file;
  GArray    *segments;     /* GilkElfSegment: its code */
  GilkElfRuntime runtime;
  /* Reads code of the file. Blocks on the target. */
  gboolean (*read) (GilkImage *image, uint64_t addr, gsize length, uint8_t *out, GCancellable *cancellable, GError **error);
} GilkImageUser;

struct _GilkImage {
  gatomicrefcount refs;
  GilkTarget     *target;       /* (nullable) */
  GilkSymbols    *symbols;
  GilkTypes      *types;
  GilkDebug      *debug;
  GilkImageUser  *user;         /* (nullable): it is of a kernel */

  /* constant once open */
  GArray         *sites;        /* GilkSite, by address */
  GArray         *areas;        /* GilkArea, disjoint, by address */
  GArray         *text_areas;   /* those of ordinary text */
  guint           bug_size;     /* bytes of a warning's entry, 0: there are none */
  GHashTable     *noreturns;    /* sets of addresses */
  GHashTable     *return_thunks;
  GHashTable     *indirect_thunks;
  GPtrArray      *module_orc;   /* GilkOrcTable */
  GArray         *constants;    /* struct gilk_range: where constant data are */
  char           *module_list;  /* (nullable): /proc/modules, read behind the symbols */
  GBytes         *static_constants;     /* (nullable): of an image without a target */
  uint64_t        static_constants_base;

  GMutex          lock;         /* what follows */
  GHashTable     *modules_lost; /* set of names: not where they were, at the last look */
  GArray         *regions;      /* GilkRegion, by address; the list is constant, the cache is not */
  GilkOrcTable   *kernel_orc;
  const GilkOrcNumbers *orc_numbers;    /* of its entries, and of modules' */
  gboolean        kernel_orc_tried;
};

/* All text and all tables that tell of it lie in the last 2 GiB: calls reach no farther. */
#define GILK_TEXT_FIRST 0xffffffff80000000u
#define GILK_TEXT_END   0xffffffffff000000u

GilkImage *gilk_image_new_empty (GilkTarget *target, GilkSymbols *symbols);
/* Sorts and flattens what was collected; @areas is consumed. */
void       gilk_image_seal      (GilkImage *image, GArray *areas);
void       gilk_image_add_region (GilkImage *image, uint32_t module, uint64_t start, uint64_t end);
void       gilk_image_add_constants (GilkImage *image, uint64_t start, uint64_t end);

/* All hooks, and those that were put back lately: gilk-image-hooked.c. To be asked for when text has been read, so
 * that none is missing. (transfer full) (element-type struct ilk_patch_status) */
GArray    *gilk_image_hooks     (GilkImage *image, GCancellable *cancellable, GError **error);
/* @bytes, of text from @start on, become what they are without those. */
void       gilk_image_see_below (const GArray *hooks, uint64_t start, gsize length, uint8_t *bytes);

/* One module's sections, by address. */
typedef struct {
  char    *name;
  uint64_t start, end;     /* end: an upper bound */
  gboolean last;           /* nothing of the module is known behind it */
} GilkSection;

/* (element-type GilkSection) from lines "name hex-address\n" */
GArray            *gilk_sections_parse (const char *text, gsize length);
const GilkSection *gilk_sections_find  (GArray *sections, const char *name);
gboolean           gilk_section_is_text (const GilkSection *section);

/* Letters that names of modules have, which make no path. */
gboolean           gilk_is_module_name (const char *name);

G_END_DECLS
