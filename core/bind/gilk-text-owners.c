/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-text-owners.c - reads the current text of a function, and finds out who owns the bytes that
 * have changed
 */
#include "core/bind/gilk-text-owners.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/image/gilk-text-owners.h"

#define CALL 0xe8               /* opcode of call, which ftrace writes over a nop to enable a
                                 * site */

static gboolean
overlaps_insn (const GilkInsn *insn,
               uint64_t        start,
               uint64_t        length)
{
  return length > 0 && insn->addr < start + length && start < insn->addr + insn->len;
}

static gboolean
is_live (const struct ilk_patch_status *hook)
{
  return hook->state == ILK_STATE_TRAPPED || hook->state == ILK_STATE_ARMED;
}

static const struct ilk_patch_status *
find_hook_over (const GArray   *hooks,
                const GilkInsn *insn)
{
  for (guint i = 0; i < hooks->len; i++)
    {
      const struct ilk_patch_status *hook = &g_array_index (hooks, struct ilk_patch_status, i);
      const gboolean bounce = hook->aux != 0 && hook->aux_laid_mono_ns != 0 && hook->aux_restored_mono_ns == 0;

      if ((is_live (hook) && overlaps_insn (insn, hook->site, hook->len)) || (bounce && overlaps_insn (insn, hook->aux, ILK_BOUNCE_BYTES)))
        return hook;
    }

  return NULL;
}

static GilkTextOwner
find_site_owner (const GilkCfg  *cfg,
                 const GilkInsn *insn)
{
  guint n;
  const GilkSite *sites = gilk_image_sites (cfg->image, insn->addr, insn->addr + insn->len, &n);

  for (guint i = 0; i < n; i++)
    switch (sites[i].kind)
      {
      case GILK_SITE_FENTRY:      return GILK_OWNER_FTRACE;
      case GILK_SITE_JUMP_LABEL:  return GILK_OWNER_STATIC_KEY;
      case GILK_SITE_STATIC_CALL: return GILK_OWNER_STATIC_CALL;
      default:                    break;
      }

  return GILK_OWNER_NONE;
}

/* Returns what has patched, or may patch, the bytes of @insn. A kprobe at an ftrace site does not
 * count as the owner: ftrace owns the bytes, because it calls the kprobe. */
static GilkTextOwner
find_owner (const GilkCfg  *cfg,
            const GArray   *kprobes,
            const GilkInsn *insn)
{
  const GilkKprobe *probe = gilk_kprobes_at (kprobes, insn->addr, insn->len);

  return probe != NULL && !probe->ftrace ? GILK_OWNER_KPROBE : find_site_owner (cfg, insn);
}

GilkCurrentText *
gilk_text_owners_of (const GilkCfg        *cfg,
                     const GArray         *hooks,
                     const GArray         *kprobes,
                     const uint8_t *const *text)
{
  GilkCurrentText *all = g_new0 (GilkCurrentText, cfg->n_insns + 1);

  for (guint i = 0; i < cfg->n_insns; i++)
    {
      const GilkInsn *insn = &cfg->insns[i];
      const struct ilk_patch_status *hook = find_hook_over (hooks, insn);
      GilkCurrentText *now = &all[i];

      if (text[i] == NULL)
        continue;
      memcpy (now->bytes, text[i], sizeof now->bytes);
      now->changed = memcmp (text[i], gilk_cfg_bytes (cfg, insn), insn->len) != 0;
      now->owner = hook != NULL ? GILK_OWNER_ILK : find_owner (cfg, kprobes, insn);
      now->pid = hook != NULL ? hook->owner_pid : 0;
      if (now->changed && now->owner == GILK_OWNER_NONE)
        now->owner = GILK_OWNER_OTHER;
    }

  return all;
}

/* Returns a pointer to the bytes of @insn in @bytes, the contents of all @ranges one after another.
 * NULL: @insn is outside of all @ranges. */
static const uint8_t *
find_bytes (const struct gilk_range *ranges,
            guint                    n,
            const uint8_t           *bytes,
            const GilkInsn          *insn)
{
  for (guint i = 0; i < n; i++)
    {
      if (insn->addr >= ranges[i].addr && insn->addr + insn->len <= ranges[i].addr + ranges[i].len)
        return bytes + (insn->addr - ranges[i].addr);
      bytes += ranges[i].len;
    }

  return NULL;
}

