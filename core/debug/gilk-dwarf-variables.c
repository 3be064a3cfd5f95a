/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-variables.c - finds the variables and arguments in scope at an address, and their
 * locations
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"
#include "core/debug/gilk-dwarf-private.h"

enum { VARIABLES_MAX = 4096 };

GILK_DEFINE_CLEAR (clear_variable, GilkDwarfVariable, variable,
                   gilk_free_all (variable->name, variable->function, variable->type.name))

/* Returns whether a variable of an inner scope, found earlier, has the same name and hides this
 * one. As in C, the inner variable hides the outer one, even if a function was inlined into
 * itself. */
static gboolean
is_hidden (const GArray *variables, const char *name)
{
  for (guint i = 0; i < variables->len; i++)
    if (strcmp (g_array_index (variables, GilkDwarfVariable, i).name, name) == 0)
      return TRUE;

  return FALSE;
}

static gboolean
is_declared_elsewhere (Dwarf_Die *die)
{
  Dwarf_Attribute attribute;
  bool is = false;

  return dwarf_formflag (dwarf_attr_integrate (die, DW_AT_declaration, &attribute), &is) == 0 && is;
}

static void
add_variable (GilkDwarf *dwarf, const GilkDwarfScopes *scopes, guint scope, Dwarf_Die *die, uint64_t addr, const char *function,
              GArray *variables)
{
  const char *name = dwarf_diename (die);
  GilkDwarfVariable variable = { .is_argument = dwarf_tag (die) == DW_TAG_formal_parameter, .depth = scopes->n - 1 - scope };

  if (name == NULL || !g_utf8_validate (name, -1, NULL) || is_hidden (variables, name) || is_declared_elsewhere (die))
    return;
  gilk_dwarf_type_of (die, &variable.type);
  gilk_dwarf_locate (dwarf, scopes, scope, die, addr, &variable);
  variable.name = g_strdup (name);
  variable.function = g_strdup (function);
  g_array_append_val (variables, variable);
}

/* Returns the name of the function that contains scope @i. */
static const char *
find_function (GilkDwarfScopes *scopes, guint i)
{
  const char *name;

  while (i > 0 && !gilk_dwarf_is_function (&scopes->dies[i]))
    i--;
  name = i > 0 ? dwarf_diename (&scopes->dies[i]) : NULL;

  return name != NULL && g_utf8_validate (name, -1, NULL) ? name : "";
}

GArray *
gilk_dwarf_variables (GilkDwarf *dwarf,
                      uint64_t   addr)
{
  GArray *variables = gilk_array_new (sizeof (GilkDwarfVariable), clear_variable);
  guint budget = GILK_DWARF_ENTRIES_MAX;
  GilkDwarfScopes scopes;

  addr -= dwarf->bias;
  if (!gilk_dwarf_scopes (dwarf, addr, &scopes))
    return variables;
  for (guint i = scopes.n; i-- > 1;)
    {
      const char *function = find_function (&scopes, i);
      Dwarf_Die die;

      for (int found = dwarf_child (&scopes.dies[i], &die);
           found == 0 && budget > 0 && variables->len < VARIABLES_MAX; found = dwarf_siblingof (&die, &die), budget--)
        if (dwarf_tag (&die) == DW_TAG_variable || dwarf_tag (&die) == DW_TAG_formal_parameter)
          add_variable (dwarf, &scopes, i, &die, addr, function, variables);
    }

  return variables;
}

/*
 * Evaluates variable locations at an address, as register plus number.
 *
 * Expressions are evaluated symbolically, with registers as unknowns: the result is a register plus
 * a number, or unknown. The frame base comes from unwind entries, so that in most kernel functions
 * it is the stack pointer plus a number.
 */

enum { STACK_MAX = 32, OPS_MAX = 256, LOCATIONS_MAX = 1 << 14 };

typedef struct {
  int     reg;               /* register number; GILK_DWARF_NO_REG: the result is only a number */
  int64_t number;
} Sum;

