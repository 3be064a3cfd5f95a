/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-status-bar.c - line below the content: the driver, and the figures of the run
 */
#include "gui/window/gilk-status-bar.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-panes.h"
#include "gui/base/gilk-text.h"
#include "gui/plot/gilk-plot-view.h"

#define OTHERS_SHOWN 12
#define NAME_CHARS_NARROW 14            /* in a narrow window, maximum number of characters of the text
                                         * that shows the session's name and file size */

struct _GilkStatusBar {
  GtkBox parent_instance;

  GilkConnection *connection;
  GilkRecorder   *recorder;
  GilkTargetPoll *poll;
  guint           run, n_runs;          /* number of the current run; number of runs requested */

  GtkLabel       *driver, *why, *elapsed, *rate, *lost, *rings;
  GtkWidget      *line_box;
  GilkRateLine   *line;
  GtkButton      *file;
};

G_DEFINE_FINAL_TYPE (GilkStatusBar, gilk_status_bar, GTK_TYPE_BOX)

/* Appends to @text how many hooks other clients have, and lists these hooks in the tooltip. */
static void
show_others (GilkStatusBar *self,
             char         **text)
{
  const GArray *others = gilk_target_poll_others (self->poll);
  g_autoptr(GString) tip = g_string_new (NULL);
  g_autofree char *count = NULL, *before = NULL;

  gtk_widget_set_tooltip_text (GTK_WIDGET (self->driver), NULL);
  if (others->len == 0)
    return;
  count = g_strdup_printf (g_dngettext (NULL, "%u patch by others", "%u patches by others", others->len), others->len);
  before = *text;
  *text = g_strdup_printf ("%s · %s", before, count);
  for (guint i = 0; i < MIN (others->len, OTHERS_SHOWN); i++)
    {
      const struct ilk_patch_status *place = &g_array_index (others, struct ilk_patch_status, i);
      const GilkFunction *function = gilk_functions_at (gilk_connection_functions (self->connection), place->site);

      g_autofree char *facts = gilk_others_text_facts (others, place, gilk_target_poll_epoch (self->poll));

      if (function != NULL)
        g_string_append_printf (tip, _("%s%s+0x%x, via gilkd %u: %s"), i > 0 ? "\n" : "", function->name,
                                (guint) (place->site - function->hot.start), place->owner_pid, facts);
    }
  if (others->len > OTHERS_SHOWN)
    g_string_append (tip, "\n…");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->driver), tip->str);
}

static void
show_driver (GilkStatusBar        *self,
             const GilkRunFigures *figures)
{
  gboolean running = gilk_recorder_state (self->recorder) == GILK_RECORDER_RUNNING;
  GilkTarget *target = gilk_connection_target (self->connection);
  g_autofree char *way = target != NULL && gilk_target_way (target) == GILK_WAY_BPF
                         ? g_strdup (_("BPF programs")) : g_strdup_printf ("ilk %u", ILK_ABI_VERSION);
  g_autofree char *text = NULL;

  if (gilk_connection_state (self->connection) == GILK_CONNECTION_LOST)
    text = g_strdup (_("connection lost"));
  else if (target == NULL)
    text = g_strdup (_("not connected"));
  else if (!gilk_connection_has_driver (self->connection))
    text = g_strdup (_("neither driver nor BPF: view only"));
  else if (running && figures != NULL)
    text = g_strdup_printf (g_dngettext (NULL, "%s · %u hook live", "%s · %u hooks live", figures->hooks_live), way,
                            figures->hooks_live);
  else
    text = g_strdup_printf (_("%s · no hooks live"), way);
  show_others (self, &text);
  gtk_label_set_text (self->driver, text);
}

/* Shows, during a recording, how full the fullest sample ring (the buffer of a CPU) is. */
static void
show_rings (GilkStatusBar        *self,
            const GilkRunFigures *figures)
{
  gboolean there = figures->ring_bytes != 0 && gilk_recorder_state (self->recorder) == GILK_RECORDER_RUNNING;
  double of = there ? (double) figures->ring_bytes / 100 : 1;
  g_autofree char *text = g_strdup_printf (_("rings %.0f %%"), (double) figures->ring_used / of);
  g_autofree char *size = g_format_size_full (figures->ring_bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *tip =
    g_strdup_printf (_("Unread data in the fullest per-CPU ring (%s each). Peak: %.0f %%. Samples are lost when a ring "
                       "is full."), size, (double) figures->ring_used_max / of);

  gtk_label_set_text (self->rings, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->rings), tip);
  gtk_widget_set_visible (GTK_WIDGET (self->rings), there);
}

