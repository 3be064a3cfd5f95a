/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-boot-cache.c - tests that symbols, types and text of a kernel are cached until reboot, but
 * requested again if they may be outdated
 */
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <utime.h>

#include "core/base/gilk-array.h"
#include "core/cfg/gilk-function-private.h"
#include "core/image/gilk-boot-cache.h"
#include "core/image/gilk-image-private.h"
#include "core/link/gilk-target-private.h"
#include "tests/unit/false-agent-socket.h"

static char *home;                      /* root folder of the cache, for all test cases */

static char *
get_cache_folder (void)
{
  return g_build_filename (home, "gilk", "boots", NULL);
}

static char *
path_of (const char *key, const char *what)
{
  g_autofree char *dir = get_cache_folder ();
  g_autofree char *name = g_strdup_printf ("%s-%s", key, what);

  return g_build_filename (dir, name, NULL);
}

static void
clear_cache (void)
{
  g_autofree char *path = get_cache_folder ();
  g_autoptr(GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      g_assert_cmpint (g_remove (file), ==, 0);
    }
}

static void
assert_kept (const char *key, const char *what, const char *bytes, gsize n)
{
  gsize length = 0;
  g_autofree char *read = gilk_boot_cache_read (key, what, &length);

  g_assert_nonnull (read);
  g_assert_cmpmem (read, length, bytes, n);
  g_assert_cmpint (read[length], ==, '\0');
}

static void
assert_not_kept (const char *key, const char *what)
{
  gsize length;

  g_assert_null (gilk_boot_cache_read (key, what, &length));
}

/* ---- tests of the files of the cache ---- */

