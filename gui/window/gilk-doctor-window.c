/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor-window.c - checks what this machine and the target can do, and shows commands that fix
 * problems
 */
#include "gui/window/gilk-menu-windows.h"

#include <glib/gi18n.h>
#include <unistd.h>

#include "core/doctor/gilk-doctor.h"
#include "core/link/gilk-answers.h"
#include "gui/base/gilk-windows.h"

typedef struct {
  char       *title;
  GArray     *checks;            /* element-type GilkCheck; NULL: nothing could be checked */
} Part;

static void
part_clear (gpointer data)
{
  Part *part = data;

  g_free (part->title);
  g_clear_pointer (&part->checks, g_array_unref);
}

/* ---- running the checks in a worker thread ---- */

/* Appends the checks of the target, and the checks of whether the driver and BPF can hook its
 * kernel. */
static void
examine_target (GArray       *parts,
                GilkTarget   *target,
                const char   *title,
                GCancellable *cancellable)
{
  g_autoptr(GHashTable) facts = gilk_target_doctor (target, cancellable, NULL);
  Part part = { g_strdup (title), facts != NULL ? gilk_doctor_run_checks (facts) : NULL };
  Part ways = { g_strdup (_("Ways to hook the kernel")), facts != NULL ? gilk_doctor_list_ways (facts, part.checks) : NULL };

  if (part.checks != NULL)
    gilk_doctor_add_debug (NULL, target, facts, part.checks);
  g_array_append_val (parts, part);
  if (ways.checks != NULL)
    g_array_append_val (parts, ways);
  else
    part_clear (&ways);
}

static void
check_thread (GTask        *task,
              gpointer      source,
              gpointer      task_data,
              GCancellable *cancellable)
{
  g_autoptr(GilkTarget) here = task_data != NULL ? NULL : gilk_doctor_open_without_root (cancellable);
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (Part));
  Part part = { g_strdup (_("Connections to a kernel from this machine")), gilk_doctor_list_targets ("", geteuid () == 0) };

  g_array_set_clear_func (parts, part_clear);
  g_array_append_val (parts, part);
  if (task_data != NULL)
    {
      g_autofree char *title = g_strdup_printf ("%s: %s", gilk_target_spec (task_data), gilk_target_hostname (task_data));

      examine_target (parts, task_data, title, cancellable);
    }
  else if (here != NULL)
    examine_target (parts, here, _("This machine (checks that need no root)"), cancellable);
  g_task_return_pointer (task, parts, (GDestroyNotify) g_array_unref);
}

/* ---- showing the checks as rows ---- */

static void
copy_command (GtkButton *button)
{
  GtkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (button), GDK_SELECTION_CLIPBOARD);

  gtk_clipboard_set_text (clipboard, g_object_get_data (G_OBJECT (button), "command"), -1);
  gtk_button_set_label (button, _("Copied"));
}

static GtkWidget *
text_new (const char *text,
          const char *class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_can_focus (label, FALSE);
  gtk_label_set_width_chars (GTK_LABEL (label), 48);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 72);
  gtk_widget_set_hexpand (label, TRUE);
  if (class != NULL)
    gtk_style_context_add_class (gtk_widget_get_style_context (label), class);

  return label;
}

static GtkWidget *
command_new (const char *command)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *copy = gtk_button_new_with_label (_("Copy"));
  g_autofree char *name = g_strdup_printf (_("Copy: %s"), command);

  gtk_box_pack_start (GTK_BOX (box), text_new (command, "code-box"), TRUE, TRUE, 0);
  gtk_widget_set_valign (copy, GTK_ALIGN_CENTER);
  atk_object_set_name (gtk_widget_get_accessible (copy), name);
  g_object_set_data_full (G_OBJECT (copy), "command", g_strdup (command), g_free);
  g_signal_connect (copy, "clicked", G_CALLBACK (copy_command), NULL);
  gtk_box_pack_start (GTK_BOX (box), copy, FALSE, FALSE, 0);

  return box;
}

