/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-library.h - shared libraries that are loaded when one of their functions is first needed
 *
 * Few commands send requests, serve metrics, read packet captures or print instructions, but the
 * libraries for these depend on some 30 others or have large tables, and loading all of them takes
 * longer than most commands run. A file that uses such a library lists the functions that it calls,
 * and calls them by pointers:
 *
 *   #define FUNCTIONS(F) F (pcap_close) F (pcap_next_ex)
 *   FUNCTIONS (GILK_LIBRARY_POINTER)
 *   static const GilkLibraryFunction functions[] = { FUNCTIONS (GILK_LIBRARY_ENTRY) };
 *
 *   if (gilk_library_load ("libpcap.so.0.8", functions, G_N_ELEMENTS (functions), error))
 *     sym_pcap_close (pcap);
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *name;
  gpointer   *address;          /* the pointer by which it is called; NULL until it is loaded */
} GilkLibraryFunction;

#define GILK_LIBRARY_POINTER(function) static __typeof__ (&function) sym_##function;
#define GILK_LIBRARY_ENTRY(function)   { #function, (gpointer *) &sym_##function },

/* Loads the library @soname, unless it is loaded, and sets the pointers of @functions. The library
 * stays loaded. FALSE with @error (GILK_ERROR_NOT_FOUND): the library or a function is missing. */
gboolean gilk_library_load (const char *soname, const GilkLibraryFunction *functions, guint n_functions, GError **error);

G_END_DECLS
