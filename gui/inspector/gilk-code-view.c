/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-code-view.c - editor for probe programs
 */
#include "gui/inspector/gilk-code-view.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/language/gilk-complete.h"
#include "core/language/gilk-source.h"
#include "core/plan/gilk-plan.h"
#include "gui/base/gilk-object.h"

#define DEFAULT_CODE "count();"
#define ERROR_TAG      "wrong"
#define KEYWORD_TAG       "word"
#define LITERAL_TAG    "literal"
#define MIN_HEIGHT      84
#define MAX_HEIGHT       200

struct _GilkCodeView {
  GtkScrolledWindow parent_instance;

  GtkTextView       *view;
  GilkCodeProposals *proposals;
  char              *code;       /* the program in the plan when it was last shown, to detect edits
                                  * by the user */
  gboolean           filling;    /* the widget itself, not the user, is changing the text */
};

G_DEFINE_TYPE (GilkCodeView, gilk_code_view, GTK_TYPE_SCROLLED_WINDOW)

char *
gilk_code_view_typed (GilkCodeView *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  GtkTextIter begin, end;

  gtk_text_buffer_get_bounds (buffer, &begin, &end);

  return gtk_text_buffer_get_text (buffer, &begin, &end, FALSE);
}

char *
gilk_code_view_code (GilkCodeView *self)
{
  g_autofree char *text = gilk_code_view_typed (self);

  if (!gilk_plan_check_code (text, NULL))
    return g_strdup (self->code != NULL ? self->code : DEFAULT_CODE);

  return g_steal_pointer (&text);
}

char *
gilk_code_view_problem (GilkCodeView *self)
{
  g_autofree char *text = gilk_code_view_typed (self);
  g_autoptr(GError) error = NULL;

  return gilk_plan_check_code (text, &error) ? NULL : g_strdup (error->message);
}

void
gilk_code_view_mark_error (GilkCodeView           *self,
                           const char             *code,
                           const GilkProgramError *wrong)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  g_autofree char *text = gilk_code_view_typed (self);
  GtkTextIter begin, end;
  gsize length = strlen (text), last;

  gtk_text_buffer_get_bounds (buffer, &begin, &end);
  gtk_text_buffer_remove_tag_by_name (buffer, ERROR_TAG, &begin, &end);
  if (wrong == NULL || wrong->line == 0 || g_strcmp0 (code, text) != 0 || length == 0)
    return;

  last = MIN ((gsize) wrong->offset + MAX (wrong->length, 1), length);
  gtk_text_buffer_get_iter_at_offset (buffer, &begin,
                                      g_utf8_pointer_to_offset (text, text + MIN (wrong->offset, last - 1)));
  gtk_text_buffer_get_iter_at_offset (buffer, &end, g_utf8_pointer_to_offset (text, text + last));
  gtk_text_buffer_apply_tag_by_name (buffer, ERROR_TAG, &begin, &end);
}

/* ---- syntax highlighting ---- */

static const char *
find_tag (const char *text, const GilkToken *token)
{
  g_autofree char *word = NULL;

  if (token->kind == GILK_TOKEN_NUMBER || token->kind == GILK_TOKEN_STRING)
    return LITERAL_TAG;
  if (token->kind != GILK_TOKEN_NAME)
    return NULL;
  word = g_strndup (text + token->part.offset, token->part.length);

  return gilk_complete_is_word (word) ? KEYWORD_TAG : NULL;
}

/* Highlights the syntax token by token. Text that cannot be split into tokens, such as the text
 * after an unclosed quote, keeps its old highlighting. */
static void
highlight_tokens (GilkCodeView *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  g_autofree char *text = gilk_code_view_typed (self);
  GilkSource source = { .text = text };
  g_autoptr(GArray) tokens = strlen (text) <= GILK_PROGRAM_TEXT_MAX ? gilk_tokens_new (&source) : NULL;
  GtkTextIter begin, end;

  g_clear_error (&source.error);
  if (tokens == NULL)
    return;
  gtk_text_buffer_get_bounds (buffer, &begin, &end);
  gtk_text_buffer_remove_tag_by_name (buffer, KEYWORD_TAG, &begin, &end);
  gtk_text_buffer_remove_tag_by_name (buffer, LITERAL_TAG, &begin, &end);
  for (guint i = 0; i < tokens->len; i++)
    {
      const GilkToken *token = &g_array_index (tokens, GilkToken, i);
      const char *tag = find_tag (text, token), *at = text + token->part.offset;
      const int first = (int) g_utf8_pointer_to_offset (text, at);

      if (tag == NULL)
        continue;
      gtk_text_buffer_get_iter_at_offset (buffer, &begin, first);
      gtk_text_buffer_get_iter_at_offset (buffer, &end, first + (int) g_utf8_pointer_to_offset (at, at + token->part.length));
      gtk_text_buffer_apply_tag_by_name (buffer, tag, &begin, &end);
    }
}

/* ---- the text, and GObject life cycle ---- */

