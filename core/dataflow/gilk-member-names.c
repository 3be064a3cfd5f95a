/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-member-names.c - follows pointers to structs through a function, starting with its arguments
 *
 * The state before each instruction is, for each register, the struct that it points into and the
 * offset, or "unknown". Where paths join, a register can only become unknown, so the iteration over
 * the blocks terminates.
 */
#include "core/dataflow/gilk-liveness.h"

#include <string.h>

#include "core/cfg/gilk-point.h"
#include "core/dataflow/gilk-operand.h"

enum {
  RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, REGISTERS = 16,
  ARGUMENT_REGISTERS = 6,
  CLOBBERED = 1 << RAX | 1 << RCX | 1 << RDX | 1 << RSI | 1 << RDI | 1 << R8 | 1 << R9 | 1 << R10 | 1 << R11,
};

/* The struct that a register points into. */
typedef struct {
  guint   type;              /* BTF id of a struct or union; 0: unknown */
  int32_t offset;
} Place;

typedef struct {
  gboolean reached;
  Place    registers[REGISTERS];
} State;

typedef struct {
  const GilkCfg *cfg;
  GilkDecoder   *decoder;
  const GilkBtf *btf;
  GilkPerCpu     per_cpu;
  State         *states;     /* for each block: what the registers point to at its start */
} Analysis;

struct _GilkMemberNames {
  char **names;              /* for each instruction: name of the struct member that it accesses;
                              * NULL if unknown */
  guint  n;
};

/* ---- what registers point to ---- */

/* Returns whether the operand is just a base register and a displacement. */
static gboolean
is_simple (const GilkOperand *memory)
{
  return memory->base != GILK_NO_REGISTER && memory->index == GILK_NO_REGISTER && !memory->gs && !memory->fs;
}

/* Returns the struct that a pointer of type @id points to; for an anonymous struct, its typedef. */
static Place
get_pointee (const GilkBtf *btf, guint id)
{
  GilkType pointer, target, bare;

  if (!gilk_btf_type (btf, id, &pointer) || pointer.kind != GILK_TYPE_POINTER ||
      !gilk_btf_type (btf, pointer.target, &target) || target.kind != GILK_TYPE_STRUCT ||
      !gilk_btf_type (btf, target.id, &bare))
    return (Place) { 0, 0 };

  return (Place) { bare.name[0] != '\0' ? target.id : pointer.target, 0 };
}

/* Finds the struct that memory operand @memory accesses, and the offset in it. Returns FALSE if the
 * struct is unknown, or if the operand is before the struct's start. */
static gboolean
find_place (const State *state, const GilkOperand *memory, Place *place)
{
  const Place *base = &state->registers[memory->base];
  const int64_t offset = base->offset + memory->disp;

  *place = (Place) { base->type, (int32_t) offset };

  return base->type != 0 && offset >= 0 && offset <= G_MAXINT32;
}

/* Returns what a register points to after a load from @memory. */
static Place
get_loaded (const Analysis *analysis, const State *state, const GilkOperand *memory)
{
  Place place;
  guint type;

  if (memory->size != 8 || !find_place (state, memory, &place) ||
      !gilk_btf_type_at (analysis->btf, place.type, (uint32_t) place.offset, 8, &type))
    return (Place) { 0, 0 };

  return get_pointee (analysis->btf, type);
}

/* Returns what a register points to after a load of a per-CPU variable. */
static Place
get_loaded_per_cpu (const Analysis *analysis, const GilkOperand *operand)
{
  const GilkSymbol *symbol = gilk_per_cpu_at (&analysis->per_cpu, operand);
  GilkType type;
  guint id;

  if (symbol == NULL || operand->size != 8 || !gilk_btf_variable (analysis->btf, symbol->name, &id) ||
      !gilk_btf_type (analysis->btf, id, &type))
    return (Place) { 0, 0 };
  if (type.kind == GILK_TYPE_STRUCT
      ? !gilk_btf_type_at (analysis->btf, id, (uint32_t) (operand->address - symbol->addr), 8, &id)
      : operand->address != symbol->addr)
    return (Place) { 0, 0 };

  return get_pointee (analysis->btf, id);
}

/* ---- effect of one instruction ---- */

/*
 * Sets @result to what the instruction's destination register points to after the instruction.
 * Returns that register; GILK_NO_REGISTER if the result is not tracked.
 */
