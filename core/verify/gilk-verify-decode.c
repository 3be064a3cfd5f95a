/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify-decode.c - the verifier's decoder: bytes to instructions, after the Intel manual,
 * volume 2, appendix A
 *
 * Each row of the tables is one form of instruction. Bytes that match no row are refused. The
 * decoder also refuses encodings that a processor accepts but that hooks do not need: repeated or
 * useless prefixes, and the registers ah, bh, ch and dh.
 */
#include "core/verify/gilk-verify-decode.h"

#include <glib/gi18n.h>
#include <string.h>

typedef enum {
  FORM_PLAIN,          /* no operands except those in the opcode */
  FORM_RM,             /* one operand, a register or memory */
  FORM_RM_REG,
  FORM_REG_RM,
  FORM_REG_RM_IMM,
  FORM_REG_RM_IMM8,
  FORM_RM_IMM,
  FORM_RM_IMM8,
  FORM_RM_ONE,
  FORM_RM_CL,
  FORM_RAX_IMM,
  FORM_OPCODE_REG,
  FORM_OPCODE_REG_IMM,
  FORM_IMM,
  FORM_IMM8,
  FORM_NEAR,
  FORM_SHORT,
} Form;

enum {
  BYTES  = 1,          /* operands are bytes if the opcode's lowest bit is 0 */
  BYTE   = 2,          /* the operand is always a byte */
  WIDE   = 4,          /* operands always have 64 bits; a REX.W prefix is not needed */
  HALF   = 8,          /* an operand-size prefix (0x66) may make operands 16 bits wide */
  LOCK   = 16,
  DIGIT  = 32,         /* @op is the ModRM digit (bits 3 to 5) */
  OPCODE = 64,         /* @op is the opcode's lowest four bits */
  FROM_1 = 128,        /* the source operand has 1 byte; FROM_2 and FROM_4: 2 and 4 bytes */
  FROM_2 = 256,
  FROM_4 = 512,
  ALU_OP = 1024,       /* @op is bits 3 to 5 of the opcode */
};

typedef struct {
  uint8_t  mask, opcode;
  int8_t   digit;      /* required bits 3 to 5 of the ModRM byte; -1: any */
  uint8_t  kind;
  uint8_t  form;
  uint16_t traits;
} Row;

