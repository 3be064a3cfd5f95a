/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image.h - live text of a kernel and the side tables that explain it
 *
 * Side tables are read once at open, text at the first look, and once more where the kernel
 * was just writing it; addresses are run-time addresses. Neither is read later: symbols,
 * tables and text are only right together, and text of now beside the tables of then would
 * move a fault away from its fix-up. A module that was loaded anew since, and text that was
 * changed, is therefore seen as it was; a hook there is refused when it is armed, for the
 * driver compares each byte before it writes. Who wants to see it opens another image: each
 * command of gilk does. Who keeps one open is told by gilk-module-news.h that there is a reason to.
 * Safe to share between threads.
 *
 * Threads: any; the image has a lock of its own, which is held while text is read from the
 * target: any look may block. Outputs are untouched on failure.
 */
#pragma once

#include "core/target/gilk-debug.h"
#include "core/target/gilk-symbols.h"
#include "core/target/gilk-target.h"
#include "core/target/gilk-types.h"

G_BEGIN_DECLS

typedef enum {
  GILK_SITE_EXTABLE,       /* instruction with a fix-up: @other = fix-up address */
  GILK_SITE_BUG,           /* ud2 of BUG: does not return */
  GILK_SITE_WARN,          /* ud2 of WARN: execution goes on behind it */
  GILK_SITE_JUMP_LABEL,    /* static key: @other = the jump's target */
  GILK_SITE_STATIC_CALL,   /* @other = key address */
  GILK_SITE_FENTRY,        /* 5-byte ftrace site */
} GilkSiteKind;

typedef struct {
  uint64_t     addr;
  uint64_t     other;
  GilkSiteKind kind;
  int32_t      data;       /* EXTABLE: the entry's type, flags, register; else 0 */
} GilkSite;

typedef enum {
  GILK_AREA_TEXT,          /* ordinary text: kernel or a live module */
  GILK_AREA_NOINSTR,
  GILK_AREA_ENTRY,
  GILK_AREA_INIT,
  GILK_AREA_THUNK,
  GILK_AREA_BLACKLIST,
} GilkAreaKind;

typedef struct {
  uint64_t     start, end; /* [start, end) */
  GilkAreaKind kind;
  uint32_t     module;     /* symbol table's module index */
} GilkArea;

typedef struct _GilkImage GilkImage;

GilkImage *gilk_image_open  (GilkTarget *target, const GilkProgress *progress,
                             GCancellable *cancellable, GError **error);
/**
 * gilk_image_new_static:
 * For tests and saved sessions: one run of bytes at @base, given symbols and sites (copied).
 */
GilkImage *gilk_image_new_static (GilkSymbols *symbols, uint64_t base,
                                  const uint8_t *bytes, gsize length,
                                  const GilkSite *sites, guint n_sites);
/* Unwind entries for such an image, laid out as the kernel's own: @ips are self-relative. */
void       gilk_image_set_static_orc (GilkImage *image, GBytes *ips, uint64_t ips_base,
                                      GBytes *entries);
/* Constants for such an image. */
void       gilk_image_set_static_constants (GilkImage *image, uint64_t base, GBytes *bytes);
GilkImage *gilk_image_ref   (GilkImage *image);
void       gilk_image_unref (GilkImage *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkImage, gilk_image_unref)

GilkSymbols *gilk_image_symbols (GilkImage *image);            /* (transfer none) */
GilkTarget  *gilk_image_target  (GilkImage *image);            /* (transfer none) (nullable) */
GilkTypes   *gilk_image_types   (GilkImage *image);            /* (transfer none): never NULL */
GilkDebug   *gilk_image_debug   (GilkImage *image);            /* (transfer none): never NULL */

/* Reads all text at once, for scans. */
gboolean gilk_image_load_all (GilkImage *image, const GilkProgress *progress,
                              GCancellable *cancellable, GError **error);

/**
 * gilk_image_bytes:
 * Returns: (transfer none): @length live bytes at @addr, valid until the image
 *   is freed; NULL with @error if not text or unreadable
 */
const uint8_t *gilk_image_bytes (GilkImage *image, uint64_t addr, gsize length, GError **error);

/* Is it in constant data of the kernel or a module (.rodata)? */
gboolean gilk_image_is_constant (GilkImage *image, uint64_t addr);
/**
 * gilk_image_constants:
 * Live bytes from each of @addrs on, up to @most and the end of its section; none where that cannot be read.
 * Read anew each time.
 * @out: (transfer full): @n of them, filled in unless it fails
 */
gboolean gilk_image_constants   (GilkImage *image, const uint64_t *addrs, guint n, gsize most, GBytes **out,
                                 GCancellable *cancellable, GError **error);

/* Sites in [start, end), sorted by address. (transfer none) */
const GilkSite *gilk_image_sites (GilkImage *image, uint64_t start, uint64_t end, guint *count);
/* What rules hold at @addr; the strictest area that covers it, NULL if not text. */
const GilkArea *gilk_image_area  (GilkImage *image, uint64_t addr);
/* All ordinary text areas, sorted. */
const GilkArea *gilk_image_text_areas (GilkImage *image, guint *count);

/* From where the kernel finds the frame of a caller. */
typedef enum {
  GILK_FRAME_OTHER,         /* what we do not know, too */
  GILK_FRAME_SP,
  GILK_FRAME_BP,
  GILK_FRAME_BP_INDIRECT,
} GilkFrameBase;

/* ORC_REG_* of a kernel; they are not the same in all. */
typedef struct {
  uint8_t sp, bp, bp_indirect;
} GilkOrcNumbers;

/**
 * gilk_image_orc:
 * @entry: the kernel's own 6-byte ORC entry in force at @addr
 * @base: (out): what it says
 * Returns: FALSE if the kernel has none there
 */
gboolean gilk_image_orc (GilkImage *image, uint64_t addr, uint8_t entry[6], GilkFrameBase *base);
/**
 * gilk_image_agrees:
 * What the tables show against what the driver says, which knows it from the kernel's headers.
 * Returns: FALSE (GILK_ERROR_DRIVER): they differ, so no code may be made for this kernel
 */
gboolean gilk_image_agrees (GilkImage *image, const struct ilk_info *info, GError **error);

/* TRUE if a call to @addr never returns (from a short list of names). */
gboolean gilk_image_is_noreturn (GilkImage *image, uint64_t addr);
/* TRUE if a jump to @addr is a return (return thunks) */
gboolean gilk_image_is_return_thunk   (GilkImage *image, uint64_t addr);
/* TRUE if a jump or call to @addr is an indirect one (retpoline thunks) */
gboolean gilk_image_is_indirect_thunk (GilkImage *image, uint64_t addr);

/**
 * gilk_image_checksum:
 * SHA-256 over the live bytes of all kernel and module text, in address order;
 * always read anew. Static keys, static calls and their trampolines count as
 * zeroes: the kernel rewrites them by itself (the TSC found unstable, say), and
 * no footprint may hold them. @skip: own arena, (nullable) module name left out.
 * Returns: (transfer full): lower-case hex
 */
char *gilk_image_checksum (GilkImage *image, const char *skip, const GilkProgress *progress,
                           GCancellable *cancellable, GError **error);

G_END_DECLS
