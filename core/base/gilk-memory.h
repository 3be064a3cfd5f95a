/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-memory.h - frees blocks of memory and members of structures, and counts references
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

/* Frees all arguments with g_free(). They are evaluated before the first of them is freed. */
#define gilk_free_all(...) \
  G_STMT_START { \
    const gpointer all_[] = { __VA_ARGS__ }; \
    for (guint i_ = 0; i_ < G_N_ELEMENTS (all_); i_++) \
      g_free (all_[i_]); \
  } G_STMT_END

/* Defines a static GDestroyNotify that frees what @self, a structure of type @Type, owns. @frees:
 * the statement that frees it */
#define GILK_DEFINE_CLEAR(name, Type, self, frees) \
  static void \
  name (gpointer data) \
  { \
    Type *self = data; \
    frees; \
  }

/* Defines the function @prefix_ref(), which increments @count, the gatomicrefcount member of its
 * argument, and returns the argument. */
#define GILK_DEFINE_REF(Type, prefix, count) \
  Type * \
  prefix##_ref (Type *self) \
  { \
    g_atomic_ref_count_inc (&self->count); \
    return self; \
  }
