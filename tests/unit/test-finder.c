/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-finder.c - finds functions that match typed text, best match first, and locations in the
 * form used in traces
 */
#include <string.h>

#include "core/cfg/gilk-finder.h"
#include "core/cfg/gilk-locate.h"
#include "core/cfg/gilk-name-match.h"

#define BASE 0xffffffff81000000ull
#define EACH 0x100

/* Names in a 6.1 kernel that match the search texts below more or less well. */
static const char *const names[] = {
  "_stext",
  "pipe_write", "pipe_read", "pipe_wait_writable", "pipe_wait_readable", "proc_bus_pci_write", "pci_vpd_write", "psi_cpu_write",
  "percpu_up_write", "pgprot_writecombine", "pci_iomap_wc_range", "acpi_hw_gpe_write", "proc_simple_write", "pcie_pme_work_fn",
  "vfs_read", "vfs_readv", "vfs_rmdir", "vfs_readlink", "vfs_iter_read", "__vfs_removexattr_locked", "efi_mokvar_sysfs_read",
  "tcp_v4_rcv", "tcp_v6_rcv", "tcp_v4_do_rcv", "tcp_rcv_established", "tcp_queue_rcv", "tcp_send_rcvq",
  "schedule", "schedule_tail", "schedule_idle", "__schedule", "sched_debug_open", "preempt_schedule",
  "ksys_read", "ksys_readahead", "ksys_pread64", "check_syslog_permissions",
  "mutex_lock", "mutex_lock_io", "mutex_is_locked", "rt_mutex_lock", "mutex_unlock",
  "kfree", "kfree_link", "kfree_const", "bpf_kfree", "__kfree_skb",
  "copy_process", "klp_copy_process", "uprobe_copy_process",
  "__x64_sys_getpid", "__do_sys_getpid", "get_pid_task", "do_SYSENTER_32", "do_syscall_64",
  "try_to_wake_up", "ttwu_do_wakeup", "wakeup_show", "wake_up_process", "update_saved_topdown_regs",
  "exc_page_fault", "handle_mm_fault", "page_fault_oops", ".Lslow", "deadbeef", "a_name_that_is_by_far_longer_than_sixty_four_characters_so_that_bits_end_pipe",
  "_etext",
};

typedef struct {
  GilkImage     *image;
  GilkFunctions *functions;
  GilkFinder    *finder;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  static const uint8_t text[G_N_ELEMENTS (names) * EACH] = { 0xc3 };
  g_autoptr(GString) kallsyms = g_string_new (NULL);
  g_autoptr(GilkSymbols) symbols = NULL;
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_string_append_printf (kallsyms, "%" G_GINT64_MODIFIER "x T %s\n", (guint64) (BASE + i * EACH), names[i]);
      if (strcmp (names[i], "kfree") == 0)
        g_string_append_printf (kallsyms, "%" G_GINT64_MODIFIER "x t give_back\n", (guint64) (BASE + i * EACH));
    }
  symbols = gilk_symbols_new_parse (kallsyms->str, kallsyms->len, &error);
  g_assert_no_error (error);
  f->image = gilk_image_new_static (symbols, BASE, text, sizeof text, NULL, 0);
  f->functions = gilk_functions_new (f->image);
  f->finder = gilk_functions_finder (f->functions);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  gilk_functions_unref (f->functions);
  gilk_image_unref (f->image);
}

static GilkFound *
find_names (Fixture *f, const char *typed)
{
  const GilkFinderQuery query = { .typed = typed, .module = GILK_ANY_MODULE };

  return gilk_finder_find (f->finder, &query);
}

static const GilkFunction *
row_of (Fixture *f, const GilkFound *found, guint i)
{
  return gilk_finder_row (f->finder, found->rows[i], NULL);
}

static void
test_first (Fixture *f, gconstpointer data)
{
  static const struct { const char *typed, *first; } cases[] = {
    { "ppwr", "pipe_write" }, { "pipwr", "pipe_write" }, { "pw", "pipe_write" }, { "pipe_w", "pipe_write" },
    { "PIPE_WRITE", "pipe_write" }, { "write pipe", "pipe_write" }, { "pi wr", "pipe_write" }, { "piperd", "pipe_read" },
    { "waitw", "pipe_wait_writable" }, { "vfs_read", "vfs_read" }, { "vfsr", "vfs_read" }, { "vfs_readl", "vfs_readlink" },
    { "iter_read", "vfs_iter_read" }, { "tcprcv", "tcp_v4_rcv" }, { "v6rcv", "tcp_v6_rcv" }, { "established", "tcp_rcv_established" },
    { "schedule", "schedule" }, { "__sched", "__schedule" }, { "ksysrd", "ksys_read" }, { "mutlock", "mutex_lock" },
    { "rtmut", "rt_mutex_lock" }, { "kfree", "kfree" }, { "kfree_", "kfree_link" }, { "copyproc", "copy_process" },
    { "getpid", "__do_sys_getpid" }, { "sysenter", "do_SYSENTER_32" }, { "ttwu", "ttwu_do_wakeup" }, { "trywake", "try_to_wake_up" },
    { "wup", "wake_up_process" }, { "pgflt", "page_fault_oops" }, { "excpf", "exc_page_fault" }, { "hmmf", "handle_mm_fault" },
    { "give_b", "kfree" }, { "pipe_*e", "pipe_write" }, { "*SYSENTER*", "do_SYSENTER_32" }, { "kernel:ppwr", "pipe_write" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GilkFound) found = find_names (f, cases[i].typed);

      g_test_message ("%s", cases[i].typed);
      g_assert_cmpuint (found->n_rows, >, 0);
      g_assert_cmpstr (row_of (f, found, 0)->name, ==, cases[i].first);
    }
}

