/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-program-evaluate.c - evaluates an expression using only its syntax tree
 *
 * Types and values are computed together, without the compiler's type checking and lowering.
 */
#include "core/language/gilk-event-names.h"
#include "tests/fuzz/fuzz-program-oracle.h"

static Fate make_value (Oracle *o, const GilkNode *node, Value *out);

int64_t *
oracle_find (Oracle *o, const char *name, gboolean make)
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
find_turns (Oracle *o, const GilkNode *node)
{
  uint64_t *value = g_hash_table_lookup (o->turns, node);

  if (value == NULL)
    {
      value = g_new0 (uint64_t, MODEL_CPUS);
      g_hash_table_insert (o->turns, (gpointer) node, value);
    }

  return value;
}

/* ---- conversion and loading of values ---- */

static Value
make_number (uint64_t v, gboolean is_signed)
{
  return (Value) { .type = gilk_ctype_number (is_signed, 8), .v = v };
}

static gboolean
is_signed (const Value *value)
{
  return gilk_ctype_is_signed (&value->type);
}

uint64_t
oracle_convert (const Value *value, const GilkCType *type)
{
  const guint size = (guint) gilk_ctype_size (type);

  if (gilk_ctype_is_number (type) && type->base.is_bool)
    return value->v != 0;

  return size == 8 ? value->v : ops_model_extend (value->v, size, gilk_ctype_is_signed (type));
}

gboolean
oracle_read (Oracle *o, gboolean in_user, uint64_t address, guint size, uint64_t *value)
{
  return in_user ? model_read_user (o->machine, address, size, value) : model_read (o->machine, address, size, value);
}

/* Reads a bit field bit by bit. */
static Fate
read_bits (Oracle *o, Value *value)
{
  uint64_t got = 0;

  for (guint i = 0; i < value->bits; i++)
    {
      uint64_t byte;

      if (!oracle_read (o, value->in_user, value->v + (value->bit + i) / 8, 1, &byte))
        return BAD;
      got |= (byte >> (value->bit + i) % 8 & 1) << i;
    }
  if (is_signed (value) && value->bits < 64 && got >> (value->bits - 1) & 1)
    got |= ~UINT64_C (0) << value->bits;
  value->v = got;

  return FINE;
}

static Fate
check_loaded (Oracle *o, Value *value)
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
  if (!oracle_read (o, value->in_user, value->v, size, &got))
    return BAD;
  value->in_user &= gilk_ctype_is_pointer (&value->type);
  value->v = ops_model_extend (got, size, is_signed (value));

  return FINE;
}

uint64_t
oracle_target (Oracle *o, const Value *pointer)
{
  GilkCType target;

  g_assert_true (gilk_ctype_target (o->btf, &pointer->type, &target));

  return target.stars == 0 && target.base.kind == GILK_TYPE_VOID ? 1 : gilk_ctype_size (&target);
}

/* ---- evaluation of names ---- */

static Value
get_task_word (Oracle *o, guint offset)
{
  uint64_t got;

  g_assert_true (model_read (o->machine, o->machine->task + offset, 4, &got));

  return (Value) { .type = gilk_ctype_number (TRUE, 4), .v = ops_model_extend (got, 4, TRUE) };
}

static Value
evaluate_builtin (Oracle *o, const GilkNode *node)
{
  GilkCType type;
  uint64_t *once;
  gboolean first;

  if (strcmp (node->name, "pid") == 0)
    return get_task_word (o, o->place->task_tgid);
  if (strcmp (node->name, "tid") == 0)
    return get_task_word (o, o->place->task_pid);
  if (strcmp (node->name, "cpu") == 0)
    return (Value) { .type = gilk_ctype_number (FALSE, 4), .v = o->machine->cpu };
  if (strcmp (node->name, "now") == 0)
    return make_number (o->machine->now, FALSE);
  if (strcmp (node->name, "task") == 0)
    {
      g_assert_true (gilk_ctype_find (o->btf, "struct task_struct", &type));
      return (Value) { .type = gilk_ctype_pointer_to (&type), .v = o->machine->task };
    }
  g_assert_cmpstr (node->name, ==, "once");
  once = find_turns (o, node);
  first = once[0] == 0;
  once[0] = 1;

  return make_number (first, TRUE);
}

