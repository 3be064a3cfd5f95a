/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-cfg.c - builds control-flow graphs of functions given as bytes: hex on the left, assembly
 * on the right
 */
/* Promise: a function becomes the right blocks and edges, or is refused */
#include <string.h>

#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-cfg.h"
#include "core/cfg/gilk-point.h"

#define BASE 0xffffffff81000000ull

typedef struct {
  GilkImage     *image;
  GilkFunctions *functions;
  GilkDecoder   *decoder;
  GilkCfg       *cfg;
} Graph;

/* Sets up a kernel whose function "subject" is at BASE; @more: additional lines of kallsyms */
static void
graph_init (Graph *g, const uint8_t *bytes, gsize length, const char *more,
            const GilkSite *sites, guint n_sites)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *kallsyms =
    g_strdup_printf ("%016llx T _stext\n%016llx t subject\n%s%016llx T _etext\n",
                     BASE, BASE, more, BASE + length);
  g_autoptr(GilkSymbols) symbols = gilk_symbols_new_parse (kallsyms, strlen (kallsyms), &error);

  g_assert_no_error (error);
  g->image = gilk_image_new_static (symbols, BASE, bytes, length, sites, n_sites);
  g->functions = gilk_functions_new (g->image);
  g->decoder = gilk_decoder_new ();
  g->cfg = gilk_cfg_new (g->functions, gilk_functions_at (g->functions, BASE), g->decoder, &error);
  g_assert_no_error (error);
}

static void
graph_clear (Graph *g)
{
  gilk_cfg_unref (g->cfg);
  gilk_decoder_free (g->decoder);
  gilk_functions_unref (g->functions);
  gilk_image_unref (g->image);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Graph, graph_clear)

/* Returns e.g. "0:jcc>1n>2t 3:return": blocks by offset with their successors; see edge_letters for
 * their kinds. */
static char *
describe (const GilkCfg *cfg)
{
  static const char *const endings[] = { "fall", "jcc", "jump", "return", "tail", "noreturn",
                                         "trap", "indirect" };
  static const char edge_letters[] = "ftnjkx";
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      const GilkBlock *block = &cfg->blocks[i];

      g_string_append_printf (out, "%s%x:%s", i ? " " : "", (guint) (block->start - BASE),
                              endings[block->ending]);
      for (guint k = block->first_out; k < block->first_out + block->n_out; k++)
        g_string_append_printf (out, ">%x%c%s",
                                (guint) (cfg->blocks[cfg->edges[k].to].start - BASE),
                                edge_letters[cfg->edges[k].kind],
                                cfg->edges[k].back ? "b" : "");
    }

  return g_string_free (out, FALSE);
}

static void
assert_graph (const Graph *g, const char *expected)
{
  g_autofree char *found = describe (g->cfg);

  g_assert_cmpstr (found, ==, expected);
}

static void
test_loop (void)
{
  static const uint8_t bytes[] = {
    0x31, 0xc0,             /* 0: xor %eax,%eax */
    0xff, 0xc0,             /* 2: inc %eax */
    0x39, 0xf8,             /*    cmp %edi,%eax */
    0x75, 0xfa,             /*    jne 2 */
    0xc3,                   /* 8: ret */
    0xcc, 0xcc, 0xcc,
  };
  g_auto(Graph) g;

  graph_init (&g, bytes, sizeof bytes, "", NULL, 0);
  g_assert_cmpuint (g.cfg->refusal, ==, 0);
  assert_graph (&g, "0:fall>2f 2:jcc>8n>2tb 8:return");
  g_assert_cmpuint (g.cfg->n_insns, ==, 5);
  g_assert_cmpuint (g.cfg->blocks[1].loop_depth, ==, 1);
  g_assert_cmpuint (g.cfg->blocks[2].loop_depth, ==, 0);
  g_assert_true (g.cfg->blocks[1].flags & GILK_BLOCK_LOOP_HEAD);
  g_assert_true (g.cfg->blocks[0].flags & GILK_BLOCK_ENTRY);
  g_assert_cmpuint (g.cfg->blocks[1].n_in, ==, 2);
  g_assert_cmpint (gilk_cfg_block_around (g.cfg, BASE + 5), ==, 1);
  g_assert_cmpint (gilk_cfg_block_around (g.cfg, BASE + 9), ==, -1);
  g_assert_cmpmem (gilk_cfg_bytes (g.cfg, &g.cfg->insns[3]), 2, bytes + 6, 2);
}

