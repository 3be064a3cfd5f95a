/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-code.c - turns operations into the code of one hook
 *
 * Operations are written in order, except that operations that are reached only after failures, and
 * the rare parts of other operations, are written out of line after the end and jump back. A label
 * where a region (GilkOpsRegion) ends has two addresses: branches out of the region lead to the
 * code that pops the region's registers, other branches to the code after that.
 */
#include <string.h>

#include "core/emit/gilk-ops-writer.h"
#include "ilk/ilk-abi.h"

/* The boundary in front of an operation. If a region (GilkOpsRegion) ends or starts there, its
 * registers are popped or pushed there. */
typedef struct {
  gsize outer, inner;        /* offsets in the code: @outer is the target of branches that leave a
                              * region, @inner that of all other branches */
  guint to_outer, to_inner;  /* minimum number of instructions on a path from the start to @outer,
                              * and to @inner; G_MAXUINT: no path is known yet */
  guint between;             /* number of instructions that pop and push at the boundary */
  guint cost;                /* number of instructions of the operation's code */
} Place;

typedef struct {
  GilkOpsWriter w;
  GilkOpsFrame  frame;
  Place        *places;      /* a boundary before each operation, and one at the end */
  gboolean     *rare;        /* for each operation: whether it runs only if another operation fails,
                              * and is therefore written out of line */
  gboolean      save_flags;
} Code;

/* ---- rare operations ---- */

/* Finds the operations that are reached only if other operations fail. */
static void
find_rare (Code *code)
{
  g_autofree gboolean *wanted = g_new0 (gboolean, GILK_OPS_LABELS);
  gboolean now = FALSE;

  for (guint i = 0; i < code->frame.n; i++)
    {
      const GilkOp *op = gilk_ops_op (&code->frame, i);

      if (op->kind == GILK_OP_LABEL)
        now = now && !wanted[op->label];
      code->rare[i] = now;
      if (gilk_ops_has_label (op) && !gilk_ops_is_rare (op) && !now)
        wanted[op->label] = TRUE;
      if (gilk_ops_ends_path (op))
        now = TRUE;
    }
}

/* ---- targets of branches ---- */

static guint
find_target (const Code *code, guint label)
{
  return (guint) code->frame.label_at[label];
}

static const GilkOpsRegion *
find_region (const Code *code, guint i)
{
  int index = i < code->frame.n ? gilk_ops_region_of (&code->frame, i) : -1;

  return index >= 0 ? &g_array_index (code->frame.regions, GilkOpsRegion, index) : NULL;
}

/* Returns whether a branch from operation @from to operation @to leaves the region of saved
 * registers that contains @from. */
static gboolean
leaves_region (const Code *code, guint from, guint to)
{
  int region = gilk_ops_region_of (&code->frame, from);

  return region >= 0 && (to == code->frame.n || gilk_ops_region_of (&code->frame, to) != region);
}

/*
 * Returns the operation to which a branch to operation @to may lead instead: the first operation
 * from @to on that is not a label, if it is in the same region of saved registers.
 */
static guint
skip_labels (const Code *code, guint to)
{
  while (to < code->frame.n && gilk_ops_op (&code->frame, to)->kind == GILK_OP_LABEL &&
         find_region (code, to) == find_region (code, to + 1))
    to++;

  return to;
}

static gsize
find_offset (const Code *code, guint from, guint to)
{
  return leaves_region (code, from, to) ? code->places[to].outer : code->places[skip_labels (code, to)].inner;
}

static void
resolve_branches (Code *code)
{
  GilkAsm *as = code->w.as;

  for (guint i = 0; i < code->w.branches->len; i++)
    {
      const GilkOpsBranch *branch = &g_array_index (code->w.branches, GilkOpsBranch, i);
      guint target = branch->label != GILK_NO_LABEL ? find_target (code, branch->label) : branch->from + 1;
      gsize to = find_offset (code, branch->from, target);

      if (branch->branch != G_MAXSIZE)
        gilk_asm_land_at (as, branch->branch, to);
      else
        g_array_index (as->faults, struct ilk_fault, branch->fault).fixup = as->base + to;
    }
}