static Value
evaluate_name (Oracle *o, const GilkNode *node)
{
  static const guint registers[] = { 7, 6, 2, 1, 8, 9 };
  int64_t constant, *global;

  for (guint i = o->lets->len; i-- > 0;)
    if (strcmp (g_array_index (o->lets, Let, i).name, node->name) == 0)
      return g_array_index (o->lets, Let, i).value;
  global = oracle_find (o, node->name, FALSE);
  if (global != NULL)
    return make_number ((uint64_t) *global, TRUE);
  for (guint i = 0; i < MIN (o->prototype.n_arguments, 6); i++)
    if (strcmp (o->prototype.names[i], node->name) == 0)
      {
        Value value = { .v = o->machine->registers[registers[i]] };

        g_assert_true (gilk_ctype_of (o->btf, o->prototype.arguments[i], &value.type));
        value.v = ops_model_extend (value.v, (guint) gilk_ctype_size (&value.type), is_signed (&value));
        return value;
      }
  if (g_str_has_prefix (node->name, "arg"))
    return make_number (o->machine->registers[registers[node->name[3] - '0']], FALSE);
  if (gilk_btf_constant (o->btf, node->name, &constant))
    return make_number ((uint64_t) constant, TRUE);

  return evaluate_builtin (o, node);
}

/* ---- evaluation of operators, casts and builtin functions ---- */

static Fate
evaluate_member (Oracle *o, const GilkNode *node, Value *out)
{
  Value of;
  GilkCType type;
  GilkMember found;

  if (node->mark == GILK_MARKS ('-', '>'))
    {
      if (make_value (o, node->first, &of) == BAD || check_loaded (o, &of) == BAD)
        return BAD;
      g_assert_true (gilk_ctype_target (o->btf, &of.type, &type));
    }
  else
    {
      if (make_value (o, node->first, &of) == BAD)
        return BAD;
      g_assert_true (of.object);
      type = of.type;
    }
  g_assert_true (gilk_btf_member (o->btf, type.base.id, node->name, &found));
  *out = (Value) { .object = TRUE, .v = of.v, .bits = found.bits, .in_user = of.in_user };
  if (found.bits > 0)
    out->bit = found.offset;
  else
    out->v += found.offset / 8;
  g_assert_true (gilk_ctype_of (o->btf, found.type, &out->type));

  return FINE;
}

Fate
oracle_evaluate (Oracle *o, const GilkNode *node, Value *out)
{
  return make_value (o, node, out) == BAD ? BAD : check_loaded (o, out);
}

static Fate
evaluate_table (Oracle *o, const char *table, const GilkNode *of_key, gboolean take, Value *out)
{
  g_autofree char *slot = NULL, *name = NULL;
  Value key;

  if (oracle_evaluate (o, of_key, &key) == BAD)
    return BAD;
  *out = make_number (0, TRUE);
  slot = oracle_slot (o, table, key.v, FALSE);
  if (slot == NULL)
    return FINE;
  name = g_strdup_printf ("%s[%" G_GINT64_FORMAT "]", table, (int64_t) key.v);
  *out = make_number ((uint64_t) *oracle_find (o, name, FALSE), TRUE);
  if (take)
    {
      g_hash_table_remove (o->kept, slot);
      g_hash_table_remove (o->kept, name);
    }

  return FINE;
}

/* Converts clock ticks to nanoseconds. The factor is in units of 2^-22 ns: at 2.6 GHz a tick is
 * 1,613,194 units. */
static Fate
evaluate_nanoseconds (Oracle *o, const GilkNode *node, Value *out)
{
  Value ticks;

  if (oracle_evaluate (o, node->first, &ticks) == BAD)
    return BAD;
  *out = make_number (ticks.v * (uint64_t) (1e6 / (double) o->place->tsc_khz * (1 << 22) + 0.5) >> 22, FALSE);

  return FINE;
}

