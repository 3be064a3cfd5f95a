/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-program-oracle.c - what a program does, by its tree alone
 *
 * Types are found as values are: nothing of how programs are checked and lowered is used.
 */
#include "tests/fuzz/fuzz-program.h"

#include "core/program/gilk-ctype.h"

typedef struct {
  gboolean  object;
  GilkCType type;
  uint64_t  v;                 /* an object's address */
  guint     bit, bits;         /* of a bit field: from the address */
} Value;

typedef struct {
  const char *name;
  Value       value;
} Let;

struct _Oracle {
  GilkBtf                *btf;
  const GilkProgramPlace *place;
  const GilkSyntax       *syntax;
  GilkPrototype           prototype;
  const ModelMachine     *machine;
  GHashTable             *kept;          /* char * -> int64_t * */
  GHashTable             *turns;         /* GilkNode * -> uint64_t[MODEL_CPUS] */
  GArray                 *lets, *samples;
  uint8_t                 gates[16];     /* by number of the hook */
  guint                   counts, bad;
  gboolean                over;
};

typedef enum { FINE, BAD } Fate;

static Fate value_of (Oracle *o, const GilkNode *node, Value *out);

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

static int64_t *
kept (Oracle *o, const char *name, gboolean make)
{
  int64_t *value = g_hash_table_lookup (o->kept, name);

  if (value == NULL && make)
    {
      value = g_new0 (int64_t, 1);
      g_hash_table_insert (o->kept, g_strdup (name), value);
    }

  return value;
}

static uint64_t *
turns (Oracle *o, const GilkNode *node)
{
  uint64_t *value = g_hash_table_lookup (o->turns, node);

  if (value == NULL)
    {
      value = g_new0 (uint64_t, MODEL_CPUS);
      g_hash_table_insert (o->turns, (gpointer) node, value);
    }

  return value;
}

/* ---- values ---- */

static Value
number (uint64_t v, gboolean is_signed)
{
  return (Value) { .type = gilk_ctype_number (is_signed, 8), .v = v };
}

static gboolean
is_signed (const Value *value)
{
  return gilk_ctype_is_signed (&value->type);
}

static uint64_t
converted (const Value *value, const GilkCType *type)
{
  const guint size = (guint) gilk_ctype_size (type);

  if (gilk_ctype_is_number (type) && type->base.is_bool)
    return value->v != 0;

  return size == 8 ? value->v : ops_model_extend (value->v, size, gilk_ctype_is_signed (type));
}

/* Bit by bit. */
static Fate
read_bits (Oracle *o, Value *value)
{
  uint64_t got = 0;

  for (guint i = 0; i < value->bits; i++)
    {
      uint64_t byte;

      if (!model_read (o->machine, value->v + (value->bit + i) / 8, 1, &byte))
        return BAD;
      got |= (byte >> (value->bit + i) % 8 & 1) << i;
    }
  if (is_signed (value) && value->bits < 64 && got >> (value->bits - 1) & 1)
    got |= ~UINT64_C (0) << value->bits;
  value->v = got;

  return FINE;
}

static Fate
loaded (Oracle *o, Value *value)
{
  const guint size = (guint) gilk_ctype_size (&value->type);
  GilkCType target;
  uint64_t got;

  if (!value->object)
    return FINE;
  value->object = FALSE;
  if (value->bits > 0)
    return read_bits (o, value);
  if (value->type.stars == 0 && value->type.base.kind == GILK_TYPE_ARRAY)
    {
      g_assert_true (gilk_ctype_target (o->btf, &value->type, &target));
      value->type = gilk_ctype_pointer_to (&target);
      return FINE;
    }
  if (!model_read (o->machine, value->v, size, &got))
    return BAD;
  value->v = ops_model_extend (got, size, is_signed (value));

  return FINE;
}

static uint64_t
size_of_target (Oracle *o, const Value *pointer)
{
  GilkCType target;

  g_assert_true (gilk_ctype_target (o->btf, &pointer->type, &target));

  return target.stars == 0 && target.base.kind == GILK_TYPE_VOID ? 1 : gilk_ctype_size (&target);
}

/* ---- names ---- */

