/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-open-uncompressed.h - reads a file that may be compressed
 *
 * Threads: one at a time for each file.
 */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/**
 * gilk_open_uncompressed:
 * @file: (transfer full): positioned at its start
 * @path: the file's path, for messages
 * Returns: (transfer full): @file itself if it is not compressed, else a stream of the uncompressed
 * contents; close it with fclose(). If the file is damaged, reading fails with EIO. NULL with
 * GILK_ERROR_FORMAT: unknown compression
 */
FILE *gilk_open_uncompressed (FILE *file, const char *path, GError **error);

G_END_DECLS
