/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-text-cache.h - on-disk cache of the text of a boot, compared with the live text
 *
 * A kernel's text is 15 MiB, nearly all of which stays the same during a boot. The agent sends a
 * checksum of each chunk of the live text, and a cached chunk is used only if it has that checksum:
 * text that anyone patched is read again. The file is one of gilk-boot-cache.h, keyed by the boot.
 *
 * Threads: any; take the image's lock. gilk_text_cache_fill() blocks on the target.
 */
#pragma once

#include "core/image/gilk-image-private.h"

G_BEGIN_DECLS

/* Fills in the missing chunks of text that are cached and equal to the live text; the caller has to
 * read the remaining ones from the target. Returns the number of bytes filled in. */
gsize    gilk_text_cache_fill (GilkImage *image, GCancellable *cancellable);
/* Caches all text. Must be called before gilk_image_restore_original() changes the text, because
 * the cache is later compared with live text. */
void     gilk_text_cache_save (GilkImage *image);

G_END_DECLS
