/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-check.c - checks that a program's operations follow the rules
 *
 * One pass over the operations is enough: control only goes forward, so all paths to a label come
 * from earlier operations. The state at a label consists of facts that hold on every path to it.
 * This file, and no other, checks all rules on which the emitter relies, and those that keep a
 * program within its own memory.
 */
#include "core/emit/gilk-ops.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/emit/gilk-asm.h"
#include "ilk/ilk-abi.h"

/* Facts that hold before an operation, on every path that leads to it. */
typedef struct {
  gboolean reached, inside, guarded, reserved;
  uint64_t written[GILK_OPS_VALUES / 64];
  uint64_t payload[3];                  /* bytes of the sample's payload that FIELD operations have
                                         * written, one bit per byte */
} State;

typedef struct {
  const GilkOps *ops;
  const GilkOp  *op;
  State          now;
  State         *at;                    /* for each label: facts that hold on every path to the
                                         * label */
  gboolean      *placed;
  const char    *wrong;
} Check;

static void
check_that (Check *check, gboolean holds, const char *otherwise)
{
  if (!holds && check->wrong == NULL)
    check->wrong = otherwise;
}

static gboolean
has_bit (const uint64_t *bits, guint bit)
{
  return bits[bit / 64] >> (bit % 64) & 1;
}

static void
set_bit (uint64_t *bits, guint bit)
{
  bits[bit / 64] |= UINT64_C (1) << (bit % 64);
}

/* ---- facts at labels, where paths join ---- */

static void
join_state (Check *check, State *to, const State *from)
{
  if (!from->reached)
    return;
  if (!to->reached)
    {
      *to = *from;
      return;
    }

  check_that (check, to->inside == from->inside && to->guarded == from->guarded && to->reserved == from->reserved,
              "joining paths differ in critical section or sample");
  for (gsize i = 0; i < G_N_ELEMENTS (to->written); i++)
    to->written[i] &= from->written[i];
  for (gsize i = 0; i < G_N_ELEMENTS (to->payload); i++)
    to->payload[i] &= from->payload[i];
}

static void
check_branch (Check *check, const State *from)
{
  guint label = check->op->label;

  check_that (check, label < check->ops->n_labels, "unknown label");
  if (check->wrong != NULL)
    return;
  check_that (check, !check->placed[label], "backward branch");
  join_state (check, &check->at[label], from);
}

static void
check_label (Check *check)
{
  guint label = check->op->label;

  check_that (check, label < check->ops->n_labels && !check->placed[label], "label unknown or placed twice");
  if (check->wrong != NULL)
    return;
  check->placed[label] = TRUE;
  join_state (check, &check->now, &check->at[label]);
}

/* ---- checks of an operation's members ---- */

static void
check_read (Check *check, guint value)
{
  check_that (check, value < check->ops->n_values, "unknown value");
  if (check->wrong == NULL)
    check_that (check, !check->now.reached || has_bit (check->now.written, value), "value may be uninitialized");
}

static void
check_read_or_imm (Check *check, guint value, int64_t imm)
{
  if (value == GILK_NO_VALUE)
    check_that (check, imm == (int32_t) imm, "number exceeds 32 bits");
  else
    check_read (check, value);
}

static void
check_write (Check *check, guint value)
{
  check_that (check, value < check->ops->n_values, "unknown value");
  if (check->wrong == NULL)
    set_bit (check->now.written, value);
}

static gboolean
is_size (guint size)
{
  return size == 1 || size == 2 || size == 4 || size == 8;
}

static const GilkOpsArea *
check_area (Check *check)
{
  check_that (check, check->op->area < check->ops->areas->len, "unknown area");

  return check->wrong == NULL ? &g_array_index (check->ops->areas, GilkOpsArea, check->op->area) : NULL;
}

static void
check_element (Check *check)
{
  const GilkOp *op = check->op;
  const GilkOpsArea *area = check_area (check);
  gboolean indexed = op->index != GILK_NO_VALUE;

  if (area == NULL)
    return;
  if (indexed)
    check_read (check, op->index);
  check_that (check, !indexed || (op->mask & ((uint64_t) op->mask + 1)) == 0, "mask is not a power of two minus one");
  check_that (check, op->imm >= 0 && op->imm < area->elements &&
                  (!indexed || (uint64_t) op->imm + op->mask < area->elements), "element outside of its area");
  check_that (check, op->kind != GILK_OP_AREA_CLAIM || !area->per_cpu, "claim in a per-CPU area");
  check_that (check, op->kind == GILK_OP_AREA_ADD || !area->per_cpu || check->now.inside || !check->now.reached,
              "per-CPU element accessed outside of a critical section");
}