/* Evaluates symbol(), whose value is its operand as an unsigned number. If the operand has a bad
 * memory access, so has the result. */
static Fate
evaluate_symbol (Oracle *o, const GilkNode *node, Value *out)
{
  Value address;

  if (oracle_evaluate (o, node->first, &address) == BAD)
    return BAD;
  *out = make_number (address.v, FALSE);

  return FINE;
}

static Fate
evaluate_index (Oracle *o, const GilkNode *node, Value *out)
{
  Value pointer, index;

  if (node->first->kind == GILK_NODE_NAME && strcmp (node->first->name, "t0") == 0)
    return evaluate_table (o, node->first->name, node->second, FALSE, out);
  if (oracle_evaluate (o, node->first, &pointer) == BAD || oracle_evaluate (o, node->second, &index) == BAD)
    return BAD;
  *out = (Value) { .object = TRUE, .v = pointer.v + index.v * oracle_target (o, &pointer), .in_user = pointer.in_user };
  g_assert_true (gilk_ctype_target (o->btf, &pointer.type, &out->type));

  return FINE;
}

static Fate
evaluate_unary (Oracle *o, const GilkNode *node, Value *out)
{
  Value value;

  if (node->mark == GILK_MARK ('&'))
    {
      if (make_value (o, node->first, &value) == BAD)
        return BAD;
      *out = (Value) { .type = gilk_ctype_pointer_to (&value.type), .v = value.v, .in_user = value.in_user };
      return FINE;
    }
  if (oracle_evaluate (o, node->first, &value) == BAD)
    return BAD;
  switch (node->mark)
    {
    case GILK_MARK ('*'):
      *out = (Value) { .object = TRUE, .v = value.v, .in_user = value.in_user };
      g_assert_true (gilk_ctype_target (o->btf, &value.type, &out->type));
      break;
    case GILK_MARK ('-'): *out = make_number (-value.v, is_signed (&value)); break;
    case GILK_MARK ('~'): *out = make_number (~value.v, is_signed (&value)); break;
    default: *out = make_number (value.v == 0, TRUE); break;
    }

  return FINE;
}

static Fate
evaluate_division (guint mark, uint64_t a, uint64_t b, gboolean with_sign, uint64_t *out)
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
      const int64_t size = (int64_t) oracle_target (o, a), bytes = (int64_t) (a->v - b->v);

      const gboolean power = (size & (size - 1)) == 0;

      *out = make_number ((uint64_t) (power ? bytes >> __builtin_ctzll ((uint64_t) size) : bytes / size), TRUE);
      return FINE;
    }
  *out = gilk_ctype_is_pointer (&a->type) ? *a : *b;
  if (node->mark == '-')
    out->v = a->v - b->v * oracle_target (o, a);
  else if (gilk_ctype_is_pointer (&a->type))
    out->v = a->v + b->v * oracle_target (o, a);
  else
    out->v = b->v + a->v * oracle_target (o, b);

  return FINE;
}

static Fate
on_numbers (guint mark, const Value *a, const Value *b, Value *out)
{
  const gboolean both = is_signed (a) && is_signed (b);

  *out = make_number (0, both);
  switch (mark)
    {
    case '+': out->v = a->v + b->v; return FINE;
    case '-': out->v = a->v - b->v; return FINE;
    case '*': out->v = a->v * b->v; return FINE;
    case '&': out->v = a->v & b->v; return FINE;
    case '|': out->v = a->v | b->v; return FINE;
    case '^': out->v = a->v ^ b->v; return FINE;
    case GILK_MARKS ('<', '<'): *out = make_number (a->v << (b->v & 63), is_signed (a)); return FINE;
    case GILK_MARKS ('>', '>'):
      *out = make_number (is_signed (a) ? (uint64_t) ((int64_t) a->v >> (b->v & 63)) : a->v >> (b->v & 63), is_signed (a));
      return FINE;
    default: return evaluate_division (mark, a->v, b->v, both, &out->v);
    }
}

