/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-answers.c - validates the agent's answers when they arrive, in one place
 *
 * The agent runs as root, perhaps on another person's machine. If a wrong length or id passed these
 * checks, it would cause an out-of-bounds access elsewhere in core.
 */
#include "core/link/gilk-answers.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/types/gilk-btf.h"

#define MIB               (1u << 20)
#define RING_BYTES_MIN    4096u
#define RING_BYTES_MAX    (1u << 30)
#define TASK_BYTES_MAX    (1u << 20)
#define TSC_KHZ_MAX       (100u * 1000 * 1000)
#define NAME_LETTERS      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

/* Returns a limit that is far above the size of any valid answer to a request of @type. */
gsize
gilk_answer_bytes_max (guint type)
{
  switch (type)
    {
    case GILK_HELLO:
      return MAX (sizeof (struct gilk_hello_answer), GILK_WIRE_SENTENCE_MAX);
    case GILK_PING: case GILK_RESERVE: case GILK_PREPARE:
      return GILK_WIRE_PAYLOAD_MAX;
    case GILK_GET_FILE:
      return 128 * MIB;
    case GILK_GET_TYPES:
      return GILK_BTF_MAX;
    case GILK_STATUS:
      return sizeof (struct ilk_status) +
             (gsize) GILK_WIRE_HOOKS_MAX * sizeof (struct ilk_patch_status);
    case GILK_READ_TEXT:
    case GILK_COUNTERS:
    case GILK_MEMORY:
    case GILK_MEMORY_READ:
      return 4 * MIB;
    case GILK_USER_READ:
      return sizeof (struct gilk_user_file) + GILK_WIRE_USER_MAX;
    default:
      return MIB;
    }
}

gboolean
gilk_answer_invalid (GError    **error,
                     const char *format,
                     ...)
{
  g_autofree char *said = NULL;
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  said = g_strdup_vprintf (format, args);
  va_end (args);
  what = g_utf8_make_valid (said, -1);      /* repairs the last character, which a conversion such
                                             * as "%.60s" in @format may have cut */
  g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
               _("Invalid answer from the agent: %s. The connection was closed, and the target restores everything that "
                 "was armed; make sure that both sides are of the same release of Gilk, then connect again."), what);

  return FALSE;
}

/* ---- checks of texts ---- */

/* Returns all of @answer as valid UTF-8, never NULL. (transfer full) */
static char *
gilk_answer_text (const GByteArray *answer)
{
  return answer->len > 0 ? g_utf8_make_valid ((const char *) answer->data, answer->len)
                         : g_strdup ("");
}