/* Reads who uses the function's ftrace site (BPF, livepatch, ...). The kernel's list of all traced
 * functions is long, so it is read only if the site currently makes a call. */
static void
find_users (const GilkCfg   *cfg,
            GilkCurrentText *all,
            GCancellable    *cancellable)
{
  const char *module = cfg->function->module > 0 ? gilk_symbols_module (gilk_image_symbols (cfg->image), cfg->function->module) : NULL;

  for (guint i = 0; i < cfg->n_insns; i++)
    if (all[i].owner == GILK_OWNER_FTRACE && all[i].bytes[0] == CALL)
      {
        all[i].users = gilk_ftrace_users_read (gilk_image_target (cfg->image), cfg->function->name, module, cancellable);
        return;
      }
}

GilkCurrentText *
gilk_text_owners_read (const GilkCfg *cfg,
                       GCancellable  *cancellable,
                       GError       **error)
{
  GilkTarget *target = cfg->image != NULL ? gilk_image_target (cfg->image) : NULL;
  const GilkRange *parts[] = { &cfg->function->hot, &cfg->function->cold };
  struct gilk_range ranges[G_N_ELEMENTS (parts)];
  g_autofree const uint8_t **text = g_new0 (const uint8_t *, cfg->n_insns + 1);
  g_autofree uint8_t *bytes = NULL;
  g_autoptr(GArray) hooks = NULL, kprobes = NULL;
  GilkCurrentText *all;
  /* Extra space at the end, because a GilkCurrentText has more bytes than one instruction and so
   * reads past the last one. */
  gsize total = GILK_CURRENT_TEXT_BYTES;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i]->start != 0 && parts[i]->end > parts[i]->start)
      {
        ranges[n] = (struct gilk_range) { parts[i]->start, parts[i]->end - parts[i]->start };
        total += ranges[n++].len;
      }
  if (target == NULL || cfg->insns == NULL || n == 0)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("This graph does not come from a connected "
                                                                      "target. Connect to a target to read the "
                                                                      "kernel text."));
      return NULL;
    }

  bytes = g_malloc0 (total);
  hooks = gilk_target_has_driver (target) && gilk_target_way (target) == GILK_WAY_ILK ? gilk_target_status (target, TRUE, NULL, cancellable, error)
                                          : g_array_new (FALSE, FALSE, sizeof (struct ilk_patch_status));
  if (hooks == NULL || !gilk_target_read_text (target, ranges, n, bytes, NULL, cancellable, error))
    return NULL;

  for (guint i = 0; i < cfg->n_insns; i++)
    text[i] = find_bytes (ranges, n, bytes, &cfg->insns[i]);
  kprobes = gilk_kprobes_read (target, cancellable);
  all = gilk_text_owners_of (cfg, hooks, kprobes, text);
  find_users (cfg, all, cancellable);

  return all;
}

/* Lists the users' names; users of unknown kinds, such as tracers, are "ftrace". */
static char *
format_users (GilkFtraceUsers users)
{
  static const struct { GilkFtraceUsers user; const char *name; } names[] = {
    { GILK_FTRACE_USER_LIVEPATCH, "livepatch" }, { GILK_FTRACE_USER_BPF, "BPF" }, { GILK_FTRACE_USER_KPROBE, "kprobe" },
    { GILK_FTRACE_USER_OTHER, "ftrace" },
  };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (users & names[i].user)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", names[i].name);

  return g_string_free (text, FALSE);
}

char *
gilk_current_text_owner_name (const GilkCurrentText *now)
{
  static const char *const names[GILK_N_OWNERS] = { "", "ilk", "ftrace", "static key", "static call", "kprobe", "other" };

  if (now->owner == GILK_OWNER_ILK)
    return g_strdup_printf ("ilk, %u", now->pid);

  return now->owner == GILK_OWNER_FTRACE && now->users != 0 ? format_users (now->users) : g_strdup (names[now->owner]);
}