/* ---- saving and restoring of registers ---- */

static void
push_region (Code *code, const GilkOpsRegion *region)
{
  for (guint reg = 0; reg < 16; reg++)
    if (region->saved & GILK_REG_BIT (reg))
      gilk_asm_push (code->w.as, reg);
  if (region->slots > 0)
    gilk_asm_room (code->w.as, 8 * region->slots);
}

static void
pop_region (Code *code, const GilkOpsRegion *region)
{
  if (region->slots > 0)
    gilk_asm_drop (code->w.as, 8 * region->slots);
  for (guint reg = 16; reg-- > 0;)
    if (region->saved & GILK_REG_BIT (reg))
      gilk_asm_pop (code->w.as, reg);
}

/* Writes the code between operations @i - 1 and @i that pops and pushes registers, if a region ends
 * or starts there. */
static void
write_boundary (Code *code, guint i)
{
  const GilkOpsRegion *before = i > 0 ? find_region (code, i - 1) : NULL, *here = find_region (code, i);
  GilkAsm *as = code->w.as;
  Place *place = &code->places[i];
  guint insns = as->insns;

  as->depth = code->w.outer + (i > 0 ? gilk_ops_depth (&code->frame, i - 1) : 0);
  place->outer = as->code->len;
  if (before != NULL && before != here)
    pop_region (code, before);
  if (here != NULL && here != before)
    push_region (code, here);
  place->inner = as->code->len;
  place->between = as->insns - insns;
}

/* ---- code of operations, in order ---- */

/* Returns TRUE if jump @i is unnecessary: only labels are between the jump and its target. */
static gboolean
jumps_to_next (const Code *code, guint i)
{
  guint to = find_target (code, gilk_ops_op (&code->frame, i)->label), next;
  gboolean rare = code->rare[i];

  for (next = i + 1; next < to; next++)
    if (code->rare[next] == rare &&
        (gilk_ops_op (&code->frame, next)->kind != GILK_OP_LABEL || find_region (code, next) != find_region (code, i)))
      return FALSE;

  return code->rare[to] == rare;
}

static void
write_jump (Code *code, guint i)
{
  if (!jumps_to_next (code, i))
    gilk_ops_goto (&code->w, gilk_asm_jmp_ahead (code->w.as));
}

/* Writes an EXIT operation, which leaves the hook: restores the registers that its region saved,
 * and the flags, which the hook or the hook's caller saved. */
static void
write_exit (Code *code, guint i)
{
  const GilkOpsPlace *place = code->frame.place;
  const GilkOpsRegion *region = find_region (code, i);
  const GilkOp *op = gilk_ops_op (&code->frame, i);
  GilkAsm *as = code->w.as;

  if (region != NULL)
    pop_region (code, region);
  if (code->save_flags || place->pushed)
    gilk_asm_popf (as);
  if (op->imm2 != 0)
    gilk_asm_call (as, (uint64_t) op->imm2);
  place->exits->leave (as, (GilkExit) op->imm, place->exits->data);
}

static void
write_operation (Code *code, guint i)
{
  GilkOpsWriter *w = &code->w;
  guint insns = w->as->insns;

  gilk_ops_seek (w, i);
  switch (w->op->kind)
    {
    case GILK_OP_LABEL:
      g_array_set_size (w->known, 0);
      break;
    case GILK_OP_JUMP:
      write_jump (code, i);
      g_array_set_size (w->known, 0);
      break;
    case GILK_OP_EXIT:
      write_exit (code, i);
      g_array_set_size (w->known, 0);
      break;
    default:
      gilk_ops_step (w);
    }
  code->places[i].cost = w->as->insns - insns;
}

/* Writes the jump from the end of rare operation @i, whose code is out of line, back to the next
 * operation of the main path. */
static void
write_return_jump (Code *code, guint i)
{
  const GilkOpsBranch back = { .branch = gilk_asm_jmp_ahead (code->w.as), .label = GILK_NO_LABEL, .from = i };

  g_array_append_val (code->w.branches, back);
}

static gboolean
is_path_end (const Code *code, guint i)
{
  return gilk_ops_ends_path (gilk_ops_op (&code->frame, i));
}