static void
test_tables (void)
{
  static const uint8_t bytes[] = {
    0x0f, 0x1f, 0x44, 0x00, 0x00,   /* 0: static key, off now */
    0x8b, 0x07,                     /* 5: mov (%rdi),%eax: may fault */
    0x0f, 0x0b,                     /* 7: ud2 of a WARN */
    0xc3,                           /* 9: ret */
    0x0f, 0x0b,                     /* a: ud2 of a BUG */
    0x31, 0xc0,                     /* c: fix-up */
    0xc3,
  };
  static const GilkSite sites[] = {
    { BASE, BASE + 10, GILK_SITE_JUMP_LABEL }, { BASE + 5, BASE + 12, GILK_SITE_EXTABLE },
    { BASE + 7, 0, GILK_SITE_WARN }, { BASE + 10, 0, GILK_SITE_BUG },
  };
  g_auto(Graph) g;

  graph_init (&g, bytes, sizeof bytes, "", sites, G_N_ELEMENTS (sites));
  g_assert_cmpuint (g.cfg->refusal, ==, 0);
  assert_graph (&g, "0:fall>5f>ak 5:return>cx a:trap c:return");
}

/* Tests that the checks of indirect calls of a kernel with kCFI do not end blocks and cannot be
 * moved, although they jump into an instruction, which is refused elsewhere. */
static void
test_call_checks (void)
{
  static const uint8_t bytes[] = {
    0x41, 0xba, 0xb7, 0x9b, 0xaa, 0x6b,   /* 0: mov $0x6baa9bb7,%r10d */
    0x45, 0x03, 0x53, 0xf1,               /* 6: add -0xf(%r11),%r10d */
    0x75, 0x01,                           /* a: jne d */
    0xa8, 0xd6,                           /* c: test $0xd6,%al */
    0x41, 0xff, 0xd3,                     /* e: call *%r11 */
    0x2e, 0x4d, 0x8d, 0x5b, 0xf0,         /* 11: cs lea -0x10(%r11),%r11 */
    0x75, 0xfd,                           /* 16: jne 15 */
    0x41, 0xff, 0xd3,                     /* 18: call *%r11 */
    0xc3,                                 /* 1b: ret */
  };
  uint8_t other[sizeof bytes];
  const guint pinned[] = { 2, 3, 5, 6 };
  g_auto(Graph) g, h;

  graph_init (&g, bytes, sizeof bytes, "", NULL, 0);
  g_assert_cmpuint (g.cfg->refusal, ==, 0);
  assert_graph (&g, "0:return");
  g_assert_cmpuint (g.cfg->n_insns, ==, 9);
  for (guint i = 0, k = 0; i < g.cfg->n_insns; i++)
    {
      const gboolean expected = k < G_N_ELEMENTS (pinned) && pinned[k] == i;

      g_assert_cmpint ((g.cfg->insns[i].flags & GILK_INSN_PINNED) != 0, ==, expected);
      k += expected;
    }

  memcpy (other, bytes, sizeof bytes);
  other[13] = 0xd5;                       /* c: test $0xd5,%al: no UDB */
  graph_init (&h, other, sizeof other, "", NULL, 0);
  g_assert_cmpuint (h.cfg->refusal, ==, GILK_REFUSAL_ASM);
}

/* Tests that execution continues after a WARN with text, although its trap lacks a table entry;
 * other ud1 and udb instructions end execution. */
static void
test_warn_with_text (void)
{
  static const uint8_t bytes[] = {
    0x67, 0x48, 0x0f, 0xb9, 0x3a,   /* 0: ud1 (%edx),%rdi */
    0xc3,                           /* 5: ret */
    0x67, 0x48, 0x0f, 0xb9, 0x3b,   /* 6: ud1 (%ebx),%rdi */
    0xd6,                           /* b: udb */
  };
  g_auto(Graph) g;

  graph_init (&g, bytes, sizeof bytes, "", NULL, 0);
  assert_graph (&g, "0:return 6:trap b:trap");
}

