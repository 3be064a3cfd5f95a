/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-share.c - computes how much of a function can be hooked
 */
#include "core/splice/gilk-splice.h"

#include "core/cfg/gilk-cfg.h"
#include "core/splice/gilk-survey.h"

gboolean
gilk_hook_share (GilkFunctions      *functions,
                 const GilkFunction *function,
                 GilkDecoder        *decoder,
                 GilkHookShare      *share)
{
  g_autoptr(GilkCfg) cfg = gilk_cfg_new (functions, function, decoder, NULL);
  g_autofree GilkSurvey *sum = g_new0 (GilkSurvey, 1);

  if (cfg == NULL || cfg->refusal != 0)
    return FALSE;
  gilk_survey_add (sum, cfg, decoder, GILK_INLINE_COUNT, NULL, NULL);
  *share = (GilkHookShare) {
    .blocks = cfg->n_blocks,
    .points = (guint) sum->total.points,
    .jumped = (guint) gilk_survey_jumped (&sum->total),
    .trapped = (guint) sum->total.by_tactic[ILK_TACTIC_TRAP],
  };

  return TRUE;
}

guint
gilk_hook_share_percent (const GilkHookShare *share)
{
  return share->points == 0 ? 0 : 100 * (share->jumped + share->trapped) / share->points;
}
