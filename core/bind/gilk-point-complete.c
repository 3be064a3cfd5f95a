/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-point-complete.c - completes the text of a program for a given probe point
 *
 * Only the driver can find the kernel offsets of the current task and CPU number. Completion does
 * not depend on them and uses dummies.
 */
#include "core/bind/gilk-point-complete.h"

#include "core/base/gilk-error.h"
#include "core/bind/gilk-bound-program.h"
#include "core/image/gilk-image-user.h"
#include "core/image/gilk-type-scope.h"

#define SOMEWHERE 8

/* Returns the variables at the point, from debug data; there may be none. */
static const GArray *
get_given_locals (gpointer data, GError **error G_GNUC_UNUSED)
{
  return data;
}

static uint64_t
address_of (const GilkCfg *cfg, guint number, GilkWhere where)
{
  const GilkBlock *block = &cfg->blocks[number];
  const guint at = gilk_point_boundary (cfg, number, where);

  return at < block->first_insn + block->n_insns ? cfg->insns[at].addr : block->end;
}

/* Returns the types that apply at @addr, from BTF or debug data; if there are none, the kernel's
 * types, with @alone set. NULL without @error: the kernel's types are missing, too. */
static GilkBtf *
find_types (GilkImage *image, uint32_t module, uint64_t addr, gboolean *alone, GCancellable *cancellable, GError **error)
{
  const GilkTypeScope scope = { .module = module, .place.code = addr };
  g_autoptr(GError) local = NULL;
  GilkBtf *btf = gilk_scope_types (image, &scope, cancellable, &local);

  if (btf == NULL && module != 0 && gilk_types_are_missing (local))
    {
      g_clear_error (&local);
      btf = gilk_types_get (gilk_image_types (image), NULL, cancellable, &local);
      *alone = TRUE;
    }
  if (btf == NULL && !gilk_types_are_missing (local))
    g_propagate_error (error, g_steal_pointer (&local));

  return btf;
}

GPtrArray *
gilk_point_complete (const GilkCfg *cfg,
                     guint          block,
                     GilkWhere      where,
                     gboolean       may_change,
                     const char *const  *labels,
                     const char         *text,
                     gsize               offset,
                     GCancellable       *cancellable,
                     GilkTextPart       *part,
                     GError            **error)
{
  GilkSymbols *symbols = gilk_image_symbols (cfg->image);
  const gboolean is_user = gilk_image_user_path (cfg->image) != NULL;
  g_autoptr(GError) local = NULL;
  gboolean alone = FALSE;
  const uint64_t addr = address_of (cfg, block, where);
  g_autoptr(GilkBtf) btf = !is_user ? find_types (cfg->image, cfg->function->module, addr, &alone, cancellable, &local) : NULL;
  g_autoptr(GArray) locals = !is_user ? gilk_debug_variables (gilk_image_debug (cfg->image), addr, cancellable, NULL) : NULL;
  GilkProgramPlace place = {
    .locals = get_given_locals, .data = locals, .btf = btf, .types_alone = alone, .may_change = may_change,
    .current_task = SOMEWHERE, .cpu_number = SOMEWHERE, .task_pid = SOMEWHERE, .task_tgid = SOMEWHERE, .task_comm = SOMEWHERE,
  };

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  gilk_bound_program_fill_point (&place, cfg, block, where, FALSE);

  return gilk_complete (text, offset, &place, symbols, labels, part);
}