/* ---- checks of each kind of operation ---- */

static void
check_arithmetic (Check *check)
{
  const GilkOp *op = check->op;
  gboolean divides = op->kind == GILK_OP_DIV || op->kind == GILK_OP_MOD;

  check_read (check, op->a);
  if (op->kind == GILK_OP_BUCKET)
    check_that (check, op->imm >= 0 && op->imm <= GILK_OPS_BUCKET_BITS, "invalid number of buckets per octave");
  else
    check_read_or_imm (check, op->b, op->imm);
  if (divides)
    check_branch (check, &check->now);
  check_write (check, op->to);
}

static void
check_enter_leave (Check *check)
{
  const GilkOp *op = check->op;
  gboolean enters = op->kind == GILK_OP_ENTER;

  check_that (check, check->now.inside != enters || !check->now.reached, "ENTER and LEAVE do not alternate");
  check_that (check, !check->now.reserved, "LEAVE within a sample");
  check_that (check, !enters || op->imm == 0 || op->imm == GILK_OPS_GUARD, "invalid ENTER");
  if (enters && op->imm == GILK_OPS_GUARD)
    check_branch (check, &check->now);
  check->now.inside = enters;
  check->now.guarded = enters && op->imm == GILK_OPS_GUARD;
}

static void
check_load (Check *check)
{
  const GilkOp *op = check->op;

  check_that (check, is_size (op->size), "invalid size");
  check_that (check, !op->is_user || (op->kind == GILK_OP_LOAD && !check->now.reserved),
              "user memory is stored to, or read within a sample");
  check_that (check, !op->is_text || (op->is_user && op->size == 8), "text of another size, or of the kernel");
  if (op->kind != GILK_OP_CPU_LOAD)
    {
      check_that (check, check->now.guarded || !check->now.reached, "load or store outside of a guarded critical section");
      check_that (check, op->imm >= -GILK_OPS_REACH && op->imm + op->size <= GILK_OPS_REACH, "load or store offset out of "
                                                                                          "range");
      check_read (check, op->a);
      check_branch (check, &check->now);
    }
  if (op->kind == GILK_OP_STORE)
    check_read (check, op->b);
  else
    check_write (check, op->to);
}

static void
check_map_slot (Check *check)
{
  const GilkOp *op = check->op;
  const GilkOpsArea *area = check_area (check);

  if (area == NULL)
    return;
  check_that (check, area->map_slots >= GILK_OPS_PROBES, "area is not a map");
  check_that (check, check->now.inside || !check->now.reached, "map access outside of a critical section");
  check_read (check, op->a);
  check_branch (check, &check->now);
  check_write (check, op->to);
}

static void
check_field (Check *check)
{
  const GilkOp *op = check->op;

  check_that (check, check->now.reserved || !check->now.reached, "field outside of a sample");
  check_that (check, is_size (op->size) && op->imm >= 0 && op->imm % op->size == 0 &&
                  op->imm + op->size <= (int64_t) check->ops->payload, "field past the end of the sample");
  check_read (check, op->a);
  for (guint i = 0; check->wrong == NULL && i < op->size; i++)
    set_bit (check->now.payload, (guint) op->imm + i);
}

static void
check_sample (Check *check)
{
  const GilkOp *op = check->op;
  gboolean reserves = op->kind == GILK_OP_RESERVE;

  check_that (check, check->now.reserved != reserves || !check->now.reached, "RESERVE and COMMIT do not alternate");
  if (reserves)
    {
      check_that (check, check->now.inside || !check->now.reached, "sample outside of a critical section");
      check_that (check, op->imm == (int64_t) check->ops->payload, "sample size differs from the program's");
      check_branch (check, &check->now);
      memset (check->now.payload, 0, sizeof check->now.payload);
    }
  for (guint i = 0; !reserves && check->now.reached && i < check->ops->payload; i++)
    check_that (check, has_bit (check->now.payload, i), "sample byte may be uninitialized");
  check->now.reserved = reserves;
}

