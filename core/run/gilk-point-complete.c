/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-point-complete.c - what may be written in the program of a hook at a point
 *
 * Where the kernel has its task and its processor's number is the driver's to say, and nothing here depends on it.
 */
#include "core/run/gilk-point-complete.h"

#include "core/run/gilk-bound-program.h"
#include "core/target/gilk-image-user.h"

#define SOMEWHERE 8

/* Variables that debug data tell of at the point; there may be none. */
static const GArray *
given_locals (gpointer data, GError **error G_GNUC_UNUSED)
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

GPtrArray *
gilk_point_complete (const GilkCfg      *cfg,
                     guint               block,
                     GilkWhere           where,
                     gboolean            experiment,
                     const char *const  *labels,
                     const char         *text,
                     gsize               offset,
                     GCancellable       *cancellable,
                     GilkTextPart       *part,
                     GError            **error)
{
  GilkSymbols *symbols = gilk_image_symbols (cfg->image);
  const char *module = gilk_image_user_path (cfg->image) != NULL ? NULL : gilk_symbols_module (symbols, cfg->function->module);
  g_autoptr(GError) local = NULL;
  g_autoptr(GilkBtf) btf = gilk_types_get (gilk_image_types (cfg->image), module, cancellable, &local);
  g_autoptr(GArray) locals = module != NULL ? gilk_debug_variables (gilk_image_debug (cfg->image),
                                                                   address_of (cfg, block, where), cancellable, NULL) : NULL;
  GilkProgramPlace place = {
    .locals = given_locals, .data = locals, .btf = btf, .experiment = experiment, .current_task = SOMEWHERE, .cpu_number = SOMEWHERE, .task_pid = SOMEWHERE,
    .task_tgid = SOMEWHERE, .task_comm = SOMEWHERE,
  };

  if (btf == NULL && !g_error_matches (local, GILK_ERROR, GILK_ERROR_NOT_FOUND) &&
      !g_error_matches (local, GILK_ERROR, GILK_ERROR_FORMAT))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  gilk_bound_program_point (&place, cfg, block, where, FALSE);

  return gilk_complete (text, offset, &place, symbols, labels, part);
}
