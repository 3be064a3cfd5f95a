/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-room.c - tracks who owns each byte of a function, and finds room for the jumps of bounces
 *
 * A bounce needs a room: five bytes that never run, to hold a 5-byte jump, within range of the
 * bounce's two-byte jump (hop) at the point:
 *
 *   filler:    alignment between blocks, padding between functions.
 *   tail:      bytes after the jump of a planned splice.
 *   grown:     the same, after that splice was extended over more of its block.
 *   dedicated: bytes after the jump of a splice that is made for this purpose (section 3.2 of the
 *              GILK paper: README.md).
 *
 * The cheapest room is taken, and among equally cheap ones the lowest. Sites are handled in
 * ascending order, and all have the same range, so taking the lowest room leaves most room for
 * later sites.
 *
 * A thread may be interrupted on the jump in the room, and its stack traced: the kernel's unwind
 * entry there must be the same as the site's. No room may start at the old address of an
 * instruction that a splice has moved: the kernel would accept a kprobe there, which would count
 * the bounce instead of the instruction.
 */
#include "core/splice/gilk-splice-private.h"

#include "core/emit/gilk-emit.h"
#include "core/emit/gilk-orc.h"
#include "core/emit/gilk-reloc.h"
#include "core/splice/gilk-splice.h"

/* Uses of a byte. For HEAD and TAIL, OWNER() also packs the index of the splice's patch. */
enum {
  TAKEN,
  CODE,                    /* an instruction that no planned patch moves */
  KEPT,                    /* part of an instruction that no planned patch moves and that is
                            * reserved, because its block has hooks and is planned later */
  FILLER,
  ROOM,
  HEAD,                    /* the 5-byte jump of a splice */
  TAIL,
};
#define OWNER(kind, patch) ((kind) | (patch) << 3)
#define KIND(owner)        ((owner) & 7)
#define PATCH(owner)       ((owner) >> 3)

typedef struct {
  uint64_t  start, end;
  uint32_t *owner;         /* for each byte: its use and the index of a patch, as packed by
                            * OWNER() */
} Part;

typedef struct {
  uint32_t *at, was;
} Change;

struct _GilkRooms {
  const GilkSplicePlan *plan;
  Part    parts[2];        /* the function's hot and cold part; a part that the function lacks has
                            * start 0 */
  GArray *changes;         /* (element-type Change): changes that a search has made to the bytes'
                            * owners, and undoes at its end */
};

/* The parameters of a search for a room: bytes for a bounce's 5-byte jump. */
typedef struct {
  GilkRooms *rooms;
  const GilkCfg *cfg;
  Part      *part;
  uint64_t   site, low, high;      /* the room may start at any address from @low to @high */
} Search;

/* ---- the map ---- */

static Part *
find_part (const GilkRooms *rooms, uint64_t addr)
{
  for (guint i = 0; i < G_N_ELEMENTS (rooms->parts); i++)
    if (addr >= rooms->parts[i].start && addr < rooms->parts[i].end)
      return (Part *) &rooms->parts[i];

  return NULL;
}

static uint32_t
get_owner (const Part *part, uint64_t addr)
{
  return part->owner[addr - part->start];
}

/* Sets the owner of the bytes [addr, addr + len), except for bytes that the 5-byte jumps of bounces
 * use. */
static void
set_owner (GilkRooms *rooms, uint64_t addr, guint len, uint32_t owner)
{
  Part *part = find_part (rooms, addr);

  if (part == NULL)
    return;

  for (uint64_t i = addr; i < MIN (addr + len, part->end); i++)
    if (KIND (get_owner (part, i)) != ROOM)
      part->owner[i - part->start] = owner;
}

static void
mark_temporarily (GilkRooms *rooms, uint64_t addr, guint len)
{
  Part *part = find_part (rooms, addr);

  for (uint64_t i = addr; part != NULL && i < MIN (addr + len, part->end); i++)
    {
      const Change change = { &part->owner[i - part->start], get_owner (part, i) };

      g_array_append_val (rooms->changes, change);
      part->owner[i - part->start] = TAKEN;
    }
}

static void
restore_owners (GilkRooms *rooms)
{
  while (rooms->changes->len > 0)
    {
      const Change *change = &g_array_index (rooms->changes, Change, rooms->changes->len - 1);

      *change->at = change->was;
      g_array_set_size (rooms->changes, rooms->changes->len - 1);
    }
}

