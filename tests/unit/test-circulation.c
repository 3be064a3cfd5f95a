/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-circulation.c - derives counts of all blocks and edges from the counts of a few blocks,
 * checked against random walks through graphs
 *
 * An independent method determines which counts can be derived: it solves the equations of flow
 * conservation modulo a prime.
 */
#include <glib.h>
#include <string.h>

#include "core/dataflow/gilk-circulation.h"

#define BLOCKS 40
#define EDGES  100
#define PRIME  G_GINT64_CONSTANT (2147483647)

typedef struct {
  GilkRecordedBlock blocks[BLOCKS];
  GilkEdge          edges[EDGES];
  guint             n_blocks, n_edges;
} Shape;

typedef struct {
  uint64_t blocks[BLOCKS], edges[EDGES], exits[BLOCKS];
} Truth;

/* Makes a graph. @edges: pairs of blocks, e.g. "01 02 13 23". @ends: a letter for the end of each
 * block: r, t, n, u or i as below, or . for any other end */
static Shape
make_shape (const char *ends, const char *edges)
{
  Shape s = { .n_blocks = (guint) strlen (ends) };

  for (guint i = 0; i < s.n_blocks; i++)
    {
      static const char letters[] = ".cjrtnui";

      s.blocks[i] = (GilkRecordedBlock) {
        .start = 0x1000 + 16 * i, .end = 0x1010 + 16 * i, .n_insns = 4,
        .ending = (uint8_t) (strchr (letters, ends[i]) - letters),
      };
    }
  for (const char *e = edges; *e != '\0'; e += 3)
    {
      GilkEdge edge = { (guint) (e[0] - '0'), (guint) (e[1] - '0'),
                        e[2] == '!' ? GILK_EDGE_FIXUP : e[2] == '-' ? GILK_EDGE_NOT_TAKEN
                                                                    : GILK_EDGE_TAKEN, FALSE };

      s.edges[s.n_edges++] = edge;
      if (e[2] == '\0')
        break;
    }

  return s;
}

static GilkCfg *
build_cfg (const Shape *s)
{
  g_autoptr(GError) error = NULL;
  GilkCfg *cfg = gilk_cfg_new_recorded ("f", s->blocks[0].start, s->blocks, s->n_blocks,
                                        s->edges, s->n_edges, &error);

  g_assert_no_error (error);
  return cfg;
}

static gboolean
is_exit (const GilkCfg *cfg, guint block)
{
  const GilkBlock *b = &cfg->blocks[block];

  if (b->ending == GILK_END_JCC)
    {
      for (guint i = 0; i < b->n_out; i++)
        if (cfg->edges[b->first_out + i].kind == GILK_EDGE_TAKEN)
          return FALSE;
      return TRUE;
    }
  return b->ending > GILK_END_JUMP || b->n_out == 0;
}

/* Walks one call at random until it returns. Returns FALSE and counts nothing if it does not
 * return. */
static gboolean
walk_call (const GilkCfg *cfg, GRand *rand, Truth *truth)
{
  Truth trial = *truth;
  guint at = cfg->entry;

  for (guint step = 0; step < 2000; step++)
    {
      const GilkBlock *b = &cfg->blocks[at];
      guint ways = b->n_out + is_exit (cfg, at);
      guint way = (guint) g_rand_int_range (rand, 0, (gint32) ways);

      trial.blocks[at]++;
      if (way == b->n_out)
        {
          trial.exits[at]++;
          *truth = trial;
          return TRUE;
        }
      trial.edges[b->first_out + way]++;
      at = cfg->edges[b->first_out + way].to;
    }

  return FALSE;
}

