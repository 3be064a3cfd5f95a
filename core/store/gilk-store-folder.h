/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-folder.h - which sessions there are in a folder
 *
 * Threads: any; files are taken by their names, none is opened.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_STORE_SUFFIX ".gilk"

/**
 * gilk_store_folder:
 * @folder: "." gives names without it
 *
 * Returns: (transfer full) (element-type filename): sorted; NULL: the folder cannot be read
 */
GPtrArray *gilk_store_folder (const char *folder, GError **error);

G_END_DECLS
