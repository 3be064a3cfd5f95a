/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-file-notice.h - a bar that tells of a file being written
 *
 * It comes into view once that takes a moment: how far it is, and a button that cancels it.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_FILE_NOTICE (gilk_file_notice_get_type ())
G_DECLARE_FINAL_TYPE (GilkFileNotice, gilk_file_notice, GILK, FILE_NOTICE, GtkInfoBar)

/* @box: goes above what is in it already. @cancellable: (nullable): of what writes it. (transfer none) */
GilkFileNotice *gilk_file_notice_add   (GtkBox *box, const char *path, GCancellable *cancellable);
/* Where the writer puts how far it is, in thousandths, -1 if nobody knows; read while the file is written. Valid until
 * gilk_file_notice_end(). */
int            *gilk_file_notice_permille (GilkFileNotice *self);
const char     *gilk_file_notice_path     (GilkFileNotice *self);
/* It is there, or is not: somebody else says so. */
void            gilk_file_notice_end      (GilkFileNotice *self);

G_END_DECLS
