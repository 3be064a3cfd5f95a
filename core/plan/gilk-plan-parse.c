/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-parse.c - parses a plan, without trusting its text
 *
 * The parser checks the lines, lets GKeyFile parse the values, and then checks that every key is
 * known. It does not compile programs: that is done when their hooks are bound to a kernel.
 */
#include "core/plan/gilk-plan-private.h"
#include "core/plan/gilk-stop-condition.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-strings.h"
#include "core/plan/gilk-plan-event.h"
#include "core/plan/gilk-plan-point.h"
#include "core/plan/gilk-plan-schedule.h"

#define FUNCTION_MAX     4608    /* maximum size in bytes of a user-space function's name, including
                                  * the path of its file */

/* The group of a plan file that is being read, such as "[hook NAME]" with its keys. */
typedef struct {
  GKeyFile   *file;
  const char *name;               /* name of the plan file */
  const char *group;
} Reader;

#define PLAN_BYTES_MAX (16 << 20)

static gboolean
check_line (char *line, guint number, const char *name, char **group, GHashTable *seen,
            GError **error)
{
  char *text = g_strstrip (line), *equals;
  g_autofree char *id = NULL;

  if (*text == '\0' || *text == '#')
    return TRUE;
  if (*text == '[')
    {
      char *end = strchr (text, ']');

      g_free (*group);
      *group = end != NULL ? g_strndup (text + 1, (gsize) (end - text - 1)) : g_strdup (text + 1);
      if (g_hash_table_add (seen, g_strdup_printf ("[%s", *group)))
        return TRUE;
      return gilk_fail (error, GILK_ERROR_FORMAT,
          _("%s, line %u: Duplicate group [%s]. Give each hook and program its own name."),
          name, number, *group);
    }

  equals = strchr (text, '=');
  if (equals == NULL || *group == NULL)
    return TRUE;                  /* accept lines that have no '=' or are outside of any group:
                                   * GKeyFile reports them later */
  *equals = '\0';
  id = g_strdup_printf ("%s\n%s", *group, g_strchomp (text));
  if (g_hash_table_add (seen, g_steal_pointer (&id)))
    return TRUE;
  return gilk_fail (error, GILK_ERROR_FORMAT,
                    _("%s, line %u: Duplicate key in [%s]: %s=. Remove one of them."), name, number,
                    *group, text);
}

static gboolean
check_lines (const char *text, gsize length, const char *name, GError **error)
{
  g_autoptr(GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *group = NULL;
  const char *end = text + length;
  guint number = 1;

  for (const char *at = text; at < end; number++)
    {
      const char *stop = memchr (at, '\n', (gsize) (end - at));
      g_autofree char *line = g_strndup (at, (gsize) ((stop != NULL ? stop : end) - at));

      if (!check_line (line, number, name, &group, seen, error))
        return FALSE;
      at = stop != NULL ? stop + 1 : end;
    }

  return TRUE;
}

/* Checks that the plan is text, and does not repeat groups or keys. GKeyFile would merge repeated
 * groups, and use the last of repeated keys, so other hooks could be armed than the user
 * intended. */
static gboolean
check_text (const char *text,
            gsize       length,
            const char *name,
            GError    **error)
{
  if (length > PLAN_BYTES_MAX)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("%s is not a plan: it is larger than %d MiB. Name a plan file."), name,
                 PLAN_BYTES_MAX >> 20);
  else if (!g_utf8_validate (text, (gssize) length, NULL))
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("%s is not a plan: it is not UTF-8 text. Name a plan file."), name);
  else
    return check_lines (text, length, name, error);

  return FALSE;
}

static gboolean G_GNUC_PRINTF (3, 4)
fail_parse (const Reader *reader, GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  return gilk_fail (error, GILK_ERROR_FORMAT, "%s, [%s]: %s", reader->name, reader->group, what);
}

/* ---- keys and values of a group ---- */

static gboolean
is_known_key (const char *key, const char *const *known)
{
  if (g_str_has_prefix (key, GILK_PARAM_PREFIX))
    return strcmp (known[0], "version") != 0;

  return g_strv_contains (known, key);
}

