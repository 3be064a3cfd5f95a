/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-room.h - tracks who owns each byte of a function, and finds room for the jumps of bounces
 *
 * There is one map of owners per plan. It refers to the plan's patches by index, so each patch that
 * is added or extended must be entered (gilk_rooms_enter()).
 *
 * Threads: only the plan's thread.
 */
#pragma once

#include "core/splice/gilk-footprint.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/* @plan: borrowed; patches may be added to it later. Enters the patches that @plan already has. */
GilkRooms *gilk_rooms_new    (const GilkSplicePlan *plan);
void       gilk_rooms_free   (GilkRooms *rooms);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRooms, gilk_rooms_free)

/* Reserve the block's free bytes for hooks in the same block, or release the bytes. */
void       gilk_rooms_keep    (GilkRooms *rooms, guint block);
void       gilk_rooms_release (GilkRooms *rooms, guint block);

/**
 * gilk_rooms_find:
 * @footprint: footprint of a bounce
 * @other: (nullable): another footprint to be planned at the same time
 * @room: (out): the cheapest room within range of the hop, the lowest of equally cheap ones
 * Finds a room without taking it. FALSE if there is none.
 */
gboolean   gilk_rooms_find   (GilkRooms *rooms, const GilkFootprint *footprint,
                              const GilkFootprint *other, GilkRoom *room);
/*
 * Returns whether the footprint can be planned: its filler contains no bounce's jump, and the
 * footprint itself does not contain the jump of bounce @other (nullable).
 */
gboolean   gilk_rooms_allow  (const GilkRooms *rooms, const GilkFootprint *footprint,
                              const GilkFootprint *other);
/* Enters the footprint and the room of patch @patch of the plan, new or extended. */
void       gilk_rooms_enter  (GilkRooms *rooms, guint patch);

G_END_DECLS
