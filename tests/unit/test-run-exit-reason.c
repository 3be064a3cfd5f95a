/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-run-exit-reason.c - distinguishes patches that ended on schedule from patches that other
 * programs removed
 */
#include "core/run/gilk-run-patches.h"

#define ZERO   G_GUINT64_CONSTANT (5000000000)
#define SECOND G_GUINT64_CONSTANT (1000000000)

typedef struct {
  const char *what;
  uint32_t    state;
  uint64_t    restored;        /* time at which the patch was removed, on the target's clock */
  uint64_t    stop;            /* time of the scheduled stop, relative to time zero */
  GilkExitReason    fate;
} Case;

static const Case cases[] = {
  { "waits for its start", ILK_STATE_PREPARED, 0, 0, GILK_EXIT_REASON_NONE },
  { "as a trap", ILK_STATE_TRAPPED, 0, 0, GILK_EXIT_REASON_NONE },
  { "armed, stops later", ILK_STATE_ARMED, 0, SECOND, GILK_EXIT_REASON_NONE },
  { "stopped when due", ILK_STATE_RESTORED, ZERO + SECOND, SECOND, GILK_EXIT_REASON_STOPPED },
  { "stopped, late", ILK_STATE_RESTORED, ZERO + 2 * SECOND, SECOND, GILK_EXIT_REASON_STOPPED },
  { "stopped, slot freed", ILK_STATE_RETIRED, ZERO + SECOND, SECOND, GILK_EXIT_REASON_STOPPED },
  { "restored before its stop", ILK_STATE_RESTORED, ZERO + SECOND - 1, SECOND,
    GILK_EXIT_REASON_DISARMED },
  { "restored, no stop", ILK_STATE_RESTORED, ZERO + SECOND, 0, GILK_EXIT_REASON_DISARMED },
  { "retired, no stop", ILK_STATE_RETIRED, ZERO + SECOND, 0, GILK_EXIT_REASON_DISARMED },
  { "revoked before its start", ILK_STATE_RESTORED, 0, SECOND, GILK_EXIT_REASON_DISARMED },
  { "module unloaded", ILK_STATE_GONE, ZERO + SECOND, SECOND, GILK_EXIT_REASON_UNLOADED },
  { "could not start", ILK_STATE_FAILED, 0, SECOND, GILK_EXIT_REASON_FAILED },
};

static void
test_fates (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      struct ilk_patch_status status = {
        .id = 1, .state = cases[i].state, .restored_mono_ns = cases[i].restored,
      };

      g_test_message ("%s", cases[i].what);
      g_assert_cmpint (gilk_patch_exit_reason (&status, ZERO, cases[i].stop), ==, cases[i].fate);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/fates", test_fates);

  return g_test_run ();
}
