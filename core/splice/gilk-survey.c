/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-survey.c - surveys how each point of a kernel would be hooked, and how much of one function
 * can be hooked
 *
 * Claims such as "97 % without a trap" rest on the survey, so its figures come from the planner
 * itself, not from a model of the planner.
 */
#include "core/splice/gilk-survey.h"

#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-cfg.h"
#include "core/splice/gilk-preview.h"

typedef struct {
  GilkSurvey       sum;
  int                module;
  gboolean           together;
  GilkInstrumentKind kind;
  GilkDecoder       *decoder;
  GilkSurveyFunc   func;
  gpointer           user_data;
} Scan;

GilkSizeClass
gilk_block_size_class (const GilkBlock *block)
{
  uint64_t bytes = block->end - block->start;

  return bytes < 2 ? GILK_SIZE_TINY : bytes < 5 ? GILK_SIZE_SHORT : GILK_SIZE_LONG;
}

static void
add_share (GilkSurveyShare *share, const GilkChoice *choice)
{
  share->points++;
  if (choice->refusal != 0)
    share->refused++;
  else if (gilk_tactic_is_bpf (choice->tactic))
    share->kprobes++;
  else
    share->by_tactic[choice->tactic]++;
}

uint64_t
gilk_survey_jumped (const GilkSurveyShare *share)
{
  return share->points - share->refused - share->kprobes - share->by_tactic[ILK_TACTIC_TRAP];
}

static guint
get_cause_index (guint refusal)
{
  return MIN (refusal, GILK_SURVEY_CAUSES - 1);
}

static void
add_point (GilkSurvey *survey, GilkWhere where, GilkSizeClass size, const GilkChoice *choice)
{
  add_share (&survey->total, choice);
  add_share (&survey->by_where[where], choice);
  add_share (&survey->by_size[size], choice);
  if (choice->refusal != 0)
    survey->refused_by[get_cause_index (choice->refusal)]++;
  else if (choice->tactic == ILK_TACTIC_TRAP)
    survey->trapped_by[get_cause_index (choice->why_not_splice)]++;
}

/* Counts a function. Returns the refusal of the function as a whole; 0: none. */
static guint
count_function (GilkSurvey *survey, const GilkCfg *cfg)
{
  const guint whole = gilk_preview_refusal (cfg);

  survey->functions++;
  survey->refused_functions += whole != 0;
  survey->area_functions += gilk_refusal_is_area (whole);

  return whole;
}

void
gilk_survey_add (GilkSurvey        *survey,
                 const GilkCfg     *cfg,
                 GilkDecoder       *decoder,
                 GilkInstrumentKind kind,
                 GilkSurveyFunc     func,
                 gpointer           user_data)
{
  g_autoptr(GilkLiveness) liveness = NULL;
  const guint whole = count_function (survey, cfg);
  const gboolean possible = whole == 0 || gilk_bpf_plan_is (cfg);

  if (possible && !gilk_bpf_plan_is (cfg))
    liveness = gilk_liveness_new (cfg, decoder);

  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      GilkSizeClass size = gilk_block_size_class (&cfg->blocks[i]);
      GilkChoice points[2] = { { .refusal = whole }, { .refusal = whole } };

      for (int where = GILK_WHERE_PRE; where <= GILK_WHERE_POST; where++)
        {
          /* The planner does not change the graph, but needs a writable pointer to take a
           * reference. */
          if (possible)
            gilk_splice_preview ((GilkCfg *) cfg, liveness, decoder, i, where, kind,
                                 &points[where], NULL);
          add_point (survey, where, size, &points[where]);
          survey->area_points += gilk_refusal_is_area (whole);
        }
      if (func != NULL)
        func (cfg, i, points, user_data);
    }
}

/* Returns whether the point is hooked without a trap. Unreachable points count as hooked. */
static gboolean
is_hooked (const GilkChoice *choice)
{
  return choice->refusal == GILK_REFUSAL_UNREACHED ||
         (choice->refusal == 0 && choice->tactic != ILK_TACTIC_TRAP);
}

