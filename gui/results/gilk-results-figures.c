/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-figures.c - rows of name and value beside a plot or a recorded graph
 *
 * Long values are ellipsized in the middle to keep the panel narrow; the tooltip has the full
 * value.
 */
#include "gui/results/gilk-results-panels.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/analysis/gilk-run-facts.h"
#include "core/samples/gilk-store-accesses.h"
#include "core/store/gilk-store.h"
#include "gui/base/gilk-text.h"

#define VALUE_CHARS 24
#define NAME_CHARS  20

void
gilk_figures_add (GtkGrid    *grid,
                  const char *name,
                  const char *value)
{
  gilk_figures_add_with_tip (grid, name, value, NULL);
}

/* Sets the tooltip of a row. It starts with the full value if the row may show the value
 * ellipsized. */
static void
set_tip (GtkWidget  *left,
         GtkWidget  *right,
         const char *value,
         const char *tip)
{
  gboolean shortened = value != NULL && g_utf8_strlen (value, -1) > VALUE_CHARS;
  g_autofree char *both = shortened && tip != NULL ? g_strdup_printf ("%s\n%s", value, tip) : NULL;

  gtk_widget_set_tooltip_text (left, tip);
  gtk_widget_set_tooltip_text (right, both != NULL ? both : shortened ? value : tip);
}

void
gilk_figures_add_with_tip (GtkGrid    *grid,
                           const char *name,
                           const char *value,
                           const char *tip)
{
  g_autoptr(GList) children = gtk_container_get_children (GTK_CONTAINER (grid));
  int row = g_list_length (children) / 2;
  g_autofree char *shown_name = gilk_text_sanitise_long (name);
  g_autofree char *shown = gilk_text_sanitise_long (value != NULL && value[0] != '\0' ? value : "–");
  GtkWidget *left = gtk_label_new (shown_name);
  GtkWidget *right = gtk_label_new (shown);

  gtk_label_set_xalign (GTK_LABEL (left), 0);
  if (g_utf8_strlen (name, -1) > NAME_CHARS)
    {
      gtk_label_set_ellipsize (GTK_LABEL (left), PANGO_ELLIPSIZE_MIDDLE);
      gtk_label_set_width_chars (GTK_LABEL (left), NAME_CHARS);
    }
  gtk_label_set_mnemonic_widget (GTK_LABEL (left), right);
  gtk_label_set_xalign (GTK_LABEL (right), 1);
  gtk_label_set_selectable (GTK_LABEL (right), TRUE);
  /* Wrap the text to two lines and ellipsize the rest. */
  gtk_label_set_line_wrap (GTK_LABEL (right), TRUE);
  gtk_label_set_lines (GTK_LABEL (right), 2);
  gtk_label_set_justify (GTK_LABEL (right), GTK_JUSTIFY_RIGHT);
  gtk_label_set_ellipsize (GTK_LABEL (right), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (right), VALUE_CHARS);
  set_tip (left, right, value, tip);
  gtk_widget_set_hexpand (right, TRUE);
  gtk_style_context_add_class (gtk_widget_get_style_context (left), "dim-label");
  gtk_style_context_add_class (gtk_widget_get_style_context (right), "figure");
  gtk_grid_attach (grid, left, 0, row, 1, 1);
  gtk_grid_attach (grid, right, 1, row, 1, 1);
  gtk_widget_show (left);
  gtk_widget_show (right);
}

static void
add_si (GtkGrid    *grid,
        const char *name,
        double      value,
        const char *unit)
{
  g_autofree char *text = gilk_format_si (value, unit != NULL ? unit : "", 4);

  gilk_figures_add (grid, name, text);
}

static void
add_count (GtkGrid    *grid,
           const char *name,
           uint64_t    count)
{
  g_autofree char *text = gilk_text_count (count);

  gilk_figures_add (grid, name, text);
}

void
gilk_figures_add_facts (GtkGrid         *grid,
                        const GilkFacts *facts)
{
  for (guint i = 0; i < gilk_facts_n (facts); i++)
    {
      const GilkFact *fact = gilk_facts_at (facts, i);

      gilk_figures_add_with_tip (grid, fact->name, fact->value, fact->explanation);
    }
}

static const char *
get_cell_text (GtkGrid *grid, int column, int row)
{
  return gtk_label_get_text (GTK_LABEL (gtk_grid_get_child_at (grid, column, row)));
}

void
gilk_figures_append_text (GtkGrid *grid,
                          GString *text)
{
  for (int row = 0; gtk_grid_get_child_at (grid, 0, row) != NULL; row++)
    g_string_append_printf (text, "%s\t%s\n", get_cell_text (grid, 0, row), get_cell_text (grid, 1, row));
}

static void
add_cost (GtkGrid              *grid,
          const GilkStoredCost *cost)
{
  g_autofree char *value = gilk_cost_value (cost);
  g_autofree char *tip = gilk_cost_explanation (cost);

  gilk_figures_add_with_tip (grid, _("Cost per hit"), value, tip);
}