/* Terminates a string from the agent, and replaces invalid UTF-8 and control characters by "?". */
static void
sanitize_text (char *text,
               gsize size)
{
  const char *end;

  text[size - 1] = '\0';
  while (!g_utf8_validate (text, -1, &end))
    text[end - text] = '?';
  for (char *c = text; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = '?';
}

/* Returns whether a name follows the driver's rule, see ilk/ilk-instrument.c. @dash: one more
 * character that the name may contain */
static gboolean
is_name (const char *name,
         gsize       size,
         char        dash)
{
  if (memchr (name, '\0', size) == NULL || !g_ascii_islower (name[0]))
    return FALSE;
  for (; *name != '\0'; name++)
    if (!g_ascii_islower (*name) && !g_ascii_isdigit (*name) && *name != dash)
      return FALSE;

  return TRUE;
}

/* ---- answers to HELLO and INFO ---- */

gboolean
gilk_answer_struct (const GByteArray *answer,
                    void             *out,
                    gsize             length,
                    GError          **error)
{
  if (answer->len != length)
    return gilk_answer_invalid (error, _("the answer has %u bytes where %zu were expected"), answer->len, length);
  if (length > 0)
    memcpy (out, answer->data, length);

  return TRUE;
}

gboolean
gilk_answer_hello (const GByteArray         *answer,
                   uint64_t                  nonce,
                   struct gilk_hello_answer *out,
                   GError                  **error)
{
  struct gilk_hello_answer hello;

  if (!gilk_answer_struct (answer, &hello, sizeof hello, error))
    return FALSE;
  if (hello.nonce != nonce)
    return gilk_answer_invalid (error, _("the answer is to another client's HELLO request"));
  if (hello.version != GILK_WIRE_VERSION || hello.abi != ILK_ABI_VERSION)
    return gilk_answer_invalid (error, _("the agent uses protocol %u.%u, and this client uses %u.%u"),
                                hello.version, hello.abi, GILK_WIRE_VERSION, ILK_ABI_VERSION);

  sanitize_text (hello.release, sizeof hello.release);
  sanitize_text (hello.machine, sizeof hello.machine);
  sanitize_text (hello.hostname, sizeof hello.hostname);
  *out = hello;

  return TRUE;
}

gboolean
gilk_answer_timestamp (const struct ilk_timestamp_pair *reading,
                       const GilkLimits                *limits,
                       GError                         **error)
{
  if (reading->cpu >= (limits->n_cpus != 0 ? limits->n_cpus : GILK_WIRE_CPUS_MAX))
    return gilk_answer_invalid (error, _("a clock was read on processor %u, which is out of range"), reading->cpu);
  if (reading->mono_ns > G_MAXINT64)
    return gilk_answer_invalid (error, _("a clock shows %" PRIu64 " ns, which is out of range"),
                                (guint64) reading->mono_ns);

  return TRUE;
}

static gboolean
is_possible_info (const struct ilk_info *info,
                  GError               **error)
{
  if (info->abi != ILK_ABI_VERSION)
    return gilk_answer_invalid (error, _("the target's driver has ABI %u, and this client needs %u"), info->abi,
                                ILK_ABI_VERSION);
  if (info->nr_cpus == 0 || info->nr_cpus > GILK_WIRE_CPUS_MAX)
    return gilk_answer_invalid (error, _("%u processors"), info->nr_cpus);
  if (info->hooks_max == 0 || info->hooks_max > GILK_WIRE_HOOKS_MAX)
    return gilk_answer_invalid (error, _("room for %u hooks"), info->hooks_max);
  if (info->ring_bytes < RING_BYTES_MIN || info->ring_bytes > RING_BYTES_MAX ||
      (info->ring_bytes & (info->ring_bytes - 1)) != 0)
    return gilk_answer_invalid (error, _("the sample rings have an impossible size of %" PRIu64 " bytes"),
                                (guint64) info->ring_bytes);
  if (info->arena_bytes > info->arena_max || info->arena_free > info->arena_bytes)
    return gilk_answer_invalid (error, _("the driver's memory for code (arena) has an impossible size of %" PRIu64 " "
                                         "bytes, %" PRIu64 " of them free"), (guint64) info->arena_bytes,
                                (guint64) info->arena_free);
  if (info->tsc_khz > TSC_KHZ_MAX)
    return gilk_answer_invalid (error, _("the time stamp counter has an impossible rate of %" PRIu64 " kHz"),
                                (guint64) info->tsc_khz);
  if (MAX (info->task_pid, MAX (info->task_tgid, info->task_comm)) > TASK_BYTES_MAX)
    return gilk_answer_invalid (error, _("an offset within struct task_struct exceeds %u bytes"), TASK_BYTES_MAX);

  return gilk_answer_timestamp (&info->clock, &(GilkLimits) { .n_cpus = info->nr_cpus }, error);
}

gboolean
gilk_answer_info (const GByteArray *answer,
                  GilkLimits       *limits,
                  struct ilk_info  *out,
                  GError          **error)
{
  struct ilk_info info;

  if (!gilk_answer_struct (answer, &info, sizeof info, error) || !is_possible_info (&info, error))
    return FALSE;
  if (limits->n_cpus != 0 && (info.nr_cpus != limits->n_cpus ||
                              info.hooks_max != limits->hooks_max))
    return gilk_answer_invalid (error, _("the target now has %u processors and room for %u hooks instead of %u and "
                                         "%u"),
                                info.nr_cpus, info.hooks_max, limits->n_cpus, limits->hooks_max);

  limits->n_cpus = info.nr_cpus;
  limits->hooks_max = info.hooks_max;
  *out = info;

  return TRUE;
}

/* ---- answers about instruments ---- */

static gboolean
field_fits (const struct ilk_field *field,
            guint                   sample_bytes)
{
  static const guint size_of[] = {
    [ILK_FIELD_U64] = 8, [ILK_FIELD_S64] = 8, [ILK_FIELD_HEX64] = 8,
    [ILK_FIELD_U32] = 4, [ILK_FIELD_S32] = 4,
  };

  return is_name (field->name, sizeof field->name, '_') && field->type <= ILK_FIELD_TEXT &&
         field->size > 0 && (guint) field->offset + field->size <= sample_bytes &&
         (field->type == ILK_FIELD_TEXT || field->size == size_of[field->type]) &&
         field->meaning <= ILK_MEANING_ERRNO;
}

static gboolean
check_desc (struct ilk_instrument_desc *desc,
            GError                    **error)
{
  if (desc->id == 0 || !is_name (desc->name, sizeof desc->name, '-'))
    return gilk_answer_invalid (error, _("an instrument has no valid name"));
  if (desc->sample_bytes > ILK_SAMPLE_MAX || desc->field_count > ILK_FIELDS_MAX ||
      desc->param_count > ILK_PARAMS_MAX)
    return gilk_answer_invalid (error, _("instrument %s has %u fields, %u parameters and samples of %u bytes, which "
                                         "exceeds a limit"), desc->name, desc->field_count, desc->param_count,
                                desc->sample_bytes);

  sanitize_text (desc->help, sizeof desc->help);
  for (guint i = 0; i < desc->field_count; i++)
    {
      if (!field_fits (&desc->fields[i], desc->sample_bytes))
        return gilk_answer_invalid (error, _("field %u of instrument %s does not fit into the instrument's samples"),
                                    i + 1, desc->name);
      sanitize_text (desc->fields[i].unit, sizeof desc->fields[i].unit);
      sanitize_text (desc->fields[i].help, sizeof desc->fields[i].help);
    }
  for (guint i = 0; i < desc->param_count; i++)
    {
      if (!is_name (desc->params[i].name, sizeof desc->params[i].name, '_') ||
          desc->params[i].min > desc->params[i].max)
        return gilk_answer_invalid (error, _("parameter %u of instrument %s has no valid name or no valid range"),
                                    i + 1, desc->name);
      sanitize_text (desc->params[i].unit, sizeof desc->params[i].unit);
      sanitize_text (desc->params[i].help, sizeof desc->params[i].help);
    }

  return TRUE;
}

GArray *
gilk_answer_instruments (const GByteArray *answer,
                         GError          **error)
{
  const gsize size = sizeof (struct ilk_instrument_desc);
  g_autoptr (GArray) descs = g_array_new (FALSE, FALSE, size);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  if (answer->len % size != 0)
    {
      gilk_answer_invalid (error, _("the list of instruments has %u bytes, which is not a multiple of %zu"),
                           answer->len,
                           size);
      return NULL;
    }
  if (answer->len > 0)
    g_array_append_vals (descs, answer->data, answer->len / size);
  for (guint i = 0; i < descs->len; i++)
    {
      struct ilk_instrument_desc *desc = &g_array_index (descs, struct ilk_instrument_desc, i);

      if (!check_desc (desc, error))
        return NULL;
      if (!g_hash_table_add (seen, desc->name))
        {
          gilk_answer_invalid (error, _("two instruments named %s"), desc->name);
          return NULL;
        }
    }

  return g_steal_pointer (&descs);
}

/* Returns the names in an answer without duplicates: a module may be in several directories of the
 * target. */
char **
gilk_answer_names (const GByteArray *answer,
                   GError          **error)
{
  g_autofree char *text = gilk_answer_text (answer);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (strspn (lines[i], NAME_LETTERS) != strlen (lines[i]))
        {
          gilk_answer_invalid (error, _("\"%.60s\" is not a valid instrument name"), lines[i]);
          return NULL;
        }
      if (*lines[i] != '\0' && g_hash_table_add (seen, lines[i]))
        g_strv_builder_add (names, lines[i]);
    }

  return g_strv_builder_end (names);
}

