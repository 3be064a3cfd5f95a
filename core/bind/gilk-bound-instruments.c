/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-instruments.c - finds, on the target machine, the instruments that a plan names
 *
 * Loads missing modules, unless the plan is only checked. Changes nothing else on the target.
 */
#include "core/bind/gilk-bound-instruments.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-strings.h"
#include "core/bind/gilk-bound-plan.h"
#include "core/emit/gilk-inline.h"

struct _GilkBoundInstruments {
  GilkTarget   *target;           /* (unowned); NULL: the kernel image is not that of a running
                                   * kernel, so only inline instruments are found */
  GCancellable *cancellable;      /* (unowned) */
  GHashTable   *loaded;           /* instrument name -> error of loading the instrument; NULL: it
                                   * was loaded */
  GArray       *descs;            /* all instruments of the target; NULL: not requested yet */
  gboolean      loads;
  GHashTable   *unloaded;         /* name of an instrument whose module is not loaded -> a
                                   * descriptor with assumed properties */
};

static void
free_error (gpointer error)
{
  g_clear_error ((GError **) &error);
}

GilkBoundInstruments *
gilk_bound_instruments_new (GilkTarget   *target,
                            gboolean      loads,
                            GCancellable *cancellable)
{
  GilkBoundInstruments *b = g_new0 (GilkBoundInstruments, 1);

  b->target = target;
  b->loads = loads;
  b->unloaded = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  b->cancellable = cancellable;
  b->loaded = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_error);

  return b;
}

void
gilk_bound_instruments_free (GilkBoundInstruments *b)
{
  g_hash_table_unref (b->loaded);
  g_hash_table_unref (b->unloaded);
  g_clear_pointer (&b->descs, g_array_unref);
  g_free (b);
}

gboolean
gilk_bound_instruments_has_assumed (const GilkBoundInstruments *b)
{
  return g_hash_table_size (b->unloaded) > 0;
}

/* ---- modules of instruments ---- */

static gboolean
refresh_descs (GilkBoundInstruments *b, GError **error)
{
  g_clear_pointer (&b->descs, g_array_unref);
  b->descs = b->loads || gilk_target_has_driver (b->target)
             ? gilk_target_instruments (b->target, b->cancellable, error)
             : g_array_new (FALSE, FALSE, sizeof (struct ilk_instrument_desc));

  return b->descs != NULL;
}

static const struct ilk_instrument_desc *
find_loaded_desc (GilkBoundInstruments *b, const char *name)
{
  for (guint i = 0; b->descs != NULL && i < b->descs->len; i++)
    {
      const struct ilk_instrument_desc *d =
        &g_array_index (b->descs, struct ilk_instrument_desc, i);

      if (strncmp (d->name, name, sizeof d->name) == 0)
        return d;
    }

  return NULL;
}

static void
set_no_instrument (GilkBoundInstruments *b, const char *name, GError **error)
{
  g_auto(GStrv) files = gilk_target_instrument_files (b->target, b->cancellable, NULL);
  g_autofree char *list = files != NULL ? g_strjoinv (", ", files) : g_strdup ("");

  g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
               _("The target has no instrument “%s”. Use count, stamp, span%s%s."), name,
               *list != '\0' ? ", " : "", list);
}

/* Loads an instrument's module. Must be called only once per module. */
static gboolean
load_module (GilkBoundInstruments *b, const char *name, GError **error)
{
  g_autoptr(GError) local = NULL;
  g_auto(GStrv) files = NULL;

  files = gilk_target_instrument_files (b->target, b->cancellable, &local);
  if (files != NULL && !g_strv_contains ((const char *const *) files, name))
    {
      set_no_instrument (b, name, error);
      return FALSE;
    }
  if (files == NULL ||
      !gilk_target_load_instrument (b->target, name, b->cancellable, &local) ||
      !refresh_descs (b, &local))
    {
      g_set_error (error, local->domain, local->code,
                   _("Cannot load instrument “%s”: %s"), name, local->message);
      return FALSE;
    }
  if (find_loaded_desc (b, name) != NULL)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_DRIVER,
               _("Module “%s” was loaded, but did not register an instrument of that name. Correct the module."), name);

  return FALSE;
}

