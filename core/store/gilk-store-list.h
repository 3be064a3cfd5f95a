/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-list.h - lists the sessions in a folder
 *
 * Threads: any; files are recognised by name and not opened.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_STORE_SUFFIX ".gilk"

/**
 * gilk_store_list_folder:
 * @folder: names start with this folder, unless it is "."
 *
 * Returns: (transfer full) (element-type filename): sorted; NULL if the folder cannot be read
 */
GPtrArray *gilk_store_list_folder (const char *folder, GError **error);

G_END_DECLS