typedef struct {
  GilkDwarf            *dwarf;
  const GilkDwarfScopes *scopes;
  guint                 scope;
  uint64_t              addr;  /* address in the file, at which the location is evaluated */
  Dwarf_Attribute      *attribute;
  uint64_t              size;        /* size of the variable in bytes; 0: unknown */
  guint                 nested;      /* depth of recursion: evaluating a frame base or an unwind
                                      * entry adds one */
  Sum                   stack[STACK_MAX];
  guint                 n;
  GilkDwarfKind         kind;
} Machine;

/* Converts a DWARF register number to the register number used in instructions. Returns FALSE if it
 * is not one of the 16 general-purpose registers. */
static gboolean
convert_register (guint64 number, int *reg)
{
  static const int of_machine[] = { 0, 2, 1, 3, 6, 7, 5, 4 };

  if (number > 15)
    return FALSE;
  *reg = number < G_N_ELEMENTS (of_machine) ? of_machine[number] : (int) number;

  return TRUE;
}

static gboolean run_ops (Machine *machine, Dwarf_Op *ops, size_t n);

static gboolean
push_sum (Machine *machine, int reg, int64_t number)
{
  if (machine->n == STACK_MAX)
    return FALSE;
  machine->stack[machine->n++] = (Sum) { reg, number };

  return TRUE;
}

static int64_t
add_wrapping (int64_t a, int64_t b)
{
  return (int64_t) ((uint64_t) a + (uint64_t) b);
}

static gboolean
push_register (Machine *machine, guint64 number, int64_t offset)
{
  int reg;

  return convert_register (number, &reg) && push_sum (machine, reg, offset);
}

/* ---- frame base of a function ---- */

/* Returns the unwind entry for the address; NULL if no table has an entry. */
static Dwarf_Frame *
find_frame (const Machine *machine)
{
  const GilkDwarf *dwarf = machine->dwarf;
  const uint64_t live = machine->addr + dwarf->bias;
  Dwarf_Frame *frame = NULL;

  if (dwarf->cfi != NULL && dwarf_cfi_addrframe (dwarf->cfi, live - dwarf->cfi_bias, &frame) == 0)
    return frame;
  if (dwarf->eh_cfi != NULL && dwarf_cfi_addrframe (dwarf->eh_cfi, live - dwarf->eh_bias, &frame) == 0)
    return frame;

  return NULL;
}

static gboolean
push_cfa (Machine *machine)
{
  Dwarf_Frame *frame = machine->nested > 1 ? NULL : find_frame (machine);
  Dwarf_Op *ops;
  Machine inner = *machine;
  gboolean good;
  size_t n;

  if (frame == NULL)
    return FALSE;
  inner.n = 0;
  inner.nested++;
  good = dwarf_frame_cfa (frame, &ops, &n) == 0 && n > 0 && run_ops (&inner, ops, n) && inner.n == 1 &&
         push_sum (machine, inner.stack[0].reg, inner.stack[0].number);
  free (frame);

  return good;
}

/* Evaluates DW_OP_fbreg: pushes the frame base of the function around the scope, plus @offset. */
static gboolean
push_frame_base (Machine *machine, int64_t offset)
{
  Machine inner = *machine;
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  size_t n;
  guint i = machine->scope;

  while (i > 0 && dwarf_tag ((Dwarf_Die *) &machine->scopes->dies[i]) != DW_TAG_subprogram)
    i--;
  if (machine->nested > 0 || i == 0 ||
      dwarf_attr_integrate ((Dwarf_Die *) &machine->scopes->dies[i], DW_AT_frame_base, &attribute) == NULL ||
      dwarf_getlocation_addr (&attribute, machine->addr, &ops, &n, 1) != 1)
    return FALSE;
  inner.n = 0;
  inner.nested++;
  inner.attribute = &attribute;
  inner.kind = GILK_DWARF_MEMORY;

  return run_ops (&inner, ops, n) && inner.n == 1 &&
         push_sum (machine, inner.stack[0].reg, add_wrapping (inner.stack[0].number, offset));
}

/* ---- arithmetic on symbolic values ---- */

