/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-text.c - short texts shared by several views
 */
#include "gui/base/gilk-text.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/link/gilk-answers.h"
#include "core/plan/gilk-plan-point.h"
#include "core/plot/gilk-plot.h"

#define WORD_MAX  100
#define WORD_ENDS 40
#define LONG_BYTES 1024

const char *
gilk_text_tactic (guint tactic)
{
  switch (tactic)
    {
    case ILK_TACTIC_SPLICE: return _("splice");
    case ILK_TACTIC_BOUNCE: return _("bounce");
    case ILK_TACTIC_CLONE:  return _("clone");
    case GILK_TACTIC_KPROBE: return C_ ("tactic", "kprobe");
    case GILK_TACTIC_FENTRY: return C_ ("tactic", "fentry");
    case GILK_TACTIC_UPROBE: return C_ ("tactic", "uprobe");
    case GILK_TACTIC_TRACEPOINT: return C_ ("tactic", "tracepoint");
    case GILK_TACTIC_TIMER: return C_ ("tactic", "timer");
    case ILK_TACTIC_TRAP:   return _("trap");
    case GILK_TACTIC_BREAKPOINT: return _("breakpoint");
    default:                return _("none");
    }
}

char *
gilk_text_live_registers (const GilkLive *live)
{
  static const char *const names[16] = {
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
  };
  g_autoptr(GString) text = g_string_new (NULL);
  uint16_t listed = live->regs & ~GILK_REG_BIT (4);       /* omit rsp, which is always live */
  gboolean most = __builtin_popcount (listed) > 8;

  if (most)
    listed = ~listed & GILK_REGS_ALL & ~GILK_REG_BIT (4);
  for (guint i = 0; i < 16; i++)
    if (listed & GILK_REG_BIT (i))
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", names[i]);
  if (most)
    g_string_prepend (text, text->len > 0 ? _("all except ") : _("all registers"));
  else if (text->len == 0)
    g_string_append (text, _("no registers"));
  g_string_append_printf (text, ", %s",
                          live->flags & GILK_FLAGS_ARITH ? _("flags") : _("no flags"));

  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
gilk_text_count (uint64_t count)
{
  return gilk_format_count (count);
}

char *
gilk_text_hits_if_known (gboolean are_known,
                      uint64_t hits)
{
  return are_known ? gilk_text_count (hits) : g_strdup (_("not counted"));
}

char *
gilk_text_share (uint64_t count,
                 uint64_t total)
{
  return g_strdup_printf ("%.1f %%", total > 0 ? 100.0 * (double) count / (double) total : 0.0);
}

char *
gilk_text_missed_accesses (uint64_t missed)
{
  g_autofree char *count = gilk_text_count (missed);

  return g_strdup_printf (_("Missed: %s. Each pause of a CPU that exceeded the rate limit counts once, and so does each "
                            "access while another BPF program ran."), count);
}

char *
gilk_text_rate (double per_second)
{
  if (per_second <= 0)
    return g_strdup ("");

  return gilk_format_si (per_second, "/s", 3);
}

const char *
gilk_text_where (GilkWhere where)
{
  return where == GILK_WHERE_PRE ? _("pre") : where == GILK_WHERE_AT ? _("at") : _("post");
}

const char *
gilk_text_edge (const GilkPlanHook *hook)
{
  return !gilk_plan_hook_has_graph (hook) ? "–" : gilk_text_where (hook->where);
}

char *
gilk_text_highlight_matches (const char *name,
                   uint64_t    matched)
{
  g_autoptr(GString) text = g_string_new (NULL);
  gboolean bold = FALSE;

  for (guint i = 0; name[i] != '\0'; i++)
    {
      gboolean hit = i < 64 && (matched >> i & 1) != 0;
      g_autofree char *letter = g_markup_escape_text (&name[i], 1);

      if (hit != bold)
        g_string_append (text, hit ? "<b>" : "</b>");
      bold = hit;
      g_string_append (text, letter);
    }
  if (bold)
    g_string_append (text, "</b>");

  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
gilk_text_samples (uint64_t n)
{
  g_autofree char *count = gilk_text_count (n);

  return g_strdup_printf (g_dngettext (NULL, "%s sample", "%s samples", (gulong) n), count);
}

char *
gilk_text_hits (uint64_t n)
{
  g_autofree char *count = gilk_text_count (n);

  return g_strdup_printf (g_dngettext (NULL, "%s hit", "%s hits", (gulong) n), count);
}

char *
gilk_text_hook (const GilkPlanHook *hook)
{
  if (hook->watch != NULL)
    return gilk_plan_watchpoint_text (hook);
  if (hook->event.kind != 0)
    return g_strdup (hook->function);

  return g_strdup_printf ("%s %s", hook->function, hook->block != NULL ? hook->block : hook->anchor);
}

char *
gilk_text_date (const char *iso8601,
                  gboolean    exact)
{
  g_autoptr(GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr(GDateTime) then = iso8601 != NULL ? g_date_time_new_from_iso8601 (iso8601, utc) : NULL;
  g_autoptr(GDateTime) local = then != NULL ? g_date_time_to_local (then) : NULL;
  g_autoptr(GDateTime) now = g_date_time_new_now_local ();

  if (local == NULL)
    return g_strdup (iso8601);
  if (exact)
    return g_date_time_format (local, _("%-d %b %Y, %H:%M:%S"));
  if (g_date_time_get_year (local) != g_date_time_get_year (now))
    return g_date_time_format (local, _("%-d %b %Y, %H:%M"));
  if (g_date_time_get_day_of_year (local) != g_date_time_get_day_of_year (now))
    return g_date_time_format (local, _("%-d %b, %H:%M"));

  return g_date_time_format (local, _("Today, %H:%M"));
}

char *
gilk_text_quote (const char *word)
{
  static const char plain[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "./_-+:@%";

  return word[0] != '\0' && strspn (word, plain) == strlen (word) ? g_strdup (word)
                                                                   : g_shell_quote (word);
}

/* Appends the command, with line breaks in front of options. All lines but the last leave space for
 * a continuation (" \"). */
static void
fold_command (GString *text, const char *command, gsize width)
{
  g_auto(GStrv) parts = g_strsplit (command, " --", -1);
  gsize line = 0;

  for (guint i = 0; parts[i] != NULL; i++)
    {
      gsize more = (gsize) g_utf8_strlen (parts[i], -1) + (i > 0 ? strlen (" --") : 0);
      gsize mark = parts[i + 1] != NULL ? strlen (" \\") : 0;
      gboolean fits = i == 0 || line + more + mark <= width;

      g_string_append_printf (text, "%s%s%s", fits ? "" : " \\\n ", i > 0 ? " --" : "", parts[i]);
      line = fits ? line + more : more + 1;
    }
}

char *
gilk_text_fold_commands (const char *commands,
                  gsize       width)
{
  g_auto(GStrv) all = g_strsplit (commands, "\n", -1);
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; all[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (text, '\n');
      fold_command (text, all[i], width);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

gboolean
gilk_text_parse_duration (const char  *text,
                   uint64_t    *ns,
                   GError     **error)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (text));

  if (trimmed[0] == '\0')
    {
      *ns = 0;
      return TRUE;
    }

  return gilk_parse_duration (trimmed, ns, error);
}

char *
gilk_text_format_duration (uint64_t    ns,
                     const char *zero)
{
  return ns == 0 ? g_strdup (zero) : gilk_format_duration (ns);
}

gboolean
gilk_text_is_answer (const GError *error)
{
  return g_error_matches (error, GILK_ERROR, GILK_ERROR_USAGE) ||
         g_error_matches (error, GILK_ERROR, GILK_ERROR_FAILED) ||
         g_error_matches (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
}

static gboolean
is_wild (gunichar c)
{
  return (g_unichar_iscntrl (c) && c != '\n' && c != '\t') || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static void
append_word (GString *into, const char *from, const char *to)
{
  if (g_utf8_pointer_to_offset (from, to) <= WORD_MAX)
    {
      g_string_append_len (into, from, to - from);
      return;
    }
  g_string_append_len (into, from, g_utf8_offset_to_pointer (from, WORD_ENDS) - from);
  g_string_append (into, "…");
  from = g_utf8_offset_to_pointer (to, -WORD_ENDS);
  g_string_append_len (into, from, to - from);
}

char *
gilk_text_sanitise (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autoptr(GString) calm = g_string_new (NULL), tame = g_string_new (NULL);
  const char *word;

  for (const char *at = valid; *at != '\0'; at = g_utf8_next_char (at))
    g_string_append_unichar (calm, is_wild (g_utf8_get_char (at)) ? 0xfffd : g_utf8_get_char (at));
  word = calm->str;
  for (const char *at = word;; at = g_utf8_next_char (at))
    if (*at == '\0' || g_ascii_isspace (*at))
      {
        append_word (tame, word, at);
        if (*at == '\0')
          break;
        g_string_append_c (tame, *at);
        word = at + 1;
      }

  return g_string_free (g_steal_pointer (&tame), FALSE);
}

char *
gilk_text_sanitise_long (const char *text)
{
  return strlen (text) > LONG_BYTES ? gilk_text_sanitise (text) : g_strdup (text);
}

/* ---- text descriptions of other clients' hooks ---- */

/* Returns a text such as "armed: Today, 14:05". @epoch_ns converts the patch's time, which is the
 * target's monotonic time, to wall-clock time. (transfer full) */
static char *
format_armed (const struct ilk_patch_status *place,
              int64_t                        epoch_ns)
{
  g_autoptr(GDateTime) when = NULL;
  g_autofree char *iso = NULL, *moment = NULL;

  if (place->armed_mono_ns == 0)
    return g_strdup (_("not armed yet"));
  if (epoch_ns == 0)
    return g_strdup (_("armed"));
  when = g_date_time_new_from_unix_utc ((epoch_ns + (int64_t) place->armed_mono_ns) / 1000000000);
  iso = when != NULL ? g_date_time_format_iso8601 (when) : NULL;
  moment = iso != NULL ? gilk_text_date (iso, FALSE) : NULL;

  return moment != NULL ? g_strdup_printf (_("armed: %s"), moment) : g_strdup (_("armed"));
}

static guint
count_hooks_of (const GArray *others,
                guint32       owner)
{
  guint n = 0;

  for (guint i = 0; i < others->len; i++)
    n += g_array_index (others, struct ilk_patch_status, i).owner_pid == owner;

  return n;
}

char *
gilk_others_text_facts (const GArray                  *others,
                        const struct ilk_patch_status *place,
                        int64_t                        epoch_ns)
{
  const guint n = count_hooks_of (others, place->owner_pid);
  g_autofree char *when = format_armed (place, epoch_ns);
  g_autofree char *which = n > 1 ? g_strdup_printf (_("one of the client's %u patches"),
                                                    n) : g_strdup (_("the client's only patch"));

  return g_strdup_printf ("%s · %s · %s", when, gilk_text_tactic (place->tactic), which);
}

char *
gilk_others_text_describe (const GArray                  *others,
                           const struct ilk_patch_status *place,
                           int64_t                        epoch_ns)
{
  g_autofree char *facts = gilk_others_text_facts (others, place, epoch_ns);
  g_autofree char *whose =
    g_strdup_printf (place->tactic == ILK_TACTIC_CLONE
                     ? _("Another client has a clone of this function, through gilkd %u on the target. “Disarm all” "
                         "disarms the hooks of all clients.")
                     : _("Another client has a hook here, through gilkd %u on the target. “Disarm all” disarms the hooks "
                         "of all clients."), place->owner_pid);

  return g_strconcat (whose, "\n", facts, NULL);
}

/* ---- text descriptions of instruments: help and recorded fields ---- */

char *
gilk_instrument_text (const struct ilk_instrument_desc *desc)
{
  g_autofree char *help = gilk_agent_translate (desc->help);
  g_autoptr(GString) text = g_string_new (help);

  for (guint i = 0; i < MIN (desc->field_count, ILK_FIELDS_MAX); i++)
    {
      const struct ilk_field *field = &desc->fields[i];

      g_string_append_printf (text, "%s%s%s%s%s", i == 0 ? _("\nRecords: ") : ", ", field->name,
                              field->unit[0] != '\0' ? " (" : "", field->unit,
                              field->unit[0] != '\0' ? ")" : "");
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
gilk_instrument_text_inline (const GilkInline *known)
{
  if (!known->samples)
    return g_strdup_printf (_("%s. No samples."), _(known->help));
  if (known->field.name[0] == '\0')
    return g_strdup_printf (_("%s.\nRecords: time (ns)"), _(known->help));

  return g_strdup_printf (_("%s.\nRecords: time (ns), %s"), _(known->help), known->field.name);
}
