/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-insn.c - decodes one instruction: branch and offsets from its bytes, text with Capstone
 *
 * This is the only file that includes Capstone, and it uses Capstone only for text: length, branch
 * and effects are derived from the bytes (gilk-opcode.c, gilk-effects.c) and compared with binutils
 * by tests/bench/graph-truth. Instructions that Capstone 4.0.2 cannot print, or prints with a wrong
 * length, are in corrections[] below.
 */
#include "core/decode/gilk-insn.h"

#include <capstone/capstone.h>
#include <string.h>

#include "core/base/gilk-library.h"

#define CAPSTONE_FUNCTIONS(F) F (cs_close) F (cs_disasm_iter) F (cs_free) F (cs_malloc) F (cs_open) F (cs_option)

CAPSTONE_FUNCTIONS (GILK_LIBRARY_POINTER)
static const GilkLibraryFunction capstone_functions[] = { CAPSTONE_FUNCTIONS (GILK_LIBRARY_ENTRY) };

struct _GilkDecoder {
  csh      capstone;       /* Capstone's handle; 0 before text is first printed */
  gboolean missing;        /* there is no Capstone */
  cs_insn *insn;
};

GilkDecoder *
gilk_decoder_new (void)
{
  return g_new0 (GilkDecoder, 1);
}

void
gilk_decoder_free (GilkDecoder *decoder)
{
  if (decoder == NULL)
    return;

  if (decoder->capstone != 0)
    {
      sym_cs_free (decoder->insn, 1);
      sym_cs_close (&decoder->capstone);
    }
  g_free (decoder);
}

/* ---- decodes branches ---- */

static void
set_branch (const uint8_t *bytes, const GilkOpcode *op, GilkBranch branch, GilkInsn *insn)
{
  insn->branch = branch;
  insn->rel_offset = op->imm_offset;
  insn->target = insn->addr + op->len +
    (uint64_t) gilk_opcode_value (bytes, op->imm_offset, op->imm_size);
  if (op->imm_size == 1)
    insn->flags |= GILK_INSN_SHORT;
}

/* Classifies opcode ff /2 to /5: near and far calls and jumps. */
static void
set_indirect (const GilkOpcode *op, GilkInsn *insn)
{
  switch (GILK_MODRM_REG (op))
    {
    case 3:
      insn->flags |= GILK_INSN_PINNED;
      /* fall through */
    case 2:
      insn->branch = GILK_BRANCH_CALL_INDIRECT;
      break;
    case 5:
      insn->flags |= GILK_INSN_PINNED;
      /* fall through */
    case 4:
      insn->branch = GILK_BRANCH_JUMP_INDIRECT;
      break;
    default:
      break;
    }
}

static void
classify_map_1 (const uint8_t *bytes, const GilkOpcode *op, GilkInsn *insn)
{
  switch (op->opcode)
    {
    case 0x70 ... 0x7f:
      set_branch (bytes, op, GILK_BRANCH_JCC, insn);
      insn->opcode_hint = op->opcode & 15;
      break;
    case 0xe0 ... 0xe3:
      set_branch (bytes, op, GILK_BRANCH_JCC, insn);
      insn->flags |= GILK_INSN_LOOP;
      break;
    case 0xe8:
      set_branch (bytes, op, GILK_BRANCH_CALL, insn);
      break;
    case 0xe9:
    case 0xeb:
      set_branch (bytes, op, GILK_BRANCH_JUMP, insn);
      break;
    case 0xff:
      set_indirect (op, insn);
      break;
    case 0xc7:
      if (op->modrm == 0xf8)            /* xbegin */
        {
          set_branch (bytes, op, GILK_BRANCH_JCC, insn);
          insn->flags |= GILK_INSN_PINNED;
        }
      break;
    case 0xca:
    case 0xcb:
    case 0xcf:
      insn->flags |= GILK_INSN_PINNED;
      /* fall through */
    case 0xc2:
    case 0xc3:
      insn->branch = GILK_BRANCH_RET;
      break;
    case 0xd6:                          /* udb, which the kernel puts where code must not run */
      insn->branch = GILK_BRANCH_UD;
      insn->flags |= GILK_INSN_PINNED;
      break;
    case 0xcc:
      insn->branch = GILK_BRANCH_INT3;
      insn->flags |= GILK_INSN_PINNED;
      break;
    case 0xf4:
      insn->branch = GILK_BRANCH_HLT;
      insn->flags |= GILK_INSN_PINNED;
      break;
    case 0x8e:                          /* mov to a segment register */
    case 0xcd:
    case 0xf1:
      insn->flags |= GILK_INSN_PINNED;
      break;
    case 0x90:
      if (!(op->prefixes & GILK_PREFIX_F3) && !(op->rex & GILK_REX_B))
        insn->flags |= GILK_INSN_NOP;
      break;
    case 0xfd:
      insn->flags |= GILK_INSN_STD;
      break;
    default:
      break;
    }
}