static const Row one_byte[] = {
  { 0xc6, 0x00, -1, GILK_STEP_ALU,   FORM_RM_REG,  BYTES | HALF | LOCK | ALU_OP },
  { 0xc6, 0x02, -1, GILK_STEP_ALU,   FORM_REG_RM,  BYTES | HALF | ALU_OP },
  { 0xc6, 0x04, -1, GILK_STEP_ALU,   FORM_RAX_IMM, BYTES | HALF | ALU_OP },
  { 0xf8, 0x50, -1, GILK_STEP_PUSH,  FORM_OPCODE_REG, WIDE },
  { 0xf8, 0x58, -1, GILK_STEP_POP,   FORM_OPCODE_REG, WIDE },
  { 0xff, 0x63, -1, GILK_STEP_MOVSX, FORM_REG_RM,  FROM_4 },
  { 0xff, 0x68, -1, GILK_STEP_PUSH,  FORM_IMM,     WIDE },
  { 0xff, 0x69, -1, GILK_STEP_IMUL,  FORM_REG_RM_IMM,  0 },
  { 0xff, 0x6a, -1, GILK_STEP_PUSH,  FORM_IMM8,    WIDE },
  { 0xff, 0x6b, -1, GILK_STEP_IMUL,  FORM_REG_RM_IMM8, 0 },
  { 0xf0, 0x70, -1, GILK_STEP_JCC,   FORM_SHORT,   WIDE | OPCODE },
  { 0xfe, 0x80, -1, GILK_STEP_ALU,   FORM_RM_IMM,  BYTES | HALF | LOCK | DIGIT },
  { 0xff, 0x83, -1, GILK_STEP_ALU,   FORM_RM_IMM8, HALF | LOCK | DIGIT },
  { 0xfe, 0x84, -1, GILK_STEP_TEST,  FORM_RM_REG,  BYTES | HALF },
  { 0xfe, 0x86, -1, GILK_STEP_XCHG,  FORM_RM_REG,  BYTES | LOCK },
  { 0xfe, 0x88, -1, GILK_STEP_MOV,   FORM_RM_REG,  BYTES | HALF },
  { 0xfe, 0x8a, -1, GILK_STEP_MOV,   FORM_REG_RM,  BYTES | HALF },
  { 0xff, 0x8d, -1, GILK_STEP_LEA,   FORM_REG_RM,  0 },
  { 0xff, 0x8f,  0, GILK_STEP_POP,   FORM_RM,      WIDE },
  { 0xff, 0x90, -1, GILK_STEP_NOP,   FORM_PLAIN,   WIDE },
  { 0xff, 0x98, -1, GILK_STEP_WIDEN, FORM_PLAIN,   0 },
  { 0xff, 0x99, -1, GILK_STEP_CONVERT, FORM_PLAIN, 0 },
  { 0xff, 0x9c, -1, GILK_STEP_PUSHF, FORM_PLAIN,   WIDE },
  { 0xff, 0x9d, -1, GILK_STEP_POPF,  FORM_PLAIN,   WIDE },
  { 0xfe, 0xa8, -1, GILK_STEP_TEST,  FORM_RAX_IMM, BYTES | HALF },
  { 0xf8, 0xb8, -1, GILK_STEP_MOV,   FORM_OPCODE_REG_IMM, 0 },
  { 0xfe, 0xc0, -1, GILK_STEP_SHIFT, FORM_RM_IMM8, BYTES | DIGIT },
  { 0xfe, 0xc6,  0, GILK_STEP_MOV,   FORM_RM_IMM,  BYTES | HALF },
  { 0xfe, 0xd0, -1, GILK_STEP_SHIFT, FORM_RM_ONE,  BYTES | DIGIT },
  { 0xfe, 0xd2, -1, GILK_STEP_SHIFT, FORM_RM_CL,   BYTES | DIGIT },
  { 0xff, 0xc3, -1, GILK_STEP_RETURN, FORM_PLAIN,  WIDE },
  { 0xff, 0xcc, -1, GILK_STEP_FILL,  FORM_PLAIN,   WIDE },
  { 0xff, 0xe8, -1, GILK_STEP_CALL,  FORM_NEAR,    WIDE },
  { 0xff, 0xe9, -1, GILK_STEP_JMP,   FORM_NEAR,    WIDE },
  { 0xff, 0xeb, -1, GILK_STEP_JMP,   FORM_SHORT,   WIDE },
  { 0xfe, 0xf6,  0, GILK_STEP_TEST,  FORM_RM_IMM,  BYTES | HALF },
  { 0xfe, 0xf6,  2, GILK_STEP_NOT,   FORM_RM,      BYTES | LOCK },
  { 0xfe, 0xf6,  3, GILK_STEP_NEG,   FORM_RM,      BYTES | LOCK },
  { 0xff, 0xf7,  4, GILK_STEP_MUL,   FORM_RM,      0 },
  { 0xff, 0xf7,  5, GILK_STEP_MUL,   FORM_RM,      0 },
  { 0xff, 0xf7,  6, GILK_STEP_DIV,   FORM_RM,      0 },
  { 0xff, 0xf7,  7, GILK_STEP_IDIV,  FORM_RM,      0 },
  { 0xff, 0xfc, -1, GILK_STEP_FORWARD, FORM_PLAIN, WIDE },
  { 0xfe, 0xfe,  0, GILK_STEP_INC,   FORM_RM,      BYTES | LOCK },
  { 0xfe, 0xfe,  1, GILK_STEP_DEC,   FORM_RM,      BYTES | LOCK },
  { 0xff, 0xff,  6, GILK_STEP_PUSH,  FORM_RM,      WIDE },
};

/* Forms of instructions with a two-byte opcode, 0x0f and @opcode. */
static const Row two_byte[] = {
  { 0xff, 0x1f,  0, GILK_STEP_NOP,     FORM_RM,     HALF },
  { 0xff, 0x31, -1, GILK_STEP_CLOCK,   FORM_PLAIN,  WIDE },
  { 0xf0, 0x40, -1, GILK_STEP_CMOV,    FORM_REG_RM, OPCODE },
  { 0xf0, 0x80, -1, GILK_STEP_JCC,     FORM_NEAR,   WIDE | OPCODE },
  { 0xf0, 0x90, -1, GILK_STEP_SETCC,   FORM_RM,     BYTE | OPCODE },
  { 0xff, 0xaf, -1, GILK_STEP_IMUL,    FORM_REG_RM, 0 },
  { 0xfe, 0xb0, -1, GILK_STEP_CMPXCHG, FORM_RM_REG, BYTES | LOCK },
  { 0xff, 0xb6, -1, GILK_STEP_MOVZX,   FORM_REG_RM, FROM_1 },
  { 0xff, 0xb7, -1, GILK_STEP_MOVZX,   FORM_REG_RM, FROM_2 },
  { 0xff, 0xbc, -1, GILK_STEP_SCAN,    FORM_REG_RM, 0 },
  { 0xff, 0xbd, -1, GILK_STEP_SCAN,    FORM_REG_RM, 0 },
  { 0xff, 0xbe, -1, GILK_STEP_MOVSX,   FORM_REG_RM, FROM_1 },
  { 0xff, 0xbf, -1, GILK_STEP_MOVSX,   FORM_REG_RM, FROM_2 },
  { 0xfe, 0xc0, -1, GILK_STEP_XADD,    FORM_RM_REG, BYTES | LOCK },
};

