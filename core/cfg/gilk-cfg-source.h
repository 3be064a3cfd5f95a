/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-source.h - looks up source lines and inlined functions of a graph's instructions
 *
 * Threads: any; immutable once created. Creation reads debug data and may block.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef struct _GilkCfgSource GilkCfgSource;

/* Looks up the source lines of all instructions of @cfg. Returns NULL with GILK_ERROR_NOT_FOUND if
 * debug data are missing, and with GILK_ERROR_FORMAT if the debug file that the user chose is
 * damaged or belongs to another kernel. */
GilkCfgSource *gilk_cfg_source_new  (GilkCfg *cfg, GCancellable *cancellable, GError **error);
void           gilk_cfg_source_free (GilkCfgSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCfgSource, gilk_cfg_source_free)

/* Returns the lines of instruction @insn, innermost first; empty if unknown.
 * (element-type GilkDwarfLine) (transfer none) */
const GArray  *gilk_cfg_source_at   (const GilkCfgSource *source, guint insn);
/* Returns "include/linux/fs.h:2500 in file_inode, from fs/pipe.c:400"; NULL if unknown.
 * (transfer full) */
char          *gilk_cfg_source_text (const GilkCfgSource *source, guint insn);

G_END_DECLS
