/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clones.c - clones every function of a live kernel, and measures the cost of counting a block
 *
 *   clones TARGET [SEED]
 *
 * Emits a clone of each function with a counter for each block. Every second counter is too far
 * away for a 32-bit displacement. Then decodes the clone and checks all branch targets
 * (tests/unit/clone-verify.h). Prints "word value" lines: functions cloned, functions refused by
 * reason, and how many instructions a counter adds to a block, on average over 500 random
 * functions.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-scan.h"
#include "core/emit/gilk-clone-code.h"
#include "core/splice/gilk-clone.h"
#include "tests/unit/clone-verify.h"

/* Address of the clones: an unused part at the end of the modules' address space. It contains no
 * kernel text, so branches out of a clone cannot appear to lead into the clone. */
#define SLOT   0xfffffffffe000000ull
#define FAR    (G_GUINT64_CONSTANT (1) << 40)
#define SAMPLE 500

typedef struct {
  guint    functions, cloned, wrong;
  guint    refused[256];
  uint64_t bytes, original;
  GArray  *near_costs, *far_costs;      /* doubles: instructions added per block, for each cloned
                                         * function */
  GilkDecoder *decoder;
} Tally;

static void
exit_with_error (const char *what, GError *error)
{
  fprintf (stderr, "clones: %s: %s\n", what, error ? error->message : "failed");
  exit (1);
}

static void
report_bad_clone (Tally *t, const GilkCfg *cfg, const char *what)
{
  t->wrong++;
  printf ("wrong %s: %s\n", cfg->function->name, what);
}

/* Returns the average number of instructions that a hook adds. Every @every-th counter is far away;
 * if @every is 0, all counters are near. */
static double
emit_clone (Tally *t, const GilkSplicePlan *plan, guint every, guint *bytes)
{
  const struct ilk_info info = { .ring_bytes = 1 << 20, .gates = SLOT };
  const GilkPatchPlan *patch = &plan->patches[0];
  g_autofree GilkBinding *bindings = g_new0 (GilkBinding, plan->n_wants);
  g_autofree guint *added = g_new0 (guint, patch->n_hooks + 1);
  g_autofree char *wrong = NULL;
  g_autoptr(GError) error = NULL;
  g_auto(GilkCode) code = { NULL };
  GilkAsm as = { .base = SLOT, .code = g_byte_array_new () };
  guint sum = 1;

  for (guint i = 0; i < plan->n_wants; i++)
    bindings[i] = (GilkBinding) { .iid = i + 1, .counter = 8 + (every != 0 && i % every == 0 ? FAR : 0) };
  if (!gilk_emit_code (plan, 0, SLOT, &info, bindings, &code, &error))
    report_bad_clone (t, plan->cfg, error->message);
  else if ((wrong = clone_verify (plan->cfg, t->decoder, &code, SLOT)) != NULL)
    report_bad_clone (t, plan->cfg, wrong);
  *bytes = code.code != NULL ? code.code->len : 0;

  gilk_clone_code (&as, plan, patch, &info, bindings, NULL, added);
  g_byte_array_unref (as.code);
  for (guint i = 0; i < patch->n_hooks; i++)
    sum += added[i];

  return sum / (double) patch->n_hooks;
}

static void
clone_function (const GilkCfg *graph, gpointer user_data)
{
  GilkCfg *cfg = (GilkCfg *) graph;      /* Casts away const: the plan takes a reference
                                          * to the graph, but does not change it. */
  Tally *t = user_data;
  g_autofree GilkWant *wants = g_new0 (GilkWant, cfg->n_blocks + 1);
  g_autoptr(GilkSplicePlan) plan = NULL;
  guint refusal, bytes;
  double cost;

  if (cfg->refusal != 0 || cfg->function->refusal != 0 || cfg->n_blocks == 0)
    return;

  t->functions++;
  refusal = gilk_clone_check (cfg, FALSE);
  for (guint i = 0; i < cfg->n_blocks; i++)
    wants[i] = (GilkWant) { .block = i, .force = ILK_TACTIC_CLONE };
  if (refusal == 0)
    plan = gilk_splice_plan_new (cfg, t->decoder, wants, cfg->n_blocks);
  for (guint i = 0; plan != NULL && plan->n_patches == 0 && i < plan->n_wants; i++)
    refusal = plan->choices[i].refusal;
  if (refusal != 0)
    {
      t->refused[MIN (refusal, G_N_ELEMENTS (t->refused) - 1)]++;
      return;
    }

  cost = emit_clone (t, plan, 0, &bytes);
  g_array_append_val (t->near_costs, cost);
  cost = emit_clone (t, plan, 1, &bytes);
  g_array_append_val (t->far_costs, cost);
  emit_clone (t, plan, 2, &bytes);
  t->bytes += bytes;
  for (guint i = 0; i < cfg->n_insns; i++)
    t->original += cfg->insns[i].len;
  t->cloned++;
}

static void
print_costs (const Tally *t, guint seed)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (seed);
  double near = 0, far = 0;

  for (guint i = 0; i < SAMPLE && t->cloned > 0; i++)
    {
      guint pick = (guint) g_rand_int_range (rand, 0, (gint) t->cloned);

      near += g_array_index (t->near_costs, double, pick);
      far += g_array_index (t->far_costs, double, pick);
    }
  printf ("near-per-block %.3f\nfar-per-block %.3f\n", near / SAMPLE, far / SAMPLE);
}

int
main (int argc, char **argv)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkTarget) target = NULL;
  g_autoptr(GilkImage) image = NULL;
  g_autoptr(GilkFunctions) functions = NULL;
  Tally t = { .functions = 0 };

  if (argc != 2 && argc != 3)
    {
      fputs ("usage: clones TARGET [SEED]\n", stderr);
      return 2;
    }

  target = gilk_target_open (argv[1], NULL, NULL, &error);
  if (target == NULL)
    exit_with_error (argv[1], error);
  image = gilk_image_open (target, NULL, NULL, &error);
  if (image == NULL || !gilk_image_load_all (image, NULL, NULL, &error))
    exit_with_error (argv[1], error);
  functions = gilk_functions_new (image);

  t.decoder = gilk_decoder_new ();
  t.near_costs = g_array_new (FALSE, FALSE, sizeof (double));
  t.far_costs = g_array_new (FALSE, FALSE, sizeof (double));
  if (!gilk_scan (functions, clone_function, &t, NULL, NULL, NULL, &error))
    exit_with_error (argv[1], error);

  printf ("functions %u\ncloned %u\nwrong %u\n", t.functions, t.cloned, t.wrong);
  for (guint i = 0; i < G_N_ELEMENTS (t.refused); i++)
    if (t.refused[i] != 0)
      printf ("refused-%s %u\n", gilk_refusal_name (i), t.refused[i]);
  printf ("bytes-per-original %.2f\n", t.original > 0 ? (double) t.bytes / (double) t.original : 0.0);
  print_costs (&t, argc == 3 ? (guint) atoi (argv[2]) : 2002);

  g_array_unref (t.near_costs);
  g_array_unref (t.far_costs);
  gilk_decoder_free (t.decoder);
  return t.wrong > 0;
}