/* Tests that a static key that is on ends its block like a jump: besides the jump's target, the
 * next instruction is a successor. */
static void
test_key_on (void)
{
  static const uint8_t bytes[] = {
    0xeb, 0x01,             /* 0: jmp 3 */
    0xc3,                   /* 2 */
    0x90, 0xc3,             /* 3 */
  };
  static const GilkSite sites[] = { { BASE, BASE + 3, GILK_SITE_JUMP_LABEL } };
  g_auto(Graph) g;

  graph_init (&g, bytes, sizeof bytes, "", sites, 1);
  assert_graph (&g, "0:jump>2k>3j 2:return 3:return");
}

/* Tests transfers of control that are not edges of the function's graph: a fault leaves a block,
 * and a jump in another function enters one. */
static void
test_beyond_edges (void)
{
  static const uint8_t bytes[0x20] = {
    0x8b, 0x07, 0xc3,                       /*  0: mov (%rdi),%eax: may fault; 2: ret */
    [0x10] = 0xeb, 0xf0,                    /* 10: jmp 2 */
    [0x18] = 0xc3,
  };
  static const GilkSite sites[] = { { BASE, BASE + 0x18, GILK_SITE_EXTABLE } };
  g_auto(Graph) g;

  graph_init (&g, bytes, sizeof bytes, "ffffffff81000010 t other\nffffffff81000018 t third\n",
              sites, 1);
  assert_graph (&g, "0:fall>2f 2:return");
  g_assert_cmpuint (g.cfg->blocks[0].flags, ==, GILK_BLOCK_ENTRY | GILK_BLOCK_LEAVES);
  g_assert_cmpuint (g.cfg->blocks[1].flags, ==, GILK_BLOCK_INBOUND);
}

static void
test_cold (void)
{
  static const uint8_t bytes[0x30] = {
    0x75, 0x1e, 0xc3,                       /*  0: jne 20; 2: ret */
    [0x10] = 0xc3,
    [0x20] = 0x90, 0xeb, 0xdf,              /* 20: nop; jmp 2 */
    [0x23] = 0xe9, 0xe8, 0xff, 0xff, 0xff,  /*     unreached: jmp 10 */
  };
  g_autofree char *name = NULL;
  g_auto(Graph) g;
  uint64_t addr;

  graph_init (&g, bytes, sizeof bytes,
              "ffffffff81000010 t other\nffffffff81000020 t subject.cold\n", NULL, 0);
  assert_graph (&g, "0:jcc>2n>20t 2:return 20:jump>2j 23:tail");
  g_assert_true (g.cfg->blocks[2].flags & GILK_BLOCK_COLD);
  g_assert_cmpuint (g.cfg->blocks[3].n_in, ==, 0);

  name = gilk_cfg_offset_name (g.cfg, BASE + 0x21);
  g_assert_cmpstr (name, ==, ".cold+0x1");
  g_assert_true (gilk_cfg_parse_offset (g.cfg, ".cold+0x1", &addr));
  g_assert_cmphex (addr, ==, BASE + 0x21);
  g_assert_true (gilk_cfg_parse_offset (g.cfg, "+0x2", &addr));
  g_assert_cmphex (addr, ==, BASE + 2);
  g_assert_true (gilk_cfg_parse_offset (g.cfg, "0xffffffff81000002", &addr));
  g_assert_cmphex (addr, ==, BASE + 2);
  g_assert_false (gilk_cfg_parse_offset (g.cfg, "+0x10", &addr));
  g_assert_false (gilk_cfg_parse_offset (g.cfg, "+0x1 ", &addr));
  g_assert_false (gilk_cfg_parse_offset (g.cfg, "", &addr));
  g_assert_false (gilk_cfg_parse_offset (g.cfg, ".cold", &addr));
}