static void
write_operations (Code *code, gboolean rare)
{
  guint n = code->frame.n;

  for (guint i = 0; i < n; i++)
    {
      if (code->rare[i] != rare)
        continue;
      write_boundary (code, i);
      write_operation (code, i);
      if (rare && !is_path_end (code, i) && (i + 1 == n || !code->rare[i + 1]))
        write_return_jump (code, i);
    }
  if (!rare)
    write_boundary (code, n);
}

static void
write_cold_paths (Code *code)
{
  GilkOpsWriter *w = &code->w;

  for (guint i = 0; i < w->cold_paths->len; i++)
    {
      const GilkOpsColdPath aside = g_array_index (w->cold_paths, GilkOpsColdPath, i);

      gilk_ops_seek (w, aside.op);
      gilk_asm_land (w->as, aside.branch[0]);
      if (aside.branch[1] != 0)
        gilk_asm_land (w->as, aside.branch[1]);
      switch (w->op->kind)
        {
        case GILK_OP_ENTER:
          gilk_ops_cold_enter (w);
          break;
        case GILK_OP_RESERVE:
          gilk_ops_cold_sample (w);
          break;
        case GILK_OP_MAP_SLOT: case GILK_OP_MAP_FIND:
        default:
          gilk_ops_cold_map (w, &aside);
        }
    }
}

/* ---- cost of the shortest path ---- */

static void
update_least (guint *least, guint insns)
{
  *least = MIN (*least, insns);
}

/* Returns the number of instructions on the shortest path on which no operation fails. */
static guint
find_shortest_path (Code *code)
{
  guint n = code->frame.n;

  for (guint i = 0; i <= n; i++)
    code->places[i].to_outer = code->places[i].to_inner = G_MAXUINT;
  code->places[0].to_outer = 0;

  for (guint i = 0; i < n; i++)
    {
      const GilkOp *op = gilk_ops_op (&code->frame, i);
      Place *place = &code->places[i];
      guint behind, to;

      if (place->to_outer != G_MAXUINT)
        update_least (&place->to_inner, place->to_outer + place->between);
      if (place->to_inner == G_MAXUINT)
        continue;
      behind = place->to_inner + place->cost;
      if (gilk_ops_has_label (op) && !gilk_ops_is_rare (op))
        {
          to = find_target (code, op->label);
          update_least (leaves_region (code, i, to) ? &code->places[to].to_outer
                                      : &code->places[skip_labels (code, to)].to_inner, behind);
        }
      if (op->kind == GILK_OP_EXIT)
        update_least (&code->places[n].to_inner, behind);
      else if (op->kind != GILK_OP_JUMP)
        update_least (&code->places[i + 1].to_outer, behind);
    }
  if (code->places[n].to_outer != G_MAXUINT)
    update_least (&code->places[n].to_inner, code->places[n].to_outer + code->places[n].between);

  return code->places[n].to_inner;
}

/* ---- the whole hook ---- */

static gboolean
has_rare (const Code *code)
{
  gboolean has = code->w.cold_paths->len > 0;

  for (guint i = 0; i < code->frame.n; i++)
    has |= code->rare[i];

  return has;
}

static void
write_code (Code *code)
{
  const gboolean save_flags = code->save_flags;
  GilkAsm *as = code->w.as;
  Place *end = &code->places[code->frame.n];
  gsize over;

  if (save_flags)
    gilk_asm_pushf (as);
  code->w.outer = as->depth;
  write_operations (code, FALSE);
  if (has_rare (code))
    {
      over = gilk_asm_jmp_ahead (as);
      end->between++;
      write_operations (code, TRUE);
      write_cold_paths (code);
      gilk_asm_land (as, over);
    }
  end->inner = as->code->len;
  as->depth = code->w.outer;
  if (save_flags)
    gilk_asm_popf (as);
}