static void
test_all (Fixture *f, gconstpointer data)
{
  g_autoptr(GilkFound) all = find_names (f, ""), none = find_names (f, "xyzzy"), alias = find_names (f, "give_back"), glob = find_names (f, "PIPE_*");
  const char *name;
  guint count;

  gilk_functions_all (f->functions, &count);
  g_assert_cmpuint (all->n_rows, ==, count);
  g_assert_cmpuint (all->n_fit, ==, count);
  g_assert_cmpstr (row_of (f, all, count - 1)->name, ==, ".Lslow");
  g_assert_cmpuint (none->n_rows, ==, 0);
  g_assert_cmpuint (alias->n_rows, ==, 1);
  g_assert_cmpstr (gilk_finder_row (f->finder, alias->rows[0], &name)->name, ==, "kfree");
  g_assert_cmpstr (name, ==, "give_back");
  g_assert_cmpuint (glob->n_rows, ==, 4);
}

static void
test_marks (Fixture *f, gconstpointer data)
{
  guint count;
  const GilkFunction *all = gilk_functions_all (f->functions, &count);
  g_autofree uint8_t *marks = g_new0 (uint8_t, count);
  GilkFinderQuery query = { .typed = "pipe", .marks = marks, .wanted = 2, .module = GILK_ANY_MODULE };
  const GilkFunction *read = gilk_functions_lookup (f->functions, "pipe_read", NULL);
  const GilkFunction *lock = gilk_functions_lookup (f->functions, "mutex_lock", NULL);

  marks[read - all] = 3;
  marks[lock - all] = 2;
  {
    g_autoptr(GilkFound) found = gilk_finder_find (f->finder, &query);

    g_assert_cmpuint (found->n_rows, ==, 1);
    g_assert_true (row_of (f, found, 0) == read);
    g_assert_cmpuint (found->n_marked[0], ==, 1);
    g_assert_cmpuint (found->n_marked[1], ==, 1);
    g_assert_cmpuint (found->n_fit, >=, 5);     /* the list includes other names that contain p, i,
                                                   p, e in this order */
  }
  query.module = 7;
  {
    g_autoptr(GilkFound) found = gilk_finder_find (f->finder, &query);

    g_assert_cmpuint (found->n_rows, ==, 0);
    g_assert_cmpuint (found->n_fit, ==, 0);
  }
}

static void
test_matched (void)
{
  static const struct { const char *name, *typed; uint64_t matched; } cases[] = {
    { "pipe_write", "ppwr", 0x65 }, { "pipe_write", "write pipe", 0x3ef }, { "pipe_write", "WR", 0x60 },
    { "tcp_v4_rcv", "tcprcv", 0x387 }, { "try_to_wake_up", "ttwu", 0x1091 }, { "a", "", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      uint64_t matched = 0;
      int score;

      g_assert_true (gilk_name_matches (cases[i].name, cases[i].typed, &score, &matched));
      g_assert_cmphex (matched, ==, cases[i].matched);
    }
}

static void
test_places (Fixture *f, gconstpointer data)
{
  static const struct { const char *text, *function; uint64_t offset; GilkLocateKind kind; } cases[] = {
    { "pipe_write+0x41", "pipe_write", 0x41, GILK_LOCATE_OFFSET },
    { " ? pipe_write+0x41/0x100 ", "pipe_write", 0x41, GILK_LOCATE_OFFSET },
    { "RIP: 0010:pipe_read+0x2/0x100", "pipe_read", 2, GILK_LOCATE_OFFSET },
    { "vfs_read+16", "vfs_read", 16, GILK_LOCATE_OFFSET },
    { "ffffffff81000141", "pipe_write", 0x41, GILK_LOCATE_ADDRESS },
    { "0xFFFFFFFF81000100", "pipe_write", 0, GILK_LOCATE_ADDRESS },
  };
  GilkLocated place;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_cmpint (gilk_locate_kind (cases[i].text), ==, cases[i].kind);
      gilk_locate (f->functions, cases[i].text, &place, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (place.function->name, ==, cases[i].function);
      g_assert_cmphex (place.addr, ==, place.function->hot.start + cases[i].offset);
    }
  g_assert_cmpint (gilk_locate_kind ("pipe.c:538"), ==, GILK_LOCATE_LINE);
  g_assert_cmpint (gilk_locate_kind ("deadbeef"), ==, GILK_LOCATE_NONE);
  g_assert_cmpint (gilk_locate_kind ("pipe_write"), ==, GILK_LOCATE_NONE);
  g_assert_cmpint (gilk_locate_kind ("a+"), ==, GILK_LOCATE_NONE);
}

static void
test_no_places (Fixture *f, gconstpointer data)
{
  static const char *const cases[] = { "pipe_write+0x4000", "ffffffff99999999", "no_such_thing+0x1", "pipe_write" };
  GilkLocated place;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_false (gilk_locate (f->functions, cases[i], &place, &error));
      g_assert_nonnull (error);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/finder/first", test_first);
  ADD ("/finder/all", test_all);
  ADD ("/finder/marks", test_marks);
  ADD ("/finder/places", test_places);
  ADD ("/finder/no-places", test_no_places);
  g_test_add_func ("/finder/matched", test_matched);

  return g_test_run ();
}
