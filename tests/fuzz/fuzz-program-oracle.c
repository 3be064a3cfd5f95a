/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-program-oracle.c - executes a program using only its syntax tree
 */
#include "tests/fuzz/fuzz-program-oracle.h"

Oracle *
oracle_new (GilkBtf *btf, const GilkProgramPlace *place, const GilkSyntax *syntax)
{
  Oracle *o = g_new0 (Oracle, 1);

  o->btf = btf;
  o->place = place;
  o->syntax = syntax;
  g_assert_true (gilk_btf_function (btf, place->function, &o->prototype));
  o->kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  o->turns = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  o->lets = g_array_new (FALSE, TRUE, sizeof (Let));
  o->samples = g_array_new (FALSE, TRUE, sizeof (int64_t));
  memset (o->gates, MODEL_UNTOUCHED, sizeof o->gates);

  return o;
}

void
oracle_free (Oracle *o)
{
  g_hash_table_unref (o->kept);
  g_hash_table_unref (o->turns);
  g_array_unref (o->lets);
  g_array_unref (o->samples);
  g_free (o);
}

/* ---- execution of statements ---- */

static void run_statement (Oracle *o, const GilkNode *node);

static void
run_list (Oracle *o, const GilkNode *first)
{
  const guint before = o->lets->len;

  for (const GilkNode *node = first; node != NULL && !o->over; node = node->next)
    run_statement (o, node);
  g_array_set_size (o->lets, before);
}

static void
run_scope (Oracle *o, const GilkNode *node)
{
  const guint before = o->lets->len;

  run_statement (o, node);
  g_array_set_size (o->lets, before);
}

static void
give_up (Oracle *o)
{
  o->bad++;
  o->over = TRUE;
}

static void
run_condition (Oracle *o, const GilkNode *node)
{
  Value value;

  if (oracle_evaluate (o, node->first, &value) == BAD)
    o->bad++;
  else if (value.v != 0)
    run_scope (o, node->second);
  else if (node->third != NULL)
    run_scope (o, node->third);
}

static void
run_let (Oracle *o, const GilkNode *node)
{
  Let made = { .name = node->name };

  if (oracle_evaluate (o, node->first, &made.value) == BAD)
    {
      give_up (o);
      return;
    }
  if (gilk_ctype_is_number (&made.value.type) && made.value.type.base.is_bool)
    made.value.type = gilk_ctype_number (FALSE, 1);
  g_array_append_val (o->lets, made);
}

static void
run_set (Oracle *o, const GilkNode *node)
{
  Value value, *to = NULL;
  int64_t *global;

  if (oracle_evaluate (o, node->first, &value) == BAD)
    {
      give_up (o);
      return;
    }
  for (guint i = 0; i < o->lets->len; i++)
    if (strcmp (g_array_index (o->lets, Let, i).name, node->name) == 0)
      to = &g_array_index (o->lets, Let, i).value;
  if (to != NULL)
    {
      if (node->mark != '=' && gilk_ctype_is_pointer (&to->type))
        value.v *= oracle_target (o, to);
      if (node->mark == GILK_MARKS ('+', '='))
        value.v += to->v;
      else if (node->mark == GILK_MARKS ('-', '='))
        value.v = to->v - value.v;
      to->v = oracle_convert (&value, &to->type);
      return;
    }
  global = oracle_find (o, node->name, TRUE);
  if (node->mark == '=')
    *global = (int64_t) value.v;
  else
    *global = (int64_t) ((uint64_t) *global + (node->mark == GILK_MARKS ('+', '=') ? value.v : -value.v));
}

/* Returns the name under which the values of a map's slot are stored. The slots of a table are
 * shared by all CPUs. */
static char *
get_slot_name (const Oracle *o, const char *map, guint slot)
{
  return *map == 't' ? g_strdup_printf ("%s@%u", map, slot)
                     : g_strdup_printf ("%s@%u@%u", map, o->machine->cpu, slot);
}

char *
oracle_slot (Oracle *o, const char *map, uint64_t key, gboolean take)
{
  g_autofree char *owner = g_strdup_printf ("%s#", map);
  const guint first = gilk_ops_map_first (key, (guint) *oracle_find (o, owner, FALSE));

  for (guint slot = first; slot < first + GILK_OPS_PROBES; slot++)
    {
      g_autofree char *name = get_slot_name (o, map, slot);
      const int64_t *there = oracle_find (o, name, FALSE);

      if (there != NULL && *there == (int64_t) key)
        return g_steal_pointer (&name);
    }
  for (guint slot = first; take && slot < first + GILK_OPS_PROBES; slot++)
    {
      g_autofree char *name = get_slot_name (o, map, slot);

      if (oracle_find (o, name, FALSE) != NULL)
        continue;
      *oracle_find (o, name, TRUE) = (int64_t) key;
      return g_steal_pointer (&name);
    }

  return NULL;
}

