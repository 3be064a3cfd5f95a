/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-point-complete.c - completion of program text for a given probe point
 *
 * Only the driver can find the kernel offsets of the current task and CPU number. Completion does
 * not depend on them and uses dummies.
 */
#include "core/bind/gilk-point-complete.h"

#include "core/base/gilk-error.h"
#include "core/bind/gilk-bound-program.h"
#include "core/bind/gilk-module-types.h"
#include "core/image/gilk-image-user.h"

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

static gboolean
means_no_types (const GError *error)
{
  return g_error_matches (error, GILK_ERROR, GILK_ERROR_NOT_FOUND) || g_error_matches (error, GILK_ERROR, GILK_ERROR_FORMAT);
}

/* Returns the module's types, from BTF or debug data; if it has none, the kernel's types, with
 * @alone set. NULL without @error: the kernel has no types either. */
static GilkBtf *
find_types (GilkImage *image, uint32_t module, gboolean *alone, GCancellable *cancellable, GError **error)
{
  const char *name = module != 0 ? gilk_symbols_module (gilk_image_symbols (image), module) : NULL;
  g_autoptr(GError) local = NULL;
  GilkBtf *btf = gilk_types_get (gilk_image_types (image), name, cancellable, &local);

  if (btf == NULL && module != 0 && means_no_types (local))
    {
      g_clear_error (&local);
      btf = gilk_module_types (image, module, cancellable, &local);
    }
  if (btf == NULL && module != 0 && means_no_types (local))
    {
      g_clear_error (&local);
      btf = gilk_types_get (gilk_image_types (image), NULL, cancellable, &local);
      *alone = TRUE;
    }
  if (btf == NULL && !means_no_types (local))
    g_propagate_error (error, g_steal_pointer (&local));

  return btf;
}

GPtrArray *
gilk_point_complete (const GilkCfg *cfg,
                     guint          block,
                     GilkWhere      where,
                     gboolean       experiment,
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
  g_autoptr(GilkBtf) btf = find_types (cfg->image, is_user ? 0 : cfg->function->module, &alone, cancellable, &local);
  g_autoptr(GArray) locals = !is_user ? gilk_debug_variables (gilk_image_debug (cfg->image), address_of (cfg, block, where),
                                                              cancellable, NULL) : NULL;
  GilkProgramPlace place = {
    .locals = get_given_locals, .data = locals, .btf = btf, .types_alone = alone, .may_change = experiment,
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