static void
test_ways_out (void)
{
  static const uint8_t bytes[0x40] = {
    0x75, 0x1e,                             /*  0: jne 20: conditional tail call */
    0x74, 0x05,                             /*  2: je 9 */
    0xe8, 0x27, 0x00, 0x00, 0x00,           /*  4: call 30: never returns */
    0xe9, 0x12, 0x00, 0x00, 0x00,           /*  9: jmp 20: tail call */
    [0x0e] = 0xcc, 0xcc,
    [0x10] = 0xc3,
    [0x20] = 0xc3,
    [0x30] = 0xc3,
  };
  g_auto(Graph) g;

  graph_init (&g, bytes, sizeof bytes,
              "ffffffff81000010 t a\nffffffff81000020 t b\nffffffff81000030 T panic\n", NULL, 0);
  g_assert_cmpuint (g.cfg->refusal, ==, 0);
  assert_graph (&g, "0:jcc>2n 2:jcc>4n>9t 4:noreturn 9:tail");
}

typedef struct {
  const char *what;
  guint       refusal;
  guint       n;
  uint8_t     bytes[16];
} Refused;

static const Refused refused[] = {
  { "unknown instruction", GILK_REFUSAL_UNDECODABLE, 3, { 0x90, 0x06, 0xc3 } },
  { "into an instruction", GILK_REFUSAL_ASM, 8,
    { 0x75, 0x01, 0xb8, 0x90, 0x90, 0x90, 0xc3, 0xc3 } },
  { "off the end", GILK_REFUSAL_ASM, 2, { 0x31, 0xc0 } },
  { "computed jump", GILK_REFUSAL_INDIRECT_JUMP, 6, { 0xff, 0x24, 0xc7, 0x31, 0xc0, 0xc3 } },
  { "int3 in the way", GILK_REFUSAL_BREAKPOINT, 4, { 0x31, 0xc0, 0xcc, 0xc3 } },
  { "jump of another tool", ILK_REFUSAL_KPROBE, 6, { 0xe9, 0x00, 0x10, 0x00, 0x00, 0xc3 } },
};

static void
test_refused (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_auto(Graph) g;

      g_test_message ("%s", refused[i].what);
      graph_init (&g, refused[i].bytes, refused[i].n, "", NULL, 0);
      g_assert_cmpuint (g.cfg->refusal, ==, refused[i].refusal);
    }
}

/* Tests that an indirect jump is a tail call if all blocks can be reached without this jump. */
static void
test_indirect_tail (void)
{
  static const uint8_t bytes[] = { 0x75, 0x02, 0xff, 0xe0, 0xc3, 0xcc, 0xcc };
  g_auto(Graph) g;

  graph_init (&g, bytes, sizeof bytes, "", NULL, 0);
  g_assert_cmpuint (g.cfg->refusal, ==, 0);
  assert_graph (&g, "0:jcc>2n>4t 2:indirect 4:return");
}

static void
test_fingerprint (void)
{
  static const uint8_t here[] = {
    0x48, 0xc7, 0xc7, 0x00, 0x10, 0x20, 0x81,   /* mov $0xffffffff81201000,%rdi */
    0x8b, 0x05, 0x11, 0x22, 0x00, 0x00,         /* mov 0x2211(%rip),%eax */
    0xe8, 0x00, 0x01, 0x00, 0x00,               /* call */
    0x75, 0x00, 0xc3,                           /* jne */
  };
  static const uint8_t there[] = {
    0x48, 0xc7, 0xc7, 0x40, 0x33, 0xa0, 0x82,
    0x8b, 0x05, 0x55, 0x44, 0x00, 0x00,
    0x66, 0x90,                                 /* filler */
    0xe8, 0x77, 0x11, 0x00, 0x00,
    0x0f, 0x85, 0x00, 0x00, 0x00, 0x00, 0xc3,   /* the same jne with 32-bit offset */
  };
  static const uint8_t errno_differs[] = {
    0x48, 0xc7, 0xc7, 0xea, 0xff, 0xff, 0xff,   /* mov $-22,%rdi */
    0x8b, 0x05, 0x11, 0x22, 0x00, 0x00,
    0xe8, 0x00, 0x01, 0x00, 0x00,
    0x75, 0x00, 0xc3,
  };
  g_auto(Graph) a, b, c;
  char prints[3][GILK_FINGERPRINT_SIZE];

  graph_init (&a, here, sizeof here, "ffffffff81000112 t callee\n", NULL, 0);
  graph_init (&b, there, sizeof there, "ffffffff8100118b t callee.isra.0\n", NULL, 0);
  graph_init (&c, errno_differs, sizeof errno_differs, "ffffffff81000112 t callee\n", NULL, 0);
  gilk_cfg_fingerprint (a.cfg, 0, prints[0]);
  gilk_cfg_fingerprint (b.cfg, 0, prints[1]);
  gilk_cfg_fingerprint (c.cfg, 0, prints[2]);
  g_assert_cmpuint (strlen (prints[0]), ==, 33);
  g_assert_cmpstr (prints[0] + 17, ==, prints[1] + 17);
  g_assert_cmpstr (prints[0] + 17, !=, prints[2] + 17);
}

