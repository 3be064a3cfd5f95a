/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-listing.c - lists the code around a patch, before and after arming, for display
 *
 * The patch is written by the real emitter for a mock driver. The mock driver's per-CPU variables
 * have addresses that nothing else uses, so that they can be shown by name.
 */
#include "core/splice/gilk-patch-listing.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"

#define JUMP_BYTES   5
#define HOP_BYTES    2
#define AROUND       3              /* maximum number of instructions shown before the footprint,
                                     * the overwritten bytes, and after it */
#define SLOT_AWAY    G_GUINT64_CONSTANT (0x2000000)

/* Numbers that the mock driver assigns, mostly as addresses of per-CPU variables. */
enum { COUNTER = 0x7a000000, LOST, MISSED, HEAD, LIMIT, BASE, MASK, RING_LOST, GUARD, PREEMPT, CONTEXT };

/* Names of the numbers above, in the same order. */
static const char *const names[] = {
  "counter", "lost", "missed", "ring_head", "ring_limit", "ring_base", "ring_mask", "ring_lost", "guard",
  "preempt_count", "context_mask",
};

/* Addresses that the mock driver assigns to the memory areas of up to AREA_WANTS programs. */
#define AREAS        0x74000000u
#define AREA_BYTES   (1u << 20)
#define AREA_WANTS   4
G_STATIC_ASSERT (GILK_OPS_AREA_MAX * 8 <= AREA_BYTES);

/* Names of services, indexed by enum ilk_service. */
static const char *const services[] = { "stack", "marker", "freeze", "crash", "user" };
G_STATIC_ASSERT (G_N_ELEMENTS (services) == ILK_SERVICES);

/* Where to look up the names that replace numbers in an instruction's text. */
typedef struct {
  const GilkSplicePlan *plan;
  GilkDecoder          *decoder;
  GilkAreaName          name;
  gpointer              data;
} Namer;

static void
clear_line (gpointer line)
{
  g_free (((GilkPatchLine *) line)->text);
}

static GArray *
lines_new (void)
{
  GArray *lines = g_array_new (FALSE, TRUE, sizeof (GilkPatchLine));

  g_array_set_clear_func (lines, clear_line);
  return lines;
}

static void
add_line (GArray *lines, uint64_t addr, const uint8_t *bytes, guint length, char *text, GilkPatchLineKind kind)
{
  GilkPatchLine line = { .addr = addr, .length = MIN (length, ILK_FOOTPRINT_MAX), .text = text, .kind = kind };

  memcpy (line.bytes, bytes, line.length);
  g_array_append_val (lines, line);
}

/* ---- formats an instruction as text ---- */

static char *
find_number_name (const Namer *namer, uint64_t number)
{
  char *name = NULL;

  if (number >= COUNTER && number - COUNTER < G_N_ELEMENTS (names))
    return g_strdup (names[number - COUNTER]);
  if (number < AREAS || number - AREAS >= AREA_WANTS * GILK_OPS_AREAS * AREA_BYTES)
    return NULL;
  number -= AREAS;
  if (namer->name != NULL)
    name = namer->name ((guint) number / AREA_BYTES / GILK_OPS_AREAS, (guint) number / AREA_BYTES % GILK_OPS_AREAS,
                        (guint) number % AREA_BYTES, namer->data);

  return name != NULL ? name : g_strdup_printf ("area%u+0x%x", (guint) number / AREA_BYTES % GILK_OPS_AREAS,
                                                (guint) number % AREA_BYTES);
}

