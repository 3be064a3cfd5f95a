/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-file-notice.h - a bar that tells of a file being written, and then that it is there
 *
 * While it is written: how far, and a button that cancels; seen only if that takes a while. Then its size, and a button
 * that opens its folder. It closes itself when told to.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_FILE_NOTICE (gilk_file_notice_get_type ())
G_DECLARE_FINAL_TYPE (GilkFileNotice, gilk_file_notice, GILK, FILE_NOTICE, GtkInfoBar)

/* @box: goes above what is in it already. @cancellable: (nullable): of what writes it. (transfer none) */
GilkFileNotice *gilk_file_notice_add   (GtkBox *box, const char *path, GCancellable *cancellable);
/* Where the writer puts how far it is, in thousandths, -1 if nobody knows; read while the file is written. Valid until
 * gilk_file_notice_written() or _fail(). */
int            *gilk_file_notice_permille (GilkFileNotice *self);
/* It is there. */
void            gilk_file_notice_written  (GilkFileNotice *self);
/* It is not, and somebody else says why. */
void            gilk_file_notice_fail     (GilkFileNotice *self);

G_END_DECLS