static gboolean
add_top_two (Machine *machine, gboolean minus)
{
  Sum b, *a;

  if (machine->n < 2)
    return FALSE;
  b = machine->stack[--machine->n];
  a = &machine->stack[machine->n - 1];
  if (b.reg != GILK_DWARF_NO_REG && (minus || a->reg != GILK_DWARF_NO_REG))
    return FALSE;
  if (b.reg != GILK_DWARF_NO_REG)
    a->reg = b.reg;
  a->number = add_wrapping (a->number, minus ? (int64_t) -(uint64_t) b.number : b.number);

  return TRUE;
}

/* Computes an operator on two numbers; registers are not supported. */
static gboolean
compute_top_two (Machine *machine, guint atom)
{
  Sum *a;
  uint64_t x, y;

  if (machine->n < 2 || machine->stack[machine->n - 1].reg != GILK_DWARF_NO_REG ||
      machine->stack[machine->n - 2].reg != GILK_DWARF_NO_REG)
    return FALSE;
  y = (uint64_t) machine->stack[--machine->n].number;
  a = &machine->stack[machine->n - 1];
  x = (uint64_t) a->number;
  a->number = (int64_t) (atom == DW_OP_and ? x & y : atom == DW_OP_or ? x | y : atom == DW_OP_xor ? x ^ y
                         : atom == DW_OP_mul ? x * y : y > 63 ? 0 : x << y);

  return TRUE;
}

static gboolean
push_implicit_value (Machine *machine, const Dwarf_Op *op)
{
  Dwarf_Block block;
  int64_t value = 0;

  if (machine->attribute == NULL || dwarf_getlocation_implicit_value (machine->attribute, op, &block) != 0 ||
      block.length > sizeof value)
    return FALSE;
  memcpy (&value, block.data, block.length);
  machine->kind = GILK_DWARF_VALUE;

  return push_sum (machine, GILK_DWARF_NO_REG, value);
}

/* Handles DW_OP_piece. Returns TRUE if this piece covers the whole variable; otherwise the variable
 * is in several parts, which are not supported. */
static gboolean
check_piece (Machine *machine, const Dwarf_Op *op, gboolean last)
{
  if (last && machine->size > 0 && op->number >= machine->size)
    return TRUE;
  machine->kind = GILK_DWARF_PARTS;

  return FALSE;
}