enum { REX_B = 1, REX_X = 2, REX_R = 4, REX_W = 8 };

typedef struct {
  const uint8_t *code;
  gsize          length, at;
  gboolean       too_short;
  gboolean       gs, half, locked;
  guint          rex;              /* REX prefix; 0: none */
  guint          opcode;
  gboolean       two;
} Reader;

static guint
read_byte (Reader *reader)
{
  if (reader->at >= reader->length)
    {
      reader->too_short = TRUE;
      return 0;
    }

  return reader->code[reader->at++];
}

/* Reads a signed number of @bytes bytes: 1, 2, 4 or 8. */
static int64_t
read_number (Reader *reader,
             guint   bytes)
{
  uint64_t value = 0;

  for (guint i = 0; i < bytes; i++)
    value |= (uint64_t) read_byte (reader) << (8 * i);
  if (bytes < 8 && value >> (8 * bytes - 1) & 1)
    value |= UINT64_MAX << (8 * bytes);

  return (int64_t) value;
}

static gboolean
read_prefixes (Reader *reader)
{
  for (;;)
    {
      guint byte = read_byte (reader);
      gboolean *seen = byte == 0x65 ? &reader->gs : byte == 0x66 ? &reader->half :
                       byte == 0xf0 ? &reader->locked : NULL;

      if (seen == NULL)
        {
          reader->opcode = byte;
          break;
        }
      if (*seen)
        return FALSE;
      *seen = TRUE;
    }
  if ((reader->opcode & 0xf0) == 0x40)
    {
      reader->rex = reader->opcode;
      reader->opcode = read_byte (reader);
    }
  if (reader->opcode == 0x0f)
    {
      reader->two = TRUE;
      reader->opcode = read_byte (reader);
    }

  return TRUE;
}

static const Row *
find_row (const Reader *reader)
{
  const Row *rows = reader->two ? two_byte : one_byte;
  gsize n = reader->two ? G_N_ELEMENTS (two_byte) : G_N_ELEMENTS (one_byte);
  int digit = reader->at < reader->length ? reader->code[reader->at] >> 3 & 7 : -1;

  for (gsize i = 0; i < n; i++)
    if ((reader->opcode & rows[i].mask) == rows[i].opcode && (rows[i].digit < 0 || rows[i].digit == digit))
      return &rows[i];

  return NULL;
}

static void
read_sib (Reader   *reader,
          guint     mod,
          GilkStep *step)
{
  guint sib = read_byte (reader);
  guint index = (sib >> 3 & 7) | (reader->rex & REX_X ? 8 : 0);
  guint base = (sib & 7) | (reader->rex & REX_B ? 8 : 0);

  step->mem.scale = sib >> 6;
  if (index != 4)
    step->mem.index = (int8_t) index;
  if (mod == 0 && (base & 7) == 5)
    step->mem.disp = (int32_t) read_number (reader, 4);
  else
    step->mem.base = (int8_t) base;
}

static void
read_modrm (Reader   *reader,
            GilkStep *step)
{
  guint modrm = read_byte (reader), mod = modrm >> 6, rm = modrm & 7;

  step->reg = (int8_t) ((modrm >> 3 & 7) | (reader->rex & REX_R ? 8 : 0));
  if (mod == 3)
    {
      step->rm = (int8_t) (rm | (reader->rex & REX_B ? 8 : 0));
      return;
    }

  step->has_mem = TRUE;
  step->mem = (GilkStepMem) { .base = GILK_STEP_NONE, .index = GILK_STEP_NONE, .gs = reader->gs };
  if (rm == 4)
    read_sib (reader, mod, step);
  else if (mod == 0 && rm == 5)
    {
      step->mem.relative = TRUE;
      step->mem.disp = (int32_t) read_number (reader, 4);
    }
  else
    step->mem.base = (int8_t) (rm | (reader->rex & REX_B ? 8 : 0));

  if (mod != 0)
    step->mem.disp = (int32_t) read_number (reader, mod == 1 ? 1 : 4);
}

static void
read_imm (Reader   *reader,
          GilkStep *step,
          guint     bytes)
{
  step->has_imm = TRUE;
  step->imm = read_number (reader, bytes);
}