/* Returns a descriptor for an instrument whose module is installed but not loaded. Its true
 * properties are unknown, so it is assumed to read all registers. */
static const struct ilk_instrument_desc *
make_unloaded_desc (GilkBoundInstruments *b, const char *name, GError **error)
{
  g_auto(GStrv) files = gilk_target_instrument_files (b->target, b->cancellable, error);
  struct ilk_instrument_desc *desc;

  if (files == NULL)
    return NULL;
  if (!g_strv_contains ((const char *const *) files, name))
    {
      set_no_instrument (b, name, error);
      return NULL;
    }
  desc = g_hash_table_lookup (b->unloaded, name);
  if (desc == NULL)
    {
      desc = g_new0 (struct ilk_instrument_desc, 1);
      g_strlcpy (desc->name, name, sizeof desc->name);
      desc->id = G_MAXUINT32 - g_hash_table_size (b->unloaded);
      desc->flags = ILK_INSTRUMENT_REGS;
      g_hash_table_insert (b->unloaded, g_strdup (name), desc);
    }

  return desc;
}

static const struct ilk_instrument_desc *
find_desc (GilkBoundInstruments *b, const char *name, GError **error)
{
  const GError *before;
  GError *local = NULL;

  if (b->target == NULL)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                   _("Instrument “%s” needs a live target. Use count, stamp or span here."), name);
      return NULL;
    }
  if (b->descs == NULL && !refresh_descs (b, error))
    return NULL;
  if (find_loaded_desc (b, name) != NULL)
    return find_loaded_desc (b, name);
  if (!b->loads)
    return make_unloaded_desc (b, name, error);

  if (!g_hash_table_contains (b->loaded, name))
    {
      load_module (b, name, &local);
      g_hash_table_insert (b->loaded, g_strdup (name), local);
    }
  before = g_hash_table_lookup (b->loaded, name);
  if (before != NULL && error != NULL)
    *error = g_error_copy (before);

  return before == NULL ? find_loaded_desc (b, name) : NULL;
}

/* ---- parameters of instruments ---- */

static int
find_param (const struct ilk_instrument_desc *desc, const char *name)
{
  for (guint i = 0; i < MIN (desc->param_count, ILK_PARAMS_MAX); i++)
    if (strncmp (desc->params[i].name, name, sizeof desc->params[i].name) == 0)
      return (int) i;

  return -1;
}

static gboolean
check_param (const struct ilk_instrument_desc *desc, const char *name, const char *text,
             GError **error)
{
  int index = desc != NULL ? find_param (desc, name) : -1;
  const struct ilk_param *param;
  uint64_t value;

  if (index < 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("The instrument has no parameter “%s”. Remove param.%s=, or see gilk instruments."), name, name);
      return FALSE;
    }
  param = &desc->params[index];
  if (gilk_param_value (text, &value) && value >= param->min && value <= param->max)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
               _("param.%s=%s is out of range. Write an integer from %" PRIu64 " to %" PRIu64 "%s%s."), name, text, (guint64) param->min, (guint64) param->max,
               param->unit[0] != '\0' ? " " : "", param->unit);

  return FALSE;
}

gboolean
gilk_param_value (const char *text,
                  uint64_t   *value)
{
  gboolean hex = g_str_has_prefix (text, "0x");
  guint64 parsed;

  if (!gilk_parse_unsigned (hex ? text + 2 : text, hex ? 16 : 10, 0, G_MAXUINT64, &parsed))
    return FALSE;
  *value = parsed;

  return TRUE;
}

static gboolean
check_params (const struct ilk_instrument_desc *desc, GHashTable *params, GError **error)
{
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, params);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (!check_param (desc, name, value, error))
      return FALSE;

  return TRUE;
}

gboolean
gilk_bound_instruments_find (GilkBoundInstruments              *b,
                             const char                        *name,
                             GHashTable                        *params,
                             const struct ilk_instrument_desc **desc,
                             GError                           **error)
{
  *desc = NULL;
  if (gilk_inline_by_name (name) == NULL)
    {
      *desc = find_desc (b, name, error);
      if (*desc == NULL)
        return FALSE;
    }

  return g_hash_table_contains (b->unloaded, name) || check_params (*desc, params, error);
}