static gboolean
check_keys (const Reader *reader, const char *const *known, GError **error)
{
  g_auto(GStrv) keys = g_key_file_get_keys (reader->file, reader->group, NULL, NULL);
  g_autofree char *list = g_strjoinv (", ", (char **) known);
  g_autofree char *hint = NULL;

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    if (!is_known_key (keys[i], known))
      {
        hint = gilk_nearest_hint (keys[i], known, g_strv_length ((char **) known));
        return fail_parse (reader, error, _("Unknown key %s=.%s Known keys are %s."), keys[i], hint, list);
      }

  return TRUE;
}

/*
 * Checks that each backslash starts a valid escape sequence. GLib reports invalid sequences, too,
 * but it sets its error twice if a value has two of them.
 */
static gboolean
check_escapes (const Reader *reader, const char *key, GError **error)
{
  g_autofree char *raw = g_key_file_get_value (reader->file, reader->group, key, NULL);
  const char *at = raw;

  while (at != NULL && (at = strchr (at, '\\')) != NULL)
    {
      if (at[1] == '\0' || strchr ("sntr\\", at[1]) == NULL)
        return fail_parse (reader, error, _("%s= has a \"\\\" that does not start an escape. Write \"\\\\\" for a backslash."), key);
      at += 2;
    }

  return TRUE;
}

/* Reads the value of @key. Sets @out to NULL if the key is absent, which is an error if @needed is
 * set. */
static gboolean
read_value (const Reader *reader, const char *key, gboolean needed, char **out, GError **error)
{
  g_autoptr(GError) local = NULL;

  *out = NULL;
  if (!g_key_file_has_key (reader->file, reader->group, key, NULL))
    return !needed || fail_parse (reader, error, _("%s= is missing. Add it."), key);
  if (!check_escapes (reader, key, error))
    return FALSE;

  *out = g_key_file_get_string (reader->file, reader->group, key, &local);

  return *out != NULL || fail_parse (reader, error, _("Cannot read %s=: %s."), key, local->message);
}

/* Reads the value of @key, which must be a single line. Sets @out to NULL if the key is absent,
 * which is an error if @needed is set. */
static gboolean
read_text (const Reader *reader, const char *key, gboolean needed, char **out, GError **error)
{
  g_autofree char *value = NULL;

  *out = NULL;
  if (!read_value (reader, key, needed, &value, error))
    return FALSE;
  if (value != NULL && *value == '\0')
    return fail_parse (reader, error, _("%s= is empty. Give it a value, or remove the line."), key);
  for (const char *c = value; c != NULL && *c != '\0'; c = g_utf8_next_char (c))
    if (g_unichar_iscntrl (g_utf8_get_char (c)))
      return fail_parse (reader, error, _("%s= contains a control character. Remove it."), key);

  *out = g_steal_pointer (&value);
  return TRUE;
}

static const char *
comment_hint (const char *value)
{
  return strchr (value, '#') != NULL ? _(" Comments must be on lines of their own.") : "";
}

/* Reads a value that must be one of @words. @out: index in @words of the word that was read */
static gboolean
read_word (const Reader *reader, const char *key, gboolean needed, const char *const *words,
           guint *out, GError **error)
{
  g_autofree char *value = NULL, *list = NULL, *hint = NULL;

  if (!read_text (reader, key, needed, &value, error))
    return FALSE;
  if (value == NULL)
    return TRUE;

  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (value, words[i]) == 0)
      {
        *out = i;
        return TRUE;
      }
  list = g_strjoinv (", ", (char **) words);
  hint = gilk_nearest_hint (value, words, g_strv_length ((char **) words));

  return fail_parse (reader, error, _("Unknown value %s=%s.%s Write one of %s.%s"), key, value, hint, list, comment_hint (value));
}

static gboolean
read_duration (const Reader *reader, const char *key, uint64_t *ns, GError **error)
{
  g_autofree char *value = NULL;
  g_autoptr(GError) local = NULL;

  if (!read_text (reader, key, FALSE, &value, error))
    return FALSE;
  if (value == NULL || gilk_parse_duration (value, ns, &local))
    return TRUE;

  return fail_parse (reader, error, "%s=: %s", key, local->message);
}

/* ---- the probe point of a hook ---- */

static gboolean
read_function (const Reader *reader, GilkPlanHook *hook, GError **error)
{
  if (!read_text (reader, "function", TRUE, &hook->function, error))
    return FALSE;
  if (strlen (hook->function) > FUNCTION_MAX)
    return fail_parse (reader, error, _("function= is longer than any symbol. Correct the function's name."));
  if (g_str_has_prefix (hook->function, "0x"))
    return fail_parse (reader, error, _("function=%s is an address, which changes at every boot. Write the function's name."), hook->function);

  return TRUE;
}