static void
check_truth (const GilkCirculation *circulation, const Truth *truth)
{
  uint64_t measured[BLOCKS];
  g_autoptr(GilkCirculationCounts) counts = NULL;

  /* Give blocks without a hook garbage counts, so that reading these counts is detected. */
  for (guint i = 0; i < BLOCKS; i++)
    measured[i] = i < circulation->cfg->n_blocks && circulation->hooked[i] ? truth->blocks[i] : 0xdeadbeef;
  counts = gilk_circulation_solve (circulation, measured);
  g_assert_cmpuint (counts->faults->len, ==, 0);

  for (guint i = 0; i < circulation->cfg->n_blocks; i++)
    {
      if (circulation->block_statuses[i] == GILK_COUNT_STATUS_FOLLOWS)
        g_assert_cmpuint (counts->blocks[i], ==, truth->blocks[i]);
      if (circulation->exit_statuses[i] == GILK_COUNT_STATUS_FOLLOWS)
        g_assert_cmpuint (counts->exits[i], ==, truth->exits[i]);
    }
  for (guint i = 0; i < circulation->cfg->n_edges; i++)
    if (circulation->edge_statuses[i] == GILK_COUNT_STATUS_FOLLOWS)
      g_assert_cmpuint (counts->edges[i], ==, truth->edges[i]);
}

/* Reveals some of the counts of a fully counted run, and checks the counts derived for other blocks
 * and edges. */
static void
check_known (GilkCfg *cfg, GRand *rand, const Truth *truth)
{
  uint64_t measured[BLOCKS];
  g_autoptr(GilkKnownCounts) known = NULL;

  for (guint i = 0; i < cfg->n_blocks; i++)
    measured[i] = g_rand_boolean (rand) ? truth->blocks[i] : GILK_COUNT_UNKNOWN;
  known = gilk_known_counts_new (cfg, measured);
  if (known == NULL)
    return;

  g_assert_false (known->contradictory);
  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      g_assert_true (measured[i] == GILK_COUNT_UNKNOWN || !known->inferred[i]);
      if (known->blocks[i] != GILK_COUNT_UNKNOWN)
        g_assert_cmpuint (known->blocks[i], ==, truth->blocks[i]);
    }
  for (guint i = 0; i < cfg->n_edges; i++)
    if (known->edges[i] != GILK_COUNT_UNKNOWN)
      g_assert_cmpuint (known->edges[i], ==, truth->edges[i]);
}

/* ---- reference solution by linear algebra ---- */

static gint64
compute_power (gint64 base, gint64 exponent)
{
  gint64 result = 1;

  for (; exponent > 0; exponent >>= 1, base = base * base % PRIME)
    if (exponent & 1)
      result = result * base % PRIME;

  return result;
}

typedef struct {
  guint   n_rows, n_cols;
  gint64 *at;
} Matrix;

static gint64 *
get_row (Matrix *m, guint i)
{
  return m->at + (gsize) i * m->n_cols;
}

static void
reduce_matrix (Matrix *m)
{
  guint done = 0;

  for (guint col = 0; col < m->n_cols && done < m->n_rows; col++)
    {
      guint pivot = done;
      gint64 inverse;

      while (pivot < m->n_rows && get_row (m, pivot)[col] == 0)
        pivot++;
      if (pivot == m->n_rows)
        continue;
      for (guint k = 0; k < m->n_cols; k++)
        {
          gint64 swap = get_row (m, pivot)[k];

          get_row (m, pivot)[k] = get_row (m, done)[k];
          get_row (m, done)[k] = swap;
        }
      inverse = compute_power (get_row (m, done)[col], PRIME - 2);
      for (guint k = 0; k < m->n_cols; k++)
        get_row (m, done)[k] = get_row (m, done)[k] * inverse % PRIME;
      for (guint i = 0; i < m->n_rows; i++)
        {
          gint64 factor = get_row (m, i)[col];

          for (guint k = 0; i != done && factor != 0 && k < m->n_cols; k++)
            get_row (m, i)[k] = (get_row (m, i)[k] + (PRIME - factor) * get_row (m, done)[k]) % PRIME;
        }
      done++;
    }
}

/* Finds the blocks, edges, exits and entries whose counts follow from the equations of flow
 * conservation. */