/* Classifies opcode 0f 01, whose whole ModRM byte selects the instruction unless an operand is
 * in memory. */
static void
classify_0f01 (const GilkOpcode *op, GilkInsn *insn)
{
  if (op->modrm == 0xca && op->prefixes & (GILK_PREFIX_F2 | GILK_PREFIX_F3))
    {
      insn->branch = GILK_BRANCH_RET;   /* eretu and erets, which replace iret on CPUs with FRED */
      insn->flags |= GILK_INSN_PINNED;
    }
  else if (op->modrm == 0xca)
    insn->flags |= GILK_INSN_CLAC;
  else if (op->modrm == 0xcb)
    insn->flags |= GILK_INSN_STAC;
  else if (GILK_MODRM_MOD (op) != 3)
    insn->flags |= GILK_MODRM_REG (op) == 7 ? 0 : GILK_INSN_PINNED;
  else if (op->modrm != 0xd0 && op->modrm != 0xd1 && op->modrm != 0xe8 &&
           op->modrm != 0xee && op->modrm != 0xef && op->modrm != 0xf9)
    insn->flags |= GILK_INSN_PINNED;    /* all of 0f 01 except xgetbv, xsetbv, serialize, rdpkru,
                                         * wrpkru, rdtscp */
}

static void
classify_map_0f (const uint8_t *bytes, const GilkOpcode *op, GilkInsn *insn)
{
  /* The bytes of the ud1 that the kernel writes at a static call of __WARN_trap(), see
   * arch/x86/kernel/static_call.c of 7.1. */
  static const uint8_t warn[] = { 0x67, 0x48, 0x0f, 0xb9, 0x3a };

  switch (op->opcode)
    {
    case 0x80 ... 0x8f:
      set_branch (bytes, op, GILK_BRANCH_JCC, insn);
      insn->opcode_hint = op->opcode & 15;
      break;
    case 0x07:
    case 0x35:
    case 0xaa:
      insn->branch = GILK_BRANCH_RET;
      insn->flags |= GILK_INSN_PINNED;
      break;
    case 0x0b:
      insn->branch = GILK_BRANCH_UD;
      insn->flags |= GILK_INSN_UD2 | GILK_INSN_PINNED;
      break;
    case 0xb9:
    case 0xff:
      insn->branch = GILK_BRANCH_UD;
      insn->flags |= GILK_INSN_PINNED;
      if (insn->len == sizeof warn && memcmp (bytes, warn, sizeof warn) == 0)
        insn->flags |= GILK_INSN_WARN;
      break;
    case 0x00:
      if (GILK_MODRM_REG (op) == 2 || GILK_MODRM_REG (op) == 3 || GILK_MODRM_REG (op) == 6)
        insn->flags |= GILK_INSN_PINNED;        /* lldt, ltr and lkgs */
      break;
    case 0x01:
      classify_0f01 (op, insn);
      break;
    case 0x05:                          /* syscall, sysenter */
    case 0x34:
    case 0x22:                          /* mov to a control register or debug register */
    case 0x23:
    case 0x37:
    case 0xa1:                          /* pop fs, pop gs, lss, lfs, lgs */
    case 0xa9:
    case 0xb2:
    case 0xb4:
    case 0xb5:
      insn->flags |= GILK_INSN_PINNED;
      break;
    case 0x1e:
      if (op->prefixes & GILK_PREFIX_F3 && op->modrm == 0xfa)
        insn->flags |= GILK_INSN_ENDBR;
      break;
    case 0x1f:
      insn->flags |= GILK_INSN_NOP;
      break;
    default:
      break;
    }
}

