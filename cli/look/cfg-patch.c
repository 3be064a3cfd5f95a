/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-patch.c - gilk cfg --patch, --now: shows the bytes at one hook before and after it is
 * armed, and the code that runs now
 *
 * The patch (the out-of-line code of the hook) is planned and emitted as for a run, but with a
 * simulated driver. As it reserves no memory, the addresses of the patch and its counters are
 * unknown.
 */
#include "cli/look/cfg.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/names.h"
#include "cli/base/output.h"
#include "core/bind/gilk-bound-listing.h"
#include "core/bind/gilk-bound-plan.h"
#include "core/bind/gilk-text-owners.h"
#include "core/cfg/gilk-cfg.h"
#include "core/emit/gilk-inline.h"
#include "core/plan/gilk-plan-point.h"
#include "core/plot/gilk-patch-paint.h"

static const char *
get_kind_name (GilkPatchLineKind kind)
{
  switch (kind)
    {
    case GILK_PATCH_LINE_FOOTPRINT: return "footprint";
    case GILK_PATCH_LINE_JUMP:      return "jump";
    case GILK_PATCH_LINE_FILLER:    return "filler";
    case GILK_PATCH_LINE_HOOK:      return "hook";
    case GILK_PATCH_LINE_MOVED:     return "moved";
    case GILK_PATCH_LINE_BACK:      return "back";
    case GILK_PATCH_LINE_RARE:      return "rare";
    case GILK_PATCH_LINE_AROUND:    break;
    }
  return "";
}

/* Finds the address of the block or instruction that @point names in view->cfg. */
static gboolean
find_point_address (const CliCfgView *view, const GilkPointText *point, uint64_t *addr, GError **error)
{
  g_autoptr(GilkPlan) plan = gilk_plan_new ();
  GilkPlanHook *hook;
  gboolean moved, found;

  if (point->anchor != NULL || point->block == NULL)
    {
      hook = gilk_point_text_to_hook (point, plan, NULL);
      g_ptr_array_add (plan->hooks, hook);
      return gilk_rebind (view->cfg, plan, hook, NULL, NULL, addr, &moved, error);
    }
  found = gilk_cfg_parse_offset (view->cfg, point->block, addr);
  if (point->where == GILK_WHERE_AT && (!found || gilk_cfg_insn_at (view->cfg, *addr) < 0))
    return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                      _("%s has no instruction at %s. Without --patch, gilk cfg lists its instructions."),
                      view->cfg->function->name, point->block);
  if (point->where != GILK_WHERE_AT && (!found || gilk_cfg_block_at (view->cfg, *addr) < 0))
    return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                      _("%s has no block at %s. Without --patch, gilk cfg lists its blocks."),
                      view->cfg->function->name, point->block);
  return TRUE;
}

