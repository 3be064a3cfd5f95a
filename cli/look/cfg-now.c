/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-now.c - gilk cfg --now: shows the code that runs now, and who owns the bytes that differ from
 * the original
 */
#include "cli/look/cfg.h"

#include <glib/gi18n.h>

#include "cli/base/output.h"
#include "core/bind/gilk-text-owners.h"

static char *
format_insn (const CliCfgView *view, const GilkInsn *insn)
{
  char mnemonic[32] = "", operands[160] = "";

  gilk_insn_text (view->decoder, gilk_cfg_bytes (view->cfg, insn), insn, mnemonic, operands);

  return g_strdup_printf ("%s%s%s", mnemonic, operands[0] != '\0' ? " " : "", operands);
}

static void
write_json (const CliCfgView *view, const GilkCurrentText *now)
{
  CliJson *json = view->cli->doc;

  cli_json_string (json, "function", view->cfg->function->name);
  cli_json_array (json, "now");
  for (guint i = 0; i < view->cfg->n_insns; i++)
    {
      const GilkInsn *insn = &view->cfg->insns[i];
      g_autofree char *owner = gilk_current_text_owner_name (&now[i]), *was = format_insn (view, insn);
      g_autofree char *is = gilk_current_text_format (view->cfg, i, &now[i], view->decoder);
      g_autofree char *offset = gilk_cfg_offset_name (view->cfg, insn->addr);

      if (now[i].owner == GILK_OWNER_NONE)
        continue;
      cli_json_row (json, NULL);
      cli_json_string (json, "offset", offset);
      cli_json_address (json, "address", insn->addr);
      cli_json_string (json, "owner", owner);
      cli_json_bool (json, "changed", now[i].changed);
      cli_json_string (json, "original", was);
      cli_json_string (json, "current", is);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
write_table (const CliCfgView *view, const GilkCurrentText *now)
{
  g_autoptr(CliTable) table = cli_table_new (_("<AT|<OWNER|<WAS|<IS NOW"));
  guint n = 0;

  for (guint i = 0; i < view->cfg->n_insns; i++)
    {
      const GilkInsn *insn = &view->cfg->insns[i];
      g_autofree char *owner = gilk_current_text_owner_name (&now[i]), *was = format_insn (view, insn);
      g_autofree char *is = now[i].changed ? gilk_current_text_format (view->cfg, i, &now[i], view->decoder) : NULL;
      g_autofree char *offset = gilk_cfg_offset_name (view->cfg, insn->addr);

      if (now[i].owner == GILK_OWNER_NONE)
        continue;
      cli_table_cell (table, offset);
      cli_table_cell (table, owner);
      cli_table_cell (table, was);
      cli_table_cell (table, is != NULL ? is : "");
      n++;
    }
  if (n > 0)
    cli_print_table (view->cli, table);
  else
    cli_note (view->cli, _("No bytes of %s are owned by anything else "
                           "or were changed."), view->cfg->function->name);
}

gboolean
cli_cfg_now (CliCfgView *view, GError **error)
{
  g_autofree GilkCurrentText *now = gilk_text_owners_read (view->cfg, view->cli->cancellable, error);

  if (now == NULL)
    return FALSE;
  if (view->cli->doc != NULL)
    write_json (view, now);
  else
    write_table (view, now);

  return TRUE;
}
