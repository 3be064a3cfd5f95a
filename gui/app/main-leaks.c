/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main-leaks.c - ignores allocations that libraries make while they are loaded (sanitizer builds
 * only)
 *
 * GLib allocates its table of quarks during loading and never frees it when a program has more than
 * 2,048 quarks, as the workbench does. No suppression can match that leak. GLib is built
 * without frame pointers, so the stack in the report ends in g_malloc(). Unwinding by unwind tables
 * instead would take three times as long.
 */
#include <gio/gio.h>
#include <sanitizer/lsan_interface.h>

/* Runs before the constructors of all libraries. */
__attribute__ ((section (".preinit_array"), used)) static void (*const disable_leak_check) (void) = __lsan_disable;

/* Runs after the constructors of all libraries. */
__attribute__ ((constructor)) static void
enable_leak_check (void)
{
  /* Make the first query while leaks are ignored: GIO then reloads its content-type database and
   * leaks the old one. */
  g_content_type_get_mime_dirs ();
  __lsan_enable ();
}