static gboolean
read_place (const Reader *reader, GilkPlanHook *hook, GError **error)
{
  g_auto(GilkAnchor) anchor = { 0 };
  g_autofree char *print = NULL;
  g_autoptr(GError) local = NULL;

  if (!read_text (reader, "block", FALSE, &hook->block, error) ||
      !read_text (reader, "anchor", FALSE, &hook->anchor, error) ||
      !read_text (reader, "fingerprint", FALSE, &print, error))
    return FALSE;

  if ((hook->block == NULL) == (hook->anchor == NULL))
    return fail_parse (reader, error, _("The hook needs either block= or anchor=, not both."));
  if (hook->block != NULL && !gilk_block_check (hook->block, &local))
    return fail_parse (reader, error, "block=: %s", local->message);
  if (hook->anchor != NULL && !gilk_anchor_parse (hook->anchor, &anchor, &local))
    return fail_parse (reader, error, "anchor=: %s", local->message);
  if (print == NULL)
    return TRUE;
  if (hook->anchor != NULL)
    return fail_parse (reader, error, _("fingerprint= belongs to block=, not to anchor=. "
                                        "Remove fingerprint=."));
  if (!gilk_plan_is_fingerprint (print))
    return fail_parse (reader, error, _("fingerprint=%s is not two groups of 16 hexadecimal digits separated by a colon. "
                                        "Remove it, or place the hook again."), print);
  g_strlcpy (hook->fingerprint, print, sizeof hook->fingerprint);

  return TRUE;
}

/* ---- instrument, schedule and other keys of a hook ---- */

static gboolean
read_instrument (const Reader *reader, GilkPlanHook *hook, GError **error)
{
  g_autoptr(GError) local = NULL;

  hook->is_program = g_key_file_has_key (reader->file, reader->group, "program", NULL);
  if (hook->is_program && g_key_file_has_key (reader->file, reader->group, "instrument", NULL))
    return fail_parse (reader, error, _("The hook has both instrument= and program=. Remove one of them, or split it into two "
                                        "hooks."));
  if (!read_text (reader, hook->is_program ? "program" : "instrument", TRUE, &hook->instrument, error))
    return FALSE;
  if (hook->is_program)
    return gilk_plan_is_program_name (hook->instrument) ||
           fail_parse (reader, error, _("program=%s is not a program's name. Write the NAME of a group [program NAME]."),
                       hook->instrument);

  return gilk_instrument_check (hook->instrument, &local) || fail_parse (reader, error, "instrument=: %s", local->message);
}

static gboolean
read_params (const Reader *reader, GilkPlanHook *hook, GError **error)
{
  g_auto(GStrv) keys = g_key_file_get_keys (reader->file, reader->group, NULL, NULL);

  for (guint i = 0; keys[i] != NULL; i++)
    {
      const char *name = keys[i] + strlen (GILK_PARAM_PREFIX);
      char *value = NULL;

      if (!g_str_has_prefix (keys[i], GILK_PARAM_PREFIX))
        continue;
      if (!gilk_plan_consists_of (name, "abcdefghijklmnopqrstuvwxyz0123456789_"))
        return fail_parse (reader, error, _("%s= is not a parameter name. Correct the name."), keys[i]);
      if (!read_text (reader, keys[i], TRUE, &value, error))
        return FALSE;
      g_hash_table_insert (hook->params, g_strdup (name), value);
      if (g_hash_table_size (hook->params) > ILK_PARAMS_MAX)
        return fail_parse (reader, error, _("The hook has more than %d parameters. Remove some."),
                           ILK_PARAMS_MAX);
    }

  return TRUE;
}

