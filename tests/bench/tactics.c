/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tactics.c - how the points of a whole live kernel would be reached
 *
 *   tactics TARGET
 *
 * Plans a count at both edges of every block: each point alone, as the graph shows
 * it, and all points of a function together. Prints "how what points" lines.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-scan.h"
#include "core/splice/gilk-splice.h"

enum { ALONE, TOGETHER, HOWS };

static const char *const how_names[HOWS] = { "alone", "together" };
static const char *const tactic_names[] = { "none", "splice", "bounce", "clone", "trap" };

typedef struct {
  guint tactics[HOWS][G_N_ELEMENTS (tactic_names)];
  guint traps[HOWS][256];        /* by why no jump */
  guint refused[HOWS];
} Tally;

static void
die (const char *what, GError *error)
{
  fprintf (stderr, "tactics: %s: %s\n", what, error ? error->message : "failed");
  exit (1);
}

static void
tally (Tally *t, guint how, const GilkChoice *choice)
{
  if (choice->refusal != 0)
    {
      t->refused[how]++;
      return;
    }
  t->tactics[how][choice->tactic]++;
  if (choice->tactic == ILK_TACTIC_TRAP)
    t->traps[how][choice->why_not_splice & 255]++;
}

static void
plan_function (Tally *t, GilkCfg *cfg, GilkDecoder *decoder)
{
  guint n = 2 * cfg->n_blocks;
  g_autofree GilkWant *wants = g_new0 (GilkWant, n + 1);
  g_autoptr(GilkSplicePlan) together = NULL;

  for (guint i = 0; i < n; i++)
    wants[i] = (GilkWant) { .block = i / 2, .where = i % 2 ? GILK_WHERE_POST : GILK_WHERE_PRE };
  together = gilk_splice_plan_new (cfg, decoder, wants, n);
  for (guint i = 0; i < n; i++)
    {
      GilkChoice choice;

      gilk_splice_preview (cfg, together->liveness, decoder, i / 2, wants[i].where,
                           GILK_INLINE_COUNT, &choice, NULL);
      tally (t, ALONE, &choice);
      tally (t, TOGETHER, &together->choices[i]);
    }
}

static void
print_tally (const Tally *t)
{
  for (guint how = 0; how < HOWS; how++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (tactic_names); i++)
        if (t->tactics[how][i] != 0)
          printf ("%s %s %u\n", how_names[how], tactic_names[i], t->tactics[how][i]);
      for (guint i = 0; i < G_N_ELEMENTS (t->traps[how]); i++)
        if (t->traps[how][i] != 0)
          printf ("%s trap-%s %u\n", how_names[how], gilk_refusal_name (i), t->traps[how][i]);
      printf ("%s refused %u\n", how_names[how], t->refused[how]);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkTarget) target = NULL;
  g_autoptr(GilkImage) image = NULL;
  g_autoptr(GilkFunctions) functions = NULL;
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  const GilkFunction *all;
  Tally t = { .refused = { 0 } };
  guint n;

  if (argc != 2)
    {
      fputs ("usage: tactics TARGET\n", stderr);
      return 2;
    }

  target = gilk_target_open (argv[1], NULL, NULL, &error);
  if (target == NULL)
    die (argv[1], error);
  image = gilk_image_open (target, NULL, NULL, &error);
  if (image == NULL || !gilk_image_load_all (image, NULL, NULL, &error))
    die (argv[1], error);
  functions = gilk_functions_new (image);

  all = gilk_functions_all (functions, &n);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr(GilkCfg) cfg = NULL;

      if (all[i].refusal != 0)
        continue;
      cfg = gilk_cfg_new (functions, &all[i], decoder, NULL);
      if (cfg != NULL && cfg->refusal == 0)
        plan_function (&t, cfg, decoder);
    }

  print_tally (&t);
  return 0;
}
