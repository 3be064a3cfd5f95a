/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * false-agent-types.h - defines the types of a simulated kernel
 *
 * The types come from btf_small_kernel(). Each function of the kernel has the prototype
 * int (struct file *file, u64 count). The module has a struct of its own:
 *
 *   struct mod_item { u64 key; struct file *file; };
 *   int mod_a (struct mod_item *item, u64 count);
 */
#pragma once

#include "tests/unit/btf-fixture.h"
#include "tests/unit/false-agent-kernel.h"

static inline GBytes *
false_types (gboolean of_module)
{
  g_autoptr (BtfFile) kernel = btf_file_new ();
  g_autoptr (BtfFile) module = NULL;
  g_autoptr (GBytes) plain = NULL;
  g_autoptr (GilkBtf) btf = NULL;
  guint number, u64, file, proto, item;

  btf_small_kernel (kernel);
  plain = btf_bytes (kernel);
  btf = gilk_btf_new (plain, NULL, NULL);
  number = gilk_btf_find (btf, "int");
  u64 = gilk_btf_find (btf, "u64");
  file = btf_to (kernel, BTF_KIND_PTR, NULL, gilk_btf_find (btf, "struct file"));
  proto = btf_proto (kernel, number, { "file", file }, { "count", u64 });
  for (guint i = 0; i < FALSE_FUNCTIONS; i++)
    {
      g_autofree char *name = g_strdup_printf ("fn_%u", i);

      btf_to (kernel, BTF_KIND_FUNC, name, proto);
    }
  if (!of_module)
    return btf_bytes (kernel);

  module = btf_file_new_split (kernel);
  item = btf_struct (module, "mod_item", 16, { "key", u64 }, { "file", file, 64 });
  item = btf_to (module, BTF_KIND_PTR, NULL, item);
  btf_to (module, BTF_KIND_FUNC, "mod_a", btf_proto (module, number, { "item", item }, { "count", u64 }));

  return btf_bytes (module);
}
