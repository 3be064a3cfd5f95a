/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-packed.h - samples as they come over the wire
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include "agent/gilk-wire.h"

G_BEGIN_DECLS

/**
 * gilk_unpack_samples:
 * @packed: records as "Packed samples" in gilk-wire.h has them; any bytes
 * @cells: (out caller-allocates): room for @bytes, aligned to 8
 * @bytes: what they are unpacked
 *
 * The @commit of the records is 0, and so is all behind their payloads.
 *
 * Returns: FALSE if they are not just @bytes of whole records; @cells is undefined then
 */
gboolean gilk_unpack_samples (const uint8_t *packed, gsize length, uint8_t *cells, gsize bytes);

G_END_DECLS