static void
solve_by_algebra (const GilkCfg *cfg, const gboolean *hooked, gboolean *known_blocks,
                  gboolean *known_edges)
{
  guint n = cfg->n_blocks, m = cfg->n_edges;
  Matrix matrix = { 3 * n + 1, 3 * n + m, NULL };

  matrix.at = g_new0 (gint64, (gsize) matrix.n_rows * matrix.n_cols);
  for (guint i = 0; i < n; i++)
    {
      get_row (&matrix, i)[i] = PRIME - 1;                      /* sum of in-edges = block */
      get_row (&matrix, n + i)[i] = PRIME - 1;                  /* sum of out-edges = block */
      if (is_exit (cfg, i))
        get_row (&matrix, n + i)[n + m + i] = 1;
      if (i == cfg->entry || cfg->blocks[i].n_in == 0)
        get_row (&matrix, i)[2 * n + m + i] = 1;
      if (hooked[i])
        get_row (&matrix, 2 * n + 1 + i)[i] = 1;
    }
  for (guint e = 0; e < m; e++)
    {
      get_row (&matrix, cfg->edges[e].to)[n + e] = 1;
      get_row (&matrix, n + cfg->edges[e].from)[n + e] = 1;
    }
  reduce_matrix (&matrix);

  memset (known_blocks, 0, n * sizeof *known_blocks);
  memset (known_edges, 0, m * sizeof *known_edges);
  for (guint i = 0; i < matrix.n_rows; i++)
    {
      guint set = 0, last = 0;

      for (guint k = 0; k < matrix.n_cols; k++)
        if (get_row (&matrix, i)[k] != 0)
          set++, last = k;
      if (set == 1 && last < n)
        known_blocks[last] = TRUE;
      else if (set == 1 && last < n + m)
        known_edges[last - n] = TRUE;
    }
  g_free (matrix.at);
}

static void
check_algebra (const GilkCirculation *circulation)
{
  gboolean known_blocks[BLOCKS], known_edges[EDGES];

  solve_by_algebra (circulation->cfg, circulation->hooked, known_blocks, known_edges);
  for (guint i = 0; i < circulation->cfg->n_blocks; i++)
    g_assert_cmpint (known_blocks[i], ==, circulation->block_statuses[i] == GILK_COUNT_STATUS_FOLLOWS);
  for (guint i = 0; i < circulation->cfg->n_edges; i++)
    g_assert_cmpint (known_edges[i], ==, circulation->edge_statuses[i] == GILK_COUNT_STATUS_FOLLOWS);
}

/* Checks that every smaller set of hooks determines fewer counts. */
static void
check_smallest (const GilkCirculation *circulation)
{
  guint n = circulation->cfg->n_blocks;

  for (guint set = 0; set < 1u << n; set++)
    {
      gboolean hooked[BLOCKS] = { FALSE }, known_blocks[BLOCKS], known_edges[EDGES];
      gboolean as_much = TRUE;

      if ((guint) __builtin_popcount (set) >= circulation->n_hooked)
        continue;
      for (guint i = 0; i < n; i++)
        hooked[i] = (set >> i) & 1;
      solve_by_algebra (circulation->cfg, hooked, known_blocks, known_edges);
      for (guint i = 0; i < n; i++)
        as_much &= known_blocks[i];
      for (guint i = 0; i < circulation->cfg->n_edges; i++)
        as_much &= known_edges[i] || circulation->edge_statuses[i] != GILK_COUNT_STATUS_FOLLOWS;
      g_assert_false (as_much);
    }
}

/* ---- tests of graphs of known shapes ---- */