gboolean
gilk_insn_decode (GilkDecoder   *decoder,
                  const uint8_t *bytes,
                  gsize          avail,
                  uint64_t       addr,
                  GilkInsn      *insn)
{
  GilkOpcode op;

  if (!gilk_opcode_parse (bytes, avail, &op))
    return FALSE;

  *insn = (GilkInsn) { .addr = addr, .len = op.len, .branch = GILK_BRANCH_NONE,
                       .disp_offset = -1, .rel_offset = -1 };
  if (op.rip_relative)
    {
      insn->flags |= GILK_INSN_RIP_RELATIVE;
      insn->disp_offset = op.disp_offset;
      if (op.prefixes & GILK_PREFIX_67)
        insn->flags |= GILK_INSN_PINNED;
    }

  if (op.prefixes & GILK_PREFIX_VEX)
    return TRUE;
  if (op.map == GILK_MAP_1)
    classify_map_1 (bytes, &op, insn);
  else if (op.map == GILK_MAP_0F)
    classify_map_0f (bytes, &op, insn);

  return TRUE;
}

/* ---- prints an instruction ---- */

/* Instructions printed here, because Capstone 4.0.2 fails on them or gets the length or name
 * wrong. */
typedef struct {
  uint8_t     map, opcode;
  uint8_t     prefixes;    /* required prefixes */
  int16_t     modrm;       /* required ModRM byte; -1: any byte, from which the operands are
                            * printed */
  const char *name;
} Correction;

static const Correction corrections[] = {
  { GILK_MAP_0F, 0x00, GILK_PREFIX_F2, 0xf7, "lkgs %edi" },
  { GILK_MAP_0F, 0xb9, 0, -1, "ud1" },
  { GILK_MAP_0F, 0xff, 0, -1, "ud0" },
  { GILK_MAP_0F, 0x01, 0, 0xee, "rdpkru" },
  { GILK_MAP_0F, 0x01, 0, 0xef, "wrpkru" },
  { GILK_MAP_0F, 0x01, 0, 0xe8, "serialize" },
  { GILK_MAP_0F, 0x01, 0, 0xfa, "monitorx" },
  { GILK_MAP_0F, 0x01, 0, 0xfb, "mwaitx" },
  { GILK_MAP_0F, 0x01, GILK_PREFIX_F2, 0xca, "eretu" },
  { GILK_MAP_0F, 0x01, GILK_PREFIX_F3, 0xca, "erets" },
  { GILK_MAP_0F, 0x01, GILK_PREFIX_66, 0xcc, "tdcall" },
  { GILK_MAP_0F, 0x01, GILK_PREFIX_F3, 0xd9, "vmgexit" },
  { GILK_MAP_0F, 0x01, GILK_PREFIX_F3, 0xfe, "rmpadjust" },
  { GILK_MAP_0F, 0x01, GILK_PREFIX_F2, 0xfe, "rmpupdate" },
  { GILK_MAP_0F, 0x01, GILK_PREFIX_F2, 0xff, "pvalidate" },
  { GILK_MAP_0F, 0x01, GILK_PREFIX_F3, 0xff, "psmash" },
  { GILK_MAP_0F, 0xae, GILK_PREFIX_66, 0xf0, "tpause %eax" },
  { GILK_MAP_0F, 0xae, GILK_PREFIX_66, 0xf1, "tpause %ecx" },
  { GILK_MAP_0F, 0xae, GILK_PREFIX_66, 0xf2, "tpause %edx" },
  { GILK_MAP_0F, 0xae, GILK_PREFIX_66, 0xf3, "tpause %ebx" },
  { GILK_MAP_0F38, 0xf5, GILK_PREFIX_66, -1, "wrussq" },
  { GILK_MAP_0F38, 0x49, GILK_PREFIX_VEX, 0xc0, "tilerelease" },
  { GILK_MAP_0F, 0x72, GILK_PREFIX_VEX, -1, "vprord" },
  { GILK_MAP_0F38, 0x76, GILK_PREFIX_VEX, -1, "vpermi2d" },
};

static const char *const names_64[16] = {
  "%rax", "%rcx", "%rdx", "%rbx", "%rsp", "%rbp", "%rsi", "%rdi",
  "%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15",
};
static const char *const names_32[16] = {
  "%eax", "%ecx", "%edx", "%ebx", "%esp", "%ebp", "%esi", "%edi",
  "%r8d", "%r9d", "%r10d", "%r11d", "%r12d", "%r13d", "%r14d", "%r15d",
};