char *
gilk_current_text_format (const GilkCfg         *cfg,
                          guint                  insn,
                          const GilkCurrentText *now,
                          GilkDecoder           *decoder)
{
  char mnemonic[32] = "", operands[160] = "";
  GilkInsn decoded;

  if (!gilk_insn_decode (decoder, now->bytes, sizeof now->bytes, cfg->insns[insn].addr, &decoded))
    return g_strdup ("");
  gilk_insn_text (decoder, now->bytes, &decoded, mnemonic, operands);

  return g_strdup_printf ("%s%s%s", mnemonic, operands[0] != '\0' ? " " : "", operands);
}

/* ---- finds hooks that other clients of the driver have in a function ---- */

static gboolean
is_listed (const GArray *patches, const struct ilk_patch_status *patch)
{
  for (guint i = 0; i < patches->len; i++)
    {
      const struct ilk_patch_status *p = &g_array_index (patches, struct ilk_patch_status, i);

      if (p->id == patch->id && p->site == patch->site)
        return TRUE;
    }

  return FALSE;
}

static gboolean
is_live_or_scheduled (const struct ilk_patch_status *patch)
{
  return patch->state == ILK_STATE_PREPARED || patch->state == ILK_STATE_TRAPPED ||
         patch->state == ILK_STATE_ARMED;
}

GArray *
gilk_bound_others_new (GilkTarget   *target,
                       guint        *n_own,
                       GCancellable *cancellable,
                       GError      **error)
{
  GArray *others = g_array_new (FALSE, FALSE, sizeof (struct ilk_patch_status));
  g_autoptr(GArray) all = NULL;
  g_autoptr(GArray) own = NULL;

  if (n_own != NULL)
    *n_own = 0;
  if (target == NULL || !gilk_target_has_driver (target) || gilk_target_way (target) != GILK_WAY_ILK)
    return others;

  own = gilk_target_status (target, FALSE, NULL, cancellable, error);
  if (own != NULL)
    all = gilk_target_status (target, TRUE, NULL, cancellable, error);
  if (all == NULL)
    {
      g_array_unref (others);
      return NULL;
    }
  for (guint i = 0; i < all->len; i++)
    {
      const struct ilk_patch_status *patch = &g_array_index (all, struct ilk_patch_status, i);

      if (is_live_or_scheduled (patch) && !is_listed (own, patch))
        g_array_append_val (others, *patch);
    }
  for (guint i = 0; n_own != NULL && i < own->len; i++)
    *n_own += is_live_or_scheduled (&g_array_index (own, struct ilk_patch_status, i));

  return others;
}

static gboolean
is_in_range (const GilkRange *range, uint64_t addr)
{
  return addr >= range->start && addr < range->end;
}

GilkOthers
gilk_bound_others_in_function (const GArray       *others,
                               const GilkFunction *function)
{
  GilkOthers found = GILK_OTHERS_NONE;

  for (guint i = 0; i < others->len; i++)
    {
      const struct ilk_patch_status *patch =
        &g_array_index (others, struct ilk_patch_status, i);

      if (is_in_range (&function->hot, patch->site) || is_in_range (&function->cold, patch->site))
        found = MAX (found, patch->tactic == ILK_TACTIC_CLONE ? GILK_OTHERS_CLONE
                                                              : GILK_OTHERS_HOOKS);
    }

  return found;
}

const struct ilk_patch_status *
gilk_bound_others_in_range (const GArray *others,
                            uint64_t      start,
                            uint64_t      end)
{
  for (guint i = 0; i < others->len; i++)
    {
      const struct ilk_patch_status *patch = &g_array_index (others, struct ilk_patch_status, i);

      if ((patch->site < end && patch->site + patch->len > start) ||
          (patch->aux != 0 && patch->aux < end && patch->aux + ILK_BOUNCE_BYTES > start))
        return patch;
    }

  return NULL;
}

const struct ilk_patch_status *
gilk_bound_others_at_point (const GArray  *others,
                            const GilkCfg *cfg,
                            guint          block,
                            GilkWhere      where)
{
  const guint boundary = gilk_point_boundary (cfg, block, where);

  for (guint i = 0; i < others->len; i++)
    {
      const struct ilk_patch_status *patch = &g_array_index (others, struct ilk_patch_status, i);

      if (patch->tactic == ILK_TACTIC_CLONE && is_in_range (&cfg->function->hot, patch->site))
        return patch;
    }

  return boundary < cfg->n_insns
         ? gilk_bound_others_in_range (others, cfg->insns[boundary].addr, cfg->insns[boundary].addr + 1) : NULL;
}
