/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-text-owners.c - finds which parties have patched the bytes of a function, and what these
 * bytes are now
 */
#include <string.h>

#include "core/bind/gilk-text-owners.h"
#include "core/image/gilk-text-owners.h"

#define BASE 0xffffffff81000000ull

static const uint8_t code[] = {
  0x0f, 0x1f, 0x44, 0x00, 0x00,     /* 0: nopl, the site of ftrace */
  0x89, 0xf8,                       /* 5: mov %edi,%eax */
  0x83, 0xc0, 0x01,                 /* 7: add $1,%eax */
  0x66, 0x90,                       /* a: a static key */
  0x01, 0xc0,                       /* c: add %eax,%eax */
  0xc3,                             /* e: ret */
};

static void
test_owners (void)
{
  static const GilkSite sites[] = { { BASE, 0, GILK_SITE_FENTRY }, { BASE + 10, BASE + 14, GILK_SITE_JUMP_LABEL } };
  static const char kallsyms[] = "ffffffff81000000 T _stext\nffffffff81000000 t subject\nffffffff8100000f T _etext\n";
  struct ilk_patch_status hook = { .state = ILK_STATE_ARMED, .site = BASE + 5, .len = 5, .owner_pid = 42 };
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkSymbols) symbols = gilk_symbols_new_parse (kallsyms, strlen (kallsyms), &error);
  g_autoptr(GilkImage) image = gilk_image_new_static (symbols, BASE, code, sizeof code, sites, G_N_ELEMENTS (sites));
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  static const char list[] = "ffffffff8100000c  k  subject+0xc    [DISABLED]\nffffffff81000000  k  subject+0x0    [FTRACE]\n";
  g_autoptr(GArray) kprobes = gilk_kprobes_parse (list, strlen (list)), none = gilk_kprobes_parse ("", 0);
  g_autoptr(GArray) hooks = g_array_new (FALSE, FALSE, sizeof hook);
  GilkFunctions *functions = gilk_functions_new (image);
  g_autoptr(GilkCfg) cfg = gilk_cfg_new (functions, gilk_functions_at (functions, BASE), decoder, &error);
  uint8_t now[sizeof code + GILK_CURRENT_TEXT_BYTES] = { 0 };
  const uint8_t *text[8] = { NULL };
  g_autofree GilkCurrentText *said = NULL, *probed = NULL;
  g_autofree char *jump = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (cfg->n_insns, ==, 6);
  memcpy (now, code, sizeof code);
  memcpy (now + 5, (uint8_t[]) { 0xe9, 0xf6, 0xff, 0x0f, 0x00 }, 5);     /* ours */
  now[12] = 0xcc;                                                       /* a byte that another party
                                                                           has changed */
  for (guint i = 0; i < cfg->n_insns; i++)
    text[i] = now + (cfg->insns[i].addr - BASE);
  g_array_append_val (hooks, hook);
  hook = (struct ilk_patch_status) { .state = ILK_STATE_RETIRED, .site = BASE + 14, .len = 1, .owner_pid = 7 };
  g_array_append_val (hooks, hook);

  said = gilk_text_owners_of (cfg, hooks, none, text);
  g_assert_cmpint (said[0].owner, ==, GILK_OWNER_FTRACE);
  g_assert_false (said[0].changed);
  for (guint i = 1; i < 3; i++)
    {
      g_assert_cmpint (said[i].owner, ==, GILK_OWNER_ILK);
      g_assert_true (said[i].changed);
      g_assert_cmpuint (said[i].pid, ==, 42);
    }
  g_assert_cmpint (said[3].owner, ==, GILK_OWNER_STATIC_KEY);
  g_assert_false (said[3].changed);
  g_assert_cmpint (said[4].owner, ==, GILK_OWNER_OTHER);
  g_assert_true (said[4].changed);
  g_assert_cmpint (said[5].owner, ==, GILK_OWNER_NONE);

  probed = gilk_text_owners_of (cfg, hooks, kprobes, text);
  g_assert_cmpint (probed[0].owner, ==, GILK_OWNER_FTRACE);
  g_assert_cmpint (probed[1].owner, ==, GILK_OWNER_ILK);
  g_assert_cmpint (probed[4].owner, ==, GILK_OWNER_KPROBE);

  jump = gilk_current_text_format (cfg, 1, &said[1], decoder);
  g_assert_cmpstr (jump, ==, "jmp 0xffffffff81100000");
  gilk_functions_unref (functions);
}