GHashTable *
gilk_answer_facts (const GByteArray *answer)
{
  g_autofree char *text = gilk_answer_text (answer);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GHashTable *facts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *value = strchr (lines[i], '=');

      if (value == NULL)
        continue;
      *value++ = '\0';
      sanitize_text (value, strlen (value) + 1);
      g_hash_table_replace (facts, g_strdup (lines[i]), g_strdup (value));
    }

  return facts;
}

/* ---- answers to RESERVE and PREPARE ---- */

/* Copies the header of an answer to RESERVE or PREPARE, and checks that the two arrays after the
 * header have the requested lengths. */
static gboolean
check_batch (const GByteArray  *answer,
             struct gilk_batch *batch,
             guint              n_patches,
             gsize              patch_size,
             guint              n_hooks,
             gsize              hook_size,
             GError           **error)
{
  const gsize due = sizeof *batch + n_patches * patch_size + n_hooks * hook_size;

  if (answer->len != due)
    return gilk_answer_invalid (error, _("the answer has %u bytes where %zu were expected"), answer->len, due);
  memcpy (batch, answer->data, sizeof *batch);
  if (batch->patch_count != n_patches || batch->hook_count != n_hooks)
    return gilk_answer_invalid (error, _("the answer has %u patches and %u hooks instead of the %u and %u requested"),
                                batch->patch_count, batch->hook_count, n_patches, n_hooks);

  return TRUE;
}