static void
add_filler (uint64_t start, uint64_t end, gpointer user_data)
{
  set_owner (user_data, start, (guint) (end - start), FILLER);
}

static void
mark_block (GilkRooms *rooms, guint block, uint32_t from, uint32_t to)
{
  const GilkCfg *cfg = rooms->plan->cfg;
  const GilkBlock *b = &cfg->blocks[block];
  Part *part = find_part (rooms, b->start);
  guint first = gilk_point_first (cfg, block);

  if (part == NULL || first >= b->first_insn + b->n_insns)
    return;

  for (uint64_t i = cfg->insns[first].addr; i < MIN (b->end, part->end); i++)
    if (get_owner (part, i) == from)
      part->owner[i - part->start] = to;
}

static void
add_part (GilkRooms *rooms, guint i, const GilkRange *range, guint margin)
{
  rooms->parts[i] = (Part) { .start = range->start - margin, .end = range->end + margin };
  rooms->parts[i].owner = g_new0 (uint32_t, rooms->parts[i].end - rooms->parts[i].start);
}

GilkRooms *
gilk_rooms_new (const GilkSplicePlan *plan)
{
  const GilkFunction *function = plan->cfg->function;
  GilkRooms *rooms = g_new0 (GilkRooms, 1);

  rooms->plan = plan;
  rooms->changes = g_array_new (FALSE, FALSE, sizeof (Change));
  add_part (rooms, 0, &function->hot, GILK_PAD_BYTES);
  if (function->cold.start != 0)
    add_part (rooms, 1, &function->cold, 0);

  for (guint i = 0; i < plan->cfg->n_blocks; i++)
    if (plan->cfg->blocks[i].n_in > 0 || i == plan->cfg->entry)
      mark_block (rooms, i, TAKEN, CODE);
  gilk_fillers_foreach (plan->cfg, add_filler, rooms);
  for (guint i = 0; i < plan->n_patches; i++)
    gilk_rooms_enter (rooms, i);

  return rooms;
}

void
gilk_rooms_free (GilkRooms *rooms)
{
  if (rooms == NULL)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (rooms->parts); i++)
    g_free (rooms->parts[i].owner);
  g_array_unref (rooms->changes);
  g_free (rooms);
}

void
gilk_rooms_keep (GilkRooms *rooms,
                 guint      block)
{
  mark_block (rooms, block, CODE, KEPT);
}

void
gilk_rooms_release (GilkRooms *rooms,
                    guint      block)
{
  mark_block (rooms, block, KEPT, CODE);
}

void
gilk_rooms_enter (GilkRooms *rooms,
                  guint      patch)
{
  const GilkPatchPlan *p = &rooms->plan->patches[patch];

  /* Bounces must not use the spare bytes of a live splice. */
  if (p->tactic == ILK_TACTIC_SPLICE && patch >= rooms->plan->n_live)
    {
      set_owner (rooms, p->site, GILK_JUMP_BYTES, OWNER (HEAD, patch));
      set_owner (rooms, p->site + GILK_JUMP_BYTES, p->len - GILK_JUMP_BYTES, OWNER (TAIL, patch));
    }
  else
    {
      set_owner (rooms, p->site, p->len, TAKEN);
    }
  if (p->bounce != 0)
    set_owner (rooms, p->bounce, ILK_BOUNCE_BYTES, ROOM);
}

gboolean
gilk_rooms_allow (const GilkRooms  *rooms,
                  const GilkFootprint *footprint,
                  const GilkFootprint *other)
{
  const GilkCfg *cfg = rooms->plan->cfg;
  uint64_t end = cfg->insns[footprint->first].addr + gilk_footprint_bytes (cfg, footprint);
  const Part *part = find_part (rooms, cfg->insns[footprint->first].addr);

  for (uint64_t i = end - footprint->tail; part != NULL && i < MIN (end, part->end); i++)
    if (KIND (get_owner (part, i)) == ROOM)
      return FALSE;

  return other == NULL || other->room.kind == GILK_ROOM_NONE ||
         !gilk_footprint_covers (cfg, footprint, other->room.addr, ILK_BOUNCE_BYTES);
}

/* ---- the search ---- */

static gboolean
starts_insn (const GilkCfg *cfg, guint first, guint n, uint64_t addr)
{
  for (guint i = first; i < first + n; i++)
    if (cfg->insns[i].addr == addr)
      return TRUE;

  return FALSE;
}

