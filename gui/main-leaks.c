/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main-leaks.c - built with sanitizers only: what libraries allocate while they are loaded is theirs
 *
 * GLib makes its table of quarks then, and leaves it behind when a program has more than 2,048 of them, as
 * the workbench does. No suppression can name it: without frame pointers in GLib the report's stack ends in
 * g_malloc(), and unwinding each allocation by tables takes three times as long.
 */
#include <gio/gio.h>
#include <sanitizer/lsan_interface.h>

/* Called before the constructors of all libraries. */
__attribute__ ((section (".preinit_array"), used)) static void (*const begin) (void) = __lsan_disable;

/* Called behind them. */
__attribute__ ((constructor)) static void
end (void)
{
  /* GIO reads its database of content types anew once these were asked for, and leaves what it had read behind. */
  g_content_type_get_mime_dirs ();
  __lsan_enable ();
}
