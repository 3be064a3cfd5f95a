/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-code-proposals.h - completion of probe programs for GtkSourceView
 */
#pragma once

#include <gtksourceview/gtksource.h>

#include "core/cfg/gilk-point.h"
#include "gui/graph/gilk-graph-data.h"

G_BEGIN_DECLS

#define GILK_TYPE_CODE_PROPOSALS (gilk_code_proposals_get_type ())
G_DECLARE_FINAL_TYPE (GilkCodeProposals, gilk_code_proposals, GILK, CODE_PROPOSALS, GObject)

GilkCodeProposals *gilk_code_proposals_new (void);

/**
 * gilk_code_proposals_set_point:
 * @data: (nullable): the function; NULL turns completion off
 * @labels: (nullable) (transfer full): labels of the plan's hooks.
 *
 * Sets the probe point whose program is being completed.
 */
void gilk_code_proposals_set_point (GilkCodeProposals *self, GilkGraphData *data, guint block, GilkWhere where,
                                    gboolean may_change, GStrv labels);

G_END_DECLS
