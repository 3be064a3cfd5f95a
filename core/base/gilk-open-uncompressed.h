/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-open-uncompressed.h - reads a file that may be compressed as a whole: gzip, zstd or xz
 *
 * Concatenated streams are read one after the other, as gzip, zstd and xz do. The file is not
 * trusted: decompression needs at most about 128 MiB of memory, but the output may be huge, so
 * callers must limit how much they read.
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
 * Returns: (transfer full): @file itself if it is not compressed, else a stream of the uncompressed
 * contents; close it with fclose(). If the data are damaged, reading fails.
 */
FILE       *gilk_open_uncompressed  (FILE *file);
/* Returns a clause for an error message that says what is wrong with the compressed data; NULL
 * if the read failed for another reason. @code: errno after the failed read */
const char *gilk_uncompressed_fault (int code);

G_END_DECLS