void
gilk_code_view_show (GilkCodeView           *self,
                     const char             *code,
                     const GilkProgramError *wrong)
{
  if (g_strcmp0 (self->code, code) != 0)
    {
      g_free (self->code);
      self->code = g_strdup (code);
      self->filling = TRUE;
      if (code != NULL)
        gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->view), code, -1);
      self->filling = FALSE;
    }
  if (code != NULL)
    gilk_code_view_mark_error (self, code, wrong);
}

GilkCodeProposals *
gilk_code_view_proposals (GilkCodeView *self)
{
  return self->proposals;
}

static gboolean
focus_left (GilkCodeView *self)
{
  g_signal_emit_by_name (self, "left");

  return GDK_EVENT_PROPAGATE;
}

static gboolean
key_pressed (GilkCodeView *self,
             GdkEventKey  *event)
{
  if (!(event->state & GDK_CONTROL_MASK) || (event->keyval != GDK_KEY_Return && event->keyval != GDK_KEY_KP_Enter))
    return GDK_EVENT_PROPAGATE;
  g_signal_emit_by_name (self, "entered");

  return GDK_EVENT_STOP;
}

static void
gilk_code_view_finalize (GObject *object)
{
  g_free (GILK_CODE_VIEW (object)->code);
  g_clear_object (&GILK_CODE_VIEW (object)->proposals);
  G_OBJECT_CLASS (gilk_code_view_parent_class)->finalize (object);
}

static void
gilk_code_view_class_init (GilkCodeViewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_code_view_finalize;
  gilk_add_signal (klass, "edited", 0);
  gilk_add_signal (klass, "left", 0);
  gilk_add_signal (klass, "entered", 0);
}

static void
text_changed (GilkCodeView *self)
{
  highlight_tokens (self);
  if (!self->filling)
    g_signal_emit_by_name (self, "edited");
}

/* Gives numbers and strings the link colour, which is readable in every theme. */
static void
update_colours (GilkCodeView *self)
{
  GtkTextTagTable *tags = gtk_text_buffer_get_tag_table (gtk_text_view_get_buffer (self->view));
  GdkRGBA colour;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self->view)), GTK_STATE_FLAG_LINK, &colour);
  g_object_set (gtk_text_tag_table_lookup (tags, LITERAL_TAG), "foreground-rgba", &colour, NULL);
}

static void
make_completion (GilkCodeView *self)
{
  GtkSourceCompletion *completion = gtk_source_view_get_completion (GTK_SOURCE_VIEW (self->view));

  self->proposals = gilk_code_proposals_new ();
  g_object_set (completion, "show-headers", FALSE, "remember-info-visibility", FALSE, "select-on-show", TRUE,
                "show-icons", FALSE, "accelerators", 0, "auto-complete-delay", 120, NULL);
  gtk_source_completion_add_provider (completion, GTK_SOURCE_COMPLETION_PROVIDER (self->proposals), NULL);
}

static void
gilk_code_view_init (GilkCodeView *self)
{
  g_autoptr(GtkSourceBuffer) source = gtk_source_buffer_new (NULL);
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (source);

  /* No style scheme: use the theme's colours. */
  gtk_source_buffer_set_style_scheme (source, NULL);
  gtk_source_buffer_set_highlight_matching_brackets (source, FALSE);
  /* Disable the editor's undo, because the plan has an undo of its own. */
  gtk_source_buffer_set_max_undo_levels (source, 0);
  gtk_text_buffer_create_tag (buffer, KEYWORD_TAG, "weight", PANGO_WEIGHT_BOLD, NULL);
  gtk_text_buffer_create_tag (buffer, LITERAL_TAG, NULL);
  gtk_text_buffer_create_tag (buffer, ERROR_TAG, "underline", PANGO_UNDERLINE_ERROR, NULL);
  self->view = GTK_TEXT_VIEW (g_object_new (GTK_SOURCE_TYPE_VIEW, "visible", TRUE, "monospace", TRUE, "accepts-tab", FALSE,
                                            "buffer", buffer, "auto-indent", TRUE, "wrap-mode", GTK_WRAP_WORD_CHAR,
                                            "left-margin", 6, "right-margin", 6, "top-margin", 4, "bottom-margin", 4, NULL));
  g_signal_connect_object (buffer, "changed", G_CALLBACK (text_changed), self, G_CONNECT_SWAPPED);
  gtk_text_buffer_set_text (buffer, DEFAULT_CODE, -1);
  make_completion (self);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->view)), _("Probe program"));
  g_signal_connect_object (self->view, "focus-out-event", G_CALLBACK (focus_left), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "key-press-event", G_CALLBACK (key_pressed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "style-updated", G_CALLBACK (update_colours), self, G_CONNECT_SWAPPED);
  gtk_scrolled_window_set_shadow_type (GTK_SCROLLED_WINDOW (self), GTK_SHADOW_IN);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self), MIN_HEIGHT);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self), MAX_HEIGHT);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self), TRUE);
  gtk_container_add (GTK_CONTAINER (self), GTK_WIDGET (self->view));
  update_colours (self);
}
