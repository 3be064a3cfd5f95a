/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-orc.h - unwind entries of the kernel, carried over into a patch
 *
 * The six bytes of struct orc_entry: s16 sp_offset, s16 bp_offset, then a
 * 16-bit word whose low nibble is sp_reg, numbered as the kernel does (GilkOrcNumbers).
 * The rest of the word differs, too, and is only ever copied.
 *
 * Threads: any; the first look at the kernel's own table blocks on the target. Where FALSE is
 * returned outputs are undefined.
 */
#pragma once

#include "core/target/gilk-image.h"

G_BEGIN_DECLS

#define GILK_ORC_BYTES 6

/* TRUE if stack traces stay right when code for @addr runs elsewhere and pushes. */
gboolean gilk_orc_usable (GilkImage *image, uint64_t addr);
/* The entry in force at @addr after @depth more bytes were pushed; FALSE if there is none. */
gboolean gilk_orc_at     (GilkImage *image, uint64_t addr, guint depth,
                          uint8_t entry[GILK_ORC_BYTES]);

/* Is a stack trace taken anywhere in @len bytes from @there right for the frame of @here? */
gboolean gilk_orc_same   (GilkImage *image, uint64_t here, uint64_t there, guint len);

/**
 * gilk_orc_return_slot:
 * @reg: out: the machine's number of rsp or rbp
 * @offset: out: from it to the return address of the function that @addr is in, with
 *   @depth more bytes pushed
 * Returns: FALSE if the kernel's tables do not tell
 */
gboolean gilk_orc_return_slot (GilkImage *image, uint64_t addr, guint depth,
                               guint *reg, int32_t *offset);

/* Moves @entry by @depth pushed bytes; FALSE if frames of its kind cannot be carried over. */
gboolean gilk_orc_shift  (uint8_t entry[GILK_ORC_BYTES], GilkFrameBase base, guint depth);

G_END_DECLS
