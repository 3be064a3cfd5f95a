/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instrument-new.c - creates a folder with a working instrument to start from
 *
 * The code is instruments/template.c with its name replaced; the build files come from
 * data/instrument.
 */
#include "cli/instrument/instrument.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-build-dir.h"
#include "core/emit/gilk-inline.h"

static const struct { const char *source, *installed, *made; } files[] = {
  { "instruments/template.c", "template.c", NULL },      /* NULL: NAME.c */
  { "data/instrument/Kbuild.in", "Kbuild.in", "Kbuild" },
  { "data/instrument/Makefile.in", "Makefile.in", "Makefile" },
  { "data/instrument/dkms.conf.in", "dkms.conf.in", "dkms.conf" },
};

/* Checks that the driver accepts the name, and that no module of Gilk is called "ilk-NAME". */
static gboolean
check_name (const char *name, GError **error)
{
  static const char *const ours[] = { "task", "args", "template" };
  gsize room = sizeof ((struct ilk_instrument_desc *) NULL)->name;
  gboolean good = g_ascii_islower (*name) && strlen (name) < room;

  for (const char *at = name; *at != '\0'; at++)
    good = good && (g_ascii_islower (*at) || g_ascii_isdigit (*at) || *at == '-');
  if (!good)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("Invalid instrument name \"%s\". Use small letters, digits and dashes, at most %u of them, starting "
                   "with a letter."), name, (guint) room - 1);
  else if (gilk_inline_by_name (name) != NULL || g_str_has_prefix (name, "arena") ||
           name[strlen (name) - 1] == '-')
    good = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (ours); i++)
    good = good && strcmp (name, ours[i]) != 0;
  if (!good && error != NULL && *error == NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE, _("The name \"%s\" is reserved by Gilk itself. Choose another."),
                                                      name);

  return good;
}

/* Reads the template file that files[@file] describes: from the source tree if gilk runs from a
 * source tree, else from the installation. */
static gboolean
read_part (guint file, char **text, GError **error)
{
  g_autofree char *source = gilk_source_dir_path (files[file].source);
  g_autofree char *path = source != NULL ? g_strdup (source)
                                         : g_build_filename (GILK_DATADIR, "instrument", files[file].installed, NULL);

  if (g_file_get_contents (path, text, NULL, error))
    return TRUE;
  g_prefix_error (error, _("Incomplete installation of Gilk: "));

  return FALSE;
}

static char *
replace_text (const char *text, const char *what, const char *by)
{
  g_auto(GStrv) parts = g_strsplit (text, what, -1);

  return g_strjoinv (by, parts);
}

/* Makes the new instrument's code: replaces the template's header comment, and the path of
 * ilk.h. */
static char *
make_code (const char *template, const char *name)
{
  g_autofree char *identifier = g_strdelimit (g_strdup (name), "-", '_');
  const char *includes = strstr (template, "#include");
  g_autofree char *renamed = replace_text (includes != NULL ? includes : template, "\"template\"", "\"@NAME@\"");
  g_autofree char *including = replace_text (renamed, "\"../ilk/ilk.h\"", "<ilk.h>");
  g_autofree char *whole = replace_text (including, "template", identifier);
  g_autofree char *body = replace_text (whole, "@NAME@", name);

  return g_strdup_printf ("// SPDX-License-Identifier: GPL-2.0-or-later\n"
                          "/*\n"
                          " * %s.c - an instrument of Gilk: records CPU and context of every Nth hit\n"
                          " */\n%s", name, body);
}

static gboolean
write_part (const char *name, guint file, GError **error)
{
  g_autofree char *text = NULL;
  g_autofree char *made = files[file].made != NULL ? g_strdup (files[file].made) : g_strdup_printf ("%s.c", name);
  g_autofree char *path = g_build_filename (name, made, NULL);
  g_autofree char *content = NULL;
  g_autoptr(GError) why = NULL;

  if (!read_part (file, &text, error))
    return FALSE;
  content = files[file].made != NULL ? replace_text (text, "@NAME@", name) : make_code (text, name);

  return g_file_set_contents (path, content, -1, &why) || gilk_unwritable_by (path, why, error);
}

static void
remove_parts (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *made = files[i].made != NULL ? g_strdup (files[i].made) : g_strdup_printf ("%s.c", name);
      g_autofree char *path = g_build_filename (name, made, NULL);

      g_unlink (path);
    }
  g_rmdir (name);
}

gboolean
cli_instrument_new (Cli *cli, const char *name, GError **error)
{
  if (!check_name (name, error))
    return FALSE;
  if (g_mkdir (name, 0777) != 0)
    return gilk_unwritable (name, errno, error);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    if (!write_part (name, i, error))
      {
        remove_parts (name);
        return FALSE;
      }

  cli_json_string (cli->doc, "instrument", name);
  cli_json_string (cli->doc, "folder", name);
  cli_print (cli, _("Created instrument %s: %s/%s.c records CPU and context of every Nth hit.\n"
                    "Edit it, then:\n"
                    "  gilk instrument test %s       tests it in the lab\n"
                    "  gilk instrument install %s    builds it for this kernel\n"),
             name, name, name, name, name);

  return TRUE;
}

gboolean
cli_instrument_folder (const char *folder, GError **error)
{
  static const char *const parts[] = { "Kbuild", "Makefile", "dkms.conf" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *path = g_build_filename (folder, parts[i], NULL);

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        continue;
      return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                        _("%s is not the folder of an instrument: it has no %s. Create one with: gilk instrument new NAME"),
                        folder,
                        parts[i]);
    }

  return TRUE;
}