static gboolean
has_same_unwind (const Search *search, uint64_t addr)
{
  return gilk_orc_same (search->cfg->image, search->site, addr, ILK_BOUNCE_BYTES);
}

static gboolean
is_owned_by (const Part *part, uint64_t addr, uint32_t owner)
{
  for (guint i = 0; i < ILK_BOUNCE_BYTES; i++)
    if (get_owner (part, addr + i) != owner)
      return FALSE;

  return TRUE;
}

static gboolean
find_existing (const Search *search, GilkRoomKind kind, GilkRoom *room)
{
  for (uint64_t addr = search->low; addr <= search->high; addr++)
    {
      uint32_t owner = get_owner (search->part, addr);
      const GilkPatchPlan *patch = NULL;

      if (KIND (owner) != (kind == GILK_ROOM_FILLER ? FILLER : TAIL) ||
          !is_owned_by (search->part, addr, owner))
        continue;
      if (kind == GILK_ROOM_TAIL)
        patch = &search->rooms->plan->patches[PATCH (owner)];
      if ((patch != NULL && starts_insn (search->cfg, patch->first_insn, patch->n_insns, addr)) ||
          !has_same_unwind (search, addr))
        continue;
      *room = (GilkRoom) { .kind = kind, .addr = addr, .patch = PATCH (owner) };
      return TRUE;
    }

  return FALSE;
}

static guint
count_bytes (const GilkCfg *cfg, guint first, guint n)
{
  const GilkInsn *last = &cfg->insns[first + n - 1];

  return (guint) (last->addr + last->len - cfg->insns[first].addr);
}

static gboolean
may_move (uint32_t owner)
{
  return KIND (owner) == CODE || KIND (owner) == HEAD || KIND (owner) == TAIL;
}

/* Returns the address of the room (space for a bounce's jump) after the jump of a splice that would
 * cover the @n instructions from @first on; 0 if nothing fits. */
static uint64_t
find_room_after (const Search *search, guint first, guint n)
{
  uint64_t start = search->cfg->insns[first].addr, addr;
  uint64_t end = start + count_bytes (search->cfg, first, n);

  for (addr = MAX (start + GILK_JUMP_BYTES, search->low);
       addr <= search->high && addr + ILK_BOUNCE_BYTES <= end; addr++)
    {
      gboolean free = TRUE;

      for (guint i = 0; i < ILK_BOUNCE_BYTES && free; i++)
        free = may_move (get_owner (search->part, addr + i));
      if (free && !starts_insn (search->cfg, first, n, addr) && has_same_unwind (search, addr))
        return addr;
    }

  return 0;
}

static gboolean
is_code (const Search *search, guint insn)
{
  const GilkInsn *i = &search->cfg->insns[insn];

  for (guint b = 0; b < i->len; b++)
    if (i->addr + b >= search->part->end || get_owner (search->part, i->addr + b) != CODE)
      return FALSE;

  return TRUE;
}

/*
 * Extends the splice of instructions [first, first + n) over more instructions of its block, until
 * there is room for a bounce's 5-byte jump after the splice's own jump.
 */
static gboolean
extend_footprint (const Search *search, guint block, guint *first, guint *n, uint64_t *addr)
{
  const GilkBlock *b = &search->cfg->blocks[block];
  guint at = *first, count = *n;

  for (;;)
    {
      if (count > 0 && count_bytes (search->cfg, at, count) > ILK_FOOTPRINT_MAX)
        break;
      if (count > 0 && (*addr = find_room_after (search, at, count)) != 0)
        {
          *first = at;
          *n = count;
          return gilk_reloc_check (search->cfg, at, count) == 0;
        }
      if (at + count >= b->first_insn + b->n_insns || !is_code (search, at + count))
        break;
      count++;
    }

  /* Extend the splice backward, too, if it is planned already. A new splice (@n is 0) must start at
   * @first. */
  for (at = *first, count = *n; count > 0 && at > b->first_insn && is_code (search, at - 1);)
    {
      at--;
      count++;
      if (count_bytes (search->cfg, at, count) > ILK_FOOTPRINT_MAX)
        break;
      if ((*addr = find_room_after (search, at, count)) != 0)
        {
          *first = at;
          *n = count;
          return gilk_reloc_check (search->cfg, at, count) == 0;
        }
    }

  return FALSE;
}