static gboolean
read_schedule (const Reader *reader, GilkPlanHook *hook, GError **error)
{
  g_autofree char *from = NULL, *until = NULL;
  g_autoptr(GError) local = NULL;

  if (!read_text (reader, "start", FALSE, &from, error) || !read_text (reader, "stop", FALSE, &until, error))
    return FALSE;
  if (!gilk_plan_parse_times (hook, from, until, &local))
    return fail_parse (reader, error, "%s", local->message);
  if (!read_duration (reader, "trigger", &hook->trigger_ns, error))
    return FALSE;
  hook->triggers = g_key_file_has_key (reader->file, reader->group, "trigger", NULL);
  if (until != NULL && hook->stop_ns <= hook->start_ns)
    {
      g_autofree char *start = gilk_format_duration (hook->start_ns);
      g_autofree char *stop = gilk_format_duration (hook->stop_ns);

      return fail_parse (reader, error, _("The hook stops at %s, which is not after its start at %s. Choose a later stop=, or "
                                          "remove it."), stop, start);
    }

  return TRUE;
}

static gboolean
read_where (const Reader *reader, GilkPlanHook *hook, GError **error)
{
  g_autofree char *where = NULL;
  g_autoptr(GError) local = NULL;

  return read_text (reader, "where", TRUE, &where, error) &&
         (gilk_where_parse (where, &hook->where, &local) || fail_parse (reader, error, "where=: %s%s", local->message, comment_hint (where)));
}

/* Reads the tactic. The word "inner" (a clone of the function that only other clones call) is valid
 * only in plan files. */
static gboolean
read_tactic (const Reader *reader, GilkPlanHook *hook, GError **error)
{
  g_autofree char *tactic = NULL;
  g_autoptr(GError) local = NULL;

  if (!read_text (reader, "tactic", FALSE, &tactic, error))
    return FALSE;
  hook->inner = g_strcmp0 (tactic, GILK_TACTIC_INNER) == 0;
  if (hook->inner)
    hook->tactic = ILK_TACTIC_CLONE;

  return hook->inner || gilk_tactic_parse (tactic, &hook->tactic, &local) || fail_parse (reader, error, "tactic=: %s%s", local->message, comment_hint (tactic));
}

static gboolean
read_hook (const Reader *reader, GilkPlanHook *hook, GError **error)
{
  static const char *const keys[] = {
    "function", "block", "anchor", "where", "fingerprint", "instrument", "program", "start", "stop", "trigger",
    "control", "tactic", "param.NAME", NULL,
  };
  static const char *const answers[] = { "no", "yes", NULL };
  guint control = 0;

  if (!check_keys (reader, keys, error) ||
      !read_function (reader, hook, error) ||
      !read_place (reader, hook, error) ||
      !read_where (reader, hook, error) ||
      !read_instrument (reader, hook, error) ||
      !read_schedule (reader, hook, error) ||
      !read_tactic (reader, hook, error) ||
      !read_word (reader, "control", FALSE, answers, &control, error) ||
      !read_params (reader, hook, error))
    return FALSE;

  hook->control = control == 1;

  return TRUE;
}

static gboolean
read_event (const Reader *reader, GilkPlanHook *hook, GError **error)
{
  static const char *const keys[] = { "what", "instrument", "program", "start", "stop", "trigger", "control", NULL };
  static const char *const answers[] = { "no", "yes", NULL };
  g_autofree char *what = NULL;
  g_autoptr(GError) local = NULL;
  guint control = 0;

  if (!check_keys (reader, keys, error) || !read_text (reader, "what", TRUE, &what, error) ||
      !read_instrument (reader, hook, error) || !read_schedule (reader, hook, error) ||
      !read_word (reader, "control", FALSE, answers, &control, error))
    return FALSE;
  hook->control = control == 1;

  return gilk_plan_hook_set_event (hook, what, &local) || fail_parse (reader, error, "what=: %s", local->message);
}

static gboolean
read_watchpoint (const Reader *reader, GilkPlanHook *hook, GError **error)
{
  static const char *const keys[] = { "what", "program", "start", "stop", "trigger", "control", NULL };
  static const char *const answers[] = { "no", "yes", NULL };
  g_autofree char *what = NULL, *program = NULL;
  g_autoptr(GError) local = NULL;
  guint control = 0;

  if (!check_keys (reader, keys, error) || !read_text (reader, "what", TRUE, &what, error) ||
      !read_text (reader, "program", FALSE, &program, error) ||
      !read_schedule (reader, hook, error) || !read_word (reader, "control", FALSE, answers, &control, error))
    return FALSE;
  hook->control = control == 1;

  if (!gilk_plan_hook_set_watchpoint (hook, what, &local))
    return fail_parse (reader, error, "%s", local->message);
  if (program == NULL)
    return TRUE;
  g_free (hook->instrument);
  hook->instrument = g_steal_pointer (&program);
  hook->is_program = TRUE;

  return TRUE;
}