static gboolean
check_slots (const struct ilk_reserve_patch *asked,
             const struct ilk_reserve_patch *given,
             guint                           n,
             enum gilk_way                   way,
             GError                        **error)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < n; i++)
    {
      uint64_t end;

      if (given[i].id == 0 || !g_hash_table_add (ids, GUINT_TO_POINTER (given[i].id)))
        return gilk_answer_invalid (error, _("duplicate patch id %u"), given[i].id);
      if (way == GILK_WAY_BPF && given[i].slot == 0)
        continue;
      if (given[i].slot == 0 || __builtin_add_overflow (given[i].slot, asked[i].bytes, &end))
        return gilk_answer_invalid (error, _("a patch cannot have a slot of %u bytes at 0x%" PRIx64),
                                    asked[i].bytes, (guint64) given[i].slot);
    }

  return TRUE;
}

static gboolean
check_iids (const struct ilk_reserve_hook *given,
            guint                          n,
            const GilkLimits              *limits,
            GError                       **error)
{
  const guint most = limits->hooks_max != 0 ? limits->hooks_max : GILK_WIRE_HOOKS_MAX;
  g_autoptr (GHashTable) iids = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < n; i++)
    if (given[i].iid == 0 || given[i].iid > most ||
        !g_hash_table_add (iids, GUINT_TO_POINTER (given[i].iid)))
      return gilk_answer_invalid (error, _("hook id %u is a duplicate or is not from 1 to %u"),
                                  given[i].iid, most);

  return TRUE;
}

gboolean
gilk_answer_reserve (const GByteArray         *answer,
                     const GilkLimits         *limits,
                     struct ilk_reserve_patch *patches,
                     guint                     n_patches,
                     struct ilk_reserve_hook  *hooks,
                     guint                     n_hooks,
                     uint32_t                 *refusal,
                     GError                  **error)
{
  const struct ilk_reserve_patch *slots;
  const struct ilk_reserve_hook *iids;
  struct gilk_batch batch;

  if (!check_batch (answer, &batch, n_patches, sizeof *patches, n_hooks, sizeof *hooks, error))
    return FALSE;
  *refusal = batch.refusal;
  if (batch.refusal != 0)
    return TRUE;

  slots = (gconstpointer) (answer->data + sizeof batch);
  iids = (gconstpointer) (slots + n_patches);
  if (!check_slots (patches, slots, n_patches, limits->way, error) ||
      !check_iids (iids, n_hooks, limits, error))
    return FALSE;
  for (guint i = 0; i < n_patches; i++)
    {
      patches[i].id = slots[i].id;
      patches[i].slot = slots[i].slot;
    }
  for (guint i = 0; i < n_hooks; i++)
    {
      const guint flags = hooks[i].flags;

      hooks[i] = iids[i];
      hooks[i].flags = flags;
    }

  return TRUE;
}

gboolean
gilk_answer_prepare (const GByteArray         *answer,
                     struct ilk_prepare_patch *patches,
                     guint                     n_patches,
                     struct ilk_prepare_hook  *hooks,
                     guint                     n_hooks,
                     uint32_t                 *failed,
                     GError                  **error)
{
  const struct ilk_prepare_patch *patch;
  const struct ilk_prepare_hook *hook;
  struct gilk_batch batch;

  if (!check_batch (answer, &batch, n_patches, sizeof *patches, n_hooks, sizeof *hooks, error))
    return FALSE;
  patch = (gconstpointer) (answer->data + sizeof batch);
  hook = (gconstpointer) (patch + n_patches);
  for (guint i = 0; i < n_patches; i++)
    if (patch[i].id != patches[i].id)
      return gilk_answer_invalid (error, _("the answer names patch %u instead of patch %u"),
                                  patch[i].id, patches[i].id);
  for (guint i = 0; i < n_hooks; i++)
    if (hook[i].iid != hooks[i].iid)
      return gilk_answer_invalid (error, _("the answer names hook %u instead of hook %u"), hook[i].iid, hooks[i].iid);

  for (guint i = 0; i < n_patches; i++)
    {
      patches[i].error = patch[i].error;
      patches[i].refusal = patch[i].refusal;
    }
  for (guint i = 0; i < n_hooks; i++)
    {
      hooks[i].error = hook[i].error;
      hooks[i].refusal = hook[i].refusal;
    }
  *failed = batch.failed;

  return TRUE;
}