static Value
task_word (Oracle *o, guint offset)
{
  uint64_t got;

  g_assert_true (model_read (o->machine, o->machine->task + offset, 4, &got));

  return (Value) { .type = gilk_ctype_number (TRUE, 4), .v = ops_model_extend (got, 4, TRUE) };
}

static Value
builtin (Oracle *o, const GilkNode *node)
{
  GilkCType type;
  uint64_t *once;
  gboolean first;

  if (strcmp (node->name, "pid") == 0)
    return task_word (o, o->place->task_tgid);
  if (strcmp (node->name, "tid") == 0)
    return task_word (o, o->place->task_pid);
  if (strcmp (node->name, "cpu") == 0)
    return (Value) { .type = gilk_ctype_number (FALSE, 4), .v = o->machine->cpu };
  if (strcmp (node->name, "now") == 0)
    return number (o->machine->now, FALSE);
  if (strcmp (node->name, "task") == 0)
    {
      g_assert_true (gilk_ctype_find (o->btf, "struct task_struct", &type));
      return (Value) { .type = gilk_ctype_pointer_to (&type), .v = o->machine->task };
    }
  g_assert_cmpstr (node->name, ==, "once");
  once = turns (o, node);
  first = once[0] == 0;
  once[0] = 1;

  return number (first, TRUE);
}

static Value
named (Oracle *o, const GilkNode *node)
{
  static const guint registers[] = { 7, 6, 2, 1, 8, 9 };
  int64_t constant, *global;

  for (guint i = o->lets->len; i-- > 0;)
    if (strcmp (g_array_index (o->lets, Let, i).name, node->name) == 0)
      return g_array_index (o->lets, Let, i).value;
  global = kept (o, node->name, FALSE);
  if (global != NULL)
    return number ((uint64_t) *global, TRUE);
  for (guint i = 0; i < MIN (o->prototype.n_arguments, 6); i++)
    if (strcmp (o->prototype.names[i], node->name) == 0)
      {
        Value value = { .v = o->machine->registers[registers[i]] };

        g_assert_true (gilk_ctype_of (o->btf, o->prototype.arguments[i], &value.type));
        value.v = ops_model_extend (value.v, (guint) gilk_ctype_size (&value.type), is_signed (&value));
        return value;
      }
  if (g_str_has_prefix (node->name, "arg"))
    return number (o->machine->registers[registers[node->name[3] - '0']], FALSE);
  if (gilk_btf_constant (o->btf, node->name, &constant))
    return number ((uint64_t) constant, TRUE);

  return builtin (o, node);
}

/* ---- operators ---- */

static Fate
member (Oracle *o, const GilkNode *node, Value *out)
{
  Value of;
  GilkCType type;
  GilkMember found;

  if (node->mark == GILK_MARKS ('-', '>'))
    {
      if (value_of (o, node->first, &of) == BAD || loaded (o, &of) == BAD)
        return BAD;
      g_assert_true (gilk_ctype_target (o->btf, &of.type, &type));
    }
  else
    {
      if (value_of (o, node->first, &of) == BAD)
        return BAD;
      g_assert_true (of.object);
      type = of.type;
    }
  g_assert_true (gilk_btf_member (o->btf, type.base.id, node->name, &found));
  *out = (Value) { .object = TRUE, .v = of.v, .bits = found.bits };
  if (found.bits > 0)
    out->bit = found.offset;
  else
    out->v += found.offset / 8;
  g_assert_true (gilk_ctype_of (o->btf, found.type, &out->type));

  return FINE;
}

static Fate
right (Oracle *o, const GilkNode *node, Value *out)
{
  return value_of (o, node, out) == BAD ? BAD : loaded (o, out);
}

static Fate
indexed (Oracle *o, const GilkNode *node, Value *out)
{
  Value pointer, index;

  if (right (o, node->first, &pointer) == BAD || right (o, node->second, &index) == BAD)
    return BAD;
  *out = (Value) { .object = TRUE, .v = pointer.v + index.v * size_of_target (o, &pointer) };
  g_assert_true (gilk_ctype_target (o->btf, &pointer.type, &out->type));

  return FINE;
}