static void
test_dot (void)
{
  static const uint8_t bytes[] = { 0x75, 0x01, 0x90, 0xc3 };
  g_autofree char *dot = NULL;
  g_auto(Graph) g;

  graph_init (&g, bytes, sizeof bytes, "", NULL, 0);
  dot = gilk_cfg_to_dot (g.cfg);
  g_assert_true (g_str_has_prefix (dot, "digraph \"subject\" {\n"));
  g_assert_nonnull (strstr (dot, "b0 -> b2"));
  g_assert_nonnull (strstr (dot, "ret"));
}

/* Checks the graph in which every block is split at each of its instructions. Edges into a split
 * block lead to the block's first part; edges out of the block start at its last part. */
static void
assert_cuts (const GilkCfg *cfg, GilkDecoder *decoder)
{
  g_autofree uint64_t *at = g_new (uint64_t, cfg->n_insns + 1);
  g_autoptr(GilkCfg) cut = NULL;
  guint falls = 0, of_cuts = 0;

  for (guint i = 0; i < cfg->n_insns; i++)
    at[i] = cfg->insns[i].addr;
  cut = gilk_cfg_new_cut (cfg, decoder, at, cfg->n_insns);
  g_assert_cmpuint (cut->n_insns, ==, cfg->n_insns);
  g_assert_cmpuint (cut->n_blocks, ==, cfg->n_insns);
  g_assert_cmpuint (cut->refusal, ==, cfg->refusal);
  g_assert_true (gilk_cfg_whole (cut) == cfg);
  for (guint i = 0; i < cut->n_insns; i++)
    {
      guint around = (guint) gilk_cfg_block_around (cfg, at[i]);
      gboolean last = cfg->blocks[around].end == cut->blocks[i].end;
      char print[GILK_FINGERPRINT_SIZE], whole[GILK_FINGERPRINT_SIZE];

      g_assert_cmphex (cut->insns[i].addr, ==, at[i]);
      g_assert_cmpint (gilk_cfg_insn_at (cut, at[i]), ==, (int) i);
      g_assert_cmphex (cut->blocks[i].start, ==, at[i]);
      g_assert_cmpuint (cut->blocks[i].ending, ==, last ? cfg->blocks[around].ending : GILK_END_FALL);
      of_cuts += !last;
      gilk_cfg_fingerprint (cut, i, print);
      gilk_cfg_fingerprint (cfg, around, whole);
      g_assert_cmpstr (print, ==, whole);
    }
  for (guint i = 0; i < cut->n_edges; i++)
    falls += cut->edges[i].kind == GILK_EDGE_FALL;
  for (guint i = 0; i < cfg->n_edges; i++)
    falls -= cfg->edges[i].kind == GILK_EDGE_FALL;
  g_assert_cmpuint (falls, ==, of_cuts);
}

/* Tests that a hook before an instruction is placed at the start of a block, which is split if
 * necessary. The hook's fingerprint is computed from the instruction. */