guint
gilk_ops_code (GilkAsm            *as,
               const GilkOps      *ops,
               const GilkOpsPlace *place)
{
  gboolean save_flags = (place->live.flags & gilk_ops_flags (ops)) != 0;
  Code code = { .w = { .as = as }, .save_flags = save_flags };
  guint depth = as->depth, least;

  gilk_ops_frame_init (&code.frame, ops, place);
  gilk_ops_assign (&code.frame);
  code.w.frame = &code.frame;
  code.w.branches = g_array_new (FALSE, TRUE, sizeof (GilkOpsBranch));
  code.w.cold_paths = g_array_new (FALSE, TRUE, sizeof (GilkOpsColdPath));
  code.w.known = g_array_new (FALSE, TRUE, sizeof (GilkOpsKnown));
  code.places = g_new0 (Place, code.frame.n + 1);
  code.rare = g_new0 (gboolean, code.frame.n + 1);

  find_rare (&code);
  write_code (&code);
  resolve_branches (&code);
  least = find_shortest_path (&code);
  as->depth = depth;

  g_array_unref (code.w.branches);
  g_array_unref (code.w.cold_paths);
  g_array_unref (code.w.known);
  g_free (code.places);
  g_free (code.rare);
  gilk_ops_frame_clear (&code.frame);

  return least + (save_flags ? 2 : 0);
}

static guint
get_flags (const GilkOp *op)
{
  switch (op->kind)
    {
    case GILK_OP_CONST: case GILK_OP_REGISTER: case GILK_OP_CONTEXT: case GILK_OP_MOVE: case GILK_OP_EXTEND: case GILK_OP_LABEL:
    case GILK_OP_JUMP: case GILK_OP_CPU_LOAD: case GILK_OP_FIELD: case GILK_OP_COMMIT: case GILK_OP_GATE:
    case GILK_OP_REGISTER_SET: case GILK_OP_EXIT:
      return 0;
    case GILK_OP_AREA_LOAD: case GILK_OP_AREA_STORE: case GILK_OP_AREA_CLAIM:
      return op->index == GILK_NO_VALUE ? 0 : GILK_FLAGS_ARITH;
    case GILK_OP_COUNT:
      return GILK_FLAGS_ARITH & ~(guint) GILK_FLAG_CF;
    case GILK_OP_AREA_ADD:
      if (op->a == GILK_NO_VALUE && op->imm2 == 1 && op->index == GILK_NO_VALUE)
        return GILK_FLAGS_ARITH & ~(guint) GILK_FLAG_CF;
      return GILK_FLAGS_ARITH;
    default:
      return GILK_FLAGS_ARITH;
    }
}

guint
gilk_ops_flags (const GilkOps *ops)
{
  guint flags = 0;

  for (guint i = 0; i < ops->ops->len; i++)
    flags |= get_flags (&g_array_index (ops->ops, GilkOp, i));

  return flags;
}

/*
 * Returns an upper bound of an operation's code size, including code that saves registers for the
 * operation. An operation that needs a fault entry or unwind entries gets a higher bound, because a
 * slot of the driver's memory can have only a limited number of these entries per granule.
 */
static guint
get_bound (const GilkOp *op)
{
  enum { SAVED = 16, PLAIN = 96 };

  switch (op->kind)
    {
    case GILK_OP_LABEL: case GILK_OP_JUMP:
      return 8;
    case GILK_OP_EXIT:
      return 2 * PLAIN;
    case GILK_OP_LOAD: case GILK_OP_STORE:
      return op->is_user ? PLAIN + 16 * SAVED : PLAIN + ILK_GRANULE / ILK_FAULTS_PER_GRANULE;
    case GILK_OP_DIV: case GILK_OP_MOD: case GILK_OP_BUCKET: case GILK_OP_ENTER:
      return PLAIN + 4 * SAVED;
    case GILK_OP_RESERVE:
      return 3 * PLAIN;
    case GILK_OP_CALL:
      return PLAIN + 16 * SAVED;
    case GILK_OP_MAP_SLOT: case GILK_OP_MAP_FIND:
      return GILK_OPS_PROBES * (PLAIN + 3 * SAVED) + 2 * PLAIN;
    default:
      return PLAIN;
    }
}

guint
gilk_ops_code_bound (const GilkOps *ops)
{
  guint bytes = 64;

  for (guint i = 0; i < ops->ops->len; i++)
    bytes += get_bound (&g_array_index (ops->ops, GilkOp, i));

  return bytes;
}
