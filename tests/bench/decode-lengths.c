/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decode-lengths.c - compares Gilk's decoder with Zydis on every byte of a live kernel's text
 *
 *   decode-lengths TARGET
 *
 * Decodes each part of each function from its start, padding included. For every instruction, both
 * decoders must agree on the length, the kind and target of a branch, and the offsets of branch
 * displacements and rip-relative displacements, without exceptions. Nothing else in Gilk uses
 * Zydis.
 */
#include <Zydis/Zydis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-cfg.h"

#define SHOWN 20

static struct {
  guint64 bytes, insns, neither, differ;
} counts;

static GilkBranch
get_branch (const ZydisDecodedInstruction *insn)
{
  const gboolean direct = insn->raw.imm[0].is_relative;

  switch (insn->mnemonic)
    {
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
      return GILK_BRANCH_UD;
    case ZYDIS_MNEMONIC_INT3:
      return GILK_BRANCH_INT3;
    case ZYDIS_MNEMONIC_HLT:
      return GILK_BRANCH_HLT;
    case ZYDIS_MNEMONIC_SYSRET:
    case ZYDIS_MNEMONIC_SYSEXIT:
      return GILK_BRANCH_RET;
    default:
      break;
    }
  switch (insn->meta.category)
    {
    case ZYDIS_CATEGORY_COND_BR:
      return GILK_BRANCH_JCC;
    case ZYDIS_CATEGORY_UNCOND_BR:
      return direct ? GILK_BRANCH_JUMP : GILK_BRANCH_JUMP_INDIRECT;
    case ZYDIS_CATEGORY_CALL:
      return direct ? GILK_BRANCH_CALL : GILK_BRANCH_CALL_INDIRECT;
    case ZYDIS_CATEGORY_RET:
      return GILK_BRANCH_RET;
    default:
      return GILK_BRANCH_NONE;
    }
}

/* Returns the property in which the two decoders differ, or NULL if there is none. */
static const char *
find_difference (const GilkInsn *ours, const ZydisDecodedInstruction *theirs)
{
  const gboolean rip = theirs->raw.modrm.offset != 0 && theirs->raw.modrm.mod == 0 &&
                       theirs->raw.modrm.rm == 5 && theirs->raw.disp.size == 32;
  const gboolean branch = theirs->raw.imm[0].is_relative;

  if (ours->len != theirs->length)
    return "length";
  if (ours->branch != get_branch (theirs))
    return "branch";
  if (((ours->flags & GILK_INSN_RIP_RELATIVE) != 0) != rip)
    return "rip-relative";
  if (rip && ours->disp_offset != theirs->raw.disp.offset)
    return "place of the displacement";
  if ((ours->rel_offset >= 0) != branch)
    return "relative branch";
  if (branch && (ours->rel_offset != theirs->raw.imm[0].offset ||
                 ours->target != ours->addr + ours->len + (uint64_t) theirs->raw.imm[0].value.s))
    return "target of the branch";

  return NULL;
}

static void
note_difference (uint64_t addr, const uint8_t *bytes, guint ours, guint theirs, const char *what)
{
  if (counts.differ++ >= SHOWN)
    return;
  printf ("%s: %" G_GINT64_MODIFIER "x, lengths %u and %u:", what, addr, ours, theirs);
  for (guint i = 0; i < 15; i++)
    printf (" %02x", bytes[i]);
  putchar ('\n');
}

/* Decodes an instruction with Zydis. Zydis 4.0 does not decode lkgs, so lkgs is replaced by verr of
 * the same register. */
static gboolean
ask_zydis (const ZydisDecoder *zydis, const uint8_t *bytes, gsize left, ZydisDecodedInstruction *insn)
{
  uint8_t verr[4] = { 0x66, 0x0f, 0x00 };

  if (left < 4 || memcmp (bytes, "\xf2\x0f\x00", 3) != 0 || (bytes[3] & 0xf8) != 0xf0)
    return ZYAN_SUCCESS (ZydisDecoderDecodeInstruction (zydis, NULL, bytes, left, insn));
  verr[3] = bytes[3] & 0xe7;
  return ZYAN_SUCCESS (ZydisDecoderDecodeInstruction (zydis, NULL, verr, sizeof verr, insn));
}

