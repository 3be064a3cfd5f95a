/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-room.h - whose each byte of a function is, and room for the jumps of bounces
 *
 * One map a plan. It looks at the plan's patches by index and is told of each that
 * is added or grown.
 *
 * Threads: that of the plan.
 */
#pragma once

#include "core/splice/gilk-splice.h"
#include "core/splice/gilk-footprint.h"

G_BEGIN_DECLS

/* @plan: borrowed, may be added to; the patches it has now are entered. */
GilkRooms *gilk_rooms_new    (const GilkSplicePlan *plan);
void       gilk_rooms_free   (GilkRooms *rooms);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRooms, gilk_rooms_free)

/* The block's free bytes are kept for its own hooks, until it is released. */
void       gilk_rooms_keep    (GilkRooms *rooms, guint block);
void       gilk_rooms_release (GilkRooms *rooms, guint block);

/**
 * gilk_rooms_find:
 * @footprint: of a bounce
 * @other: (nullable): another footprint to be planned beside it
 * @room: set to the cheapest room within range of the hop, the lowest of equals
 * Takes nothing yet. FALSE if there is no room.
 */
gboolean   gilk_rooms_find   (GilkRooms *rooms, const GilkFootprint *footprint,
                              const GilkFootprint *other, GilkRoom *room);
/* May the footprint be planned, as to its filler and to the room of @other (nullable)? */
gboolean   gilk_rooms_allow  (const GilkRooms *rooms, const GilkFootprint *footprint,
                              const GilkFootprint *other);
/* Enters the footprint and the room of patch @patch of the plan, new or grown. */
void       gilk_rooms_enter  (GilkRooms *rooms, guint patch);

G_END_DECLS