/* Tests parsing the list of kprobes in debugfs. The list comes from an agent and is untrusted. */
static void
test_kprobes (void)
{
  static const char list[] =
    "ffffffffc0001000  r  late+0x0  [module]  \n"
    "ffffffff81000007  k  subject+0x7    [OPTIMIZED]\n"
    "no line\n\n0000000000000000  k  hidden\nffffffff8100000c  k  subject+0xc    [DISABLED]\nffffffff81";
  g_autoptr(GArray) probes = gilk_kprobes_parse (list, sizeof list - 1);

  g_assert_cmpuint (probes->len, ==, 3);
  g_assert_cmphex (g_array_index (probes, GilkKprobe, 0).addr, ==, BASE + 7);
  g_assert_null (gilk_kprobes_at (probes, BASE + 5, 2));
  g_assert_nonnull (gilk_kprobes_at (probes, BASE + 10, 2));       /* this byte is in the kprobe's
                                                                      5-byte jump */
  g_assert_true (gilk_kprobes_at (probes, BASE + 12, 2)->disabled);
  g_assert_null (gilk_kprobes_at (probes, BASE + 13, 1));
}

/* Tests parsing the list of ftrace users in tracefs. The list comes from an agent and is
 * untrusted. */
static void
test_ftrace_users (void)
{
  static const char list[] =
    "vfs_fsync (1) R    \ttramp: 0xffffffffc04aa000 (kprobe_ftrace_handler+0x0/0x1b0) ->kprobe_ftrace_handler+0x0/0x1b0\n"
    "cmdline_proc_show (1)   I  \ttramp: 0xffffffffc04aa000 (klp_ftrace_handler+0x0/0x110) ->klp_ftrace_handler+0x0/0x110\n"
    "both (2) R I D\t->ftrace_ops_list_func+0x0/0x1b0\n"
    "\tdirect-->bpf_trampoline_6442522591+0x0/0x1000\n"
    "traced (3) R I  \t->ftrace_ops_list_func+0x0/0x1b0\n"
    "twice [m] (1) R   D\ttramp: ftrace_regs_caller+0x0/0x58 (call_direct_funcs+0x0/0x30)\n"
    "\tdirect-->bpf_trampoline_1+0x0/0x1000\n"
    "twice (1)      \ttramp: 0xffffffffc0300000 (function_trace_call+0x0/0x1b0)\n"
    "same (1)   I  \n"
    "same (1) R   D\n"
    "sample (1) R   D\ttramp: x\n\tdirect-->my_tramp [ftrace_direct]\n"
    "no line\nshort (\ncut (1";
  static const struct { const char *name, *module; guint users; } cases[] = {
    { "vfs_fsync", NULL, GILK_FTRACE_USER_KPROBE }, { "cmdline_proc_show", NULL, GILK_FTRACE_USER_LIVEPATCH },
    { "both", NULL, GILK_FTRACE_USER_LIVEPATCH | GILK_FTRACE_USER_BPF },
    { "traced", NULL, GILK_FTRACE_USER_LIVEPATCH | GILK_FTRACE_USER_OTHER },
    { "twice", "m", GILK_FTRACE_USER_BPF }, { "twice", NULL, GILK_FTRACE_USER_OTHER }, { "same", NULL, GILK_FTRACE_USER_OTHER },
    { "sample", NULL, GILK_FTRACE_USER_OTHER }, { "vfs_fsync", "m", 0 }, { "vfs", NULL, 0 },
    { "short", NULL, GILK_FTRACE_USER_OTHER }, { "cut", NULL, GILK_FTRACE_USER_OTHER },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpuint (gilk_ftrace_users_parse (list, sizeof list - 1, cases[i].name, cases[i].module), ==, cases[i].users);
}

static void
test_names (void)
{
  GilkCurrentText now = { .owner = GILK_OWNER_FTRACE };
  g_autofree char *nobody = gilk_current_text_owner_name (&now), *some = NULL, *ours = NULL;

  now.users = GILK_FTRACE_USER_LIVEPATCH | GILK_FTRACE_USER_OTHER;
  some = gilk_current_text_owner_name (&now);
  now = (GilkCurrentText) { .owner = GILK_OWNER_ILK, .pid = 42 };
  ours = gilk_current_text_owner_name (&now);
  g_assert_cmpstr (nobody, ==, "ftrace");
  g_assert_cmpstr (some, ==, "livepatch, ftrace");
  g_assert_cmpstr (ours, ==, "ilk, 42");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text-owners/owners", test_owners);
  g_test_add_func ("/text-owners/kprobes", test_kprobes);
  g_test_add_func ("/text-owners/ftrace-users", test_ftrace_users);
  g_test_add_func ("/text-owners/names", test_names);

  return g_test_run ();
}
