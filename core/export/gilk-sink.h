/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sink.h - bytes on their way out, some hundred KiB at a time
 *
 * Threads: one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Takes all of @bytes, or sets @error. */
typedef gboolean (*GilkSinkWrite) (gpointer data, const char *bytes, gsize n, GError **error);

typedef struct {
  GString      *text;             /* what is to be written: append here */
  GilkSinkWrite write;
  gpointer      data;
} GilkSink;

void     gilk_sink_init   (GilkSink *sink, GilkSinkWrite write, gpointer data);
void     gilk_sink_clear  (GilkSink *sink);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkSink, gilk_sink_clear)

/* Writes what is there, once it is much. To be called often. */
gboolean gilk_sink_drain  (GilkSink *sink, GError **error);
/* Writes all of it. */
gboolean gilk_sink_finish (GilkSink *sink, GError **error);

/* ---- files that are whole or not there ---- */

/* One that is being written, under another name beside its own. */
typedef struct {
  int   fd;
  char *path, *part;              /* part: its name so far; NULL: @path is no regular file, and is
                                   * written as it is */
} GilkPartFile;

/* @replace: what is there may be written over; else it is refused */
gboolean gilk_part_file_open  (GilkPartFile *file, const char *path, gboolean replace, GError **error);
/* A GilkSinkWrite; @data: a GilkPartFile */
gboolean gilk_part_file_write (gpointer file, const char *bytes, gsize n, GError **error);
/* Gives it its name. */
gboolean gilk_part_file_done  (GilkPartFile *file, GError **error);
/* Removes it, unless it is done. */
void     gilk_part_file_clear (GilkPartFile *file);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkPartFile, gilk_part_file_clear)

/* The same of a folder with files in it, none of them a folder. */
typedef struct {
  char    *path, *part;           /* part: where the files go */
  gboolean replace;
} GilkPartFolder;

/* @replace: a folder there may be replaced if all in it begins with one of @ours, a NULL-terminated
 * list of names or beginnings of names that end in '*' */
gboolean gilk_part_folder_open  (GilkPartFolder *folder, const char *path, gboolean replace,
                                 const char *const *ours, GError **error);
/* Appends to a file of the folder, which is made if it is not there. */
gboolean gilk_part_folder_append (const GilkPartFolder *folder, const char *name, const void *bytes,
                                  gsize n, GError **error);
gboolean gilk_part_folder_done  (GilkPartFolder *folder, GError **error);
void     gilk_part_folder_clear (GilkPartFolder *folder);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkPartFolder, gilk_part_folder_clear)

G_END_DECLS