void
gilk_survey_add_together (GilkSurvey        *survey,
                          const GilkCfg     *cfg,
                          GilkDecoder       *decoder,
                          GilkInstrumentKind kind,
                          GilkSurveyFunc     func,
                          gpointer           user_data)
{
  const guint whole = count_function (survey, cfg), n = 2 * cfg->n_blocks;
  g_autofree GilkWant *wants = g_new0 (GilkWant, n + 1);
  g_autoptr(GilkSplicePlan) plan = NULL;
  const gboolean by_bpf = gilk_bpf_plan_is (cfg);
  gboolean all = whole == 0;

  for (guint i = 0; i < n; i++)
    wants[i] = (GilkWant) { .block = i / 2, .where = i % 2, .kind = kind };
  if (by_bpf)
    plan = gilk_bpf_plan_new ((GilkCfg *) cfg, wants, n, NULL, NULL);
  else if (whole == 0)
    plan = gilk_splice_plan_new_any ((GilkCfg *) cfg, decoder, wants, n);

  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      GilkChoice points[2] = { { .refusal = whole }, { .refusal = whole } };

      for (int where = GILK_WHERE_PRE; where <= GILK_WHERE_POST; where++)
        {
          if (plan != NULL)
            points[where] = plan->choices[2 * i + (guint) where];
          all &= is_hooked (&points[where]);
          add_point (survey, where, gilk_block_size_class (&cfg->blocks[i]), &points[where]);
          survey->area_points += gilk_refusal_is_area (whole);
        }
      if (func != NULL)
        func (cfg, i, points, user_data);
    }
  survey->whole += all;
  survey->clones += plan != NULL && plan->n_patches == 1 &&
                      plan->patches[0].tactic == ILK_TACTIC_CLONE;
}

static void
add_function (const GilkCfg *cfg, gpointer user_data)
{
  Scan *scan = user_data;

  if (scan->module >= 0 && cfg->function->module != (uint32_t) scan->module)
    return;

  if (scan->together)
    gilk_survey_add_together (&scan->sum, cfg, scan->decoder, scan->kind, scan->func,
                              scan->user_data);
  else
    gilk_survey_add (&scan->sum, cfg, scan->decoder, scan->kind, scan->func, scan->user_data);
}

gboolean
gilk_survey_scan (GilkFunctions      *functions,
                  int                 module,
                  gboolean            together,
                  GilkInstrumentKind  kind,
                  GilkSurveyFunc      func,
                  gpointer            user_data,
                  GilkSurvey         *survey,
                  const GilkProgress *progress,
                  GCancellable       *cancellable,
                  GError            **error)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  Scan scan = {
    .module = module, .together = together, .kind = kind, .decoder = decoder, .func = func,
    .user_data = user_data,
  };

  if (!gilk_scan (functions, add_function, &scan, NULL, progress, cancellable, error))
    return FALSE;

  *survey = scan.sum;
  return TRUE;
}

/* ---- computes how much of a function can be hooked ---- */

gboolean
gilk_hook_share (GilkFunctions      *functions,
                 const GilkFunction *function,
                 GilkDecoder        *decoder,
                 GilkHookShare      *share)
{
  g_autoptr(GilkCfg) cfg = gilk_cfg_new (functions, function, decoder, NULL);
  g_autofree GilkSurvey *sum = g_new0 (GilkSurvey, 1);

  if (cfg == NULL || gilk_preview_refusal (cfg) != 0)
    return FALSE;
  gilk_survey_add (sum, cfg, decoder, GILK_INLINE_COUNT, NULL, NULL);
  *share = (GilkHookShare) {
    .blocks = cfg->n_blocks,
    .points = (guint) sum->total.points,
    .jumped = (guint) gilk_survey_jumped (&sum->total),
    .kprobes = (guint) sum->total.kprobes,
    .trapped = (guint) sum->total.by_tactic[ILK_TACTIC_TRAP],
  };

  return TRUE;
}

guint
gilk_hook_share_percent (const GilkHookShare *share)
{
  return share->points == 0 ? 0 : 100 * (share->jumped + share->kprobes + share->trapped) / share->points;
}
