/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-operand.c - finds what an instruction's operand refers to: memory, a per-CPU variable, code
 * or a string
 */
#include "core/dataflow/gilk-operand.h"

#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"

/* ---- size of an operand ---- */

/* Returns whether the opcode has byte operands. */
static gboolean
is_byte_sized (const GilkOpcode *op)
{
  const guint code = op->opcode;

  if (op->map == GILK_MAP_0F)
    return (code & 0xf7) == 0xb6 || (code & 0xf0) == 0x90 || code == 0xb0 || code == 0xc0;

  return (code < 0x40 && (code & 5) == 0) || code == 0x80 || code == 0x84 || code == 0x86 || code == 0x88 ||
         code == 0x8a || code == 0xc0 || code == 0xc6 || code == 0xd0 || code == 0xd2 || code == 0xf6 || code == 0xfe;
}

/* Returns whether @code, an opcode after the byte 0f, is of an integer instruction whose operands
 * have the usual size (2, 4 or 8 bytes). */
static gboolean
is_integer_0f (guint code)
{
  return (code & 0xf0) == 0x40 || code == 0xa3 || code == 0xab || code == 0xb3 || code == 0xbb || code == 0xba ||
         code == 0xaf || code == 0xb1 || code == 0xc1 || code == 0xb8 || code == 0xbc || code == 0xbd;
}

static uint32_t
get_access_size (const GilkOpcode *op)
{
  if (op->prefixes & GILK_PREFIX_VEX || op->map > GILK_MAP_0F)
    return 0;
  if (is_byte_sized (op))
    return 1;
  if (op->map == GILK_MAP_0F && (op->opcode & 0xf7) == 0xb7)
    return 2;
  if (op->map == GILK_MAP_0F ? !is_integer_0f (op->opcode) : op->opcode == 0x8d)
    return 0;
  if (op->map == GILK_MAP_1 && op->opcode == 0x63)
    return 4;
  if (op->map == GILK_MAP_1 && op->opcode == 0xff && GILK_MODRM_REG (op) >= 2)
    return 8;
  if (op->rex & GILK_REX_W)
    return 8;

  return op->prefixes & GILK_PREFIX_66 ? 2 : 4;
}

/* ---- address of an operand ---- */

/* Finds an fs or gs prefix. Other segment prefixes are ignored in 64-bit mode. */
static void
find_segment (const uint8_t *bytes, GilkOperand *operand)
{
  for (;; bytes++)
    switch (*bytes)
      {
      case 0x64:
        operand->fs = TRUE;
        break;
      case 0x65:
        operand->gs = TRUE;
        break;
      case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x66: case 0x67: case 0xf0: case 0xf2: case 0xf3:
        break;
      default:
        return;
      }
}

/* Decodes the registers in ModRM and SIB. */
static void
find_registers (const GilkOpcode *op, GilkOperand *operand)
{
  const guint high = op->rex & GILK_REX_B ? 8 : 0;
  const guint index = (op->sib >> 3 & 7) + (op->rex & GILK_REX_X ? 8 : 0);

  if (op->rip_relative)
    return;
  if (GILK_MODRM_RM (op) != 4)
    {
      operand->base = GILK_MODRM_RM (op) + high;
      return;
    }
  if (index != 4)
    {
      operand->index = index;
      operand->scale = 1u << (op->sib >> 6);
    }
  if ((op->sib & 7) != 5 || GILK_MODRM_MOD (op) != 0)
    operand->base = (op->sib & 7) + high;
}

gboolean
gilk_operand_memory (const GilkInsn *insn, const uint8_t *bytes, const GilkOpcode *op, GilkOperand *operand)
{
  if (!op->has_modrm || GILK_MODRM_MOD (op) == 3 || op->prefixes & GILK_PREFIX_67)
    return FALSE;

  *operand = (GilkOperand) { .base = GILK_NO_REGISTER, .index = GILK_NO_REGISTER, .size = get_access_size (op) };
  if (op->prefixes & GILK_PREFIX_GS)
    find_segment (bytes, operand);
  if (op->disp_offset >= 0)
    operand->disp = gilk_opcode_value (bytes, op->disp_offset, op->disp_size);
  operand->address = (uint64_t) operand->disp + (op->rip_relative ? insn->addr + insn->len : 0);
  find_registers (op, operand);

  return TRUE;
}

/* ---- finds the per-CPU variable that a %gs operand refers to ---- */