static void
read_operands (Reader    *reader,
               const Row *row,
               GilkStep  *step)
{
  guint imm = MIN (step->size, 4);

  if (row->form >= FORM_RM && row->form <= FORM_RM_CL)
    read_modrm (reader, step);
  step->to_reg = row->form >= FORM_REG_RM && row->form <= FORM_REG_RM_IMM8;

  switch (row->form)
    {
    case FORM_RAX_IMM:
      step->rm = 0;
      read_imm (reader, step, imm);
      break;
    case FORM_RM_IMM:
    case FORM_REG_RM_IMM:
    case FORM_IMM:
      read_imm (reader, step, imm);
      break;
    case FORM_RM_IMM8:
    case FORM_REG_RM_IMM8:
    case FORM_IMM8:
    case FORM_SHORT:
      read_imm (reader, step, 1);
      break;
    case FORM_NEAR:
      read_imm (reader, step, 4);
      break;
    case FORM_RM_ONE:
      step->has_imm = TRUE;
      step->imm = 1;
      break;
    case FORM_OPCODE_REG:
    case FORM_OPCODE_REG_IMM:
      step->rm = (int8_t) ((reader->opcode & 7) | (reader->rex & REX_B ? 8 : 0));
      if (row->form == FORM_OPCODE_REG_IMM)
        read_imm (reader, step, step->size == 8 ? 8 : 4);
      break;
    default:
      break;
    }
}

static guint
get_operand_size (const Reader *reader,
                  const Row    *row)
{
  if (row->traits & BYTE || (row->traits & BYTES && !(reader->opcode & 1)))
    return 1;
  if (row->traits & WIDE || reader->rex & REX_W)
    return 8;

  return reader->half ? 2 : 4;
}

static guint
get_operation (const Reader *reader,
               const Row    *row)
{
  guint digit = reader->at < reader->length ? reader->code[reader->at] >> 3 & 7 : 0;

  if (row->traits & DIGIT)
    return digit;
  if (row->traits & ALU_OP)
    return reader->opcode >> 3 & 7;
  if (row->kind == GILK_STEP_SCAN)
    return reader->opcode & 1;

  return row->traits & OPCODE ? reader->opcode & 15 : 0;
}

/* Returns whether an operand is ah, ch, dh or bh, which are byte registers 4 to 7 in an instruction
 * without a REX prefix. */
static gboolean
has_upper_byte (const Reader   *reader,
                const Row      *row,
                const GilkStep *step)
{
  gboolean has_reg = row->form == FORM_RM_REG || row->form == FORM_REG_RM;
  gboolean has_rm = row->form >= FORM_RM && row->form <= FORM_RM_CL && !step->has_mem;

  if (reader->rex != 0)
    return FALSE;
  if (step->from == 1)
    return has_rm && step->rm >= 4;

  return step->size == 1 && ((has_reg && step->reg >= 4) || (has_rm && step->rm >= 4));
}

static gboolean
is_unsupported_form (const Reader   *reader,
                     const Row      *row,
                     const GilkStep *step)
{
  if (reader->half && (!(row->traits & HALF) || step->size != 2))
    return TRUE;
  if (reader->gs && (!step->has_mem || step->kind == GILK_STEP_LEA))
    return TRUE;
  if (reader->locked && (!(row->traits & LOCK) || !step->has_mem))
    return TRUE;
  if (reader->locked && step->kind == GILK_STEP_ALU && step->op == GILK_STEP_CMP)
    return TRUE;
  if (step->kind == GILK_STEP_LEA && !step->has_mem)
    return TRUE;
  if ((step->kind == GILK_STEP_NOP || step->kind >= GILK_STEP_CALL) && reader->rex != 0)
    return TRUE;
  if (step->kind == GILK_STEP_SHIFT && step->op == 6)
    return TRUE;

  return has_upper_byte (reader, row, step);
}

const char *
gilk_step_decode (const uint8_t *code,
                  gsize          length,
                  GilkStep      *step)
{
  Reader reader = { .code = code, .length = MIN (length, 15) };
  const Row *row;

  memset (step, 0, sizeof *step);
  step->reg = step->rm = GILK_STEP_NONE;
  if (!read_prefixes (&reader))
    return N_("an instruction has a repeated prefix");
  row = find_row (&reader);
  if (row == NULL)
    return N_("this instruction is not allowed in a hook");

  step->kind = row->kind;
  step->size = (uint8_t) get_operand_size (&reader, row);
  step->op = (uint8_t) get_operation (&reader, row);
  step->from = row->traits & FROM_1 ? 1 : row->traits & FROM_2 ? 2 : row->traits & FROM_4 ? 4 : 0;
  step->locked = reader.locked;
  read_operands (&reader, row, step);
  step->length = (uint8_t) reader.at;
  if (reader.too_short)
    return N_("the code ends within an instruction");

  return is_unsupported_form (&reader, row, step) ? N_("this form of the instruction is not allowed in a hook") : NULL;
}
