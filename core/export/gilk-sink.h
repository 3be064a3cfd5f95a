/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sink.h - buffers output, and writes it some hundred KiB at a time
 *
 * Threads: one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Writes all @n bytes at @bytes; returns FALSE with @error on failure. */
typedef gboolean (*GilkSinkWrite) (gpointer data, const char *bytes, gsize n, GError **error);

typedef struct {
  GString      *text;             /* the buffer: append output here */
  GilkSinkWrite write;
  gpointer      data;
} GilkSink;

void     gilk_sink_init   (GilkSink *sink, GilkSinkWrite write, gpointer data);
void     gilk_sink_clear  (GilkSink *sink);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkSink, gilk_sink_clear)

/* Writes and empties the buffer if it is large. Callers must call this often. */
gboolean gilk_sink_drain  (GilkSink *sink, GError **error);
/* Writes the whole buffer. */
gboolean gilk_sink_finish (GilkSink *sink, GError **error);

/* ---- output files that appear only once they are complete ---- */

/* A file being written, under a temporary name in the same folder. */
typedef struct {
  int   fd;
  char *path, *part;              /* @part: path of the temporary file; NULL if @path is not a
                                   * regular file */
} GilkPartFile;

/* Opens a temporary file for @path. @replace: an existing file may be overwritten; if FALSE, an
 * existing file is an error */
gboolean gilk_part_file_open  (GilkPartFile *file, const char *path, gboolean replace, GError **error);
/* Writes @bytes to @file, a GilkPartFile. Can be used as a GilkSinkWrite. */
gboolean gilk_part_file_write (gpointer file, const char *bytes, gsize n, GError **error);
/* Renames the file to its final name. */
gboolean gilk_part_file_done  (GilkPartFile *file, GError **error);
/* Removes the temporary file, unless gilk_part_file_done() has renamed it. */
void     gilk_part_file_clear (GilkPartFile *file);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkPartFile, gilk_part_file_clear)

/* A folder of files being written, under a temporary name. It cannot have subfolders. */
typedef struct {
  char    *path, *part;           /* @part: path of the temporary folder */
  gboolean replace;
} GilkPartFolder;

/* Makes a temporary folder for @path. @replace: an existing folder may be replaced if each of its
 * files matches an item of @ours, a NULL-terminated list of names and of prefixes that end in
 * '*' */
gboolean gilk_part_folder_open  (GilkPartFolder *folder, const char *path, gboolean replace,
                                 const char *const *ours, GError **error);
/* Appends @bytes to the file @name in the folder; creates the file if necessary. */
gboolean gilk_part_folder_append (const GilkPartFolder *folder, const char *name, const void *bytes,
                                  gsize n, GError **error);
gboolean gilk_part_folder_done  (GilkPartFolder *folder, GError **error);
void     gilk_part_folder_clear (GilkPartFolder *folder);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkPartFolder, gilk_part_folder_clear)

G_END_DECLS
