/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libraries.h - the libraries' headers that most files of the workbench include, parsed once for all of them
 */
#include <glib/gi18n.h>
#include <gtk/gtk.h>
#include <math.h>
#include <string.h>