/* ---- answers with statuses of patches ---- */

GArray *
gilk_answer_status (const GByteArray *answer,
                    guint            *pending,
                    GError          **error)
{
  const gsize size = sizeof (struct ilk_patch_status);
  struct ilk_status status = { 0 };
  GArray *patches;

  if (answer->len >= sizeof status)
    memcpy (&status, answer->data, sizeof status);
  if (answer->len != sizeof status + status.count * size)
    {
      gilk_answer_invalid (error, _("the answer has %u bytes for the state of %u patches, which is the wrong size"),
                           answer->len, status.count);
      return NULL;
    }
  patches = g_array_new (FALSE, FALSE, size);
  if (status.count > 0)
    g_array_append_vals (patches, answer->data + sizeof status, status.count);
  for (guint i = 0; i < patches->len; i++)
    {
      const struct ilk_patch_status *patch = &g_array_index (patches, struct ilk_patch_status, i);

      if (patch->len <= ILK_FOOTPRINT_MAX)
        continue;
      gilk_answer_invalid (error, _("patch %u owns %u bytes of text, and the limit is %u"), patch->id,
                           patch->len, ILK_FOOTPRINT_MAX);
      g_array_unref (patches);
      return NULL;
    }
  if (pending != NULL)
    *pending = status.pending;

  return patches;
}

/* ---- sample events and sizes of rings ---- */

static gboolean
records_are_whole (const uint8_t *cells,
                   gsize          bytes,
                   guint          iids_max,
                   GError       **error)
{
  for (gsize at = 0; at < bytes;)
    {
      const struct ilk_record *record = (gconstpointer) (cells + at);

      if (record->len > ILK_SAMPLE_MAX)
        return gilk_answer_invalid (error, _("a sample of %u bytes exceeds the limit"), record->len);
      if (record->iid > iids_max ||
          (record->iid == ILK_IID_GAP && record->len != sizeof (struct ilk_lost)))
        return gilk_answer_invalid (error, _("a sample of hook %u has an impossible hook id or size"), record->iid);
      at += (gsize) ILK_RECORD_CELLS (record->len) * ILK_CELL;
      if (at > bytes)
        return gilk_answer_invalid (error, _("a truncated sample"));
    }

  return TRUE;
}

gboolean
gilk_answer_samples (guint                type,
                     const uint8_t       *payload,
                     gsize                length,
                     const GilkLimits    *limits,
                     uint8_t             *room,
                     struct gilk_samples *head,
                     const uint8_t      **cells,
                     GError             **error)
{
  const uint8_t *bytes = payload + sizeof (struct gilk_samples);
  struct gilk_samples samples;

  if (length < sizeof samples)
    return gilk_answer_invalid (error, _("%zu bytes of samples"), length);
  memcpy (&samples, payload, sizeof samples);
  length -= sizeof samples;
  if (samples.bytes % ILK_CELL != 0 || samples.bytes > GILK_WIRE_CELLS_MAX ||
      (type == GILK_SAMPLES && samples.bytes != length))
    return gilk_answer_invalid (error, _("an impossible size of %u bytes is given for samples in a message of %zu "
                                         "bytes"), samples.bytes, length);
  if (samples.cpu >= (limits->n_cpus != 0 ? limits->n_cpus : GILK_WIRE_CPUS_MAX))
    return gilk_answer_invalid (error, _("samples of processor %u"), samples.cpu);
  if (type == GILK_SAMPLES_PACKED)
    {
      if (!gilk_unpack_samples (bytes, length, room, samples.bytes))
        return gilk_answer_invalid (error, _("%zu bytes of compressed samples do not decompress to %u bytes"),
                                    length, samples.bytes);
      bytes = room;
    }
  if (!records_are_whole (bytes, samples.bytes,
                          limits->hooks_max != 0 ? limits->hooks_max : GILK_WIRE_HOOKS_MAX, error))
    return FALSE;
  *head = samples;
  *cells = bytes;

  return TRUE;
}

gboolean
gilk_answer_rings (const struct gilk_rings *rings,
                   GError                 **error)
{
  if (rings->ring_bytes < RING_BYTES_MIN || rings->ring_bytes > RING_BYTES_MAX ||
      (rings->ring_bytes & (rings->ring_bytes - 1)) != 0 || rings->frozen > 1)
    return gilk_answer_invalid (error, _("the sample rings have an impossible size of %" PRIu64 " bytes"),
                                (guint64) rings->ring_bytes);

  return TRUE;
}

