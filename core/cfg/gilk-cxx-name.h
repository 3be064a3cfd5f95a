/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cxx-name.h - is a symbol a function of that name in C++ or Rust?
 *
 * Symbols have such names mangled (Itanium C++ ABI 5.1; Rust's first form is the same with a hash). One that was written
 * without arguments, as shop::Basket::add, is matched by what it would be mangled to; templates and operators are not known.
 *
 * Threads: any. Pure.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What symbols of @name may begin with, behind "_Z" and an "N" with its qualifiers; NULL: it is no such name. Free it. */
char    *gilk_cxx_name_mangled (const char *name);
/* Is @symbol a function of the name that was mangled to @mangled? */
gboolean gilk_cxx_name_is      (const char *symbol, const char *mangled);

G_END_DECLS
