/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-packed.h - unpacking of samples that come over the wire
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include "agent/gilk-wire.h"

G_BEGIN_DECLS

/**
 * gilk_unpack_samples:
 * @packed: records as in "Packed samples" in gilk-wire.h; untrusted
 * @cells: (out caller-allocates): room for @bytes bytes, aligned to 8
 * @bytes: size of the unpacked records
 * Sets @commit of the records and all padding after payloads to 0.
 * Returns: FALSE if the input is not exactly @bytes bytes of whole records; @cells is undefined
 * then
 */
gboolean gilk_unpack_samples (const uint8_t *packed, gsize length, uint8_t *cells, gsize bytes);

G_END_DECLS