static void
test_files (void)
{
  g_autofree char *path = path_of ("aa", "symbols");
  g_autofree char *dir = get_cache_folder ();
  struct stat st;

  assert_not_kept ("aa", "symbols");
  gilk_boot_cache_write ("aa", "symbols", "a\0b", 3);
  gilk_boot_cache_write ("aa", "types", "", 0);
  assert_kept ("aa", "symbols", "a\0b", 3);
  assert_kept ("aa", "types", "", 0);
  assert_not_kept ("ab", "symbols");
  gilk_boot_cache_write ("aa", "symbols", "new", 3);
  assert_kept ("aa", "symbols", "new", 3);

  g_assert_cmpint (stat (path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 0777, ==, 0600);
  g_assert_cmpint (stat (dir, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 0777, ==, 0700);
  clear_cache ();
}

/* Tests that if a byte was changed or the file was truncated, a read returns the original contents
 * or nothing. */
static void
test_damaged (void)
{
  g_autofree char *path = path_of ("aa", "symbols");
  const char text[] = "ffffffff81000000 T _text\nffffffff81000000 T _stext\nffffffff81000040 t fn\n";
  g_autofree char *good = NULL;
  gsize n;

  gilk_boot_cache_write ("aa", "symbols", text, sizeof text);
  g_assert_true (g_file_get_contents (path, &good, &n, NULL));
  for (gsize cut = 0; cut < n; cut++)
    {
      g_assert_true (g_file_set_contents (path, good, (gssize) cut, NULL));
      /* Set the mode: a permissive umask would create a file that is refused because of its mode,
       * but this test is about its contents. */
      g_assert_cmpint (g_chmod (path, 0600), ==, 0);
      assert_not_kept ("aa", "symbols");
    }
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *read = NULL;
      gsize length = 0;

      good[i] ^= (char) (1 << i % 8);
      g_assert_true (g_file_set_contents (path, good, (gssize) n, NULL));
      good[i] ^= (char) (1 << i % 8);
      g_assert_cmpint (g_chmod (path, 0600), ==, 0);
      read = gilk_boot_cache_read ("aa", "symbols", &length);
      if (read != NULL)
        g_assert_cmpmem (read, length, text, sizeof text);
    }
  clear_cache ();
}

/* Tests that cached files that another user may have written are not read. */
static void
test_foreign (void)
{
  g_autofree char *path = path_of ("aa", "symbols"), *other = path_of ("aa", "other");

  gilk_boot_cache_write ("aa", "symbols", "text", 4);
  g_assert_cmpint (g_chmod (path, 0620), ==, 0);
  assert_not_kept ("aa", "symbols");
  g_assert_cmpint (g_chmod (path, 0600), ==, 0);
  assert_kept ("aa", "symbols", "text", 4);
  g_assert_cmpint (symlink (path, other), ==, 0);
  assert_not_kept ("aa", "other");
  g_assert_cmpint (g_remove (other), ==, 0);
  g_assert_cmpint (mkfifo (other, 0600), ==, 0);
  assert_not_kept ("aa", "other");
  g_assert_cmpint (g_remove (other), ==, 0);
  g_assert_cmpint (g_mkdir (other, 0700), ==, 0);
  assert_not_kept ("aa", "other");
  clear_cache ();
}

/* Tests that the cache creates nothing in another user's home, even if the cache's folder is
 * missing there. */
static void
test_foreign_home (void)
{
  g_autofree char *dir = get_cache_folder (), *gilk = g_path_get_dirname (dir);

  if (geteuid () != 0)
    {
      g_test_skip ("only root may give a folder away");
      return;
    }
  gilk_boot_cache_write ("aa", "symbols", "text", 4);
  clear_cache ();
  g_assert_cmpint (chown (dir, 1, 1), ==, 0);
  gilk_boot_cache_write ("aa", "symbols", "text", 4);
  assert_not_kept ("aa", "symbols");
  g_assert_cmpint (g_rmdir (dir), ==, 0);
  g_assert_cmpint (chown (gilk, 1, 1), ==, 0);
  gilk_boot_cache_write ("aa", "symbols", "text", 4);
  g_assert_false (g_file_test (dir, G_FILE_TEST_EXISTS));
  g_assert_cmpint (chown (gilk, 0, 0), ==, 0);
}

/* Tests that the cache removes the least recently used files when it exceeds its size limit. */
static void
test_room (void)
{
  const gsize n = GILK_BOOT_CACHE_MAX / 4 + 4;
  g_autofree char *bytes = g_malloc (n);
  g_autoptr(GRand) rand = g_rand_new_with_seed (1);

  for (gsize i = 0; i < n; i += 4)
    {
      guint32 word = g_rand_int (rand);

      memcpy (bytes + i, &word, 4);
    }
  for (int i = 0; i < 4; i++)
    {
      g_autofree char *what = g_strdup_printf ("part-%d", i), *path = path_of ("aa", what);
      struct utimbuf times = { 1000000 + i, 1000000 + i };

      gilk_boot_cache_write ("aa", what, bytes, n);
      if (i == 0)
        assert_kept ("aa", what, bytes, n);     /* the read marked part-0 as recently used */
      else if (i < 3)
        g_assert_cmpint (utime (path, &times), ==, 0);
    }
  assert_not_kept ("aa", "part-1");
  assert_kept ("aa", "part-0", bytes, n);
  assert_kept ("aa", "part-2", bytes, n);
  assert_kept ("aa", "part-3", bytes, n);
  clear_cache ();
}

/* ---- tests of opening a kernel repeatedly ---- */

/* Numbers of requests for symbols and types that the agent got, and of bytes of text that it
 * sent. */
typedef struct {
  guint       symbols, types;
  gsize       text;
  gsize       sum_bytes;        /* if not 0, size to which the agent changes its next answers with
                                   checksums */
  const char *modules;          /* lines added to /proc/modules after a request for symbols; NULL:
                                   none */
} Told;

static guint
on_frame (FalseAgent *agent, struct gilk_frame *head, GByteArray *payload, gpointer data)
{
  Told *told = data;

  if (head->type == GILK_GET_FILE && payload->len == agent->kallsyms->len)
    {
      told->symbols++;
      if (told->modules != NULL)
        agent->more_modules = told->modules;
    }
  if (head->type == GILK_TEXT_SUMS && told->sum_bytes != 0)
    {
      g_byte_array_set_size (payload, (guint) told->sum_bytes);
      head->length = payload->len;
    }
  told->text += head->type == GILK_READ_TEXT ? payload->len : 0;
  told->types += head->type == GILK_GET_TYPES && (head->flags & GILK_FRAME_MORE) == 0;

  return 1;
}

/* Opens the target's kernel. @caches: whether the target uses the cache, as labs and this machine
 * do */
static GilkImage *
open_image (FalseSocket *s, gboolean caches)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkTarget) target = gilk_target_open (s->spec, NULL, NULL, &error);
  GilkImage *image;

  g_assert_no_error (error);
  gilk_target_use_cache (target);
  /* The cache is off for sockets, because a socket may lead to another machine next time. */
  g_assert_false (gilk_target_uses_cache (target));
  target->caches = caches;
  image = gilk_image_open (target, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (gilk_symbols_address (gilk_image_symbols (image), "fn_3"), !=, 0);

  return image;
}

static void
open_once (FalseSocket *s, gboolean caches)
{
  g_autoptr(GilkImage) image = open_image (s, caches);
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) types = gilk_target_types (gilk_image_target (image), NULL, NULL, &error);

  g_assert_no_error (error);
}