/* Evaluates a comparison. Returns FALSE if @mark is not a comparison operator. */
static gboolean
evaluate_comparison (guint mark, const Value *a, const Value *b, gboolean *out)
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
evaluate_binary (Oracle *o, const GilkNode *node, Value *out)
{
  const gboolean either = node->mark == GILK_MARKS ('|', '|');
  gboolean holds = FALSE;
  Value a, b;

  if (oracle_evaluate (o, node->first, &a) == BAD)
    return BAD;
  if ((either || node->mark == GILK_MARKS ('&', '&')) && (a.v != 0) == either)
    {
      *out = make_number (either, TRUE);
      return FINE;
    }
  if (oracle_evaluate (o, node->second, &b) == BAD)
    return BAD;
  if (either || node->mark == GILK_MARKS ('&', '&'))
    *out = make_number (b.v != 0, TRUE);
  else if (evaluate_comparison (node->mark, &a, &b, &holds))
    *out = make_number (holds, TRUE);
  else if (gilk_ctype_is_pointer (&a.type) || gilk_ctype_is_pointer (&b.type))
    return on_pointers (o, node, &a, &b, out);
  else
    return on_numbers (node->mark, &a, &b, out);

  return FINE;
}

static GilkCType
find_type (Oracle *o, const GilkNode *node)
{
  GilkCType type;

  g_assert_true (gilk_ctype_find (o->btf, node->name, &type));
  type.stars += node->stars;

  return type;
}

static Fate
evaluate_cast (Oracle *o, const GilkNode *node, Value *out)
{
  const GilkCType type = find_type (o, node);
  Value value;

  if (oracle_evaluate (o, node->first, &value) == BAD)
    return BAD;
  *out = (Value) { .type = type, .v = oracle_convert (&value, &type) };
  out->in_user = value.in_user && gilk_ctype_is_pointer (&value.type) && gilk_ctype_is_pointer (&type);

  return FINE;
}

static Value
evaluate_often (Oracle *o, const GilkNode *node)
{
  uint64_t *turn = &find_turns (o, node)[o->machine->cpu];

  if (node->kind == GILK_NODE_LIMIT)
    {
      const gboolean holds = *turn < node->number;

      *turn += holds;
      return make_number (holds, TRUE);
    }
  if (++*turn < node->number)
    return make_number (0, TRUE);
  *turn = 0;

  return make_number (1, TRUE);
}

static Fate
make_value (Oracle *o, const GilkNode *node, Value *out)
{
  GilkCType type;

  switch (node->kind)
    {
    case GILK_NODE_NUMBER: *out = make_number (node->number, !node->is_unsigned); return FINE;
    case GILK_NODE_NAME: *out = evaluate_name (o, node); return FINE;
    case GILK_NODE_REGISTER: *out = make_number (o->machine->registers[node->number], FALSE); return FINE;
    case GILK_NODE_UNARY: return evaluate_unary (o, node, out);
    case GILK_NODE_BINARY: return evaluate_binary (o, node, out);
    case GILK_NODE_CAST: return evaluate_cast (o, node, out);
    case GILK_NODE_SIZEOF:
      type = find_type (o, node);
      *out = make_number (gilk_ctype_size (&type), FALSE);
      return FINE;
    case GILK_NODE_MEMBER: return evaluate_member (o, node, out);
    case GILK_NODE_INDEX: return evaluate_index (o, node, out);
    case GILK_NODE_NS: return evaluate_nanoseconds (o, node, out);
    case GILK_NODE_SYMBOL: return evaluate_symbol (o, node, out);
    case GILK_NODE_USER:
      if (oracle_evaluate (o, node->first, out) == BAD)
        return BAD;
      out->in_user = TRUE;
      return FINE;
    case GILK_NODE_EVENT:
      *out = make_number (node->name != NULL ? gilk_event_key (node->name) : UINT64_C (5) << 56 | node->number, FALSE);
      return o->machine->blind ? BAD : FINE;
    case GILK_NODE_TAKE: return evaluate_table (o, node->name, node->first, TRUE, out);
    default: *out = evaluate_often (o, node); return FINE;
    }
}
