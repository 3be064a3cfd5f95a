/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-inspector-facts.c - facts shown in the inspector about the probe point and its planned hook
 */
#include "gui/inspector/gilk-inspector-private.h"

#include <glib/gi18n.h>

#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-inline.h"
#include "gui/graph/gilk-block-text.h"
#include "gui/base/gilk-text.h"

void
gilk_inspector_show_bytes (GilkInspector *self)
{
  g_autofree char *text = gilk_block_text (self->data, (guint) self->point / 2);

  gtk_label_set_text (self->bytes, text);
}

void
gilk_inspector_show_refusal (GilkInspector *self,
                             guint          refusal,
                             const char    *problem)
{
  gtk_widget_set_visible (self->refusal_box, refusal != 0 || problem != NULL);
  if (problem != NULL)
    {
      gtk_label_set_text (self->refusal_cause, problem);
      gtk_label_set_text (self->refusal_remedy, "");
    }
  else if (refusal != 0)
    {
      gtk_label_set_text (self->refusal_cause, gilk_refusal_cause (refusal));
      gtk_label_set_text (self->refusal_remedy, gilk_refusal_remedy (refusal));
    }
  gtk_widget_set_visible (GTK_WIDGET (self->refusal_remedy), problem == NULL);
}

void
gilk_inspector_show_plan_facts (GilkInspector        *self,
                                const GilkHookStatus *status)
{
  g_autofree char *cost = NULL;

  if (status->bound && status->problem == NULL)
    {
      cost = g_strdup_printf (g_dngettext (NULL, "%u instruction", "%u instructions", status->cost), status->cost);
      gtk_label_set_text (self->tactic, gilk_text_tactic (status->tactic));
      gtk_label_set_text (self->cost, cost);
    }
  else if (status->problem != NULL)
    gtk_label_set_text (self->cost, "–");         /* the point's own cost is that of a count */
  gtk_label_set_text (self->state, status->problem != NULL ? _("cannot be armed")
                                   : status->live ? _("live") : _("planned"));
  if (status->counted)
    {
      g_autofree char *hits = gilk_text_count (status->hits);
      g_autofree char *rate = gilk_text_rate (status->rate);
      g_autofree char *both = g_strdup_printf ("%s%s%s", hits, rate[0] != '\0' ? " · " : "", rate);
      g_autofree char *lost = gilk_text_count (status->lost);

      gtk_label_set_text (self->hits, both);
      gtk_label_set_text (self->lost, lost);
    }
}

void
gilk_inspector_show_point_facts (GilkInspector *self)
{
  const GilkChoice *choice = &self->data->choices[self->point];
  const GilkBlock *block = &self->data->cfg->blocks[self->point / 2];
  const GilkLiveness *liveness = self->data->liveness;
  const GilkLive *live = self->point % 2 == 0 ? &liveness->before[block->first_insn]
                                              : &liveness->after[self->point / 2];
  g_autofree char *registers = gilk_text_live_registers (live);
  const gboolean counts = !gilk_inspector_is_program (self) && gilk_inline_is (gilk_inspector_instrument (self), GILK_INLINE_COUNT);
  /* The cost of another instrument is known only once it is planned; a count costs least. */
  g_autofree char *cost = g_strdup_printf (counts ? g_dngettext (NULL, "%u instruction (count)", "%u instructions (count)", choice->cost)
                                                 : g_dngettext (NULL, "over %u instruction", "over %u instructions", choice->cost), choice->cost);

  gtk_label_set_text (self->state, choice->refusal != 0 ? _("refused") : _("free"));
  gtk_label_set_text (self->tactic, choice->refusal != 0 ? "–" : gilk_text_tactic (choice->tactic));
  gtk_label_set_text (self->cost, choice->refusal != 0 ? "–" : cost);
  gtk_label_set_text (self->live, registers);
  gtk_label_set_text (self->hits, "–");
  gtk_label_set_text (self->lost, "–");
}