/* Prints a memory operand in AT&T syntax, "disp(base,index,scale)". */
static void
format_memory (const uint8_t *bytes, const GilkOpcode *op, char *out, gsize size)
{
  int64_t disp = gilk_opcode_value (bytes, op->disp_offset, op->disp_size);
  const char *base = names_64[GILK_MODRM_RM (op) | (op->rex & GILK_REX_B ? 8 : 0)];
  char text[24] = "", index[16] = "";

  if (op->disp_size)
    g_snprintf (text, sizeof text, "%s0x%x", disp < 0 ? "-" : "",
                (unsigned) (disp < 0 ? -disp : disp));
  if (op->rip_relative)
    base = "%rip";
  else if (GILK_MODRM_RM (op) == 4)
    {
      guint number = (op->sib >> 3 & 7) | (op->rex & GILK_REX_X ? 8 : 0);

      base = names_64[(op->sib & 7) | (op->rex & GILK_REX_B ? 8 : 0)];
      if (GILK_MODRM_MOD (op) == 0 && (op->sib & 7) == 5)
        base = "";
      if (number != 4)
        g_snprintf (index, sizeof index, ",%s,%d", names_64[number], 1 << (op->sib >> 6));
    }

  g_snprintf (out, size, "%s(%s%s)", text, base, index);
}

/* Prints "rm,reg" from ModRM, as binutils does for some instructions. */
static void
format_modrm (const uint8_t *bytes, const GilkOpcode *op, char operands[160])
{
  const char *const *names = op->rex & GILK_REX_W ? names_64 : names_32;
  const char *reg = names[GILK_MODRM_REG (op) | (op->rex & GILK_REX_R ? 8 : 0)];
  char memory[96];

  if (GILK_MODRM_MOD (op) == 3)
    g_strlcpy (memory, names[GILK_MODRM_RM (op) | (op->rex & GILK_REX_B ? 8 : 0)],
               sizeof memory);
  else
    format_memory (bytes, op, memory, sizeof memory);

  if (op->map == GILK_MAP_0F38)
    g_snprintf (operands, 160, "%s,%s", reg, memory);
  else
    g_snprintf (operands, 160, "%s,%s", memory, reg);
}

static const Correction *
find_correction (const GilkOpcode *op)
{
  for (guint i = 0; i < G_N_ELEMENTS (corrections); i++)
    {
      const Correction *c = &corrections[i];

      if (c->map == op->map && c->opcode == op->opcode &&
          (c->prefixes & op->prefixes) == c->prefixes &&
          (c->prefixes & GILK_PREFIX_VEX) == (op->prefixes & GILK_PREFIX_VEX) &&
          (c->modrm < 0 || c->modrm == op->modrm))
        return c;
    }

  return NULL;
}

/* Prints the instruction if it is listed in corrections[]. Returns FALSE if Capstone has to print
 * it. */
static gboolean
print_corrected (const uint8_t *bytes, const GilkInsn *insn,
                 gboolean capstone_failed, char mnemonic[32], char operands[160])
{
  const Correction *c;
  const char *space;
  GilkOpcode op;

  if (!gilk_opcode_parse (bytes, insn->len, &op))
    return FALSE;
  c = find_correction (&op);
  /* Capstone prints VEX forms, but not all EVEX forms */
  if (c == NULL || (c->prefixes & GILK_PREFIX_VEX && !capstone_failed))
    return FALSE;

  space = strchr (c->name, ' ');
  g_strlcpy (mnemonic, c->name, MIN (32, space ? space - c->name + 1 : 32));
  g_strlcpy (operands, space ? space + 1 : "", 160);
  if (c->modrm < 0 && !(op.prefixes & GILK_PREFIX_VEX))
    format_modrm (bytes, &op, operands);

  return TRUE;
}

/* Returns whether an operand is a register, which implies the operand size. The text has the style
 * of binutils and of the kernel's dumps: no size suffix with a register operand, no space after
 * commas, hexadecimal addresses. */
static gboolean
has_bare_register (const char *operands)
{
  int depth = 0;

  for (; *operands; operands++)
    {
      depth += *operands == '(';
      depth -= *operands == ')';
      if (*operands == '%' && depth == 0 && strncmp (operands, "%gs:", 4) != 0 &&
          strncmp (operands, "%fs:", 4) != 0)
        return TRUE;
    }

  return FALSE;
}

static const char *const suffixed[] = {
  "adc", "add", "and", "bt", "btc", "btr", "bts", "cmp", "dec", "div", "idiv", "imul",
  "inc", "lea", "mov", "mul", "neg", "not", "or", "pop", "push", "rol", "ror", "sar",
  "sbb", "shl", "shld", "shr", "shrd", "sub", "test", "xadd", "xchg", "xor",
  "bsf", "bsr", "cmpxchg",
};