static void
try_shape (const char *ends, const char *edges, guint hooks, guint open_edges)
{
  Shape s = make_shape (ends, edges);
  g_autoptr(GilkCfg) cfg = build_cfg (&s);
  g_autoptr(GilkCirculation) circulation = gilk_circulation_new (cfg, NULL, GILK_CIRCULATION_FEWEST);
  g_autoptr(GilkCirculation) checked = gilk_circulation_new (cfg, NULL, GILK_CIRCULATION_CHECKED);
  g_autoptr(GRand) rand = g_rand_new_with_seed (7);
  Truth truth = { { 0 } };

  g_assert_cmpuint (circulation->n_hooked, ==, hooks);
  g_assert_cmpuint (circulation->n_open_blocks, ==, 0);
  g_assert_cmpuint (circulation->n_open_edges, ==, open_edges);
  g_assert_cmpuint (checked->n_open_edges, ==, open_edges);
  for (guint i = 0; i < 200; i++)
    g_assert_true (walk_call (cfg, rand, &truth));
  check_truth (circulation, &truth);
  check_truth (checked, &truth);
  check_algebra (circulation);
  check_algebra (checked);
  check_smallest (circulation);
}

static void
test_shapes (void)
{
  try_shape ("r", "", 1, 0);
  try_shape ("c..r", "01 02-13 23 ", 2, 0);                  /* diamond */
  try_shape (".cjr", "01 12-13 21 ", 2, 0);                  /* loop, tested at its top */
  try_shape (".cr", "01 11 12-", 2, 0);                      /* loop of a single block */
  try_shape ("ccrtn", "01 02-13 14-", 3, 0);                 /* three exits, one a noreturn call */
  try_shape ("ccr", "01 02-12-", 3, 0);                      /* conditional tail call in block 1 */
  try_shape ("ccc.r", "01 02-12 13-21 24-34 ", 4, 0);        /* irreducible: loop of 1 and 2 with two entries */
  try_shape ("c.r", "01 02-12 ", 2, 0);                      /* critical edge 0 to 2 */
}

static void
test_open (void)
{
  Shape twins = make_shape ("cr", "01 01-"), crossing = make_shape ("cccrr", "01 02-13 14-23 24-");
  g_autoptr(GilkCfg) a = build_cfg (&twins), b = build_cfg (&crossing);
  g_autoptr(GilkCirculation) circulation = gilk_circulation_new (a, NULL, GILK_CIRCULATION_FEWEST);
  g_autoptr(GilkCirculation) other = gilk_circulation_new (b, NULL, GILK_CIRCULATION_FEWEST);
  GilkCirculationPoint points[] = { { TRUE, 0, 1 }, { FALSE, 0, 0 }, { FALSE, 0, 0 }, { TRUE, 0, 1 } };
  Shape diamond = make_shape ("c..r", "01 02-13 23 ");
  g_autoptr(GilkCfg) c = build_cfg (&diamond);
  g_autoptr(GilkCirculation) unhooked = gilk_circulation_new (c, points, GILK_CIRCULATION_FEWEST);

  g_assert_cmpuint (circulation->edge_statuses[0], ==, GILK_COUNT_STATUS_PARALLEL);
  g_assert_cmpuint (circulation->edge_statuses[1], ==, GILK_COUNT_STATUS_PARALLEL);
  g_assert_cmpuint (circulation->n_open_blocks, ==, 0);

  g_assert_cmpuint (other->edge_statuses[0], ==, GILK_COUNT_STATUS_FOLLOWS);
  g_assert_cmpuint (other->edge_statuses[2], ==, GILK_COUNT_STATUS_CROSSING);
  g_assert_cmpuint (other->edge_statuses[5], ==, GILK_COUNT_STATUS_CROSSING);
  g_assert_cmpuint (other->n_open_edges, ==, 4);
  check_algebra (other);

  g_assert_cmpuint (unhooked->n_open_blocks, ==, 2);
  g_assert_cmpuint (unhooked->block_statuses[1], ==, GILK_COUNT_STATUS_UNHOOKED);
  g_assert_cmpuint (unhooked->edge_statuses[0], ==, GILK_COUNT_STATUS_UNHOOKED);
  g_assert_cmpuint (unhooked->block_statuses[3], ==, GILK_COUNT_STATUS_FOLLOWS);
  check_algebra (unhooked);

  for (guint fate = 0; fate < 5; fate++)
    g_assert_cmpuint (strlen (gilk_count_status_cause (fate)), >, 10);
  g_assert_cmpstr (gilk_count_status_name (9), ==, "unknown");
}

