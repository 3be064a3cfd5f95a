/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libraries.h - the libraries' headers that most files include, parsed once for all of them
 *
 * Each file still includes what it uses: a build without this header, -Db_pch=false, checks that.
 */
#include <gio/gio.h>
#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>
