/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-place.h - files beside a program that is run from where it was built
 *
 * The one place that knows these folders. What is built for packages (in_place=false) knows none.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The file or folder @path of the build, "agent/gilkd", if this program lies in that build and @path is
 * there; else NULL. (transfer full) (nullable) */
char *gilk_place_built  (const char *path);
/* That of the sources, wherever the program lies. */
char *gilk_place_source (const char *path);

G_END_DECLS