/* Tests that expensive blocks get no hook if cheaper ones suffice: the block of the inner loop is
 * expensive to hook, the block beside it cheap, and a trap the most expensive. */
static void
test_dear_stay_unhooked (void)
{
  Shape s = make_shape (".ccjr", "01 12-14 22 23-31 ");
  g_autoptr(GilkCfg) cfg = build_cfg (&s);
  g_autoptr(GilkCirculation) circulation = gilk_circulation_new (cfg, NULL, GILK_CIRCULATION_FEWEST);
  GilkCirculationPoint points[] = { { TRUE, 0, 5 }, { TRUE, 0, 5 }, { TRUE, 0, 5 }, { TRUE, 0, 5 }, { TRUE, 0, 9 } };
  g_autoptr(GilkCirculation) priced = gilk_circulation_new (cfg, points, GILK_CIRCULATION_FEWEST);

  g_assert_cmpuint (cfg->blocks[2].loop_depth, ==, 2);
  g_assert_cmpuint (circulation->n_hooked, ==, 3);
  g_assert_true (circulation->hooked[2]);             /* the only hook in the inner loop */
  g_assert_true (circulation->hooked[3]);
  g_assert_false (circulation->hooked[1]);
  g_assert_true (priced->hooked[0]);
  g_assert_false (priced->hooked[4]);
}

static void
test_contradictions (void)
{
  Shape s = make_shape ("c..r", "01 02-13 23 ");
  g_autoptr(GilkCfg) cfg = build_cfg (&s);
  g_autoptr(GilkCirculation) circulation = gilk_circulation_new (cfg, NULL, GILK_CIRCULATION_FEWEST);
  g_autoptr(GilkCirculation) checked = gilk_circulation_new (cfg, NULL, GILK_CIRCULATION_CHECKED);
  uint64_t inside[] = { 10, 6, 4, 7 }, before[] = { 10, 6, 4, 12 };
  g_autoptr(GilkCirculationCounts) counts = NULL, late = NULL, negative = NULL;
  const GilkCirculationFault *fault;
  char *text = NULL;
  guint small = circulation->hooked[1] ? 1 : 2;
  uint64_t odd[] = { 10, 11, 11, 10 };

  g_assert_cmpuint (circulation->n_checks, ==, 0);
  g_assert_cmpuint (checked->n_checks, ==, 1);
  g_assert_true (checked->hooked[0] && checked->hooked[3]);

  counts = gilk_circulation_solve (checked, inside);
  /* Two faults are reported: one contradiction in each part of the function. */
  g_assert_cmpuint (counts->faults->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      fault = &g_array_index (counts->faults, GilkCirculationFault, i);
      g_assert_cmpuint (fault->kind, ==, GILK_CIRCULATION_UNBALANCED);
      g_assert_cmpint (fault->amount, ==, -3);
      g_free (text);
      text = gilk_circulation_describe (checked, fault);
      g_assert_true (g_str_has_prefix (text, "3 more calls entered "));
    }

  g_free (text);

  late = gilk_circulation_solve (checked, before);
  fault = &g_array_index (late->faults, GilkCirculationFault, 0);
  g_assert_cmpint (fault->amount, ==, 2);

  /* The count of a branch is higher than the count of its block. */
  negative = gilk_circulation_solve (circulation, odd);
  g_assert_true (circulation->hooked[small] && (circulation->hooked[0] || circulation->hooked[3]));
  g_assert_cmpuint (negative->faults->len, >, 0);
}