static Fate
unary (Oracle *o, const GilkNode *node, Value *out)
{
  Value value;

  if (node->mark == GILK_MARK ('&'))
    {
      if (value_of (o, node->first, &value) == BAD)
        return BAD;
      *out = (Value) { .type = gilk_ctype_pointer_to (&value.type), .v = value.v };
      return FINE;
    }
  if (right (o, node->first, &value) == BAD)
    return BAD;
  switch (node->mark)
    {
    case GILK_MARK ('*'):
      *out = (Value) { .object = TRUE, .v = value.v };
      g_assert_true (gilk_ctype_target (o->btf, &value.type, &out->type));
      break;
    case GILK_MARK ('-'): *out = number (-value.v, is_signed (&value)); break;
    case GILK_MARK ('~'): *out = number (~value.v, is_signed (&value)); break;
    default: *out = number (value.v == 0, TRUE); break;
    }

  return FINE;
}

static Fate
divided (guint mark, uint64_t a, uint64_t b, gboolean with_sign, uint64_t *out)
{
  if (b == 0 || (with_sign && (int64_t) b == -1 && (int64_t) a == INT64_MIN))
    return BAD;
  if (with_sign)
    *out = (uint64_t) (mark == '/' ? (int64_t) a / (int64_t) b : (int64_t) a % (int64_t) b);
  else
    *out = mark == '/' ? a / b : a % b;

  return FINE;
}

static Fate
on_pointers (Oracle *o, const GilkNode *node, const Value *a, const Value *b, Value *out)
{
  if (gilk_ctype_is_pointer (&a->type) && gilk_ctype_is_pointer (&b->type))
    {
      const int64_t size = (int64_t) size_of_target (o, a), bytes = (int64_t) (a->v - b->v);

      *out = number ((uint64_t) ((size & (size - 1)) == 0 ? bytes >> __builtin_ctzll ((uint64_t) size) : bytes / size),
                     TRUE);
      return FINE;
    }
  *out = gilk_ctype_is_pointer (&a->type) ? *a : *b;
  if (node->mark == '-')
    out->v = a->v - b->v * size_of_target (o, a);
  else if (gilk_ctype_is_pointer (&a->type))
    out->v = a->v + b->v * size_of_target (o, a);
  else
    out->v = b->v + a->v * size_of_target (o, b);

  return FINE;
}

static Fate
on_numbers (guint mark, const Value *a, const Value *b, Value *out)
{
  const gboolean both = is_signed (a) && is_signed (b);

  *out = number (0, both);
  switch (mark)
    {
    case '+': out->v = a->v + b->v; return FINE;
    case '-': out->v = a->v - b->v; return FINE;
    case '*': out->v = a->v * b->v; return FINE;
    case '&': out->v = a->v & b->v; return FINE;
    case '|': out->v = a->v | b->v; return FINE;
    case '^': out->v = a->v ^ b->v; return FINE;
    case GILK_MARKS ('<', '<'): *out = number (a->v << (b->v & 63), is_signed (a)); return FINE;
    case GILK_MARKS ('>', '>'):
      *out = number (is_signed (a) ? (uint64_t) ((int64_t) a->v >> (b->v & 63)) : a->v >> (b->v & 63), is_signed (a));
      return FINE;
    default: return divided (mark, a->v, b->v, both, &out->v);
    }
}

/* FALSE: it compares nothing. */
static gboolean
compared (guint mark, const Value *a, const Value *b, gboolean *out)
{
  const gboolean both = is_signed (a) && is_signed (b);
  const gboolean less = both ? (int64_t) a->v < (int64_t) b->v : a->v < b->v;

  switch (mark)
    {
    case '<': *out = less; return TRUE;
    case '>': *out = !less && a->v != b->v; return TRUE;
    case GILK_MARKS ('<', '='): *out = less || a->v == b->v; return TRUE;
    case GILK_MARKS ('>', '='): *out = !less; return TRUE;
    case GILK_MARKS ('=', '='): *out = a->v == b->v; return TRUE;
    case GILK_MARKS ('!', '='): *out = a->v != b->v; return TRUE;
    default: return FALSE;
    }
}