/* ---- memory for hooks ---- */

/*
 * Addresses of memory areas must be checked here, because they are put into the code of hooks
 * without further checks.
 */

/* lowest address of the kernel, even with five-level page tables */
#define KERNEL_FROM    0xff00000000000000ull

/* Returns whether the address of a memory area is possible. With BPF, code refers to an area by its
 * id instead, so this checks the id. */
static gboolean
is_possible_area (const struct ilk_area *area, enum gilk_way way)
{
  uint64_t end;

  if (way == GILK_WAY_BPF)
    return area->at == 0 && area->id < 1 << 24;
  if (area->at == 0 || area->at % sizeof (uint64_t) != 0)
    return FALSE;

  /* The address of a per-CPU area is an offset from the per-CPU base, so it may have any value. */
  return (area->flags & ILK_AREA_PER_CPU) != 0 ||
         (area->at >= KERNEL_FROM && !__builtin_add_overflow (area->at, area->bytes, &end));
}

gboolean
gilk_answer_memory (const GByteArray *answer,
                    struct ilk_area  *areas,
                    guint             count,
                    enum gilk_way     way,
                    GError          **error)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (NULL, NULL);
  g_autofree struct ilk_area *given = g_new (struct ilk_area, count);

  if (!gilk_answer_struct (answer, given, count * sizeof *given, error))
    return FALSE;
  for (guint i = 0; i < count; i++)
    {
      if (given[i].bytes != areas[i].bytes || given[i].flags != areas[i].flags)
        return gilk_answer_invalid (error, _("memory area %u has another size or kind than requested"), i + 1);
      if (given[i].id == 0 || !g_hash_table_add (ids, GUINT_TO_POINTER (given[i].id)))
        return gilk_answer_invalid (error, _("duplicate area id %u"), given[i].id);
      if (!is_possible_area (&given[i], way))
        return gilk_answer_invalid (error, _("a memory area cannot have %u bytes at 0x%" PRIx64), given[i].bytes,
                                    (guint64) given[i].at);
    }
  for (guint i = 0; i < count; i++)
    areas[i] = given[i];

  return TRUE;
}

gboolean
gilk_answer_pin (const GByteArray *answer,
                 struct ilk_pin   *pin,
                 GError          **error)
{
  struct ilk_pin answered;

  if (!gilk_answer_struct (answer, &answered, sizeof answered, error))
    return FALSE;
  if (answered.address != pin->address || memcmp (answered.module, pin->module, sizeof answered.module) != 0)
    return gilk_answer_invalid (error, _("the answer is about another module than the request"));
  pin->refusal = answered.refusal;

  return TRUE;
}

/* ---- answers about user programs ---- */

gboolean
gilk_answer_user_read (const GByteArray      *answer,
                       gsize                  length,
                       struct gilk_user_file *file,
                       uint8_t               *out,
                       gsize                 *got,
                       GError               **error)
{
  gsize bytes = answer->len >= sizeof *file ? answer->len - sizeof *file : 0;

  if (answer->len < sizeof *file || bytes > length)
    return gilk_answer_invalid (error, _("the answer to a request for a part of a file has the wrong size of %u "
                                         "bytes"), answer->len);
  memcpy (file, answer->data, sizeof *file);
  if (file->pad != 0 || file->bytes > INT64_MAX)
    return gilk_answer_invalid (error, _("the answer gives an impossible size for a file"));
  if (bytes > 0)
    memcpy (out, answer->data + sizeof *file, bytes);
  *got = bytes;

  return TRUE;
}

gboolean
gilk_answer_user_bind (const GByteArray      *answer,
                       struct gilk_user_point *points,
                       guint                  count,
                       GError               **error)
{
  g_autofree struct gilk_user_point *given = g_new (struct gilk_user_point, count);

  if (!gilk_answer_struct (answer, given, count * sizeof *given, error))
    return FALSE;
  for (guint i = 0; i < count; i++)
    if (given[i].patch != points[i].patch || given[i].offset != points[i].offset ||
        (given[i].error == 0) != (given[i].refusal == 0))
      return gilk_answer_invalid (error, _("the answer for point %u of a program does not match the request"), i + 1);
  for (guint i = 0; i < count; i++)
    {
      points[i].error = given[i].error;
      points[i].refusal = given[i].refusal;
    }

  return TRUE;
}

