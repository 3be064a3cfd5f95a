/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image.h - live text of a kernel, and the side tables that describe the text
 *
 * Side tables are read once, on opening; text is read on first use, and again only where the kernel
 * was patching it at that moment. Addresses are run-time addresses. Nothing is refreshed later:
 * symbols, tables and text are only correct together; for example, with new text and old tables,
 * the fix-up of a faulting instruction would not be found. So an image keeps the old state of a
 * module that is reloaded, or of text that is changed. A hook there is refused when it is armed,
 * because the driver compares each byte before it writes. To get the new state, open another image,
 * as each command of gilk does; gilk-module-changes.h reports when this is necessary.
 *
 * Threads: any; the image has a lock of its own, which is held while text is read from the target,
 * so any access may block. Outputs are untouched on failure.
 */
#pragma once

#include "core/image/gilk-debug.h"
#include "core/image/gilk-symbols.h"
#include "core/link/gilk-target.h"

G_BEGIN_DECLS

typedef enum {
  GILK_SITE_EXTABLE,       /* instruction that may fault; @other: address of the fix-up code */
  GILK_SITE_BUG,           /* ud2 of BUG(), which does not return */
  GILK_SITE_WARN,          /* ud2 of WARN(), after which execution continues */
  GILK_SITE_JUMP_LABEL,    /* static key; @other: target of the jump */
  GILK_SITE_STATIC_CALL,   /* static call; @other: address of its key */
  GILK_SITE_FENTRY,        /* 5-byte ftrace site */
} GilkSiteKind;

typedef struct {
  uint64_t     addr;
  uint64_t     other;
  GilkSiteKind kind;
  int32_t      data;  /* for GILK_SITE_EXTABLE: the data word of the exception-table entry; else
                       * 0 */
} GilkSite;

typedef enum {
  GILK_AREA_TEXT,          /* ordinary text of the kernel or a live module */
  GILK_AREA_NOINSTR,
  GILK_AREA_ENTRY,
  GILK_AREA_INIT,
  GILK_AREA_THUNK,
  GILK_AREA_BLACKLIST,
} GilkAreaKind;

typedef struct {
  uint64_t     start, end; /* [start, end) */
  GilkAreaKind kind;
  uint32_t     module;     /* index of the module in the symbol table */
} GilkArea;

typedef struct _GilkImage GilkImage;

GilkImage *gilk_image_open  (GilkTarget *target, const GilkProgress *progress,
                             GCancellable *cancellable, GError **error);
/**
 * gilk_image_new_static:
 * Creates an image for tests and saved sessions: contiguous text at @base, with the given symbols
 * and sites (addresses that the kernel's tables list). Copies its arguments.
 */
GilkImage *gilk_image_new_static (GilkSymbols *symbols, uint64_t base,
                                  const uint8_t *bytes, gsize length,
                                  const GilkSite *sites, guint n_sites);
/* Sets the unwind entries of an image from gilk_image_new_static(), in the kernel's format: @ips
 * are self-relative. */
void       gilk_image_set_static_orc (GilkImage *image, GBytes *ips, uint64_t ips_base,
                                      GBytes *entries);
/* Sets the constant data (.rodata) of an image from gilk_image_new_static(). */
void       gilk_image_set_static_constants (GilkImage *image, uint64_t base, GBytes *bytes);
GilkImage *gilk_image_ref   (GilkImage *image);
void       gilk_image_unref (GilkImage *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkImage, gilk_image_unref)

GilkSymbols *gilk_image_symbols (GilkImage *image);            /* (transfer none) */
GilkTarget  *gilk_image_target  (GilkImage *image);            /* (transfer none): may be NULL */
GilkTypes   *gilk_image_types   (GilkImage *image);            /* (transfer none): never NULL */
GilkDebug   *gilk_image_debug   (GilkImage *image);            /* (transfer none): never NULL */

/* Reads all text at once. Call this before scanning the whole kernel. */
gboolean gilk_image_load_all (GilkImage *image, const GilkProgress *progress,
                              GCancellable *cancellable, GError **error);