static guint
find_result (const Analysis *analysis, const State *state, const GilkInsn *insn, const GilkOpcode *op,
             const uint8_t *bytes, Place *result)
{
  const guint reg = GILK_MODRM_REG (op) + (op->rex & GILK_REX_R ? 8 : 0);
  const guint rm = GILK_MODRM_RM (op) + (op->rex & GILK_REX_B ? 8 : 0);
  GilkOperand memory;

  if (op->map != GILK_MAP_1 || !(op->rex & GILK_REX_W) || !op->has_modrm)
    return GILK_NO_REGISTER;
  if (GILK_MODRM_MOD (op) == 3 && (op->opcode == 0x89 || op->opcode == 0x8b))
    {
      *result = state->registers[op->opcode == 0x89 ? reg : rm];
      return op->opcode == 0x89 ? rm : reg;
    }
  if ((op->opcode != 0x8b && op->opcode != 0x8d) || !gilk_operand_memory (insn, bytes, op, &memory))
    return GILK_NO_REGISTER;
  *result = (Place) { 0, 0 };
  if (op->opcode == 0x8b && memory.gs)
    *result = get_loaded_per_cpu (analysis, &memory);
  else if (!is_simple (&memory))
    return GILK_NO_REGISTER;
  else if (op->opcode == 0x8b)
    *result = get_loaded (analysis, state, &memory);
  else if (!find_place (state, &memory, result))
    *result = (Place) { 0, 0 };

  return reg;
}

static void
step_insn (const Analysis *analysis, const GilkInsn *insn, State *state)
{
  const uint8_t *bytes = gilk_cfg_bytes (analysis->cfg, insn);
  guint reg = GILK_NO_REGISTER, touched;
  Place result = { 0, 0 };
  GilkEffects effects;
  GilkOpcode op;

  if (gilk_opcode_parse (bytes, insn->len, &op))
    reg = find_result (analysis, state, insn, &op, bytes, &result);
  gilk_insn_effects (analysis->decoder, bytes, insn, &effects);
  touched = effects.regs_touched | effects.regs_written;
  if (insn->branch == GILK_BRANCH_CALL || insn->branch == GILK_BRANCH_CALL_INDIRECT ||
      gilk_image_is_static_call (analysis->cfg->image, insn->addr))
    touched |= CLOBBERED;
  for (guint i = 0; i < REGISTERS; i++)
    if (touched & GILK_REG_BIT (i))
      state->registers[i] = (Place) { 0, 0 };
  if (reg != GILK_NO_REGISTER)
    state->registers[reg] = result;
}

/* ---- data flow over the whole graph ---- */

static void
set_entry_state (Analysis *analysis, const GilkPrototype *prototype)
{
  static const uint8_t order[ARGUMENT_REGISTERS] = { RDI, RSI, RDX, RCX, R8, R9 };
  State *state = &analysis->states[analysis->cfg->entry];

  state->reached = TRUE;
  for (guint i = 0; prototype != NULL && i < MIN (prototype->n_arguments, ARGUMENT_REGISTERS); i++)
    {
      GilkType type;

      /* Structs passed by value use registers in another way, and shift later arguments, so stop
       * here. */
      if (!gilk_btf_type (analysis->btf, prototype->arguments[i], &type) || type.kind == GILK_TYPE_STRUCT ||
          type.kind == GILK_TYPE_OTHER || type.size > 8)
        break;
      state->registers[order[i]] = get_pointee (analysis->btf, prototype->arguments[i]);
    }
}

/* Reduces @state to what both states agree on about each register. Returns TRUE if @state
 * changed. */
static gboolean
join_state (State *state, const State *other)
{
  gboolean changed = !state->reached;

  if (changed)
    {
      *state = *other;
      return TRUE;
    }
  for (guint i = 0; i < REGISTERS; i++)
    if (state->registers[i].type != 0 && (state->registers[i].type != other->registers[i].type ||
                                          state->registers[i].offset != other->registers[i].offset))
      {
        state->registers[i] = (Place) { 0, 0 };
        changed = TRUE;
      }

  return changed;
}

/* Skips the entry's ftrace site and endbr, which change nothing. */
static guint
get_first_insn (const GilkCfg *cfg, guint block)
{
  return block == cfg->entry ? gilk_point_first (cfg, block) : cfg->blocks[block].first_insn;
}

static gboolean
propagate_block (Analysis *analysis, guint block)
{
  const GilkCfg *cfg = analysis->cfg;
  const GilkBlock *b = &cfg->blocks[block];
  const State nothing = { .reached = TRUE };
  State state = analysis->states[block];
  gboolean changed = FALSE;

  for (guint i = get_first_insn (cfg, block); i < b->first_insn + b->n_insns; i++)
    step_insn (analysis, &cfg->insns[i], &state);
  for (guint i = b->first_out; i < b->first_out + b->n_out; i++)
    {
      const gboolean fixup = cfg->edges[i].kind == GILK_EDGE_FIXUP;

      changed |= join_state (&analysis->states[cfg->edges[i].to], fixup ? &nothing : &state);
    }

  return changed;
}

/* Propagates what registers point to through the graph until nothing changes. At the start of
 * blocks that other functions can enter, all registers are unknown. */