void
gilk_figures_hook (GtkGrid              *grid,
                   const GilkStoredHook *hook,
                   const GArray         *costs)
{
  gboolean is_watch = gilk_stored_hook_is_watchpoint (hook);
  gboolean has_place = !is_watch && !gilk_stored_hook_is_event (hook);
  g_autofree char *point = g_strdup_printf ("%s%s%s%s", hook->function, hook->block, has_place ? " " : "",
                                            has_place ? hook->where : "");
  g_autofree char *cost = g_strdup_printf (g_dngettext (NULL, "%u instruction", "%u instructions", hook->cost), hook->cost);

  gilk_figures_add (grid, is_watch ? _("Watched") : _("Point"), point);
  if (!is_watch)                 /* a watchpoint patches no text */
    {
      gilk_figures_add (grid, _("Instrument"), hook->instrument);
      gilk_figures_add (grid, _("Tactic"), hook->tactic);
      gilk_figures_add (grid, _("Cost"), cost);
    }
  if (gilk_costs_of (costs, hook) != NULL)
    add_cost (grid, gilk_costs_of (costs, hook));
  if (hook->hits_known)
    add_count (grid, _("Hits"), hook->hits);
  else
    gilk_figures_add (grid, _("Hits"), _("not counted"));
  add_count (grid, _("Stored"), hook->stored);
  add_count (grid, _("Lost"), hook->lost);
  if (hook->missed > 0)
    add_count (grid, _("Missed"), hook->missed);
}

#define PROCESSES_MAX 6
#define GROUP_GAP          10         /* px between groups of rows */

static void
add_processes (GtkGrid *grid, const GilkAccessor *writer)
{
  for (guint i = 0; i < MIN (writer->processes->len, PROCESSES_MAX); i++)
    {
      const GilkAccessorProcess *process = &g_array_index (writer->processes, GilkAccessorProcess, i);
      g_autofree char *name = g_strdup_printf ("%s (%" G_GINT64_FORMAT ")", process->comm, process->pid);

      add_count (grid, name, process->count);
    }
  if (writer->processes->len > PROCESSES_MAX || writer->others > 0)
    gilk_figures_add (grid, _("More processes"), "…");
}

static void
add_timestamp (GtkGrid *grid, const char *name, gint64 ns)
{
  g_autofree char *text = g_strdup_printf ("%.6f s", (double) ns / 1e9);

  gilk_figures_add (grid, name, text);
}

/* Adds space above the last row. */
static void
separate_last_row (GtkGrid *grid)
{
  g_autoptr(GList) children = gtk_container_get_children (GTK_CONTAINER (grid));
  int row = (int) g_list_length (children) / 2 - 1;

  gtk_widget_set_margin_top (gtk_grid_get_child_at (grid, 0, row), GROUP_GAP);
  gtk_widget_set_margin_top (gtk_grid_get_child_at (grid, 1, row), GROUP_GAP);
}

void
gilk_figures_accesses (GtkGrid            *grid,
                       const GilkAccessor *writer,
                       const GArray       *all)
{
  uint64_t total = gilk_accessors_total (all);
  g_autofree char *share = gilk_text_share (writer->count, total);
  g_autofree char *last = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", writer->last);
  g_autofree char *range = g_strdup_printf (_("0x%" PRIx64 " to 0x%" PRIx64), writer->least,
                                            writer->greatest);
  g_autofree char *contexts = gilk_accessor_contexts_text (writer);

  gilk_figures_add (grid, _("Location"), writer->name);
  separate_last_row (grid);
  gilk_figures_add (grid, _("Instruction"), writer->insn);
  add_count (grid, _("Count"), writer->count);
  gilk_figures_add (grid, _("Share"), share);
  gilk_figures_add (grid, _("Last value"), last);
  gilk_figures_add (grid, _("Values"), range);
  add_timestamp (grid, _("First seen"), writer->first_ns);
  add_timestamp (grid, _("Last seen"), writer->last_ns);
  gilk_figures_add (grid, _("Context"), contexts);
  add_processes (grid, writer);
}

void
gilk_figures_histogram (GtkGrid             *grid,
                        const GilkHistogram *h,
                        const char          *unit)
{
  if (h == NULL || h->n == 0)
    return;
  add_count (grid, _("Values"), h->n);
  add_si (grid, _("Minimum"), h->min, unit);
  add_si (grid, _("Median"), h->median, unit);
  add_si (grid, _("90 %"), h->p90, unit);
  add_si (grid, _("99 %"), h->p99, unit);
  add_si (grid, _("99.9 %"), h->p999, unit);
  add_si (grid, _("Maximum"), h->max, unit);
  add_si (grid, _("Mean"), h->mean, unit);
  add_si (grid, _("Std deviation"), h->stddev, unit);
}

void
gilk_figures_run (GtkGrid             *grid,
                  const GilkStoredRun *run)
{
  g_autofree char *started = gilk_text_date (run->started, TRUE);
  g_autofree char *ended = gilk_store_end_reason_text (run->end_reason);

  gilk_figures_add (grid, _("Target"), run->target);
  gilk_figures_add (grid, _("Kernel"), run->release);
  gilk_figures_add (grid, _("Hooks"), run->by_bpf ? _("BPF programs") : _("driver ilk"));
  gilk_figures_add (grid, _("Started"), started);
  add_si (grid, _("Duration"), run->duration, "s");
  add_count (grid, _("Samples"), run->samples);
  add_count (grid, _("Lost"), run->lost);
  gilk_figures_add (grid, _("Ended by"), ended);
}

void
gilk_figures_graph (GtkGrid                  *grid,
                    const GilkStoredFunction *function,
                    const GilkGraphData      *data)
{
  uint64_t most = 0;
  guint measured = 0;

  for (guint i = 0; i < data->cfg->n_blocks; i++)
    if (data->hits[i] != GILK_HITS_UNKNOWN)
      {
        measured++;
        most = MAX (most, data->hits[i]);
      }
  if (g_strcmp0 (function->module, "kernel") != 0)
    gilk_figures_add (grid, _("Module"), function->module);
  add_count (grid, _("Instructions"), data->cfg->n_insns);
  add_count (grid, _("Blocks"), data->cfg->n_blocks);
  add_count (grid, _("Measured blocks"), measured);
  add_count (grid, _("Most hits"), most);
}