/**
 * gilk_image_bytes:
 * Returns: (transfer none): @length bytes of text at @addr, valid until the image is freed; NULL
 * with @error if these bytes are not text or are unreadable
 */
const uint8_t *gilk_image_bytes (GilkImage *image, uint64_t addr, gsize length, GError **error);

/* Returns whether @addr is in constant data (.rodata) of the kernel or a module. */
gboolean gilk_image_is_constant (GilkImage *image, uint64_t addr);
/**
 * gilk_image_constants:
 * @out: (transfer full): array of @n elements, set only on success; empty elements are unreadable
 * Reads up to @most bytes of constant data at each of @addrs, but not past the end of the section.
 * Not cached.
 */
gboolean gilk_image_constants   (GilkImage *image, const uint64_t *addrs, guint n, gsize most, GBytes **out,
                                 GCancellable *cancellable, GError **error);

/* Returns the sites in [start, end), sorted by address; a site is an address that a kernel table
 * lists, such as a static key. (transfer none) */
const GilkSite *gilk_image_sites (GilkImage *image, uint64_t start, uint64_t end, guint *count);
/* Returns whether @addr is a static call, whose target the kernel may change at any time. */
gboolean gilk_image_is_static_call (GilkImage *image, uint64_t addr);
/* Returns the area of text that contains @addr; NULL if @addr is not text. Where areas overlap, the
 * most restrictive one counts. */
const GilkArea *gilk_image_area  (GilkImage *image, uint64_t addr);
/* Returns all areas of ordinary text, in which hooks are not restricted, sorted by address. */
const GilkArea *gilk_image_text_areas (GilkImage *image, guint *count);

/* The base, usually a register, from which an ORC entry computes the caller's frame. */
typedef enum {
  GILK_FRAME_OTHER,         /* any other base, or unknown */
  GILK_FRAME_SP,
  GILK_FRAME_BP,
  GILK_FRAME_BP_INDIRECT,
} GilkFrameBase;

/* The ORC_REG_* numbers of a kernel, which differ between releases. */
typedef struct {
  uint8_t sp, bp, bp_indirect;
} GilkOrcNumbers;

/**
 * gilk_image_orc:
 * @entry: (out): the kernel's 6-byte ORC entry for @addr
 * @base: (out): frame base of that entry
 * Returns: FALSE if no entry exists for @addr
 */
gboolean gilk_image_orc (GilkImage *image, uint64_t addr, uint8_t entry[6], GilkFrameBase *base);
/**
 * gilk_image_matches_driver:
 * Compares values derived from the tables with the driver's values, which come from the kernel's
 * headers.
 * Returns: FALSE with GILK_ERROR_DRIVER if they differ: no code may be emitted for this kernel
 */
gboolean gilk_image_matches_driver (GilkImage *image, const struct ilk_info *info, GError **error);

/* Returns whether a call to @addr never returns, according to a short list of names. */
gboolean gilk_image_is_noreturn (GilkImage *image, uint64_t addr);
/* Returns whether @addr is a return thunk: a jump to it is a return. */
gboolean gilk_image_is_return_thunk   (GilkImage *image, uint64_t addr);
/* Returns whether @addr is a retpoline: a jump or call to it is an indirect jump or call. */
gboolean gilk_image_is_indirect_thunk (GilkImage *image, uint64_t addr);

/**
 * gilk_image_checksum:
 * @skip: (nullable): module to leave out, such as Gilk's own arena
 * Computes SHA-256 over the current bytes of all kernel and module text, in address order; never
 * cached. Static keys, static calls and their trampolines count as zeroes: the kernel rewrites them
 * by itself (for example when the TSC becomes unstable), and footprints never contain them.
 * Returns: (transfer full): lower-case hex
 */
char *gilk_image_checksum (GilkImage *image, const char *skip, const GilkProgress *progress,
                           GCancellable *cancellable, GError **error);

G_END_DECLS