static Fate
binary (Oracle *o, const GilkNode *node, Value *out)
{
  const gboolean either = node->mark == GILK_MARKS ('|', '|');
  gboolean holds = FALSE;
  Value a, b;

  if (right (o, node->first, &a) == BAD)
    return BAD;
  if ((either || node->mark == GILK_MARKS ('&', '&')) && (a.v != 0) == either)
    {
      *out = number (either, TRUE);
      return FINE;
    }
  if (right (o, node->second, &b) == BAD)
    return BAD;
  if (either || node->mark == GILK_MARKS ('&', '&'))
    *out = number (b.v != 0, TRUE);
  else if (compared (node->mark, &a, &b, &holds))
    *out = number (holds, TRUE);
  else if (gilk_ctype_is_pointer (&a.type) || gilk_ctype_is_pointer (&b.type))
    return on_pointers (o, node, &a, &b, out);
  else
    return on_numbers (node->mark, &a, &b, out);

  return FINE;
}

static GilkCType
type_named (Oracle *o, const GilkNode *node)
{
  GilkCType type;

  g_assert_true (gilk_ctype_find (o->btf, node->name, &type));
  type.stars += node->stars;

  return type;
}

static Fate
cast (Oracle *o, const GilkNode *node, Value *out)
{
  const GilkCType type = type_named (o, node);
  Value value;

  if (right (o, node->first, &value) == BAD)
    return BAD;
  *out = (Value) { .type = type, .v = converted (&value, &type) };

  return FINE;
}

static Value
often (Oracle *o, const GilkNode *node)
{
  uint64_t *turn = &turns (o, node)[o->machine->cpu];

  if (node->kind == GILK_NODE_LIMIT)
    {
      const gboolean holds = *turn < node->number;

      *turn += holds;
      return number (holds, TRUE);
    }
  if (++*turn < node->number)
    return number (0, TRUE);
  *turn = 0;

  return number (1, TRUE);
}

static Fate
value_of (Oracle *o, const GilkNode *node, Value *out)
{
  GilkCType type;

  switch (node->kind)
    {
    case GILK_NODE_NUMBER: *out = number (node->number, !node->is_unsigned); return FINE;
    case GILK_NODE_NAME: *out = named (o, node); return FINE;
    case GILK_NODE_REGISTER: *out = number (o->machine->registers[node->number], FALSE); return FINE;
    case GILK_NODE_UNARY: return unary (o, node, out);
    case GILK_NODE_BINARY: return binary (o, node, out);
    case GILK_NODE_CAST: return cast (o, node, out);
    case GILK_NODE_SIZEOF:
      type = type_named (o, node);
      *out = number (gilk_ctype_size (&type), FALSE);
      return FINE;
    case GILK_NODE_MEMBER: return member (o, node, out);
    case GILK_NODE_INDEX: return indexed (o, node, out);
    default: *out = often (o, node); return FINE;
    }
}

/* ---- statements ---- */

static void statement (Oracle *o, const GilkNode *node);

static void
list (Oracle *o, const GilkNode *first)
{
  const guint before = o->lets->len;

  for (const GilkNode *node = first; node != NULL && !o->over; node = node->next)
    statement (o, node);
  g_array_set_size (o->lets, before);
}

static void
scoped (Oracle *o, const GilkNode *node)
{
  const guint before = o->lets->len;

  statement (o, node);
  g_array_set_size (o->lets, before);
}

static void
give_up (Oracle *o)
{
  o->bad++;
  o->over = TRUE;
}

static void
condition (Oracle *o, const GilkNode *node)
{
  Value value;

  if (right (o, node->first, &value) == BAD)
    o->bad++;
  else if (value.v != 0)
    scoped (o, node->second);
  else if (node->third != NULL)
    scoped (o, node->third);
}

static void
let (Oracle *o, const GilkNode *node)
{
  Let made = { .name = node->name };

  if (right (o, node->first, &made.value) == BAD)
    {
      give_up (o);
      return;
    }
  if (gilk_ctype_is_number (&made.value.type) && made.value.type.base.is_bool)
    made.value.type = gilk_ctype_number (FALSE, 1);
  g_array_append_val (o->lets, made);
}

static void
set (Oracle *o, const GilkNode *node)
{
  Value value, *to = NULL;
  int64_t *global;

  if (right (o, node->first, &value) == BAD)
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
        value.v *= size_of_target (o, to);
      if (node->mark == GILK_MARKS ('+', '='))
        value.v += to->v;
      else if (node->mark == GILK_MARKS ('-', '='))
        value.v = to->v - value.v;
      to->v = converted (&value, &to->type);
      return;
    }
  global = kept (o, node->name, TRUE);
  if (node->mark == '=')
    *global = (int64_t) value.v;
  else
    *global = (int64_t) (node->mark == GILK_MARKS ('+', '=') ? (uint64_t) *global + value.v : (uint64_t) *global - value.v);
}

