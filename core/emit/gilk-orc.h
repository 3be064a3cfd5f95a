/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-orc.h - adapts unwind entries of the kernel to a patch
 *
 * An unwind entry is the six bytes of struct orc_entry: s16 sp_offset, s16 bp_offset, then a 16-bit
 * word whose low nibble is sp_reg, in the kernel's numbering (GilkOrcNumbers). The rest of the word
 * differs between kernels, and is only copied.
 *
 * Threads: any; the first use of the kernel's table blocks on the target. If FALSE is returned,
 * outputs are undefined.
 */
#pragma once

#include "core/image/gilk-image.h"

G_BEGIN_DECLS

#define GILK_ORC_BYTES 6

/* Returns whether stack traces stay correct if a copy of the code at @addr runs elsewhere and
 * pushes words. */
gboolean gilk_orc_usable (GilkImage *image, uint64_t addr);
/* Gets the unwind entry for a copy of the code at @addr that has pushed @depth more bytes. Returns
 * FALSE if the kernel lacks an entry for @addr, or if the entry cannot be adapted. */
gboolean gilk_orc_at     (GilkImage *image, uint64_t addr, guint depth,
                          uint8_t entry[GILK_ORC_BYTES]);

/*
 * Returns whether all of the @len bytes at @there have the same unwind entry as the code at @here.
 */
gboolean gilk_orc_same   (GilkImage *image, uint64_t here, uint64_t there, guint len);

/**
 * gilk_orc_return_slot:
 * @reg: (out): the machine's number of rsp or rbp
 * @offset: (out): offset from that register to the return address of the function that contains
 *   @addr, with @depth more bytes pushed
 * Returns: FALSE if the kernel's tables do not define it
 */
gboolean gilk_orc_return_slot (GilkImage *image, uint64_t addr, guint depth,
                               guint *reg, int32_t *offset);

/* Adapts @entry to code that has pushed @depth more bytes. Returns FALSE if that is impossible,
 * because the entry has frame base @base. */
gboolean gilk_orc_shift  (uint8_t entry[GILK_ORC_BYTES], GilkFrameBase base, guint depth);

G_END_DECLS