static void
drop_suffix (char *mnemonic, const char *operands)
{
  gsize length = strlen (mnemonic);
  const char *last = strrchr (mnemonic, ' ');
  const char *word = last ? last + 1 : mnemonic;

  if (strcmp (word, "retq") == 0 || strcmp (word, "callq") == 0 ||
      strcmp (word, "jmpq") == 0 || strcmp (word, "leaveq") == 0)
    {
      mnemonic[length - 1] = '\0';
      return;
    }
  if (!has_bare_register (operands))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (suffixed); i++)
    if (strncmp (word, suffixed[i], strlen (suffixed[i])) == 0 &&
        strlen (word) == strlen (suffixed[i]) + 1 && strchr ("bwlq", mnemonic[length - 1]))
      {
        mnemonic[length - 1] = '\0';
        return;
      }
}

#define SMALL 0x1000000     /* no kernel address is in the last SMALL bytes of the address space */

/*
 * If an immediate may be an address, prints it in hexadecimal, like binutils, because Capstone 4
 * prints a negative number and Capstone 5 an unsigned decimal number. Returns how many bytes of @in
 * are replaced by @out; 0: no change.
 */
static gsize
normalize_immediate (const char *in, char out[32])
{
  const gboolean minus = in[1] == '-';
  const char *digits = in + 1 + minus;
  const gboolean hex = g_str_has_prefix (digits, "0x");
  gboolean signless;
  char *end = NULL;
  uint64_t size;

  if (*in != '$' || !g_ascii_isdigit (*digits))
    return 0;
  size = g_ascii_strtoull (digits, &end, hex ? 16 : 10);
  signless = !minus && !hex && size > G_MAXINT64;
  if (!minus && !signless)
    return 0;
  if (signless)
    size = -size;

  if (size > SMALL && (signless || size <= 0x80000000u))
    g_snprintf (out, 32, "$0x%" G_GINT64_MODIFIER "x", -size);
  else if (signless)
    g_snprintf (out, 32, size > 9 ? "$-0x%" G_GINT64_MODIFIER "x" : "$-%" G_GINT64_MODIFIER "u", size);
  else
    return 0;

  return (gsize) (end - in);
}

static void
normalize_operands (const char *in, char out[160])
{
  gsize n = 0;

  while (*in && n < 159)
    {
      char immediate[32];
      const gsize taken = normalize_immediate (in, immediate);

      if (taken > 0)
        {
          n += g_strlcpy (out + n, immediate, 160 - n);
          n = MIN (n, 159);
          in += taken;
          continue;
        }
      if (!(*in == ' ' && n > 0 && out[n - 1] == ','))
        out[n++] = *in;
      in++;
    }
  out[n] = '\0';
}

/* Returns FALSE if there is no Capstone, in which case instructions are printed as bytes. */
static gboolean
open_capstone (GilkDecoder *decoder)
{
  if (decoder->capstone != 0 || decoder->missing)
    return !decoder->missing;
  decoder->missing = !gilk_library_load (GILK_CAPSTONE_SONAME, capstone_functions, G_N_ELEMENTS (capstone_functions), NULL);
  if (decoder->missing)
    return FALSE;
  if (sym_cs_open (CS_ARCH_X86, CS_MODE_64, &decoder->capstone) != CS_ERR_OK)
    {
      decoder->capstone = 0;
      return FALSE;
    }

  sym_cs_option (decoder->capstone, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
  decoder->insn = sym_cs_malloc (decoder->capstone);
  return TRUE;
}

void
gilk_insn_text (GilkDecoder   *decoder,
                const uint8_t *bytes,
                const GilkInsn *insn,
                char            mnemonic[32],
                char            operands[160])
{
  const uint8_t *code = bytes;
  size_t left = insn->len;
  uint64_t addr = insn->addr;
  GString *hex;

  if (print_corrected (bytes, insn, FALSE, mnemonic, operands))
    return;

  if (open_capstone (decoder) &&
      sym_cs_disasm_iter (decoder->capstone, &code, &left, &addr, decoder->insn) &&
      decoder->insn->size == insn->len)
    {
      g_strlcpy (mnemonic, decoder->insn->mnemonic, 32);
      normalize_operands (decoder->insn->op_str, operands);
      drop_suffix (mnemonic, operands);
      return;
    }

  if (print_corrected (bytes, insn, TRUE, mnemonic, operands))
    return;

  hex = g_string_new (NULL);
  for (guint i = 0; i < insn->len; i++)
    g_string_append_printf (hex, "%s0x%02x", i ? "," : "", bytes[i]);
  g_strlcpy (mnemonic, ".byte", 32);
  g_strlcpy (operands, hex->str, 160);
  g_string_free (hex, TRUE);
}