static void
map_set (Oracle *o, const GilkNode *node)
{
  g_autofree char *name = NULL, *slot = NULL;
  Value key, amount;
  int64_t *there;

  if (oracle_evaluate (o, node->first, &key) == BAD || oracle_evaluate (o, node->second, &amount) == BAD)
    {
      give_up (o);
      return;
    }
  slot = oracle_slot (o, node->name, key.v, TRUE);
  if (slot == NULL)
    {
      name = g_strdup_printf ("%s!", node->name);
      *oracle_find (o, name, TRUE) += 1;
      return;
    }
  name = g_strdup_printf ("%s[%" G_GINT64_FORMAT "]", node->name, (int64_t) key.v);
  there = oracle_find (o, name, TRUE);
  *there = (int64_t) ((node->mark == '=' ? 0 : (uint64_t) *there) + amount.v);
}

static void
add_to_histogram (Oracle *o, const GilkNode *node)
{
  g_autofree char *name = NULL, *owner = g_strdup_printf ("%s#", node->name);
  Value value;

  if (oracle_evaluate (o, node->first, &value) == BAD)
    {
      give_up (o);
      return;
    }
  name = g_strdup_printf ("%s[%u]", node->name, gilk_ops_bucket (value.v, (guint) *oracle_find (o, owner, FALSE)));
  *oracle_find (o, name, TRUE) += 1;
}

/* Reads up to eight bytes of a string. Bytes after the string's end are 0; in user memory they need
 * not be readable. */
static Fate
evaluate_text (Oracle *o, const GilkNode *node, Value *out)
{
  uint8_t bytes[8] = { 0 };
  gboolean over = FALSE;
  Value at = { .v = 0 };
  uint64_t word;

  if (oracle_evaluate (o, node->first, &at) == BAD || (!at.in_user && !model_read (o->machine, at.v, 8, &word)))
    return BAD;
  for (guint i = 0; i < sizeof bytes && !over; i++)
    {
      if (!oracle_read (o, at.in_user, at.v + i, 1, &word))
        return BAD;
      bytes[i] = (uint8_t) word;
      over = bytes[i] == 0;
    }
  memcpy (&out->v, bytes, sizeof bytes);

  return FINE;
}

static void
run_sample (Oracle *o, const GilkNode *node)
{
  int64_t mask = 0;
  guint i = 0;

  for (const GilkNode *field = node->first; field != NULL; field = field->next, i++)
    {
      Value value = { .v = 0 };

      if ((field->first->kind == GILK_NODE_STRING ? evaluate_text : oracle_evaluate) (o, field->first, &value) == BAD)
        {
          value.v = 0;
          mask |= INT64_C (1) << i;
        }
      g_array_append_val (o->samples, value.v);
    }
  g_array_append_val (o->samples, mask);
  o->bad += mask != 0;
}

static void
declare_maps (Oracle *o, const GilkNode *node)
{
  g_autofree char *owner = g_strdup_printf ("%s#", node->name);

  if (node->kind == GILK_NODE_GLOBAL || node->kind == GILK_NODE_COUNTER)
    {
      if (oracle_find (o, node->name, FALSE) == NULL)
        *oracle_find (o, node->name, TRUE) = (int64_t) node->number;
    }
  else
    *oracle_find (o, owner, TRUE) = (int64_t) node->number;
}

static void
run_statement (Oracle *o, const GilkNode *node)
{
  switch (node->kind)
    {
    case GILK_NODE_BLOCK: run_list (o, node->first); break;
    case GILK_NODE_IF: run_condition (o, node); break;
    case GILK_NODE_LET: run_let (o, node); break;
    case GILK_NODE_SET: run_set (o, node); break;
    case GILK_NODE_MAP_SET: map_set (o, node); break;
    case GILK_NODE_HISTOGRAM_ADD: add_to_histogram (o, node); break;
    case GILK_NODE_SAMPLE: run_sample (o, node); break;
    case GILK_NODE_START:
    case GILK_NODE_STOP:
      o->gates[program_hook (node->name, NULL)] = node->kind == GILK_NODE_START;
      break;
    case GILK_NODE_COUNT: o->counts++; break;
    case GILK_NODE_RETURN: o->over = TRUE; break;
    default: declare_maps (o, node); break;
    }
}

void
oracle_hit (Oracle *o, const ModelMachine *machine)
{
  o->machine = machine;
  o->over = FALSE;
  run_list (o, o->syntax->program->first);
}

guint
oracle_counts (const Oracle *o)
{
  return o->counts;
}

guint
oracle_bad (const Oracle *o)
{
  return o->bad;
}

const uint8_t *
oracle_gates (const Oracle *o)
{
  return o->gates;
}

const GArray *
oracle_samples (const Oracle *o)
{
  return o->samples;
}

GHashTable *
oracle_kept (const Oracle *o)
{
  return o->kept;
}