void
gilk_per_cpu_init (GilkPerCpu *per_cpu, GilkSymbols *symbols, uint32_t module)
{
  const GilkSymbol *start = gilk_symbols_by_name (symbols, "__per_cpu_start", NULL);

  *per_cpu = (GilkPerCpu) { .symbols = symbols, .module = module };
  if (start == NULL)
    return;
  per_cpu->start = start->addr;
  per_cpu->end = MAX (gilk_symbols_address (symbols, "__per_cpu_end"), start->addr);
}

const GilkSymbol *
gilk_per_cpu_at (const GilkPerCpu *per_cpu, const GilkOperand *operand)
{
  const uint64_t addr = operand->address;
  const GilkSymbol *symbol;

  if (!operand->gs || operand->base != GILK_NO_REGISTER || operand->index != GILK_NO_REGISTER)
    return NULL;
  symbol = gilk_symbols_covering (per_cpu->symbols, addr);
  if (symbol == NULL)
    return NULL;
  if (addr - per_cpu->start < per_cpu->end - per_cpu->start)
    return symbol->module == 0 && symbol->addr >= per_cpu->start ? symbol : NULL;

  return per_cpu->module != 0 && symbol->module == per_cpu->module && symbol->addr == addr ? symbol : NULL;
}

/*
 * Finds indirect calls and jumps, and writes their targets as expressions of the probe language.
 *
 * The code is read from the running kernel, where boot code may have replaced a call of a thunk by
 * "call *%rax", with or without a fence before it. So calls of thunks and indirect calls are both
 * recognised.
 */

static const char *const registers[] = {
  "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
};

GILK_DEFINE_CLEAR (clear_indirect, GilkIndirect, self, g_free (self->target))

/*
 * Returns the register that the thunk at @addr jumps to; the symbol names of thunks end with the
 * register's name: "__x86_indirect_thunk_rax", "__x86_indirect_call_thunk_r11".
 */
static const char *
find_thunk_register (const GilkCfg *cfg, uint64_t addr)
{
  GilkSymbols *symbols = gilk_image_symbols (cfg->image);
  guint count = 0;
  const GilkSymbol *at = gilk_symbols_exactly (symbols, addr, &count);

  for (guint i = 0; i < count; i++)
    {
      const char *last = strrchr (at[i].name, '_');

      for (guint r = 0; last != NULL && r < G_N_ELEMENTS (registers); r++)
        if (strcmp (last + 1, registers[r]) == 0)
          return registers[r];
    }

  return NULL;
}

/*
 * Formats a memory operand. Returns NULL if the address changes with each boot or uses a segment,
 * because the probe language cannot express such an address.
 */
static char *
format_memory (const GilkOperand *operand)
{
  GString *text;

  if (operand->gs || operand->fs || operand->base == GILK_NO_REGISTER)
    return NULL;
  text = g_string_new ("*(u64 *) (");
  g_string_append_printf (text, "%%%s", registers[operand->base]);
  if (operand->index != GILK_NO_REGISTER)
    g_string_append_printf (text, " + %%%s * %u", registers[operand->index], operand->scale);
  if (operand->disp != 0)
    g_string_append_printf (text, " %c 0x%" G_GINT64_MODIFIER "x", operand->disp < 0 ? '-' : '+',
                            operand->disp < 0 ? -(uint64_t) operand->disp : (uint64_t) operand->disp);
  g_string_append_c (text, ')');

  return g_string_free (text, FALSE);
}

static char *
format_operand (const GilkCfg *cfg, const GilkInsn *insn)
{
  const uint8_t *bytes = gilk_cfg_bytes (cfg, insn);
  GilkOperand operand;
  GilkOpcode op;

  if (!gilk_opcode_parse (bytes, insn->len, &op) || !op.has_modrm)
    return NULL;
  if (GILK_MODRM_MOD (&op) == 3)
    return g_strconcat ("%", registers[GILK_MODRM_RM (&op) + (op.rex & GILK_REX_B ? 8 : 0)], NULL);

  return gilk_operand_memory (insn, bytes, &op, &operand) ? format_memory (&operand) : NULL;
}

static gboolean
is_thunk_call (const GilkCfg *cfg, const GilkInsn *insn)
{
  return insn->target != 0 && gilk_image_is_indirect_thunk (cfg->image, insn->target);
}

