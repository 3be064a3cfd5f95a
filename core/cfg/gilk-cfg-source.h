/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-source.h - lines of source and inlined functions of a graph's instructions
 *
 * Threads: any; immutable once made. Making it reads debug data, and may block.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef struct _GilkCfgSource GilkCfgSource;

/* NULL, with GILK_ERROR_NOT_FOUND: there are no debug data of it; GILK_ERROR_FORMAT: those by hand are of another kernel,
 * or damaged. */
GilkCfgSource *gilk_cfg_source_new  (GilkCfg *cfg, GCancellable *cancellable, GError **error);
void           gilk_cfg_source_free (GilkCfgSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCfgSource, gilk_cfg_source_free)

/* (element-type GilkDwarfLine) (transfer none): of instruction @insn, innermost first; empty if nothing is told. */
const GArray  *gilk_cfg_source_at   (const GilkCfgSource *source, guint insn);
/* "include/linux/fs.h:2500 in file_inode, from fs/pipe.c:400"; NULL if nothing is told. Free it. */
char          *gilk_cfg_source_text (const GilkCfgSource *source, guint insn);
/* The same of any lines. */
char          *gilk_source_lines_text (const GArray *lines);

G_END_DECLS