static void
test_cut (void)
{
  static const uint8_t bytes[] = {
    0x48, 0x85, 0xff,                 /* 0: test %rdi,%rdi */
    0x74, 0x08,                       /* 3: je d */
    0x48, 0x8b, 0x07,                 /* 5: mov (%rdi),%rax */
    0x66, 0x90,                       /* 8: nop */
    0xff, 0xd0,                       /* a: call *%rax */
    0x90,                             /* c: nop */
    0xc3,                             /* d: ret */
  };
  const uint64_t at = BASE + 0xa;
  char print[GILK_FINGERPRINT_SIZE], nop[GILK_FINGERPRINT_SIZE], other[GILK_FINGERPRINT_SIZE];
  g_autoptr(GilkCfg) cut = NULL, again = NULL;
  GilkWhere where;
  uint64_t addr;
  guint block;
  g_auto(Graph) g;

  graph_init (&g, bytes, sizeof bytes, "", NULL, 0);
  g_assert_true (gilk_point_edge (g.cfg, BASE, &block, &where) && block == 0 && where == GILK_WHERE_PRE);
  g_assert_true (gilk_point_edge (g.cfg, BASE + 3, &block, &where) && block == 0 && where == GILK_WHERE_POST);
  g_assert_true (gilk_point_edge (g.cfg, BASE + 0xd, &block, &where) && block == 2 && where == GILK_WHERE_PRE);
  g_assert_false (gilk_point_edge (g.cfg, at, &block, &where));

  cut = gilk_cfg_new_cut (g.cfg, g.decoder, &at, 1);
  g_assert_cmpuint (cut->n_blocks, ==, 4);
  g_assert_true (gilk_point_edge (cut, at, &block, &where) && block == 2 && where == GILK_WHERE_PRE);
  g_assert_cmpuint (cut->blocks[2].n_in, ==, 1);
  again = gilk_cfg_new_cut (cut, g.decoder, &(uint64_t) { BASE + 0xb }, 1);
  g_assert_cmpuint (again->n_blocks, ==, 3);
  g_assert_true (gilk_cfg_whole (again) == g.cfg);

  gilk_cfg_insn_fingerprint (cut, at, print);
  gilk_cfg_insn_fingerprint (g.cfg, BASE + 8, nop);
  gilk_cfg_insn_fingerprint (g.cfg, BASE + 5, other);
  g_assert_cmpstr (print, ==, nop);
  g_assert_cmpstr (print, !=, other);
  g_assert_cmpuint (gilk_cfg_find_insn_fingerprint (g.cfg, print, &addr), ==, 1);
  g_assert_cmphex (addr, ==, at);
  g_assert_cmpint (gilk_cfg_insn_at (g.cfg, BASE + 0xb), ==, -1);
}

/* Tests that random bytes yield a consistent graph or a refusal. */
static void
test_random (void)
{
  for (guint round = 0; round < 2000; round++)
    {
      uint8_t bytes[96];
      g_auto(Graph) g;

      for (guint i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t) (g_test_rand_int_range (0, 3) ? g_test_rand_int ()
                                                           : 0x70 + g_test_rand_int_range (0, 16));
      graph_init (&g, bytes, sizeof bytes, "ffffffff81000040 t subject.cold\n", NULL, 0);
      for (guint i = 0; i < g.cfg->n_blocks; i++)
        {
          const GilkBlock *block = &g.cfg->blocks[i];
          const GilkInsn *last = &g.cfg->insns[block->first_insn + block->n_insns - 1];

          g_assert_cmphex (g.cfg->insns[block->first_insn].addr, ==, block->start);
          g_assert_cmphex (last->addr + last->len, ==, block->end);
          g_assert_true (i == 0 || g.cfg->blocks[i - 1].end <= block->start);
        }
      for (guint i = 0; i < g.cfg->n_edges; i++)
        {
          g_assert_cmpuint (g.cfg->edges[i].to, <, g.cfg->n_blocks);
          g_assert_true (i == 0 || g.cfg->edges[i - 1].from <= g.cfg->edges[i].from);
        }
      assert_cuts (g.cfg, g.decoder);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cfg/loop", test_loop);
  g_test_add_func ("/cfg/tables", test_tables);
  g_test_add_func ("/cfg/call-checks", test_call_checks);
  g_test_add_func ("/cfg/warn-with-text", test_warn_with_text);
  g_test_add_func ("/cfg/key-on", test_key_on);
  g_test_add_func ("/cfg/beyond-edges", test_beyond_edges);
  g_test_add_func ("/cfg/cold", test_cold);
  g_test_add_func ("/cfg/ways-out", test_ways_out);
  g_test_add_func ("/cfg/refused", test_refused);
  g_test_add_func ("/cfg/indirect-tail", test_indirect_tail);
  g_test_add_func ("/cfg/fingerprint", test_fingerprint);
  g_test_add_func ("/cfg/cut", test_cut);
  g_test_add_func ("/cfg/dot", test_dot);
  g_test_add_func ("/cfg/random", test_random);

  return g_test_run ();
}