static void
check_area_access (Check *check)
{
  const GilkOp *op = check->op;

  check_element (check);
  if (op->kind == GILK_OP_AREA_LOAD || op->kind == GILK_OP_AREA_CLAIM)
    check_write (check, op->to);
  else if (op->kind == GILK_OP_AREA_ADD)
    check_read_or_imm (check, op->a, op->imm2);
  else
    check_read (check, op->a);
}

static void
check_call (Check *check)
{
  const GilkOp *op = check->op;
  const GilkOpsArea *area;

  check_that (check, op->imm >= 0 && op->imm <= GILK_SERVICE_MOVE, "unknown service");
  check_that (check, check->now.guarded || !check->now.reached, "call outside of a guarded critical section");
  check_that (check, !check->now.reserved, "call within a sample");
  if (op->imm == ILK_SERVICE_MARKER)
    {
      check_that (check, op->text[1] >> 56 == 0 && op->text[2] == 0, "name too long");
      check_read (check, op->a);
    }
  check_that (check, op->text[ILK_CRASH_WORDS - 1] >> 56 == 0, "text too long");
  if (op->imm == GILK_SERVICE_EVENT)
    {
      check_that (check, (uint64_t) op->imm2 >> 56 != 0, "counter without a type");
      check_write (check, op->to);
    }
  if (op->imm == GILK_SERVICE_MOVE)
    {
      check_that (check, op->imm2 >= 0 && op->imm2 < (int64_t) check->ops->n_gates, "unknown watchpoint");
      check_read (check, op->a);
    }
  if (op->imm != ILK_SERVICE_STACK)
    return;
  area = check_area (check);
  check_that (check, area != NULL && area->is_stacks, "area does not hold stacks");
  check_write (check, op->to);
}

static void
check_control (Check *check)
{
  const GilkOp *op = check->op;

  switch (op->kind)
    {
    case GILK_OP_LABEL:
      check_label (check);
      break;
    case GILK_OP_BRANCH:
      check_that (check, op->compare <= GILK_IF_NO_BITS, "unknown comparison");
      check_read (check, op->a);
      check_read_or_imm (check, op->b, op->imm);
      check_branch (check, &check->now);
      break;
    case GILK_OP_JUMP:
    default:
      check_branch (check, &check->now);
      check->now = (State) { FALSE };
    }
}

static void
check_change (Check *check)
{
  const GilkOp *op = check->op;

  if (op->kind == GILK_OP_REGISTER_SET)
    {
      check_that (check, op->imm >= 0 && op->imm < 16 && op->imm != GILK_RSP && op->imm != GILK_RBP,
                  "register cannot be set");
      check_read (check, op->a);
      return;
    }
  check_that (check, op->imm >= 0 && op->imm < GILK_EXITS, "unknown exit");
  check_that (check, !check->now.inside && !check->now.reserved, "exit within a critical section");
  check->now = (State) { FALSE };
}