static char *
name_numbers (const Namer *namer, const char *operands)
{
  g_autoptr(GString) text = g_string_new (NULL);

  while (*operands != '\0')
    {
      char *end = (char *) operands + 1;
      g_autofree char *name = g_str_has_prefix (operands, "0x")
                                ? find_number_name (namer, g_ascii_strtoull (operands, &end, 16)) : NULL;

      if (name != NULL)
        g_string_append (text, name);
      else
        g_string_append_len (text, operands, end - operands);
      operands = end;
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
has_named_target (const GilkInsn *insn)
{
  return insn->target != 0 && (insn->branch == GILK_BRANCH_JUMP || insn->branch == GILK_BRANCH_JCC ||
                               insn->branch == GILK_BRANCH_CALL);
}

/* Returns the address that the mock driver gives the function of an instrument module. */
static uint64_t
get_instrument (const GilkCfg *cfg)
{
  return cfg->function->hot.start + SLOT_AWAY / 2;
}

static uint64_t
get_service (const GilkCfg *cfg, guint service)
{
  return get_instrument (cfg) + (service + 1) * 0x1000;
}

/* Returns a name such as "patch+0x7" for a branch target in the patch itself. */
static char *
get_target_name (const GilkCfg *cfg, const GilkInsn *insn, uint64_t slot, gsize slot_length)
{
  if (insn->target - slot < slot_length || insn->target == slot)
    return insn->target == slot ? g_strdup ("patch")
                                : g_strdup_printf ("patch+0x%x", (guint) (insn->target - slot));

  for (guint i = 0; i < ILK_SERVICES; i++)
    if (insn->target == get_service (cfg, i))
      return g_strconcat ("ilk:", services[i], NULL);

  return insn->target == get_instrument (cfg) ? g_strdup ("instrument") : gilk_cfg_target_name (cfg, insn);
}

static char *
make_insn_text (const Namer *namer, const uint8_t *bytes, const GilkInsn *insn, uint64_t slot, gsize slot_length)
{
  char mnemonic[32], operands[160];
  g_autofree char *shown = NULL;

  gilk_insn_text (namer->decoder, bytes, insn, mnemonic, operands);
  shown = has_named_target (insn) ? get_target_name (namer->plan->cfg, insn, slot, slot_length) : name_numbers (namer, operands);

  return *shown != '\0' ? g_strdup_printf ("%s %s", mnemonic, shown) : g_strdup (mnemonic);
}

/* ---- lists kernel text, before and after arming ---- */

/*
 * Returns the patch, other than the listed one, that overwrites the instruction; NULL if there is
 * none. This may be a splice that was planned only to free bytes for the 5-byte jump of the listed
 * bounce.
 */
static const GilkPatchPlan *
find_other_patch (const GilkPatchListing *listing, const GilkSplicePlan *plan, uint64_t addr)
{
  for (guint i = 0; i < plan->n_patches; i++)
    if (plan->patches[i].site != listing->site && plan->patches[i].tactic != ILK_TACTIC_CLONE &&
        addr >= plan->patches[i].site && addr < plan->patches[i].site + plan->patches[i].len)
      return &plan->patches[i];

  return NULL;
}

static void
add_unmoved (GilkPatchListing *listing, const GilkSplicePlan *plan, const GilkInsn *insn, const uint8_t *bytes,
             const char *text)
{
  const GilkPatchPlan *other = find_other_patch (listing, plan, insn->addr);
  const uint8_t jump = 0xe9;

  if (other == NULL)
    add_line (listing->after, insn->addr, bytes, insn->len, g_strdup (text), GILK_PATCH_LINE_AROUND);
  else if (insn->addr == other->site)
    add_line (listing->after, insn->addr, &jump, 1, g_strdup (_("(another patch)")), GILK_PATCH_LINE_AROUND);
}

static void
add_original (GilkPatchListing *listing, const GilkSplicePlan *plan, const Namer *namer, guint index)
{
  const GilkInsn *insn = &plan->cfg->insns[index];
  const uint8_t *bytes = gilk_cfg_bytes (plan->cfg, insn);
  gboolean moves = insn->addr >= listing->site && insn->addr < listing->site + listing->footprint;
  char *text = make_insn_text (namer, bytes, insn, listing->slot, 0);

  add_line (listing->before, insn->addr, bytes, insn->len, text,
            moves ? GILK_PATCH_LINE_FOOTPRINT : GILK_PATCH_LINE_AROUND);
  if (!moves)
    add_unmoved (listing, plan, insn, bytes, text);
}

/* Lists the filler at the end of the footprint, which is not decoded as part of the function. */
static void
add_padding (GilkPatchListing *listing, const GilkPatchPlan *patch, uint64_t end)
{
  guint covered = (guint) (end - patch->site);

  if (covered < patch->len)
    add_line (listing->before, end, patch->old + covered, patch->len - covered,
              g_strdup (_("(padding)")), GILK_PATCH_LINE_FOOTPRINT);
}

static void
add_jump (GArray *lines, uint64_t site, uint64_t target, guint length, const char *where)
{
  uint8_t bytes[JUMP_BYTES] = { length == HOP_BYTES ? 0xeb : 0xe9 };
  int32_t distance = GINT32_TO_LE ((int32_t) (target - (site + length)));

  memcpy (bytes + 1, &distance, length - 1);
  add_line (lines, site, bytes, length, g_strdup_printf ("jmp %s", where), GILK_PATCH_LINE_JUMP);
}

/* Lists the bytes that the driver writes over the footprint, as ilk/ilk-patch.c and
 * ilk/ilk-bounce.c do. */
static void
add_entry_jump (GilkPatchListing *listing, const GilkSplicePlan *plan, const GilkPatchPlan *patch)
{
  const uint8_t trap = 0xcc;
  uint8_t filler[ILK_FOOTPRINT_MAX];
  guint used = patch->tactic == ILK_TACTIC_TRAP ? 1 : patch->tactic == ILK_TACTIC_BOUNCE ? HOP_BYTES : JUMP_BYTES;

  memset (filler, trap, sizeof filler);
  if (patch->tactic == ILK_TACTIC_BOUNCE)
    {
      g_autofree char *room = gilk_cfg_offset_name (plan->cfg, patch->bounce);

      add_jump (listing->after, patch->site, patch->bounce, HOP_BYTES, room);
      add_jump (listing->bounce, patch->bounce, listing->slot, JUMP_BYTES,
                find_other_patch (listing, plan, patch->bounce) != NULL ? _("patch (after another hook's jump)")
                                                                      : _("patch"));
    }
  else if (patch->tactic == ILK_TACTIC_TRAP)
    add_line (listing->after, patch->site, &trap, 1, g_strdup ("int3"), GILK_PATCH_LINE_JUMP);
  else
    add_jump (listing->after, patch->site, listing->slot, JUMP_BYTES, _("patch"));

  /* A trap overwrites one byte; the rest of that instruction stays, but never runs. */
  if (patch->len > used)
    add_line (listing->after, patch->site + used,
              patch->tactic == ILK_TACTIC_TRAP ? patch->old + used : filler, patch->len - used,
              g_strdup (""), GILK_PATCH_LINE_FILLER);
}

/* Returns whether instruction @index starts where the previous one ends. */
static gboolean
is_contiguous (const GilkCfg *cfg, guint index)
{
  return index > 0 && index < cfg->n_insns &&
         cfg->insns[index].addr == cfg->insns[index - 1].addr + cfg->insns[index - 1].len;
}

/* Lists some instructions before and after the footprint, as far as the code is contiguous. */
static void
list_text (GilkPatchListing *listing, const GilkSplicePlan *plan, const GilkPatchPlan *patch, const Namer *namer)
{
  const GilkCfg *cfg = plan->cfg;
  guint end = patch->first_insn + patch->n_insns, from = patch->first_insn, to = end;
  const GilkInsn *last = &cfg->insns[end - 1];

  while (from + AROUND > patch->first_insn && is_contiguous (cfg, from))
    from--;
  if (last->addr + last->len >= patch->site + patch->len)
    while (to < end + AROUND && is_contiguous (cfg, to))
      to++;

  for (guint i = from; i < to; i++)
    {
      if (i == patch->first_insn)
        add_entry_jump (listing, plan, patch);
      add_original (listing, plan, namer, i);
    }
  add_padding (listing, patch, last->addr + last->len);
}

/* ---- the patch ---- */

static GilkPatchLineKind
find_kind (const GArray *parts, guint offset)
{
  GilkPart part = GILK_PART_MOVED;

  for (guint i = 0; i < parts->len; i++)
    if (g_array_index (parts, GilkCodePart, i).offset <= offset)
      part = g_array_index (parts, GilkCodePart, i).part;

  switch (part)
    {
    case GILK_PART_HOOK: return GILK_PATCH_LINE_HOOK;
    case GILK_PART_BACK: return GILK_PATCH_LINE_BACK;
    case GILK_PART_RARE: return GILK_PATCH_LINE_RARE;
    case GILK_PART_MOVED: break;
    }
  return GILK_PATCH_LINE_MOVED;
}

static void
list_patch (GilkPatchListing *listing, const Namer *namer, const GilkCode *code)
{
  guint end = code->bare > 0 ? code->bare : code->code->len;
  GilkInsn insn;

  for (guint at = 0; at < end; at += insn.len)
    {
      const uint8_t *bytes = code->code->data + at;

      if (!gilk_insn_decode (namer->decoder, bytes, end - at, listing->slot + at, &insn))
        {
          add_line (listing->patch, listing->slot + at, bytes, end - at, g_strdup ("(data)"), GILK_PATCH_LINE_RARE);
          return;
        }
      add_line (listing->patch, insn.addr, bytes, insn.len,
                make_insn_text (namer, bytes, &insn, listing->slot, end), find_kind (code->parts, at));
    }
}

/* The answers of the mock driver, and the memory to which these answers refer. */
typedef struct {
  struct ilk_info info;
  GilkBinding    *bindings;
  uint64_t        areas[AREA_WANTS][GILK_OPS_AREAS];
  uint32_t        gates[GILK_OPS_MAX];
} Mock;

static void
make_mock (Mock *mock, const GilkSplicePlan *plan, const GilkPatchPlan *patch)
{
  mock->info = (struct ilk_info) {
    .ring_bytes = 1 << 20, .gates = patch->site, .gs_ring_head = HEAD, .gs_ring_limit = LIMIT,
    .gs_ring_base = BASE, .gs_ring_mask = MASK, .gs_ring_lost = RING_LOST, .gs_guard = GUARD,
    .gs_preempt_count = PREEMPT, .context_mask = CONTEXT,
  };
  for (guint i = 0; i < ILK_SERVICES; i++)
    mock->info.services[i] = get_service (plan->cfg, i);
  for (guint i = 0; i < AREA_WANTS * GILK_OPS_AREAS; i++)
    mock->areas[i / GILK_OPS_AREAS][i % GILK_OPS_AREAS] = AREAS + i * (uint64_t) AREA_BYTES;
  for (guint i = 0; i < G_N_ELEMENTS (mock->gates); i++)
    mock->gates[i] = plan->n_wants + 1 + i;
  mock->bindings = g_new0 (GilkBinding, plan->n_wants + 1);
  for (guint i = 0; i < plan->n_wants; i++)
    mock->bindings[i] = (GilkBinding) { .iid = i + 1, .counter = COUNTER, .lost = LOST, .missed = MISSED,
                                        .fn = get_instrument (plan->cfg), .areas = mock->areas[i % AREA_WANTS],
                                        .gates = mock->gates };
}

GilkPatchListing *
gilk_patch_listing_new (const GilkSplicePlan *plan,
                        guint                 patch,
                        GilkDecoder          *decoder,
                        uint64_t              slot,
                        const GilkBinding    *bindings,
                        GilkAreaName          name,
                        gpointer              data,
                        GError              **error)
{
  const GilkPatchPlan *planned = &plan->patches[patch];
  const Namer namer = { plan, decoder, name, data };
  g_autofree Mock *mock = g_new0 (Mock, 1);
  g_autofree GilkBinding *made_up = NULL;
  g_autoptr(GilkPatchListing) listing = g_new0 (GilkPatchListing, 1);
  g_auto(GilkCode) code = { .parts = g_array_new (FALSE, FALSE, sizeof (GilkCodePart)) };

  g_return_val_if_fail (planned->tactic != ILK_TACTIC_CLONE, NULL);

  make_mock (mock, plan, planned);
  made_up = mock->bindings;
  listing->before = lines_new ();
  listing->after = lines_new ();
  listing->patch = lines_new ();
  listing->bounce = lines_new ();
  listing->site = planned->site;
  listing->slot = slot != 0 ? slot : (planned->site & ~(uint64_t) (ILK_GRANULE - 1)) + SLOT_AWAY;
  listing->footprint = planned->len;
  listing->tactic = planned->tactic;
  listing->cost = planned->cost;
  if (!gilk_emit_code (plan, patch, listing->slot, &mock->info, bindings != NULL ? bindings : made_up, &code, error))
    return NULL;
  list_text (listing, plan, planned, &namer);
  list_patch (listing, &namer, &code);

  return g_steal_pointer (&listing);
}

void
gilk_patch_listing_free (GilkPatchListing *listing)
{
  if (listing == NULL)
    return;
  g_clear_pointer (&listing->before, g_array_unref);
  g_clear_pointer (&listing->after, g_array_unref);
  g_clear_pointer (&listing->patch, g_array_unref);
  g_clear_pointer (&listing->bounce, g_array_unref);
  g_free (listing);
}