static void
test_again (void)
{
  Told told = { 0 };
  FalseSocket s;

  false_socket_start (&s, 2, on_frame, &told);
  s.agent->boot_id = "11111111-2222-3333-4444-555555555555\n";
  for (int i = 0; i < 3; i++)
    open_once (&s, TRUE);
  g_assert_cmpuint (told.symbols, ==, 1);
  g_assert_cmpuint (told.types, ==, 1);

  /* The cache is not used if the caller does not allow it. */
  open_once (&s, FALSE);
  g_assert_cmpuint (told.symbols, ==, 2);
  g_assert_cmpuint (told.types, ==, 2);

  /* Changes of a module's users and use count do not invalidate the cache, but a change of its
   * address does. */
  s.agent->more_modules = "other 4096 0 - Live 0xffffffffc0300000\n";
  open_once (&s, TRUE);
  g_assert_cmpuint (told.symbols, ==, 3);
  s.agent->more_modules = "other 4096 2 some,more, Live 0xffffffffc0300000\n";
  open_once (&s, TRUE);
  g_assert_cmpuint (told.symbols, ==, 3);
  s.agent->more_modules = "other 4096 0 - Live 0xffffffffc0400000\n";
  open_once (&s, TRUE);
  g_assert_cmpuint (told.symbols, ==, 4);

  /* The cache is not used for another boot of the kernel, or for a boot without an id. */
  s.agent->boot_id = "11111111-2222-3333-4444-666666666666\n";
  open_once (&s, TRUE);
  g_assert_cmpuint (told.symbols, ==, 5);
  s.agent->boot_id = NULL;
  open_once (&s, TRUE);
  open_once (&s, TRUE);
  g_assert_cmpuint (told.symbols, ==, 7);

  /* Cached types are used for every boot of the same build, and with any modules. */
  g_assert_cmpuint (told.types, ==, 2);
  false_socket_stop (&s);
  clear_cache ();
}

/* Tests that if a module is loaded after the module list was read and before the symbols are read,
 * the symbols do not match the list and are not cached. */
static void
test_meanwhile (void)
{
  Told told = { .modules = "other 4096 0 - Live 0xffffffffc0300000\n" };
  FalseSocket s;

  false_socket_start (&s, 2, on_frame, &told);
  s.agent->boot_id = "11111111-2222-3333-4444-555555555555\n";
  open_once (&s, TRUE);
  g_assert_cmpuint (told.symbols, ==, 1);
  s.agent->more_modules = told.modules = NULL;
  open_once (&s, TRUE);
  g_assert_cmpuint (told.symbols, ==, 2);
  open_once (&s, TRUE);
  g_assert_cmpuint (told.symbols, ==, 2);
  g_assert_cmpuint (told.types, ==, 1);
  false_socket_stop (&s);
  clear_cache ();
}

/* ---- tests of cached text ---- */

/* Opens the kernel and reads all its text, which must be the agent's. Returns how many bytes of it
 * were sent. */