/* By the rule of maps: eight slots from the hash of the key on. */
static void
map_add (Oracle *o, const GilkNode *node)
{
  g_autofree char *name = NULL, *owner = NULL;
  Value key, amount;
  const int64_t *slots;

  if (right (o, node->first, &key) == BAD || right (o, node->second, &amount) == BAD)
    {
      give_up (o);
      return;
    }
  owner = g_strdup_printf ("%s#", node->name);
  slots = kept (o, owner, FALSE);
  for (guint i = 0; i < GILK_OPS_PROBES; i++)
    {
      const guint slot = (gilk_ops_map_hash (key.v, (guint) *slots) + i) & ((guint) *slots - 1);
      g_autofree char *place = g_strdup_printf ("%s@%u@%u", node->name, o->machine->cpu, slot);
      int64_t *there = kept (o, place, FALSE);

      if (there == NULL)
        {
          there = kept (o, place, TRUE);
          *there = (int64_t) key.v;
        }
      if (*there == (int64_t) key.v)
        {
          name = g_strdup_printf ("%s[%" G_GINT64_FORMAT "]", node->name, (int64_t) key.v);
          there = kept (o, name, TRUE);
          *there = (int64_t) ((uint64_t) *there + amount.v);
          return;
        }
    }
  name = g_strdup_printf ("%s!", node->name);
  *kept (o, name, TRUE) += 1;
}

static void
histogram_add (Oracle *o, const GilkNode *node)
{
  g_autofree char *name = NULL, *owner = g_strdup_printf ("%s#", node->name);
  Value value;

  if (right (o, node->first, &value) == BAD)
    {
      give_up (o);
      return;
    }
  name = g_strdup_printf ("%s[%u]", node->name, gilk_ops_bucket (value.v, (guint) *kept (o, owner, FALSE)));
  *kept (o, name, TRUE) += 1;
}

static void
sample (Oracle *o, const GilkNode *node)
{
  int64_t mask = 0;
  guint i = 0;

  for (const GilkNode *field = node->first; field != NULL; field = field->next, i++)
    {
      Value value = { .v = 0 };

      if (right (o, field->first, &value) == BAD)
        {
          value.v = 0;
          mask |= INT64_C (1) << i;
        }
      g_array_append_val (o->samples, value.v);
    }
  g_array_append_val (o->samples, mask);
}

static void
declare (Oracle *o, const GilkNode *node)
{
  g_autofree char *owner = g_strdup_printf ("%s#", node->name);

  if (node->kind == GILK_NODE_GLOBAL || node->kind == GILK_NODE_COUNTER)
    {
      if (kept (o, node->name, FALSE) == NULL)
        *kept (o, node->name, TRUE) = (int64_t) node->number;
    }
  else
    *kept (o, owner, TRUE) = (int64_t) node->number;
}

static void
statement (Oracle *o, const GilkNode *node)
{
  switch (node->kind)
    {
    case GILK_NODE_BLOCK: list (o, node->first); break;
    case GILK_NODE_IF: condition (o, node); break;
    case GILK_NODE_LET: let (o, node); break;
    case GILK_NODE_SET: set (o, node); break;
    case GILK_NODE_MAP_ADD: map_add (o, node); break;
    case GILK_NODE_HISTOGRAM_ADD: histogram_add (o, node); break;
    case GILK_NODE_SAMPLE: sample (o, node); break;
    case GILK_NODE_START:
    case GILK_NODE_STOP:
      o->gates[program_hook (node->name, NULL)] = node->kind == GILK_NODE_START;
      break;
    case GILK_NODE_COUNT: o->counts++; break;
    case GILK_NODE_RETURN: o->over = TRUE; break;
    default: declare (o, node); break;
    }
}

void
oracle_hit (Oracle *o, const ModelMachine *machine)
{
  o->machine = machine;
  o->over = FALSE;
  list (o, o->syntax->program->first);
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
