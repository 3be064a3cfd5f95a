/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-selftest-refused.c - checks that the driver refuses invalid patches for the right reason
 *
 * Sends a valid patch to the driver with one error at a time. PREPARE changes no text, so even a
 * patch that is accepted by mistake does no harm.
 */
#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/selftest/gilk-selftest-private.h"

#define SLOT_BYTES 64

typedef struct {
  GilkSelftest *test;
  struct ilk_reserve_patch slot;
  struct ilk_prepare_patch good;
  uint8_t  code[SLOT_BYTES];
  guint    refused;
  GString *wrong;              /* list of the invalid patches that the driver did not refuse as
                                * expected */
} Trial;

static void
expect_refusal (Trial *trial, struct ilk_prepare_patch item, guint refusal, const char *what)
{
  g_autoptr(GError) error = NULL;
  const gboolean taken = gilk_target_prepare (trial->test->target, &item, 1, NULL, 0, trial->code,
                                              sizeof trial->code, trial->test->cancellable, &error);

  if (!taken && item.refusal == refusal)
    trial->refused++;
  else
    g_string_append_printf (trial->wrong, "%s%s: %s", trial->wrong->len > 0 ? "; " : "", what,
                            taken ? _("accepted") : item.refusal != 0 ? gilk_refusal_name (item.refusal)
                                                                   : error->message);
}

/* Sets @item to a copy of the valid patch at @symbol, with the kernel's bytes there as its original
 * bytes. Returns FALSE if the kernel lacks the symbol. */
static gboolean
set_site (Trial *trial, const char *symbol, struct ilk_prepare_patch *item)
{
  const uint64_t at = gilk_symbols_address (gilk_image_symbols (trial->test->image), symbol);
  const struct gilk_range range = { at, 5 };

  *item = trial->good;
  item->site = at;
  item->len = 5;

  return at != 0 && gilk_target_read_text (trial->test->target, &range, 1, item->old, NULL,
                                           trial->test->cancellable, NULL);
}

static void
test_all_refusals (Trial *trial)
{
  struct ilk_prepare_patch item = trial->good;

  item.old[item.len - 1] ^= 0xff;
  expect_refusal (trial, item, ILK_REFUSAL_TEXT_DIFFERS, _("wrong original bytes"));

  item = trial->good;
  item.len = 0;
  expect_refusal (trial, item, ILK_REFUSAL_BAD_ITEM, _("an empty footprint"));

  if (set_site (trial, "entry_SYSCALL_64", &item))
    expect_refusal (trial, item, ILK_REFUSAL_DENIED, _("the system call entry"));

  if (set_site (trial, "init_task", &item) || item.site != 0)
    expect_refusal (trial, item, ILK_REFUSAL_NOT_TEXT, _("data"));

  item = trial->good;
  item.site = 4096;
  expect_refusal (trial, item, ILK_REFUSAL_NOT_TEXT, _("user memory"));
}

/* Makes a valid patch, a splice. Its code consists of nops and does not jump back to the function:
 * the patch is never armed. */
static gboolean
make_valid_patch (GilkSelftest *test, Trial *trial, GError **error)
{
  static const char plan[] = "[gilk-plan]\nversion=2\n[hook a]\nfunction=%s\nanchor=entry\nwhere=pre\n"
                             "instrument=count\ntactic=splice\n";
  g_autoptr(GError) first = NULL;
  const GilkTrialPath *paths;
  guint n;

  paths = gilk_trial_paths (&n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = g_strdup_printf (plan, paths[i].function);
      g_autoptr(GilkBoundPlan) bound = gilk_trial_bind (test, text, first == NULL ? &first : NULL);
      const GilkPatchPlan *patch;

      if (bound == NULL)
        continue;
      patch = &((GilkSplicePlan *) bound->splice_plans->pdata[0])->patches[0];
      trial->good = (struct ilk_prepare_patch) {
        .id = trial->slot.id, .tactic = ILK_TACTIC_SPLICE, .site = patch->site, .len = patch->len,
        .code_len = sizeof trial->code,
      };
      memcpy (trial->good.old, patch->old, sizeof patch->old);
      memset (trial->code, 0x90, sizeof trial->code);
      return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&first));

  return FALSE;
}

gboolean
gilk_selftest_test_refusals (GilkSelftest *test,
                             GError      **error)
{
  g_autoptr(GString) wrong = g_string_new (NULL);
  Trial trial = { .test = test, .slot.bytes = SLOT_BYTES, .wrong = wrong };
  struct ilk_disarm disarm = { .what = ILK_DISARM_FILE | ILK_DISARM_FREE };
  GilkSelftestCase *ended;

  gilk_selftest_begin_case (test, _("Testing refusals"), 0.15);
  if (!gilk_target_reserve (test->target, &trial.slot, 1, NULL, 0, test->cancellable, error))
    return FALSE;
  if (!make_valid_patch (test, &trial, error))
    return FALSE;
  test_all_refusals (&trial);
  gilk_target_disarm (test->target, &disarm, NULL, NULL, NULL);

  if (wrong->len > 0)
    ended = gilk_selftest_case_new ("refusals", GILK_VERDICT_FAILED,
                                    g_strdup_printf (_("Not refused as expected: %s; please send this report."),
                                                     wrong->str));
  else
    ended = gilk_selftest_case_new ("refusals", GILK_VERDICT_OK,
                                    g_strdup_printf (_("%u points that must not be hooked were refused with the "
                                                       "expected reason"),
                                                     trial.refused));
  gilk_selftest_case_add_figure (ended, "refused", trial.refused);
  gilk_selftest_end_case (test, ended);

  return TRUE;
}
