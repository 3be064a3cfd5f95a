/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libraries.h - precompiled library headers that most files of the workbench include
 */
#include <glib/gi18n.h>
#include <gtk/gtk.h>
#include <math.h>
#include <string.h>
