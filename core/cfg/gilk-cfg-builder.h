/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-builder.h - state shared by gilk-cfg-build.c and gilk-cfg-outcome.c
 *
 * Threads: a builder is on the stack of gilk_cfg_build() and used by its thread only.
 */
#pragma once

#include "core/cfg/gilk-cfg-private.h"

G_BEGIN_DECLS

enum {                      /* flags of each byte of a part */
  GILK_BYTE_START  = 1 << 0,
  GILK_BYTE_INSIDE = 1 << 1,
  GILK_BYTE_LEADER = 1 << 2,
  GILK_BYTE_SITE   = 1 << 3,          /* a side table has an entry for this address */
};

typedef struct {
  const GilkText *text;
  uint8_t        *map;
  uint32_t       *insn_at;  /* index of each byte's instruction, where GILK_BYTE_START is set */
  const GilkSite *sites;
  guint           n_sites;
} GilkBuildPart;

typedef struct {
  GilkCfg       *cfg;
  GilkFunctions *functions;
  GilkImage     *image;
  GilkDecoder   *decoder;
  GilkBuildPart           parts[2];
  guint          n_parts;
  GArray        *insns;     /* instructions in the order of discovery */
  GArray        *work;      /* addresses to follow */
  uint64_t       indirect;  /* address of an indirect jump; 0: none */
} GilkBuilder;

/* Control flow after an instruction. */
typedef struct {
  gboolean ends, falls;
  uint8_t  ending;          /* GilkBlockEnd */
  uint8_t  fall_kind, to_kind;
  uint64_t to;              /* target within the function; 0: none */
} GilkOutcome;

/* Returns the part that contains @addr; NULL if it is not in the function. */
GilkBuildPart  *gilk_builder_part (GilkBuilder *b, uint64_t addr);
/* Returns the side-table entry of @kind for the instruction at @addr; NULL: none. */
const GilkSite *gilk_builder_site (GilkBuilder *b, uint64_t addr, GilkSiteKind kind);
/* Returns whether only int3, nops and zero bytes follow up to the end of the part. */
gboolean        gilk_builder_only_filler (GilkBuilder *b, uint64_t addr);
/* Returns the control flow after @insn. */
GilkOutcome     gilk_builder_outcome (GilkBuilder *b, const GilkInsn *insn);

G_END_DECLS