static void
check_operation (Check *check)
{
  const GilkOp *op = check->op;

  switch ((GilkOpKind) op->kind)
    {
    case GILK_OP_CONST:
    case GILK_OP_CLOCK:
      check_write (check, op->to);
      break;
    case GILK_OP_REGISTER:
      check_that (check, op->imm >= 0 && op->imm < 16, "unknown register");
      check_write (check, op->to);
      break;
    case GILK_OP_FACT:
      check_that (check, op->imm >= 0 && op->imm < GILK_FACTS, "unknown watchpoint field");
      check_write (check, op->to);
      break;
    case GILK_OP_CONTEXT:
      check_that (check, op->imm >= 0 && op->imm <= GILK_OPS_CONTEXT, "unknown word of the context");
      check_write (check, op->to);
      break;
    case GILK_OP_EXTEND:
      check_that (check, is_size (op->size), "invalid size");
      G_GNUC_FALLTHROUGH;
    case GILK_OP_MOVE:
      check_read (check, op->a);
      check_write (check, op->to);
      break;
    case GILK_OP_ADD: case GILK_OP_SUB: case GILK_OP_MUL: case GILK_OP_AND: case GILK_OP_OR: case GILK_OP_XOR:
    case GILK_OP_SHL: case GILK_OP_SHR: case GILK_OP_SAR: case GILK_OP_DIV: case GILK_OP_MOD: case GILK_OP_BUCKET:
      check_arithmetic (check);
      break;
    case GILK_OP_LABEL: case GILK_OP_JUMP: case GILK_OP_BRANCH:
      check_control (check);
      break;
    case GILK_OP_ENTER: case GILK_OP_LEAVE:
      check_enter_leave (check);
      break;
    case GILK_OP_LOAD: case GILK_OP_CPU_LOAD: case GILK_OP_STORE:
      check_load (check);
      break;
    case GILK_OP_AREA_LOAD: case GILK_OP_AREA_STORE: case GILK_OP_AREA_ADD: case GILK_OP_AREA_CLAIM:
      check_area_access (check);
      break;
    case GILK_OP_MAP_SLOT: case GILK_OP_MAP_FIND:
      check_map_slot (check);
      break;
    case GILK_OP_RESERVE: case GILK_OP_COMMIT:
      check_sample (check);
      break;
    case GILK_OP_FIELD:
      check_field (check);
      break;
    case GILK_OP_GATE:
      check_that (check, op->imm >= 0 && op->imm < (int64_t) check->ops->n_gates && (op->imm2 == 0 || op->imm2 == 1),
                  "unknown gate");
      break;
    case GILK_OP_COUNT:
      break;
    case GILK_OP_CALL:
      check_call (check);
      break;
    case GILK_OP_REGISTER_SET: case GILK_OP_EXIT:
      check_change (check);
      break;
    case GILK_OP_KINDS:
    default:
      check_that (check, FALSE, "unknown operation");
    }
}

/* ---- the whole program ---- */

static void
check_areas (Check *check)
{
  const GArray *areas = check->ops->areas;

  check_that (check, areas->len <= GILK_OPS_AREAS, "too many areas");
  for (guint i = 0; i < areas->len; i++)
    {
      const GilkOpsArea *area = &g_array_index (areas, GilkOpsArea, i);
      uint64_t map = (uint64_t) area->map_slots * (2 + (uint64_t) area->map_values);

      check_that (check, area->elements >= 1 && area->elements <= GILK_OPS_AREA_MAX, "area is empty or too large");
      check_that (check, (area->map_slots & (area->map_slots - 1)) == 0 && map <= area->elements,
                  "map does not fit its area");
      check_that (check, !area->is_stacks || (!area->per_cpu && area->elements >= 2 * ILK_STACK_WORDS),
                  "stack area is per-CPU or too small");
    }
}

static void
check_bounds (Check *check)
{
  const GilkOps *ops = check->ops;

  check_that (check, ops->ops->len <= GILK_OPS_MAX, "too many operations");
  check_that (check, ops->n_values <= GILK_OPS_VALUES && ops->n_labels <= GILK_OPS_LABELS, "too many values or labels");
  check_that (check, ops->payload <= ILK_SAMPLE_MAX && ops->payload % 8 == 0, "invalid sample size");
  check_areas (check);
}

static void
check_end (Check *check)
{
  check_that (check, !check->now.inside && !check->now.reserved, "end within a critical section");
  for (guint i = 0; i < check->ops->n_labels; i++)
    check_that (check, check->placed[i] || !check->at[i].reached, "label not placed");
}

gboolean
gilk_ops_check (const GilkOps *ops,
                GError       **error)
{
  g_autofree State *at = g_new0 (State, MAX (ops->n_labels, 1));
  g_autofree gboolean *placed = g_new0 (gboolean, MAX (ops->n_labels, 1));
  Check check = { .ops = ops, .now = { .reached = TRUE }, .at = at, .placed = placed };
  guint i = 0;

  check_bounds (&check);
  for (i = 0; i < ops->ops->len && check.wrong == NULL; i++)
    {
      check.op = &g_array_index (ops->ops, GilkOp, i);
      check_operation (&check);
    }
  if (check.wrong == NULL)
    check_end (&check);
  if (check.wrong == NULL)
    return TRUE;

  g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
               _("Operation %u of a probe program is invalid: %s. This is a bug in Gilk; please report it with the "
                 "program's text."), i == 0 ? 0 : i - 1, check.wrong);

  return FALSE;
}
