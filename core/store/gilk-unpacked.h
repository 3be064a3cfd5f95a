/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-unpacked.h - a file that may be packed, read as what was packed
 *
 * Threads: a file belongs to one at a time.
 */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/**
 * gilk_unpacked:
 * @file: (transfer full): at its begin
 * @path: of it, for messages
 * Returns: (transfer full): @file itself if it is not packed, else what reads it unpacked, from its begin to its end; for
 *   fclose(). Damage shows as a read that fails with EIO. NULL, with GILK_ERROR_FORMAT: it is packed in a way that is not known
 */
FILE *gilk_unpacked (FILE *file, const char *path, GError **error);

G_END_DECLS