GArray *
gilk_indirect_in (const GilkCfg *cfg)
{
  GArray *all = gilk_array_new (sizeof (GilkIndirect), clear_indirect);

  for (guint i = 0; i < cfg->n_insns; i++)
    {
      const GilkInsn *insn = &cfg->insns[i];
      gboolean thunk = is_thunk_call (cfg, insn);
      GilkIndirect found = { .insn = i, .leaves = insn->branch != GILK_BRANCH_CALL &&
                                                  insn->branch != GILK_BRANCH_CALL_INDIRECT };

      if (thunk && insn->branch != GILK_BRANCH_JCC)
        {
          const char *name = find_thunk_register (cfg, insn->target);

          found.target = name != NULL ? g_strconcat ("%", name, NULL) : NULL;
        }
      else if (insn->branch == GILK_BRANCH_CALL_INDIRECT || insn->branch == GILK_BRANCH_JUMP_INDIRECT)
        found.target = format_operand (cfg, insn);
      else if (!thunk)
        continue;
      g_array_append_val (all, found);
    }

  return all;
}

/*
 * Recognises string literals in memory, and quotes them.
 *
 * Compilers place strings next to each other. A number or a struct among constants may look like a
 * short string.
 */

#define SURE_LENGTH   4          /* minimum length of a string that is accepted wherever it is; a
                                  * shorter one must be next to other strings */
#define NEIGHBOURHOOD 32         /* number of bytes checked on each side of a string shorter than
                                  * SURE_LENGTH */
#define LETTERS_MIN 8            /* minimum number of letters in the bytes before a string shorter
                                  * than SURE_LENGTH */

static gboolean
is_text (uint8_t byte)
{
  return (byte >= ' ' && byte <= '~') || byte == '\n' || byte == '\t' || byte == '\r';
}

/* Returns the length of a kernel log level, such as that of KERN_ERR, at the start of the string; 0
 * if there is none. */
static gsize
get_level_length (const uint8_t *bytes, gsize length)
{
  return length >= 2 && bytes[0] == 1 && (g_ascii_isdigit (bytes[1]) || bytes[1] == 'c') ? 2 : 0;
}

/*
 * Returns whether the bytes consist only of strings and their terminators. @letters: number of
 * bytes that are not terminators
 */
static gboolean
are_texts (const uint8_t *bytes, gsize length, guint *letters)
{
  *letters = 0;
  for (gsize i = 0; i < length; i++)
    {
      if (!is_text (bytes[i]) && bytes[i] > 1)
        return FALSE;
      *letters += bytes[i] > 1;
    }

  return TRUE;
}

static gboolean
is_among_texts (const uint8_t *bytes, gsize length, gsize at, gsize end)
{
  const gsize before = MIN (at, NEIGHBOURHOOD), behind = MIN (length - end, NEIGHBOURHOOD);
  guint letters, others;

  return before == NEIGHBOURHOOD && are_texts (bytes + at - before, before, &letters) && letters >= LETTERS_MIN &&
         are_texts (bytes + end, behind, &others);
}

static void
append_escaped (GString *text, uint8_t byte)
{
  switch (byte)
    {
    case '\n': g_string_append (text, "\\n"); break;
    case '\t': g_string_append (text, "\\t"); break;
    case '\r': g_string_append (text, "\\r"); break;
    case '"':  g_string_append (text, "\\\""); break;
    case '\\': g_string_append (text, "\\\\"); break;
    case 1:    g_string_append (text, "\\001"); break;
    default:   g_string_append_c (text, (char) byte); break;
    }
}

char *
gilk_literal (const uint8_t *bytes, gsize length, gsize at)
{
  const uint8_t *end = at < length ? memchr (bytes + at, '\0', length - at) : NULL;
  gsize size, level;
  GString *text;

  if (end == NULL || (at > 0 && !is_text (bytes[at - 1]) && bytes[at - 1] != '\0'))
    return NULL;
  size = (gsize) (end - (bytes + at));
  level = get_level_length (bytes + at, size);
  for (gsize i = level; i < size; i++)
    if (!is_text (bytes[at + i]))
      return NULL;
  if (size == level || (size < SURE_LENGTH && !is_among_texts (bytes, length, at, at + size)))
    return NULL;

  text = g_string_new ("\"");
  for (gsize i = 0; i < MIN (size, GILK_LITERAL_SHOWN); i++)
    append_escaped (text, bytes[at + i]);
  g_string_append (text, size > GILK_LITERAL_SHOWN ? "\"..." : "\"");

  return g_string_free (text, FALSE);
}