/* Finds a planned splice that can be extended to free bytes for a bounce's jump within range. */
static gboolean
find_grown (const Search *search, GilkRoom *room)
{
  uint64_t addr = MAX (search->part->start, search->low - ILK_FOOTPRINT_MAX);
  uint64_t end = MIN (search->part->end, search->high + ILK_FOOTPRINT_MAX);
  uint32_t last = TAKEN;

  for (; addr < end; addr++)
    {
      uint32_t owner = get_owner (search->part, addr);
      const GilkPatchPlan *patch;
      guint first, n;
      int block;

      if (owner == last || KIND (owner) != HEAD)
        continue;
      last = owner;
      patch = &search->rooms->plan->patches[PATCH (owner)];
      first = patch->first_insn;
      n = patch->n_insns;
      block = gilk_cfg_block_around (search->cfg, patch->site);
      if (block < 0 || count_bytes (search->cfg, first, n) != patch->len ||
          patch->code_bound > ILK_SLOT_MAX / 2 ||
          !extend_footprint (search, (guint) block, &first, &n, &room->addr))
        continue;
      *room = (GilkRoom) {
        .kind = GILK_ROOM_GROWN, .addr = room->addr, .patch = PATCH (owner), .first = first, .n = n,
      };
      return TRUE;
    }

  return FALSE;
}

static gboolean
find_in_block (const Search *search, guint block, GilkRoom *room)
{
  const GilkBlock *b = &search->cfg->blocks[block];

  for (guint i = gilk_point_first (search->cfg, block); i < b->first_insn + b->n_insns; i++)
    {
      guint first = i, n = 0;

      if (search->cfg->insns[i].addr + GILK_JUMP_BYTES > search->high)
        return FALSE;
      if (search->cfg->insns[i].addr + ILK_FOOTPRINT_MAX < search->low ||
          !is_code (search, i) || !extend_footprint (search, block, &first, &n, &room->addr))
        continue;
      *room = (GilkRoom) {
        .kind = GILK_ROOM_DEDICATED, .addr = room->addr, .first = first, .n = n,
      };
      return TRUE;
    }

  return FALSE;
}

/* Returns the first block whose end is above @addr. */
static guint
find_block (const GilkCfg *cfg, uint64_t addr)
{
  guint low = 0, high = cfg->n_blocks;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (cfg->blocks[middle].end <= addr)
        low = middle + 1;
      else
        high = middle;
    }

  return low;
}

static gboolean
find_dedicated (const Search *search, GilkRoom *room)
{
  const GilkCfg *cfg = search->cfg;

  for (guint i = find_block (cfg, search->low - ILK_FOOTPRINT_MAX);
       i < cfg->n_blocks && cfg->blocks[i].start <= search->high; i++)
    if (cfg->blocks[i].end - cfg->blocks[i].start >= GILK_JUMP_BYTES + ILK_BOUNCE_BYTES &&
        cfg->blocks[i].start >= search->part->start && find_in_block (search, i, room))
      return TRUE;

  return FALSE;
}

gboolean
gilk_rooms_find (GilkRooms        *rooms,
                 const GilkFootprint *footprint,
                 const GilkFootprint *other,
                 GilkRoom         *room)
{
  const GilkCfg *cfg = rooms->plan->cfg;
  Search search = { .rooms = rooms, .cfg = cfg, .site = cfg->insns[footprint->first].addr };
  gboolean found;

  search.part = find_part (rooms, search.site);
  if (search.part == NULL)
    return FALSE;
  search.low = MAX (search.part->start, search.site + GILK_HOP_BYTES - GILK_HOP_RANGE);
  search.high = MIN (search.part->end - ILK_BOUNCE_BYTES,
                     search.site + GILK_HOP_BYTES + GILK_HOP_RANGE - 1);

  mark_temporarily (rooms, search.site, gilk_footprint_bytes (cfg, footprint));
  if (other != NULL)
    mark_temporarily (rooms, cfg->insns[other->first].addr, gilk_footprint_bytes (cfg, other));
  if (other != NULL && other->room.kind != GILK_ROOM_NONE)
    mark_temporarily (rooms, other->room.addr, ILK_BOUNCE_BYTES);
  if (other != NULL && other->room.n > 0)
    mark_temporarily (rooms, cfg->insns[other->room.first].addr,
                      count_bytes (cfg, other->room.first, other->room.n));

  found = find_existing (&search, GILK_ROOM_FILLER, room) ||
          find_existing (&search, GILK_ROOM_TAIL, room) ||
          find_grown (&search, room) || find_dedicated (&search, room);
  restore_owners (rooms);

  return found;
}