/* ---- answers about tracepoints and timers ---- */

gboolean
gilk_answer_bind_events (const GByteArray        *answer,
                         struct gilk_event_point *events,
                         guint                    count,
                         GError                 **error)
{
  g_autofree struct gilk_event_point *given = g_new (struct gilk_event_point, count);

  if (!gilk_answer_struct (answer, given, count * sizeof *given, error))
    return FALSE;
  for (guint i = 0; i < count; i++)
    if (given[i].patch != events[i].patch || (given[i].error == 0) != (given[i].refusal == ILK_REFUSAL_NONE) || given[i].error > 0)
      return gilk_answer_invalid (error, _("the answer for event %u does not match the request"), i + 1);
  for (guint i = 0; i < count; i++)
    {
      events[i].error = given[i].error;
      events[i].refusal = given[i].refusal;
    }

  return TRUE;
}

/* ---- answers about watchpoints ---- */

gboolean
gilk_answer_watchpoints (const GByteArray        *answer,
                         struct gilk_watch_point *watches,
                         guint                    count,
                         GError                 **error)
{
  g_autofree struct gilk_watch_point *given = g_new (struct gilk_watch_point, count);

  if (!gilk_answer_struct (answer, given, count * sizeof *given, error))
    return FALSE;
  for (guint i = 0; i < count; i++)
    {
      struct gilk_watch_point asked = given[i];

      asked.error = watches[i].error;
      asked.refusal = watches[i].refusal;
      if (memcmp (&asked, &watches[i], sizeof asked) != 0)
        return gilk_answer_invalid (error, _("watchpoint %u is not the one requested"), i + 1);
      if ((given[i].error == 0) != (given[i].refusal == ILK_REFUSAL_NONE) || given[i].error > 0)
        return gilk_answer_invalid (error, _("watchpoint %u has refusal %u and error %d, which contradict each other"), i + 1,
                                    given[i].refusal, given[i].error);
    }
  memcpy (watches, given, count * sizeof *given);

  return TRUE;
}

gboolean
gilk_answer_watchpoint_status (const GByteArray        *answer,
                               const uint32_t          *iids,
                               guint                    count,
                               struct gilk_watch_status *out,
                               GError                 **error)
{
  g_autofree struct gilk_watch_status *given = g_new (struct gilk_watch_status, count);

  if (!gilk_answer_struct (answer, given, count * sizeof *given, error))
    return FALSE;
  for (guint i = 0; i < count; i++)
    if (given[i].iid != iids[i] || given[i].state > GILK_WATCH_GONE || given[i].cpus > GILK_WIRE_CPUS_MAX ||
        given[i].blind > GILK_WIRE_CPUS_MAX)
      return gilk_answer_invalid (error, _("watchpoint %u has an inconsistent state"), i + 1);
  memcpy (out, given, count * sizeof *given);

  return TRUE;
}

/* ---- event counters, and hooks that may crash the kernel ---- */

gboolean
gilk_answer_events (const GByteArray         *answer,
                    struct gilk_event_counter *events,
                    guint                     count,
                    GError                  **error)
{
  struct gilk_event_counter given[GILK_EVENTS_MAX];

  g_assert (count <= GILK_EVENTS_MAX);
  if (!gilk_answer_struct (answer, given, count * sizeof *given, error))
    return FALSE;
  for (guint i = 0; i < count; i++)
    {
      if (given[i].key != events[i].key)
        return gilk_answer_invalid (error, _("counter %u is not the one requested"), i + 1);
      if ((given[i].error == 0) != (given[i].refusal == ILK_REFUSAL_NONE) || given[i].error > 0 ||
          given[i].cpus > GILK_WIRE_CPUS_MAX || given[i].blind > GILK_WIRE_CPUS_MAX)
        return gilk_answer_invalid (error, _("counter %u has an inconsistent state"), i + 1);
    }
  memcpy (events, given, count * sizeof *given);

  return TRUE;
}

gboolean
gilk_answer_crash (const GByteArray *answer,
                   uint32_t          iid,
                   uint32_t         *refusal,
                   GError          **error)
{
  struct ilk_crash answered;

  if (!gilk_answer_struct (answer, &answered, sizeof answered, error))
    return FALSE;
  if (answered.iid != iid)
    return gilk_answer_invalid (error, _("the answer is about another hook than the request"));
  *refusal = answered.refusal;

  return TRUE;
}

/* ---- clocks, costs and A/B intervals ---- */