static gsize
read_all_text (FalseSocket *s, Told *told)
{
  g_autoptr(GilkImage) image = open_image (s, TRUE);
  g_autoptr(GError) error = NULL;
  const gsize before = told->text;
  const GilkRegion *region = &g_array_index (image->regions, GilkRegion, 0);
  const uint8_t *bytes;

  g_assert_true (gilk_image_load_all (image, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (region->start, >=, FALSE_TEXT);
  bytes = gilk_image_bytes (image, region->start, region->end - region->start, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (bytes, region->end - region->start, s->agent->text + (region->start - FALSE_TEXT), region->end - region->start);

  return told->text - before;
}

/* Returns the cache key of the boot. */
static char *
get_boot_key (FalseSocket *s)
{
  g_autoptr(GilkImage) image = open_image (s, TRUE);

  return g_strdup (image->boot_key);
}

static void
test_text (void)
{
  g_autofree char *key = NULL;
  Told told = { 0 };
  FalseSocket s;
  gsize all;

  false_socket_start (&s, 2, on_frame, &told);
  s.agent->boot_id = "11111111-2222-3333-4444-555555555555\n";
  all = read_all_text (&s, &told);
  g_assert_cmpuint (all, >, 0);
  g_assert_cmpuint (read_all_text (&s, &told), ==, 0);

  /* If text has changed, it is read again: at most one chunk for each change. */
  s.agent->text[0x123] ^= 0x40;
  g_assert_cmpuint (read_all_text (&s, &told), <=, GILK_WIRE_SUM_BYTES);
  s.agent->text[0x123] ^= 0x40;
  g_assert_cmpuint (read_all_text (&s, &told), <=, GILK_WIRE_SUM_BYTES);

  /* After a module is loaded, the kernel's text is still taken from the cache. */
  s.agent->more_modules = "other 4096 0 - Live 0xffffffffc0300000\n";
  g_assert_cmpuint (read_all_text (&s, &told), ==, 0);
  s.agent->more_modules = NULL;

  /* A malformed file of the cache counts as missing. */
  key = get_boot_key (&s);
  for (gsize cut = 1; cut < 64; cut++)
    {
      gsize length;
      g_autofree char *file = gilk_boot_cache_read (key, "text", &length);

      gilk_boot_cache_write (key, "text", file, cut < 40 ? cut : length - (cut - 39));
      g_assert_cmpuint (read_all_text (&s, &told), ==, all);
    }
  for (gsize i = 0; i < 24; i++)
    {
      gsize length;
      g_autofree char *file = gilk_boot_cache_read (key, "text", &length);

      file[i] ^= (char) 0x81;
      gilk_boot_cache_write (key, "text", file, length);
      read_all_text (&s, &told);
    }

  s.agent->boot_id = "11111111-2222-3333-4444-666666666666\n";
  g_assert_cmpuint (read_all_text (&s, &told), ==, all);
  false_socket_stop (&s);
  clear_cache ();
}

/* Tests that an answer with a wrong number of checksums ends the connection, and that the text is not
 * taken from the cache. */
static void
test_bad_sums (void)
{
  Told told = { 0 };
  FalseSocket s;
  gsize all;

  false_socket_start (&s, 2, on_frame, &told);
  s.agent->boot_id = "11111111-2222-3333-4444-555555555555\n";
  all = read_all_text (&s, &told);
  for (told.sum_bytes = 1; told.sum_bytes < 33; told.sum_bytes++)
    if (told.sum_bytes != 2 * sizeof (uint64_t))
      {
        g_autoptr(GilkImage) image = open_image (&s, TRUE);
        g_autoptr(GError) error = NULL;

        g_assert_false (gilk_image_load_all (image, NULL, NULL, &error));
        g_assert_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL);
      }
  told.sum_bytes = 0;
  g_assert_cmpuint (read_all_text (&s, &told), ==, 0);
  s.agent->module[1] ^= 1;
  g_assert_cmpuint (read_all_text (&s, &told), <, all);
  false_socket_stop (&s);
  clear_cache ();
}

/* Returns the addresses of code to which other functions may jump. */
static GArray *
find_inbound (FalseSocket *s)
{
  g_autoptr(GilkImage) image = open_image (s, TRUE);
  GilkFunctions *functions = gilk_functions_new (image);
  GArray *found = g_array_new (FALSE, FALSE, sizeof (uint64_t));

  g_array_append_vals (found, functions->inbound, functions->n_inbound);
  gilk_functions_unref (functions);

  return found;
}

/* Tests that jumps from the cache equal the jumps in the current text, also after a change of the
 * text. */
static void
test_jumps (void)
{
  const uint64_t to = FALSE_TEXT + 0x7 * 0x40 + 3;
  const int32_t rel = (int32_t) (to - (FALSE_TEXT + 0x100 + 5));
  g_autoptr(GArray) first = NULL, again = NULL, changed = NULL, back = NULL;
  uint8_t before[5];
  Told told = { 0 };
  FalseSocket s;

  false_socket_start (&s, 2, on_frame, &told);
  s.agent->boot_id = "11111111-2222-3333-4444-555555555555\n";
  first = find_inbound (&s);
  again = find_inbound (&s);
  g_assert_cmpmem (first->data, first->len * 8, again->data, again->len * 8);

  memcpy (before, s.agent->text + 0x100, sizeof before);
  s.agent->text[0x100] = 0xe9;
  memcpy (s.agent->text + 0x101, &rel, sizeof rel);
  changed = find_inbound (&s);
  g_assert_true (g_array_binary_search (changed, &to, gilk_order_uint64, NULL));
  g_assert_false (g_array_binary_search (first, &to, gilk_order_uint64, NULL));
  memcpy (s.agent->text + 0x100, before, sizeof before);
  back = find_inbound (&s);
  g_assert_cmpmem (first->data, first->len * 8, back->data, back->len * 8);
  false_socket_stop (&s);
  clear_cache ();
}

int
main (int argc, char **argv)
{
  g_autofree char *boots = NULL, *gilk = NULL;
  int code;

  home = g_dir_make_tmp ("gilk-cache-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/boot-cache/files", test_files);
  g_test_add_func ("/boot-cache/damaged", test_damaged);
  g_test_add_func ("/boot-cache/foreign", test_foreign);
  g_test_add_func ("/boot-cache/foreign-home", test_foreign_home);
  g_test_add_func ("/boot-cache/room", test_room);
  g_test_add_func ("/boot-cache/again", test_again);
  g_test_add_func ("/boot-cache/meanwhile", test_meanwhile);
  g_test_add_func ("/boot-cache/text", test_text);
  g_test_add_func ("/boot-cache/bad-sums", test_bad_sums);
  g_test_add_func ("/boot-cache/jumps", test_jumps);
  code = g_test_run ();

  boots = get_cache_folder ();
  gilk = g_path_get_dirname (boots);
  g_rmdir (boots);
  g_rmdir (gilk);
  g_rmdir (home);
  g_free (home);

  return code;
}
