/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-areas.c - writes the code of operations on a program's own memory
 *
 * An element at a constant offset of a per-CPU area is accessed directly if the area is within
 * reach of %gs:disp32. Otherwise the area's address is loaded into a register. In a map, the first
 * slot of a key is probed inline, and all further slots out of line.
 */
#include "core/emit/gilk-ops-writer.h"

/* Returns memory operand @mem with @disp added to its displacement, which must still fit 32
 * bits. */
static GilkMem
add_disp (GilkOpsWriter *w, GilkMem mem, int64_t disp)
{
  int64_t sum = mem.disp + disp;

  if (sum != (int32_t) sum)
    w->as->too_far = TRUE;
  mem.disp = (int32_t) sum;

  return mem;
}

/* Returns the memory operand for element 0 of the operation's area. Loads the area's address into a
 * temporary register if it is out of reach. */
static GilkMem
get_area_mem (GilkOpsWriter *w, guint temp_number)
{
  const GilkOp *op = w->op;
  uint64_t base = w->frame->place->binding->areas[op->area];
  GilkMem mem = gilk_mem (GILK_NO_BASE, (int32_t) base);

  if (w->has->temp[temp_number] >= 0)
    {
      mem = gilk_mem ((int) gilk_ops_temp (w, temp_number), 0);
      gilk_asm_mov_imm (w->as, gilk_ops_temp (w, temp_number), base);
    }
  mem.gs = g_array_index (w->frame->ops->areas, GilkOpsArea, op->area).per_cpu;

  return mem;
}

static GilkMem
get_element_mem (GilkOpsWriter *w)
{
  const GilkOp *op = w->op;
  GilkMem mem = add_disp (w, get_area_mem (w, 0), 8 * op->imm);
  guint index;

  if (op->index == GILK_NO_VALUE)
    return mem;

  index = gilk_ops_in_index (w);
  mem.indexed = TRUE;
  mem.index = w->has->temp[1] >= 0 ? gilk_ops_temp (w, 1) : index;
  if (op->mask == 0xff || op->mask == 0xffff)
    {
      gilk_asm_extend (w->as, op->mask == 0xff ? 1 : 2, FALSE, mem.index, index);
    }
  else
    {
      if (mem.index != index)
        gilk_asm_reg (w->as, FALSE, 0x89, index, mem.index);
      gilk_asm_imm (w->as, FALSE, GILK_AND, mem.index, (int32_t) op->mask);
    }

  return mem;
}

static void
step_add (GilkOpsWriter *w, GilkMem mem)
{
  gboolean is_number = w->has->a < 0;
  int64_t number = w->op->imm2;

  mem.locked = !mem.gs;
  if (!is_number)
    is_number = gilk_ops_constant (w, w->has->a, &number) && number == (int32_t) number;
  if (is_number && number == 1)
    gilk_asm_mem (w->as, TRUE, 0xff, 0, mem);
  else if (is_number)
    gilk_asm_imm_mem (w->as, TRUE, GILK_ADD, mem, (int32_t) number);
  else
    gilk_asm_mem (w->as, TRUE, 0x01, gilk_ops_in_a (w), mem);
}

void
gilk_ops_step_area (GilkOpsWriter *w)
{
  GilkMem mem = get_element_mem (w);
  int64_t number;

  switch (w->op->kind)
    {
    case GILK_OP_AREA_LOAD:
      gilk_asm_load (w->as, 8, FALSE, gilk_ops_out (w), mem);
      break;
    case GILK_OP_AREA_STORE:
      if (gilk_ops_constant (w, w->has->a, &number) && number == (int32_t) number)
        gilk_asm_store_imm (w->as, TRUE, (int32_t) number, mem);
      else
        gilk_asm_store (w->as, 8, gilk_ops_in_a (w), mem);
      break;
    case GILK_OP_AREA_CLAIM:
      gilk_asm_mov_imm (w->as, gilk_ops_out (w), 1);
      gilk_asm_mem (w->as, TRUE, 0x87, gilk_ops_out (w), mem);
      break;
    case GILK_OP_AREA_ADD:
    default:
      step_add (w, mem);
    }
}

/* ---- code of map operations ---- */

typedef struct {
  guint   slot, temp, key;  /* numbers of registers; @slot and @temp are never rax */
  guint   slots;
  GilkMem state, keys;      /* memory operands for the state and the key of the slot whose number is
                             * in register @slot */
} Map;

static Map
make_map (GilkOpsWriter *w, GilkMem mem, guint key)
{
  const gboolean takes = w->op->kind == GILK_OP_MAP_SLOT;
  Map map = { .slot = gilk_ops_temp (w, 0), .temp = takes ? gilk_ops_temp (w, 1) : 0, .key = key, .state = mem };

  map.slots = g_array_index (w->frame->ops->areas, GilkOpsArea, w->op->area).map_slots;
  map.state.indexed = TRUE;
  map.state.index = map.slot;
  map.keys = add_disp (w, map.state, 8 * (int64_t) map.slots);

  return map;
}