static gboolean
run_op (Machine *machine, const Dwarf_Op *op, gboolean last)
{
  const guint atom = op->atom;

  if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
    return push_sum (machine, GILK_DWARF_NO_REG, (int64_t) atom - DW_OP_lit0);
  if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
    return push_register (machine, atom - DW_OP_breg0, (int64_t) op->number);
  if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31)
    {
      machine->kind = GILK_DWARF_VALUE;
      return push_register (machine, atom - DW_OP_reg0, 0);
    }
  switch (atom)
    {
    case DW_OP_regx:
      machine->kind = GILK_DWARF_VALUE;
      return push_register (machine, op->number, 0);
    case DW_OP_bregx:
      return push_register (machine, op->number, (int64_t) op->number2);
    case DW_OP_fbreg:
      return push_frame_base (machine, (int64_t) op->number);
    case DW_OP_call_frame_cfa:
      return push_cfa (machine);
    case DW_OP_addr:
      return push_sum (machine, GILK_DWARF_NO_REG, (int64_t) (op->number + machine->dwarf->bias));
    case DW_OP_const1u: case DW_OP_const1s: case DW_OP_const2u: case DW_OP_const2s: case DW_OP_const4u:
    case DW_OP_const4s: case DW_OP_const8u: case DW_OP_const8s: case DW_OP_constu: case DW_OP_consts:
      return push_sum (machine, GILK_DWARF_NO_REG, (int64_t) op->number);
    case DW_OP_plus_uconst:
      return push_sum (machine, GILK_DWARF_NO_REG, (int64_t) op->number) && add_top_two (machine, FALSE);
    case DW_OP_plus:
    case DW_OP_minus:
      return add_top_two (machine, atom == DW_OP_minus);
    case DW_OP_and: case DW_OP_or: case DW_OP_xor: case DW_OP_mul: case DW_OP_shl:
      return compute_top_two (machine, atom);
    case DW_OP_stack_value:
      machine->kind = GILK_DWARF_VALUE;
      return TRUE;
    case DW_OP_implicit_value:
      return push_implicit_value (machine, op);
    case DW_OP_piece:
      return check_piece (machine, op, last);
    case DW_OP_nop:
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
run_ops (Machine *machine, Dwarf_Op *ops, size_t n)
{
  if (n > OPS_MAX)
    return FALSE;
  for (size_t i = 0; i < n; i++)
    if (!run_op (machine, &ops[i], i + 1 == n))
      return FALSE;

  return TRUE;
}

/* ---- location of a variable ---- */

static void
evaluate_ops (Machine *machine, Dwarf_Op *ops, size_t n, GilkDwarfVariable *variable)
{
  machine->kind = GILK_DWARF_MEMORY;
  machine->n = 0;
  if (run_ops (machine, ops, n) && machine->n == 1)
    {
      variable->kind = machine->kind;
      variable->reg = machine->stack[0].reg;
      variable->offset = machine->stack[0].number;
    }
  else
    variable->kind = machine->kind == GILK_DWARF_PARTS ? GILK_DWARF_PARTS : n == 0 ? GILK_DWARF_OPTIMIZED_OUT : GILK_DWARF_COMPUTED;
}

static void
set_constant (Dwarf_Attribute *attribute, GilkDwarfVariable *variable)
{
  Dwarf_Block block;
  Dwarf_Sword number;
  Dwarf_Word word;
  int64_t value = 0;

  variable->kind = GILK_DWARF_VALUE;
  variable->reg = GILK_DWARF_NO_REG;
  if (variable->type.is_signed && dwarf_formsdata (attribute, &number) == 0)
    value = number;
  else if (dwarf_formudata (attribute, &word) == 0)
    value = (int64_t) word;
  else if (dwarf_formblock (attribute, &block) == 0 && block.length <= sizeof value)
    memcpy (&value, block.data, block.length);
  else
    variable->kind = GILK_DWARF_COMPUTED;
  variable->offset = value;
}

/* Records the addresses, before and after the requested address, at which the closest ranges start
 * in which the variable has a location. */
static void
note_known_ranges (const Machine *machine, uint64_t start, size_t n, GilkDwarfVariable *variable)
{
  const uint64_t live = start + machine->dwarf->bias;

  if (n == 0)
    return;
  if (start < machine->addr && live > variable->known[0])
    variable->known[0] = live;
  if (start > machine->addr && (variable->known[1] == 0 || live < variable->known[1]))
    variable->known[1] = live;
}

void
gilk_dwarf_locate (GilkDwarf             *dwarf,
                   const GilkDwarfScopes *scopes,
                   guint                  scope,
                   Dwarf_Die             *die,
                   uint64_t               addr,
                   GilkDwarfVariable     *variable)
{
  Machine machine = { .dwarf = dwarf, .scopes = scopes, .scope = scope, .addr = addr };
  Dwarf_Attribute attribute;
  Dwarf_Addr base, start, end;
  Dwarf_Op *ops;
  ptrdiff_t at = 0;
  size_t n;

  variable->kind = GILK_DWARF_OPTIMIZED_OUT;
  variable->reg = GILK_DWARF_NO_REG;
  machine.size = variable->type.stars > 0 ? 8 : variable->type.size;
  if (dwarf_attr_integrate (die, DW_AT_location, &attribute) == NULL)
    {
      if (dwarf_attr_integrate (die, DW_AT_const_value, &attribute) != NULL)
        set_constant (&attribute, variable);
      return;
    }
  machine.attribute = &attribute;
  for (guint i = 0; i < LOCATIONS_MAX && (at = dwarf_getlocations (&attribute, at, &base, &start, &end, &ops, &n)) > 0; i++)
    {
      if (addr >= start && addr < end)
        {
          evaluate_ops (&machine, ops, n, variable);
          return;
        }
      note_known_ranges (&machine, start, n, variable);
    }
}