/* Returns the length, from Intel's manuals, of an instruction newer than Zydis 4.0. Returns 0 for
 * any other instruction. */
static guint
younger_length (const uint8_t *bytes, gsize left)
{
  if (left >= 1 && bytes[0] == 0xd6)
    return 1;                                 /* udb */
  if (left >= 4 && (bytes[0] == 0xf2 || bytes[0] == 0xf3) && memcmp (bytes + 1, "\x0f\x01\xca", 3) == 0)
    return 4;                                 /* eretu, erets */

  return 0;
}

static void
sweep_range (GilkImage *image, const GilkRange *range, GilkDecoder *decoder, const ZydisDecoder *zydis)
{
  const gsize length = range->end - range->start;
  const uint8_t *bytes = length != 0 ? gilk_image_bytes (image, range->start, length, NULL) : NULL;
  gsize at = 0;

  while (bytes != NULL && at < length)
    {
      const uint64_t addr = range->start + at;
      const gsize left = length - at;
      ZydisDecodedInstruction theirs;
      GilkInsn ours;
      gboolean we = gilk_insn_decode (decoder, bytes + at, left, addr, &ours);
      gboolean they = ask_zydis (zydis, bytes + at, left, &theirs);
      uint8_t shown[15] = { 0 };
      const gboolean younger = we && !they && ours.len == younger_length (bytes + at, left);
      const char *what = we != they && !younger ? "known to one" : they ? find_difference (&ours, &theirs) : NULL;

      memcpy (shown, bytes + at, MIN (left, sizeof shown));
      if (what != NULL)
        note_difference (addr, shown, we ? ours.len : 0, they ? theirs.length : 0, what);
      counts.insns += we;
      counts.neither += !we && !they;
      at += we ? ours.len : they ? theirs.length : 1;
    }
  counts.bytes += bytes != NULL ? length : 0;
}

static void
exit_with_error (const char *what, const GError *error)
{
  fprintf (stderr, "decode-lengths: %s: %s\n", what, error ? error->message : "failed");
  exit (1);
}

int
main (int argc, char **argv)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkTarget) target = NULL;
  g_autoptr(GilkImage) image = NULL;
  g_autoptr(GilkFunctions) functions = NULL;
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  const GilkFunction *all;
  ZydisDecoder zydis;
  guint n;

  if (argc != 2)
    {
      fputs ("usage: decode-lengths TARGET\n", stderr);
      return 2;
    }
  ZydisDecoderInit (&zydis, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  target = gilk_target_open (argv[1], NULL, NULL, &error);
  if (target == NULL)
    exit_with_error (argv[1], error);
  image = gilk_image_open (target, NULL, NULL, &error);
  if (image == NULL || !gilk_image_load_all (image, NULL, NULL, &error))
    exit_with_error ("text", error);
  functions = gilk_functions_new (image);
  all = gilk_functions_all (functions, &n);
  for (guint i = 0; i < n; i++)
    if (all[i].refusal != GILK_REFUSAL_INIT && all[i].refusal != GILK_REFUSAL_GENERATED)
      {
        sweep_range (image, &all[i].hot, decoder, &zydis);
        sweep_range (image, &all[i].cold, decoder, &zydis);
      }

  printf ("bytes %" G_GUINT64_FORMAT "\ninstructions %" G_GUINT64_FORMAT "\nundecodable-to-both %"
          G_GUINT64_FORMAT "\nunexplained %" G_GUINT64_FORMAT "\n",
          counts.bytes, counts.insns, counts.neither, counts.differ);

  return counts.differ != 0 || counts.insns == 0;
}