/* Writes code that computes gilk_ops_map_first(), the first slot in which a key can be. */
static void
emit_first_slot (GilkOpsWriter *w, const Map *map)
{
  gilk_asm_mov_imm64 (w->as, map->slot, UINT64_C (0x9e3779b97f4a7c15));
  gilk_asm_reg (w->as, TRUE, 0x0faf, map->slot, map->key);
  gilk_asm_shift (w->as, TRUE, GILK_SHR, map->slot, 40);
  gilk_asm_imm (w->as, FALSE, GILK_AND, map->slot, (int32_t) (map->slots - GILK_OPS_PROBES));
}

/*
 * Writes branches that are taken if the map's @i-th slot after the first one for this key does not
 * have the key. Sets @other to the offsets of these branches. The state is compared first: a slot
 * that another CPU has just claimed may still have the key of its previous owner.
 */
static void
emit_slot_compare (GilkOpsWriter *w, const Map *map, guint i, gsize other[2])
{
  gilk_asm_imm_mem (w->as, TRUE, GILK_CMP, add_disp (w, map->state, 8 * i), GILK_OPS_SLOT_TAKEN);
  other[0] = gilk_asm_jcc_ahead (w->as, GILK_CC_NE);
  gilk_asm_mem (w->as, TRUE, 0x39, map->key, add_disp (w, map->keys, 8 * i));
  other[1] = gilk_asm_jcc_ahead (w->as, GILK_CC_NE);
}

void
gilk_ops_step_map (GilkOpsWriter *w)
{
  GilkMem mem = get_area_mem (w, 2);
  Map map = make_map (w, mem, gilk_ops_in_a (w));
  gsize other[2];

  emit_first_slot (w, &map);
  emit_slot_compare (w, &map, 0, other);
  gilk_ops_add_cold_path (w, other[0], other[1], w->as->code->len);
  gilk_asm_mov (w->as, gilk_ops_out (w), map.slot);
}

/* Writes the end of a successful search: sets the slot register, and jumps to @back. The branches
 * at @other, which are taken if the slot does not have the key, lead to the code after the jump. */
static void
emit_slot_found (GilkOpsWriter *w, const Map *map, guint i, gsize back, const gsize other[2])
{
  if (i > 0)
    gilk_asm_imm (w->as, FALSE, GILK_ADD, map->slot, (int32_t) i);
  gilk_asm_land_at (w->as, gilk_asm_jmp_ahead (w->as), back);
  gilk_asm_land (w->as, other[0]);
  gilk_asm_land (w->as, other[1]);
}

/* Writes code that claims a slot of the map to add a key: the @i-th slot after the first one in
 * which the key can be. If the slot is not free, the code takes a branch in @not_free. */
static void
emit_slot_claim (GilkOpsWriter *w, const Map *map, guint i, gsize not_free[2])
{
  const GilkMem state = add_disp (w, map->state, 8 * i);
  GilkMem changed = state;

  changed.locked = !state.gs;
  gilk_asm_imm_mem (w->as, TRUE, GILK_CMP, state, GILK_OPS_SLOT_FREE);
  not_free[0] = gilk_asm_jcc_ahead (w->as, GILK_CC_NE);
  gilk_asm_mov_imm (w->as, map->temp, GILK_OPS_SLOT_CLAIMED);
  gilk_asm_push (w->as, GILK_RAX);
  gilk_asm_mov_imm (w->as, GILK_RAX, GILK_OPS_SLOT_FREE);
  gilk_asm_mem (w->as, TRUE, 0x0fb1, map->temp, changed);
  gilk_asm_pop (w->as, GILK_RAX);
  not_free[1] = gilk_asm_jcc_ahead (w->as, GILK_CC_NE);
  gilk_asm_mem (w->as, TRUE, 0x89, map->key, add_disp (w, map->keys, 8 * i));
  gilk_asm_store_imm (w->as, TRUE, GILK_OPS_SLOT_TAKEN, state);
}

/* Writes the out-of-line code of a search in a map, which runs if the first slot does not have the
 * key. */
void
gilk_ops_cold_map (GilkOpsWriter         *w,
                   const GilkOpsColdPath *aside)
{
  GilkMem mem = gilk_mem ((int) gilk_ops_temp (w, 2), 0);
  guint key = (guint) gilk_ops_range (w->frame, w->has->in_a >= 0 ? w->has->in_a : w->has->a)->reg;
  gsize other[2];
  Map map;

  if (w->has->temp[2] < 0)
    mem = gilk_mem (GILK_NO_BASE, (int32_t) w->frame->place->binding->areas[w->op->area]);
  mem.gs = g_array_index (w->frame->ops->areas, GilkOpsArea, w->op->area).per_cpu;
  map = make_map (w, mem, key);

  for (guint i = 1; i < GILK_OPS_PROBES; i++)
    {
      emit_slot_compare (w, &map, i, other);
      emit_slot_found (w, &map, i, aside->back, other);
    }
  for (guint i = 0; w->op->kind == GILK_OP_MAP_SLOT && i < GILK_OPS_PROBES; i++)
    {
      emit_slot_claim (w, &map, i, other);
      emit_slot_found (w, &map, i, aside->back, other);
    }
  gilk_ops_goto (w, gilk_asm_jmp_ahead (w->as));
}