static GtkWidget *
row_new (const GilkCheck *check)
{
  static const struct { const char *icon, *name, *class; } states[] = {
    [GILK_CHECK_GOOD] = { "emblem-ok-symbolic", N_("OK"), "good" },
    [GILK_CHECK_NOTE] = { "dialog-information-symbolic", N_("note"), "dim-label" },
    [GILK_CHECK_WARN] = { "dialog-warning-symbolic", N_("warning"), "warn" },
    [GILK_CHECK_BAD] = { "dialog-error-symbolic", N_("problem"), "bad" },
  };
  GtkWidget *grid = gtk_grid_new ();
  GtkWidget *icon = gtk_image_new_from_icon_name (states[check->state].icon, GTK_ICON_SIZE_MENU);
  GtkWidget *name = gtk_label_new (check->name);
  g_autofree char *value = gilk_agent_translate (check->value);
  int row = 1;

  gtk_grid_set_column_spacing (GTK_GRID (grid), 10);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  gtk_style_context_add_class (gtk_widget_get_style_context (grid), "list-row");
  gtk_style_context_add_class (gtk_widget_get_style_context (icon), states[check->state].class);
  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  atk_object_set_name (gtk_widget_get_accessible (icon), _(states[check->state].name));
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_width_chars (GTK_LABEL (name), 14);
  gtk_widget_set_valign (name, GTK_ALIGN_START);
  gtk_style_context_add_class (gtk_widget_get_style_context (name), "row-title");
  gtk_grid_attach (GTK_GRID (grid), icon, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), name, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), text_new (value, NULL), 2, 0, 1, 1);
  if (check->remedy != NULL)
    gtk_grid_attach (GTK_GRID (grid), text_new (check->remedy, check->state >= GILK_CHECK_WARN ? NULL : "dim-label"), 2, row++, 1, 1);
  if (check->command != NULL)
    gtk_grid_attach (GTK_GRID (grid), command_new (check->command), 2, row++, 1, 1);

  return grid;
}

/* Adds a heading and its checks to @box: problems first, then passed checks, then notes. */
static void
add_part (GtkBox     *box,
          const Part *part)
{
  GtkWidget *head = gtk_label_new (part->title);

  gtk_label_set_xalign (GTK_LABEL (head), 0);
  gtk_style_context_add_class (gtk_widget_get_style_context (head), "section");
  gtk_style_context_add_class (gtk_widget_get_style_context (head), "list-head");
  gtk_box_pack_start (box, head, FALSE, FALSE, 0);
  for (int state = GILK_CHECK_BAD; state >= GILK_CHECK_GOOD; state--)
    for (guint i = 0; part->checks != NULL && i < part->checks->len; i++)
      {
        const GilkCheck *check = &g_array_index (part->checks, GilkCheck, i);

        if ((int) check->state == (state == GILK_CHECK_NOTE ? GILK_CHECK_GOOD : state == GILK_CHECK_GOOD ? GILK_CHECK_NOTE : state))
          gtk_box_pack_start (box, row_new (check), FALSE, FALSE, 0);
      }
}

static void
checked_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  GtkWidget *window = GTK_WIDGET (object);
  GtkBox *box = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) parts = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr(GList) children = NULL;

  if (parts == NULL || gtk_widget_in_destruction (window))
    return;
  children = gtk_container_get_children (GTK_CONTAINER (box));
  for (GList *l = children; l != NULL; l = l->next)
    gtk_widget_destroy (l->data);
  for (guint i = 0; i < parts->len; i++)
    add_part (box, &g_array_index (parts, Part, i));
  gtk_widget_show_all (GTK_WIDGET (box));
}

void
gilk_doctor_window_show (GtkWindow      *parent,
                         GilkConnection *connection)
{
  GtkWidget *window = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  GtkWidget *bar = gtk_header_bar_new ();
  GtkWidget *scroller = gtk_scrolled_window_new (NULL, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GilkTarget *target = gilk_connection_target (connection);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GTask) task = g_task_new (window, cancellable, checked_cb, box);

  gtk_header_bar_set_title (GTK_HEADER_BAR (bar), _("System check"));
  gtk_header_bar_set_show_close_button (GTK_HEADER_BAR (bar), TRUE);
  gtk_window_set_titlebar (GTK_WINDOW (window), bar);
  gtk_window_set_title (GTK_WINDOW (window), _("System check"));
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (window), 820, 600);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_box_pack_start (GTK_BOX (box), text_new (_("Checking…"), "list-row"), FALSE, FALSE, 0);
  gtk_container_add (GTK_CONTAINER (scroller), box);
  gtk_container_add (GTK_CONTAINER (window), scroller);
  gilk_side_window_set_keys (GTK_WINDOW (window), NULL, NULL);
  g_signal_connect_object (window, "destroy", G_CALLBACK (g_cancellable_cancel), cancellable, G_CONNECT_SWAPPED);
  gtk_widget_show_all (window);

  if (target != NULL)
    g_task_set_task_data (task, gilk_target_ref (target), (GDestroyNotify) gilk_target_unref);
  g_task_run_in_thread (task, check_thread);
}
