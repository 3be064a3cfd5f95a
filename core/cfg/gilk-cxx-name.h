/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cxx-name.h - matching of symbols with C++ and Rust names
 *
 * Symbols of such functions are mangled (Itanium C++ ABI 5.1; Rust's legacy form is the same with a
 * hash). A name without arguments, such as shop::Basket::add, is mangled and compared. Templates
 * and operators are not supported.
 *
 * Threads: any. Pure.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the mangled @name as it follows "_Z", or "_ZN" and qualifiers, in symbols; NULL if it
 * cannot be mangled. (transfer full) */
char    *gilk_cxx_name_mangled (const char *name);
/* Returns whether @symbol is a function whose name without arguments is mangled to @mangled. */
gboolean gilk_cxx_name_is      (const char *symbol, const char *mangled);

G_END_DECLS
