/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-file-notice.h - progress bar for a file being written
 *
 * Appears only if writing takes more than a moment. Shows the progress and a button to cancel.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_FILE_NOTICE (gilk_file_notice_get_type ())
G_DECLARE_FINAL_TYPE (GilkFileNotice, gilk_file_notice, GILK, FILE_NOTICE, GtkInfoBar)

/* Adds a bar above the other children of @box. @cancellable: (nullable): of the writer.
   (transfer none) */
GilkFileNotice *gilk_file_notice_add   (GtkBox *box, const char *path, GCancellable *cancellable);
/* Returns where the writer stores its progress, in thousandths, -1: unknown; to be accessed
   atomically. Valid until gilk_file_notice_end(). */
int            *gilk_file_notice_permille (GilkFileNotice *self);
const char     *gilk_file_notice_path     (GilkFileNotice *self);
/* Removes the bar. The caller reports whether the file was written. */
void            gilk_file_notice_end      (GilkFileNotice *self);

G_END_DECLS