/* ---- groups of the plan file ---- */

static gboolean
read_ring (const Reader *reader, GilkPlanRing *ring, GError **error)
{
  g_autofree char *bytes = NULL, *mode = NULL;
  g_autoptr(GError) local = NULL;

  if (!read_text (reader, "ring", FALSE, &bytes, error) ||
      !read_text (reader, "ring-mode", FALSE, &mode, error) ||
      !read_duration (reader, "ring-window", &ring->window_ns, error))
    return FALSE;
  if ((bytes != NULL && !gilk_parse_ring_bytes (bytes, &ring->bytes, &local)) ||
      (mode != NULL && !gilk_parse_ring_mode (mode, &ring->mode, &local)))
    return fail_parse (reader, error, "%s", local->message);

  return TRUE;
}

static gboolean
read_interleave (const Reader *reader, GilkPlanInterleave *interleave, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr(GError) local = NULL;

  if (!read_text (reader, "interleave", FALSE, &text, error))
    return FALSE;

  return text == NULL || gilk_parse_interleave (text, interleave, &local) || fail_parse (reader, error, "%s", local->message);
}

static gboolean
read_until (const Reader *reader, char **until, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr(GError) local = NULL;

  return read_text (reader, "until", FALSE, &text, error) &&
         (gilk_stop_conditions_normalize (text, until, &local) || fail_parse (reader, error, "%s", local->message));
}

static gboolean
read_plan_group (const Reader *reader, GilkPlan *plan, GError **error)
{
  static const char *const keys[] = {
    "version", "title", "kernel", "build-id", "changes", "crash", "ring", "ring-mode", "ring-window", "interleave",
    "until", NULL,
  };
  static const char *const answers[] = { "no", "yes", NULL };
  static const char *const crashes[] = { "no", "yes", "without-dump", NULL };
  guint changes = 0, crash = GILK_CRASH_NEVER;
  g_autofree char *version = NULL;

  if (!g_key_file_has_group (reader->file, GILK_PLAN_GROUP))
    return gilk_fail (error, GILK_ERROR_FORMAT,
        _("%s is not a plan: it has no [%s] group. Name a plan file, or let this file "
          "start with that group and version=%d."), reader->name, GILK_PLAN_GROUP,
        GILK_PLAN_VERSION);
  if (!read_text (reader, "version", TRUE, &version, error))
    return FALSE;
  if (strcmp (version, "1") != 0 && strcmp (version, G_STRINGIFY (GILK_PLAN_VERSION)) != 0)
    return fail_parse (reader, error, _("The plan has format version %s; this Gilk reads versions up to %d. "
                                        "Use the release of Gilk that wrote it."), version, GILK_PLAN_VERSION);

  if (!check_keys (reader, keys, error) ||
      !read_word (reader, "changes", FALSE, answers, &changes, error) || !read_word (reader, "crash", FALSE, crashes, &crash, error))
    return FALSE;
  plan->may_change = changes == 1;
  plan->crash = (GilkPlanCrash) crash;

  return read_text (reader, "title", FALSE, &plan->title, error) &&
         read_text (reader, "kernel", FALSE, &plan->kernel, error) &&
         read_text (reader, "build-id", FALSE, &plan->build_id, error) &&
         read_ring (reader, &plan->ring, error) && read_interleave (reader, &plan->interleave, error) &&
         read_until (reader, &plan->until, error) &&
         (plan->build_id == NULL || gilk_plan_consists_of (plan->build_id, GILK_PLAN_HEX) ||
          fail_parse (reader, error, _("build-id=%s is not hexadecimal. Copy it from gilk status, or remove "
                                       "it."), plan->build_id));
}

static gboolean
read_program (const Reader *reader, GilkPlan *plan, GError **error)
{
  static const char *const keys[] = { "code", NULL };
  const char *name = reader->group + strlen (GILK_PROGRAM_PREFIX);
  g_autofree char *code = NULL;
  g_autoptr(GError) local = NULL;

  if (!gilk_plan_is_program_name (name))
    return fail_parse (reader, error, _("A program's name consists of letters, digits and . _ + -, has at most %d characters, "
                                        "and is not count, stamp or span. Rename it."), GILK_PROGRAM_NAME_MAX);
  if (!check_keys (reader, keys, error) || !read_value (reader, "code", TRUE, &code, error))
    return FALSE;
  if (!gilk_plan_check_code (code, &local))
    return fail_parse (reader, error, "%s", local->message);
  gilk_plan_add_program (plan, name, code);

  return TRUE;
}

