/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-btf-libbpf.c - compares Gilk's BTF reader with libbpf on the types of this machine's kernel
 *
 * Queries both readers for every type. Skipped where the kernel lacks BTF or libbpf cannot read it.
 */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <string.h>

#include "core/types/gilk-btf.h"

#define KERNEL "/sys/kernel/btf/vmlinux"

typedef struct {
  GilkBtf    *ours;
  struct btf *theirs;
} Both;

static int
print_nothing (enum libbpf_print_level level, const char *format, va_list args)
{
  return 0;
}

static gboolean
read_both (Both *both)
{
  g_autofree char *data = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  libbpf_set_print (print_nothing);
  if (!g_file_get_contents (KERNEL, &data, &length, NULL) || (both->theirs = btf__new (data, length)) == NULL)
    {
      g_test_skip ("this kernel tells no types that libbpf can read");
      return FALSE;
    }
  bytes = g_bytes_new_take (g_steal_pointer (&data), length);
  both->ours = gilk_btf_new (bytes, NULL, &error);
  g_assert_no_error (error);

  return TRUE;
}

static void
free_both (Both *both)
{
  gilk_btf_unref (both->ours);
  btf__free (both->theirs);
}

/* Compares what both readers report for a type: the type without typedefs and qualifiers, and its
 * size. */
static void
compare_type (const Both *both, guint id)
{
  const struct btf_type *theirs = btf__type_by_id (both->theirs, id);
  const gint64 size = btf__resolve_size (both->theirs, id);
  GilkType ours;

  if (btf_is_func (theirs) || btf_is_var (theirs) || btf_is_datasec (theirs) || btf_is_decl_tag (theirs))
    {
      g_assert_false (gilk_btf_type (both->ours, id, &ours));
      return;
    }
  g_assert_true (gilk_btf_type (both->ours, id, &ours));
  while (btf_is_mod (theirs) || btf_is_typedef (theirs) || btf_is_type_tag (theirs))
    {
      id = theirs->type;
      theirs = btf__type_by_id (both->theirs, id);
    }
  g_assert_cmpuint (ours.id, ==, id);
  if (size >= 0)
    g_assert_cmpint (ours.size, ==, size);
  if (btf_is_ptr (theirs))
    g_assert_cmpuint (ours.target, ==, theirs->type);
  if (btf_is_array (theirs))
    g_assert_cmpuint (ours.count, ==, btf_array (theirs)->nelems);
}

static guint
count_name (const struct btf *btf, const struct btf_type *type, const char *name)
{
  guint n = 0;

  for (guint i = 0; i < btf_vlen (type); i++)
    n += strcmp (btf__name_by_offset (btf, btf_members (type)[i].name_off), name) == 0;

  return n;
}

static guint
compare_members (const Both *both, guint id)
{
  const struct btf_type *type = btf__type_by_id (both->theirs, id);
  guint n = 0;

  if (!btf_is_composite (type))
    return 0;
  for (guint i = 0; i < btf_vlen (type); i++)
    {
      const char *name = btf__name_by_offset (both->theirs, btf_members (type)[i].name_off);
      GilkMember member;

      if (name[0] == '\0' || count_name (both->theirs, type, name) > 1)
        continue;
      g_assert_true (gilk_btf_member (both->ours, id, name, &member));
      g_assert_cmpuint (member.type, ==, btf_members (type)[i].type);
      g_assert_cmpuint (member.offset, ==, btf_member_bit_offset (type, i));
      g_assert_cmpuint (member.bits, ==, btf_member_bitfield_size (type, i));
      n++;
    }

  return n;
}

static void
test_types (void)
{
  Both both = { NULL };
  guint members = 0, types;

  if (!read_both (&both))
    return;
  types = btf__type_cnt (both.theirs);
  for (guint id = 1; id < types; id++)
    {
      compare_type (&both, id);
      members += compare_members (&both, id);
    }
  g_test_message ("%u types, %u members", types - 1, members);
  free_both (&both);
}

/* Checks that libbpf and Gilk find the same type by name: the first type of that name. */
static void
test_names (void)
{
  static const struct { guint kind; const char *word; } kinds[] = {
    { BTF_KIND_STRUCT, "struct " }, { BTF_KIND_UNION, "union " }, { BTF_KIND_INT, "" },
  };
  Both both = { NULL };
  GilkPrototype prototype;
  guint names = 0;

  if (!read_both (&both))
    return;
  for (guint id = 1; id < btf__type_cnt (both.theirs); id++)
    {
      const struct btf_type *type = btf__type_by_id (both.theirs, id);
      const char *name = btf__name_by_offset (both.theirs, type->name_off);

      for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
        if (btf_kind (type) == kinds[i].kind && name[0] != '\0')
          {
            g_autofree char *whole = g_strconcat (kinds[i].word, name, NULL);

            names++;
            g_assert_cmpint (gilk_btf_find (both.ours, whole), >, 0);
            g_assert_cmpint (gilk_btf_find (both.ours, whole), <=, id);
          }
      if (btf_is_func (type) && gilk_btf_function (both.ours, name, &prototype))
        g_assert_cmpuint (prototype.returns, ==, btf__type_by_id (both.theirs, type->type)->type);
    }
  g_test_message ("%u names", names);
  free_both (&both);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/btf-libbpf/types", test_types);
  g_test_add_func ("/btf-libbpf/names", test_names);

  return g_test_run ();
}
