/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * splice-assert.h - checks the splice plan for a probe point; addresses are offsets from the start
 * of the fixture's function
 */
#pragma once

#include "splice-fixture.h"

static inline GilkSplicePlan *
plan_one (const Fixture *fixture, guint offset, GilkWhere where, GilkInstrumentKind kind)
{
  const GilkWant want = {
    .block = fixture_block (fixture, offset), .where = where, .kind = kind,
  };

  return gilk_splice_plan_new (fixture->cfg, fixture->decoder, &want, 1);
}

/* Checks that hook @want has the tactic @tactic and, as offsets, the footprint
 * [@site, @site + @len). */
static inline void
assert_planned (const GilkSplicePlan *plan, guint want, guint tactic, guint site, guint len)
{
  const GilkChoice *choice = &plan->choices[want];
  const GilkPatchPlan *patch;

  g_assert_cmpstr (gilk_refusal_name (choice->refusal), ==, "none");
  g_assert_cmpuint (choice->tactic, ==, tactic);
  g_assert_cmpuint (choice->patch, <, plan->n_patches);
  patch = &plan->patches[choice->patch];
  g_assert_cmphex (patch->site, ==, FIXTURE_BASE + site);
  g_assert_cmpuint (patch->len, ==, len);
  g_assert_cmpuint (patch->tactic, ==, tactic);
  g_assert_cmpuint (patch->code_bound % ILK_GRANULE, ==, 0);
  g_assert_cmpmem (patch->old, len,
                   gilk_image_bytes (plan->cfg->image, patch->site, len, NULL), len);
}

static inline void
assert_refused (const GilkSplicePlan *plan, guint want, guint refusal)
{
  g_assert_cmpstr (gilk_refusal_name (plan->choices[want].refusal), ==,
                   gilk_refusal_name (refusal));
  g_assert_cmpuint (plan->choices[want].patch, ==, G_MAXUINT);
}

/* Checks the plan of a single counting hook. */
static inline void
assert_point (const Fixture *fixture, guint offset, GilkWhere where,
              guint tactic, guint site, guint len, guint cost)
{
  g_autoptr(GilkSplicePlan) plan = plan_one (fixture, offset, where, GILK_INLINE_COUNT);

  assert_planned (plan, 0, tactic, site, len);
  g_assert_cmpuint (plan->choices[0].cost, ==, cost);
}

static inline void
assert_point_refused (const Fixture *fixture, guint offset, GilkWhere where,
                      GilkInstrumentKind kind, guint refusal)
{
  g_autoptr(GilkSplicePlan) plan = plan_one (fixture, offset, where, kind);

  assert_refused (plan, 0, refusal);
  g_assert_cmpuint (plan->n_patches, ==, 0);
}