static gboolean
read_group (const Reader *reader, GilkPlan *plan, GError **error)
{
  static const struct { const char *prefix; gboolean (*read) (const Reader *, GilkPlanHook *, GError **); } kinds[] = {
    { GILK_HOOK_PREFIX, read_hook }, { GILK_WATCHPOINT_PREFIX, read_watchpoint }, { GILK_EVENT_PREFIX, read_event },
  };
  const char *label;
  GilkPlanHook *hook;
  guint kind = 0;

  if (strcmp (reader->group, GILK_PLAN_GROUP) == 0)
    return TRUE;
  if (g_str_has_prefix (reader->group, GILK_PROGRAM_PREFIX))
    return read_program (reader, plan, error);
  while (kind < G_N_ELEMENTS (kinds) && !g_str_has_prefix (reader->group, kinds[kind].prefix))
    kind++;
  if (kind == G_N_ELEMENTS (kinds))
    return fail_parse (reader, error, _("Unknown group. Hooks are [hook NAME], programs [program NAME], watchpoints "
                                        "[watchpoint NAME], tracepoints and timers [event NAME]."));
  label = reader->group + strlen (kinds[kind].prefix);
  if (!gilk_plan_consists_of (label, GILK_LABEL_CHARS) || strlen (label) > GILK_LABEL_MAX)
    return fail_parse (reader, error, _("A hook's name consists of letters, digits and . _ + -, and has at most %d characters. "
                                        "Rename it."), GILK_LABEL_MAX);
  if (plan->hooks->len == ILK_BATCH_MAX)
    return fail_parse (reader, error, _("The plan has more than %d hooks. Split it."), ILK_BATCH_MAX);

  hook = gilk_plan_hook_new (label, NULL, GILK_WHERE_PRE, NULL);
  g_ptr_array_add (plan->hooks, hook);

  return kinds[kind].read (reader, hook, error);
}

GilkPlan *
gilk_plan_parse (const char *text,
                 gsize       length,
                 const char *name,
                 GError    **error)
{
  g_autoptr(GKeyFile) file = g_key_file_new ();
  g_autoptr(GilkPlan) plan = gilk_plan_new ();
  g_autoptr(GError) local = NULL;
  g_auto(GStrv) groups = NULL;
  Reader reader = { file, name, GILK_PLAN_GROUP };

  if (!check_text (text, length, name, error))
    return NULL;
  if (length > 0 && !g_key_file_load_from_data (file, text, length,
                                                G_KEY_FILE_KEEP_TRANSLATIONS, &local))
    return gilk_fail_null (error, GILK_ERROR_FORMAT,
                           _("%s is not a plan: %s. Correct that line."), name, local->message);
  if (!read_plan_group (&reader, plan, error))
    return NULL;

  groups = g_key_file_get_groups (file, NULL);
  for (guint i = 0; groups[i] != NULL; i++)
    {
      reader.group = groups[i];
      if (!read_group (&reader, plan, error))
        return NULL;
    }
  if (!gilk_plan_check_programs (plan, &local) || !gilk_plan_check_ring (plan, &local) ||
      !gilk_plan_compute_starts (plan, &local) || !gilk_plan_check_interleave (plan, &local))
    {
      reader.group = GILK_PLAN_GROUP;
      fail_parse (&reader, error, "%s", local->message);
      return NULL;
    }

  return g_steal_pointer (&plan);
}

GilkPlan *
gilk_plan_load (const char *path,
                GError    **error)
{
  g_autofree char *text = NULL;
  g_autoptr(GError) local = NULL;
  gsize length;

  if (g_file_get_contents (path, &text, &length, &local))
    return gilk_plan_parse (text, length, path, error);
  gilk_unreadable_by (path, local, error);

  return NULL;
}

gboolean
gilk_plan_text_overwrites (const char *text)
{
  g_autoptr(GilkPlan) plan = gilk_plan_parse (text, strlen (text), "", NULL);

  return plan != NULL && plan->ring.mode == ILK_RING_OVERWRITE;
}