static void
show_status (GilkStatusBar *self)
{
  const GilkRunFigures *figures = gilk_recorder_figures (self->recorder);
  const char *path = gilk_recorder_path (self->recorder);
  GtkStyleContext *lost_context = gtk_widget_get_style_context (GTK_WIDGET (self->lost));

  show_driver (self, figures);
  if (figures == NULL)
    return;

  g_autofree char *elapsed = figures->duration > 0
    ? g_strdup_printf (_("%.1f of %.1f s"), figures->elapsed, figures->duration)
    : g_strdup_printf (_("%.1f s"), figures->elapsed);
  gboolean running = gilk_recorder_state (self->recorder) == GILK_RECORDER_RUNNING;
  g_autofree char *rate = gilk_text_rate (running ? figures->samples_per_second : 0);
  g_autofree char *all = gilk_recorder_describe_counts (self->recorder);
  g_autofree char *both = g_strdup_printf ("%s%s%s", all, rate[0] != '\0' ? " · " : "", rate);
  g_autofree char *count = gilk_text_count (figures->lost);
  g_autofree char *lost = g_strdup_printf (_("lost %s"), count);

  if (self->n_runs > 1)
    {
      g_autofree char *numbered = g_strdup_printf (_("run %u of %u · %s"), self->run, self->n_runs, elapsed);

      gtk_label_set_text (self->elapsed, numbered);
    }
  else
    gtk_label_set_text (self->elapsed, elapsed);
  gtk_label_set_text (self->rate, both);
  gtk_label_set_text (self->lost, lost);
  if (figures->lost > 0)
    gtk_style_context_add_class (lost_context, "lost");
  else
    gtk_style_context_remove_class (lost_context, "lost");

  show_rings (self, figures);
  if (path != NULL)
    {
      g_autofree char *name = g_path_get_basename (path);
      g_autofree char *size = g_format_size (figures->bytes);
      g_autofree char *label = g_strdup_printf ("%s · %s", name, size);

      gtk_button_set_label (self->file, label);
      gtk_label_set_ellipsize (GTK_LABEL (gtk_bin_get_child (GTK_BIN (self->file))), PANGO_ELLIPSIZE_START);
      gtk_label_set_max_width_chars (GTK_LABEL (gtk_bin_get_child (GTK_BIN (self->file))),
                                     gtk_widget_get_visible (self->line_box) ? -1 : NAME_CHARS_NARROW);
      gtk_widget_show (GTK_WIDGET (self->file));
    }
}

/* Adds the hit rate of all hooks together. */
static void
add_rate (GilkStatusBar        *self,
          const GilkRunFigures *figures)
{
  double sum = 0;

  if (gilk_recorder_state (self->recorder) == GILK_RECORDER_PREPARING)
    gilk_rate_line_clear (self->line);
  if (figures == NULL || figures->state != GILK_RUN_RUNNING)
    return;
  for (guint i = 0; i < figures->n_hooks; i++)
    sum += figures->hooks[i].rate;
  gilk_rate_line_add (self->line, figures->elapsed, sum);
}

static void
recorder_changed (GilkStatusBar *self)
{
  add_rate (self, gilk_recorder_figures (self->recorder));
  show_status (self);
}

void
gilk_status_bar_set_obstacle (GilkStatusBar *self,
                              const char    *why)
{
  gtk_label_set_text (self->why, why != NULL ? why : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->why), why);
}

void
gilk_status_bar_set_run (GilkStatusBar *self,
                         guint          number,
                         guint          n)
{
  self->run = number;
  self->n_runs = n;
}

void
gilk_status_bar_follow (GilkStatusBar  *self,
                        GtkWindow      *window,
                        GilkConnection *connection,
                        GilkRecorder   *recorder,
                        GilkTargetPoll *poll)
{
  self->connection = g_object_ref (connection);
  self->recorder = g_object_ref (recorder);
  self->poll = g_object_ref (poll);
  gilk_panes_show_by_width (window, self->line_box, GILK_PANES_WORDS_WIDTH, TRUE);
  gilk_panes_show_by_width (window, GTK_WIDGET (self->why), GILK_PANES_REASON_WIDTH, FALSE);
  g_signal_connect_object (connection, "changed", G_CALLBACK (show_status), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (recorder, "changed", G_CALLBACK (recorder_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (poll, "changed", G_CALLBACK (show_status), self, G_CONNECT_SWAPPED);
  show_status (self);
}

static void
gilk_status_bar_dispose (GObject *object)
{
  GilkStatusBar *self = GILK_STATUS_BAR (object);

  if (self->connection != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->connection, self);
      g_signal_handlers_disconnect_by_data (self->recorder, self);
      g_signal_handlers_disconnect_by_data (self->poll, self);
    }
  g_clear_object (&self->connection);
  g_clear_object (&self->recorder);
  g_clear_object (&self->poll);
  G_OBJECT_CLASS (gilk_status_bar_parent_class)->dispose (object);
}

static void
gilk_status_bar_class_init (GilkStatusBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_status_bar_dispose;
  g_type_ensure (GILK_TYPE_RATE_LINE);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/status-bar.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, GilkStatusBar, name)
  BIND (driver);
  BIND (why);
  BIND (elapsed);
  BIND (line_box);
  BIND (line);
  BIND (rate);
  BIND (lost);
  BIND (rings);
  BIND (file);
#undef BIND
}

static void
gilk_status_bar_init (GilkStatusBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