/* Tests that counts close to 2^64 are exact. */
static void
test_large (void)
{
  Shape s = make_shape ("c..r", "01 02-13 23 ");
  g_autoptr(GilkCfg) cfg = build_cfg (&s);
  g_autoptr(GilkCirculation) circulation = gilk_circulation_new (cfg, NULL, GILK_CIRCULATION_FEWEST);
  Truth truth = { { G_MAXUINT64, G_MAXUINT64 - 5, 5, G_MAXUINT64 },
                  { G_MAXUINT64 - 5, 5, G_MAXUINT64 - 5, 5 }, { 0, 0, 0, G_MAXUINT64 } };

  check_truth (circulation, &truth);
}

/* ---- test of graphs of random shapes ---- */

static Shape
random_shape (GRand *rand, guint most)
{
  Shape s = { .n_blocks = (guint) g_rand_int_range (rand, 1, (gint32) most + 1) };

  for (guint i = 0; i < s.n_blocks; i++)
    {
      guint roll = (guint) g_rand_int_range (rand, 0, 10), ways;

      s.blocks[i] = (GilkRecordedBlock) {
        .start = 0x1000 + 16 * i, .end = 0x1010 + 16 * i, .n_insns = 4,
        .ending = roll < 6 ? GILK_END_JCC : roll < 8 ? GILK_END_JUMP : GILK_END_RETURN + roll % 5,
        .cold = g_rand_int_range (rand, 0, 5) == 0,
      };
      ways = roll < 1 ? 1 : roll < 6 ? 2 : roll < 8 ? 1 : 0;
      if (roll < 8 && g_rand_int_range (rand, 0, 8) == 0)
        ways++;                                              /* one more edge out of the block, to a
                                                                fix-up */
      for (guint w = 0; w < ways; w++)
        s.edges[s.n_edges++] = (GilkEdge) {
          .from = i, .to = (guint) g_rand_int_range (rand, 0, (gint32) s.n_blocks),
          .kind = s.blocks[i].ending == GILK_END_JUMP ? (w == 0 ? GILK_EDGE_JUMP : GILK_EDGE_FIXUP)
                : w == 0 ? GILK_EDGE_NOT_TAKEN
                : w == 1 && roll >= 1 ? GILK_EDGE_TAKEN : GILK_EDGE_FIXUP,
        };
    }

  return s;
}

static void
try_random (guint seed, guint most, gboolean exhaustive)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (seed);
  Shape s = random_shape (rand, most);
  g_autoptr(GilkCfg) cfg = build_cfg (&s);
  GilkCirculationPoint points[BLOCKS];
  Truth truth = { { 0 } };

  for (guint i = 0; i < 100; i++)
    walk_call (cfg, rand, &truth);
  for (guint i = 0; i < s.n_blocks; i++)
    points[i] = (GilkCirculationPoint) {
      .possible = g_rand_int_range (rand, 0, 6) != 0,
      .cost = (guint) g_rand_int_range (rand, 1, 100),
    };

  check_known (cfg, rand, &truth);
  for (int way = 0; way < 6; way++)
    {
      g_autoptr(GilkCirculation) circulation = gilk_circulation_new (cfg, way & 1 ? points : NULL,
                                                    way & 4 ? GILK_CIRCULATION_ALL :
                                                    way & 2 ? GILK_CIRCULATION_CHECKED : GILK_CIRCULATION_FEWEST);

      check_truth (circulation, &truth);
      check_algebra (circulation);
      if (way == 0)
        g_assert_cmpuint (circulation->n_open_blocks, ==, 0);
      if (way == 0 && exhaustive)
        check_smallest (circulation);
    }
}

static void
test_random (void)
{
  for (guint seed = 0; seed < 1500; seed++)
    try_random (seed, 7, seed % 10 == 0);
  for (guint seed = 0; seed < 200; seed++)
    try_random (seed, BLOCKS - 10, FALSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/circulation/shapes", test_shapes);
  g_test_add_func ("/circulation/open", test_open);
  g_test_add_func ("/circulation/dear", test_dear_stay_unhooked);
  g_test_add_func ("/circulation/contradictions", test_contradictions);
  g_test_add_func ("/circulation/large", test_large);
  g_test_add_func ("/circulation/random", test_random);

  return g_test_run ();
}