static void
propagate_all (Analysis *analysis)
{
  const State nothing = { .reached = TRUE };
  gboolean changed = TRUE;

  for (guint i = 0; i < analysis->cfg->n_blocks; i++)
    if (analysis->cfg->blocks[i].flags & GILK_BLOCK_INBOUND)
      join_state (&analysis->states[i], &nothing);
  while (changed)
    {
      changed = FALSE;
      for (guint i = 0; i < analysis->cfg->n_blocks; i++)
        if (analysis->states[i].reached)
          changed |= propagate_block (analysis, i);
    }
}

/* ---- names of struct members ---- */

/* Finds the element that "[2]" selects from an array. Returns FALSE if the type is not an array. */
static gboolean
step_index (const GilkBtf *btf, char **part, guint *id, uint32_t *at)
{
  GilkType type;

  if (!gilk_btf_type (btf, *id, &type) || type.kind != GILK_TYPE_ARRAY || type.count == 0)
    return FALSE;
  *at += (uint32_t) g_ascii_strtoull (*part + 1, part, 10) * (type.size / type.count);
  *id = type.target;
  *part += **part == ']';

  return TRUE;
}

static gboolean
step_name (const GilkBtf *btf, char **part, guint *id, uint32_t *at)
{
  const gsize length = strcspn (*part, ".[+");
  g_autofree char *name = g_strndup (*part, length);
  GilkMember member;

  if (!gilk_btf_member (btf, *id, name, &member))
    return FALSE;
  *at += member.offset / 8;
  *id = member.type;
  *part += length;

  return TRUE;
}

/*
 * Shortens @path, such as "mm.owner.comm", to the first component that starts at the offset of
 * @place. An address may refer to any component that starts there, and the first one contains the
 * others.
 */
static void
cut_path (const GilkBtf *btf, const Place *place, char *path)
{
  guint id = place->type;
  uint32_t at = 0;

  for (char *part = path; *part != '\0' && *part != '+'; part += *part == '.')
    {
      if (!(*part == '[' ? step_index : step_name) (btf, &part, &id, &at))
        return;
      if (at == (uint32_t) place->offset)
        {
          *part = '\0';
          return;
        }
    }
}

static char *
make_name (const Analysis *analysis, const State *state, const GilkInsn *insn)
{
  const uint8_t *bytes = gilk_cfg_bytes (analysis->cfg, insn);
  g_autofree char *path = NULL;
  GilkOpcode op;
  GilkOperand memory;
  Place place;
  GilkType type;

  if (insn->flags & GILK_INSN_NOP || !gilk_opcode_parse (bytes, insn->len, &op) ||
      !gilk_operand_memory (insn, bytes, &op, &memory) || !is_simple (&memory) ||
      !find_place (state, &memory, &place) ||
      !gilk_btf_type (analysis->btf, place.type, &type))
    return NULL;
  path = gilk_btf_path_at (analysis->btf, place.type, (uint32_t) place.offset, memory.size);
  if (path == NULL)
    return NULL;
  if (op.map == GILK_MAP_1 && op.opcode == 0x8d)
    cut_path (analysis->btf, &place, path);

  return type.name[0] != '\0' ? g_strconcat (type.name, ".", path, NULL) : g_steal_pointer (&path);
}

static void
name_block (const Analysis *analysis, guint block, char **names)
{
  const GilkBlock *b = &analysis->cfg->blocks[block];
  State state = analysis->states[block];

  for (guint i = get_first_insn (analysis->cfg, block); i < b->first_insn + b->n_insns; i++)
    {
      names[i] = make_name (analysis, &state, &analysis->cfg->insns[i]);
      step_insn (analysis, &analysis->cfg->insns[i], &state);
    }
}

GilkMemberNames *
gilk_member_names_new (const GilkCfg *cfg, GilkDecoder *decoder, const GilkBtf *btf, const GilkPrototype *prototype)
{
  GilkMemberNames *names = g_new0 (GilkMemberNames, 1);
  Analysis analysis = { .cfg = cfg, .decoder = decoder, .btf = btf, .states = g_new0 (State, MAX (cfg->n_blocks, 1)) };

  gilk_per_cpu_init (&analysis.per_cpu, gilk_image_symbols (cfg->image), cfg->function->module);
  names->n = cfg->n_insns;
  names->names = g_new0 (char *, MAX (cfg->n_insns, 1));
  if (cfg->n_blocks > 0)
    {
      set_entry_state (&analysis, prototype);
      propagate_all (&analysis);
    }
  for (guint i = 0; i < cfg->n_blocks; i++)
    if (analysis.states[i].reached)
      name_block (&analysis, i, names->names);
  g_free (analysis.states);

  return names;
}

void
gilk_member_names_free (GilkMemberNames *names)
{
  if (names == NULL)
    return;
  for (guint i = 0; i < names->n; i++)
    g_free (names->names[i]);
  g_free (names->names);
  g_free (names);
}

const char *
gilk_member_names_at (const GilkMemberNames *names, guint index)
{
  return index < names->n ? names->names[index] : NULL;
}