static char *
format_bytes (const GilkPatchLine *line)
{
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; i < line->length; i++)
    g_string_append_printf (text, "%s%02x", i > 0 ? " " : "", line->bytes[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* ---- printing a patch as text ---- */

static char *
format_offset (const CliCfgView *view, const GilkPatchListing *listing, const GilkPatchLine *line, gboolean in_patch)
{
  return in_patch ? g_strdup_printf ("+0x%x", (guint) (line->addr - listing->slot))
                  : gilk_cfg_offset_name (view->cfg, line->addr);
}

static void
print_lines (CliCfgView *view, const GilkPatchListing *listing, const char *title, const GArray *lines,
             gboolean in_patch)
{
  if (lines->len > 0 && title != NULL)
    cli_print (view->cli, "\n%s\n", title);
  for (guint i = 0; i < lines->len; i++)
    {
      const GilkPatchLine *line = &g_array_index (lines, GilkPatchLine, i);
      g_autofree char *offset = format_offset (view, listing, line, in_patch), *bytes = format_bytes (line);

      cli_print_tinted (view->cli, CLI_TINT_DIM, "%12s  %-30s  ", offset, bytes);
      cli_print (view->cli, "%-9s  %s\n", get_kind_name (line->kind), line->text);
    }
}

static void
print_listing (CliCfgView *view, const GilkPointText *point, uint64_t addr, const GilkPatchListing *listing)
{
  g_autofree char *place = gilk_cfg_offset_name (view->cfg, addr);

  cli_print (view->cli, _("Hook at %s%s:%s, running %s, placed by %s: overwrites %u bytes, adds %u instructions\n"),
             view->cfg->function->name, place, gilk_where_name (point->where),
             point->program != NULL      ? _("a program")
             : point->instrument != NULL ? point->instrument : gilk_inline_name (GILK_INLINE_COUNT),
             gilk_tactic_name (listing->tactic), listing->footprint, listing->cost);
  print_lines (view, listing, _("Kernel text before"), listing->before, FALSE);
  print_lines (view, listing, _("Kernel text with the hook"), listing->after, FALSE);
  print_lines (view, listing, NULL, listing->bounce, FALSE);
  print_lines (view, listing, _("Patch"), listing->patch, TRUE);
}

/* ---- writing a patch as JSON ---- */

static void
lines_to_json (CliCfgView *view, const GilkPatchListing *listing, const char *key, const GArray *lines,
               gboolean in_patch)
{
  CliJson *doc = view->cli->doc;

  cli_json_array (doc, key);
  for (guint i = 0; i < lines->len; i++)
    {
      const GilkPatchLine *line = &g_array_index (lines, GilkPatchLine, i);
      g_autofree char *offset = format_offset (view, listing, line, in_patch), *bytes = format_bytes (line);

      cli_json_row (doc, NULL);
      cli_json_string (doc, "offset", offset);
      cli_json_string (doc, "bytes", bytes);
      cli_json_string (doc, "text", line->text);
      cli_json_string (doc, "part", get_kind_name (line->kind));
      cli_json_end (doc);
    }
  cli_json_end (doc);
}

static void
listing_to_json (CliCfgView *view, const GilkPatchListing *listing)
{
  CliJson *doc = view->cli->doc;

  cli_json_object (doc, "patch");
  cli_json_string (doc, "tactic", gilk_tactic_name (listing->tactic));
  cli_json_address (doc, "site", listing->site);
  cli_json_uint (doc, "footprint", listing->footprint);
  cli_json_uint (doc, "cost", listing->cost);
  lines_to_json (view, listing, "before", listing->before, FALSE);
  lines_to_json (view, listing, "after", listing->after, FALSE);
  lines_to_json (view, listing, "bounce", listing->bounce, FALSE);
  lines_to_json (view, listing, "code", listing->patch, TRUE);
  cli_json_end (doc);
}

/* ---- making and showing the patch of a hook ---- */

static gboolean
write_picture (CliCfgView *view, const GilkPatchListing *listing, const char *title, const CliPicture *picture, GError **error)
{
  GilkPatchPicture what = { listing, view->cfg, picture->dark ? &gilk_plot_dark : &gilk_plot_light, title };
  double width, height;

  gilk_patch_picture_size (&what, &width, &height);
  return cli_picture_write (view->cli, picture, width, height, gilk_patch_paint, &what, error);
}

static gboolean
show_listing (CliCfgView *view, const GilkPointText *point, uint64_t addr, const GilkPatchListing *listing, const char *title,
              const CliPicture *picture, GError **error)
{
  if (cli_picture_wanted (picture) && !write_picture (view, listing, title, picture, error))
    return FALSE;

  if (view->cli->doc != NULL)
    listing_to_json (view, listing);
  else if (!cli_picture_wanted (picture))
    print_listing (view, point, addr, listing);
  return TRUE;
}

/* Shows the patch of a hook that runs a probe program. Binds the hook first, because the program's
 * machine code depends on how the hook is placed. */
static gboolean
show_program_patch (CliCfgView *view, const GilkPointText *point, uint64_t addr, const char *title, const CliPicture *picture,
                    GError **error)
{
  GilkPlan *plan = gilk_plan_new ();
  GilkPlanHook *hook = gilk_point_text_to_hook (point, plan, NULL);
  g_autoptr(GilkBoundPlan) bound = NULL;
  g_autoptr(GilkPatchListing) listing = NULL;
  guint changes = gilk_program_text_changes (point->program);

  g_ptr_array_add (plan->hooks, hook);
  plan->may_change = changes != 0;
  hook->stop_ns = changes != 0 ? G_GUINT64_CONSTANT (1000000000) : 0; /* hooks that change the
                                                                       * kernel need a stop time */
  bound = gilk_bound_plan_new_readonly (plan, view->kernel->functions, view->kernel->image, NULL, view->cli->cancellable, error);
  listing = bound != NULL ? gilk_bound_listing_new (bound, 0, view->decoder, error) : NULL;

  return listing != NULL && show_listing (view, point, addr, listing, title, picture, error);
}

/* Fails if the hook cannot be placed, or only in a clone, which is a copy of the whole function and
 * not a patch. */
static gboolean
has_patch (CliCfgView *view, const GilkSplicePlan *plan, const char *name, GError **error)
{
  const GilkChoice *choice = &plan->choices[0];

  if (choice->refusal != 0)
    return cli_refuse (view->cli, name, choice->refusal, error);
  if (choice->tactic == ILK_TACTIC_CLONE)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("Hook %s would be placed in a copy of the whole function (clone), so there is no patch to "
                        "show. Name another tactic after the instrument, such as :splice or :trap."), name);
  return TRUE;
}

gboolean
cli_cfg_patch (CliCfgView *view, const char *function, const char *place, const CliPicture *picture, GError **error)
{
  g_autofree char *name = g_strconcat (function, place, NULL);
  g_auto(GilkPointText) point = { NULL };
  g_autoptr(GilkSplicePlan) plan = NULL;
  g_autoptr(GilkPatchListing) listing = NULL;
  g_autoptr(GilkCfg) cut = NULL;
  uint64_t addr;
  const GilkInline *known;
  GilkWant want = { 0 };

  if (*place == '\0' || strchr ("+.@:", *place) == NULL)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("\"%s\" is not a location in a function. Give a block's offset or an anchor, such as +0x2b1:pre "
                        "or @call:schedule."), place);
  if (gilk_target_way (view->kernel->target) == GILK_WAY_BPF)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("A hook by BPF has no patch: the kernel places the kprobe. Leave out --patch, or use --by ilk."));
  if (!gilk_point_text_parse (name, &point, error))
    return FALSE;
  if (point.at_inlined)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("%s was inlined into other functions. Give a function that \"gilk find\" "
                        "lists, and an offset in that function."),
                      point.function);
  if (!find_point_address (view, &point, &addr, error))
    return FALSE;
  if (point.program != NULL)
    return show_program_patch (view, &point, addr, name, picture, error);
  known = gilk_inline_by_name (point.instrument != NULL ? point.instrument : gilk_inline_name (GILK_INLINE_COUNT));
  want.where = point.where;
  if (point.where == GILK_WHERE_AT)
    {
      cut = gilk_cfg_new_cut (view->cfg, view->decoder, &addr, 1);
      gilk_point_edge (cut, addr, &want.block, &want.where);
    }
  else
    want.block = (guint) gilk_cfg_block_at (view->cfg, addr);
  want.kind = known != NULL ? known->kind : GILK_INSTRUMENT_MODULE;
  want.force = point.tactic;
  plan = gilk_splice_plan_new_any (cut != NULL ? cut : view->cfg, view->decoder, &want, 1);
  if (!has_patch (view, plan, name, error))
    return FALSE;
  listing = gilk_patch_listing_new (plan, plan->choices[0].patch, view->decoder, 0, NULL, NULL, NULL, error);

  return listing != NULL && show_listing (view, &point, addr, listing, name, picture, error);
}

/*
 * gilk cfg --now: shows the code that runs now, and who owns the bytes that differ from the
 * original.
 */

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
    cli_note (view->cli, _("%s is unmodified: no bytes were changed or belong to ftrace, a hook or the like."),
              view->cfg->function->name);
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