#define TICKS_MAX ((uint64_t) 1 << 62)

static gboolean
is_possible_clock (const struct ilk_cpu_clock *cpu, gboolean is_reference)
{
  return cpu->error <= TICKS_MAX && cpu->offset <= (int64_t) TICKS_MAX &&
         cpu->offset >= -(int64_t) TICKS_MAX &&
         (!is_reference || (cpu->offset == 0 && cpu->rounds != 0));
}

gboolean
gilk_answer_clocks (const GByteArray   *answer,
                    const GilkLimits   *limits,
                    struct gilk_clocks *head,
                    GArray            **cpus,
                    GError            **error)
{
  const gsize size = sizeof (struct ilk_cpu_clock);
  struct gilk_clocks clocks = { .count = 0 };
  g_autoptr(GArray) all = NULL;

  if (answer->len >= sizeof clocks)
    memcpy (&clocks, answer->data, sizeof clocks);
  if (answer->len != sizeof clocks + clocks.count * size ||
      clocks.count != (cpus != NULL ? limits->n_cpus : 0))
    return gilk_answer_invalid (error, _("the answer has %u bytes of clocks for %u processors, which is the wrong "
                                         "size"), answer->len, clocks.count);
  if (!gilk_answer_timestamp (&clocks.pair, limits, error))
    return FALSE;
  if (cpus != NULL && clocks.reference >= clocks.count)
    return gilk_answer_invalid (error, _("clocks are given relative to processor %u, which does not exist"),
                                clocks.reference);
  all = g_array_new (FALSE, FALSE, size);
  if (clocks.count > 0)
    g_array_append_vals (all, answer->data + sizeof clocks, clocks.count);
  for (guint i = 0; i < all->len; i++)
    if (!is_possible_clock (&g_array_index (all, struct ilk_cpu_clock, i), i == clocks.reference))
      return gilk_answer_invalid (error, _("the clock of processor %u has impossible values"), i);

  *head = clocks;
  if (cpus != NULL)
    *cpus = g_steal_pointer (&all);

  return TRUE;
}

GArray *
gilk_answer_measured (const GByteArray *answer,
                      guint             count,
                      GError          **error)
{
  const gsize size = sizeof (struct ilk_measure_result);
  GArray *measured;

  if (answer->len != count * size)
    {
      gilk_answer_invalid (error, _("%u bytes for %u costs"), answer->len, count);
      return NULL;
    }
  measured = g_array_sized_new (FALSE, FALSE, size, count);
  if (count > 0)
    g_array_append_vals (measured, answer->data, count);

  return measured;
}

gboolean
gilk_answer_calls (const GByteArray        *answer,
                   const struct gilk_calls *request,
                   struct gilk_calls_made  *made,
                   GError                 **error)
{
  struct gilk_calls_made answered;

  if (!gilk_answer_struct (answer, &answered, sizeof answered, error))
    return FALSE;
  if (answered.calls > request->calls || answered.wrong > answered.calls || answered.threads == 0 ||
      answered.threads > GILK_WIRE_THREADS_MAX || (request->threads > 0 && answered.threads > request->threads))
    return gilk_answer_invalid (error, _("the agent reports %" PRIu64 " of %" PRIu64 " calls and %u of %u threads, "
                                         "which is impossible"),
                                (uint64_t) answered.calls, (uint64_t) request->calls, answered.threads, request->threads);
  *made = answered;

  return TRUE;
}

GArray *
gilk_answer_intervals (const GByteArray *answer,
                       GError          **error)
{
  GArray *moments;

  if (answer->len % sizeof (uint64_t) != 0 || answer->len / sizeof (uint64_t) > ILK_INTERVALS_MAX + 1)
    {
      gilk_answer_invalid (error, _("the list of switch times has an impossible size of %u bytes"), answer->len);
      return NULL;
    }
  moments = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  if (answer->len > 0)
    g_array_append_vals (moments, answer->data, answer->len / sizeof (uint64_t));
  for (guint i = 0; i < moments->len; i++)
    if (g_array_index (moments, uint64_t, i) > G_MAXINT64 ||
        (i > 0 && g_array_index (moments, uint64_t, i) < g_array_index (moments, uint64_t, i - 1)))
      {
        gilk_answer_invalid (error, _("interval %u starts at %" PRIu64 " ns, which is out of range or before the "
                                      "previous interval"), i,
                             (guint64) g_array_index (moments, uint64_t, i));
        g_array_unref (moments);
        return NULL;
      }

  return moments;
}
