/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-splice-private.h - declares functions that the files of the planner share: checks of
 * hooks, points, live patches, rooms
 */
#pragma once

#include "core/splice/gilk-footprint.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/* A point: the start or the end of the current block. */
typedef struct {
  guint       *wants;          /* indices, in the plan's @wants, of the hooks requested at this
                                * point */
  guint        n;
  guint        force;          /* tactic (enum ilk_tactic) that the user requires; 0: the planner
                                * chooses */
  GilkFootprints  footprints;
  GilkFootprint   chosen;         /* the footprint that was chosen for the point; its n is 0 if none
                                   * was */
} GilkPoint;

/* gilk-splice-check.c */
void     gilk_splice_refuse      (GilkSplicePlan *plan, guint want, guint refusal,
                                  guint why_not_splice);
/* Returns the GilkRefusal of a hook that can certainly not be placed; 0 if it may be possible. */
guint    gilk_splice_check       (const GilkSplicePlan *plan, const GilkWant *want);

/* gilk-splice-point.c */
/*
 * Collects the hooks at @where, the start or end of @block, in @point; refuses hooks that cannot be
 * there.
 */
void     gilk_point_collect      (GilkSplicePlan *plan, guint block, GilkWhere where,
                                  GilkPoint *point);
/* Finds all footprints that can serve the two points of the block. */
void     gilk_points_list        (const GilkSplicePlan *plan, guint block, GilkPoint *pre,
                                  GilkPoint *post);
/* Chooses the cheapest footprints of the two points that can be live together. If only one point
 * can be served, pre-hooks have precedence. */
void     gilk_points_choose      (GilkSplicePlan *plan, guint block, GilkPoint *pre,
                                  GilkPoint *post);
/* Works like gilk_points_choose(), but chooses only splices. Returns FALSE if these cannot serve
 * all hooks. */
gboolean gilk_points_choose_splices (GilkSplicePlan *plan, guint block, GilkPoint *pre,
                                     GilkPoint *post);
/* Extends the chosen splices, if possible, to an instruction before which flags are dead, so that
 * hooks need not save flags. */
void     gilk_points_widen       (const GilkSplicePlan *plan, guint block, GilkPoint *pre,
                                  GilkPoint *post);

/* gilk-splice-next.c */
/* Returns whether the footprint overlaps neither a live footprint nor the 5-byte jump of a live
 * bounce. */
gboolean gilk_splice_is_free     (const GilkSplicePlan *plan, const GilkFootprint *footprint);
gboolean gilk_splice_is_cloned   (const GilkSplicePlan *live);
/* Puts the live patches into the plan, with those of their hooks that stay, and with new hooks that
 * can share a live patch. */
void     gilk_splice_seed        (GilkSplicePlan *plan, const GilkSplicePlan *live,
                                  const guint *was);
/* Puts all hooks into a clone that replaces the live one. */
void     gilk_splice_clone_again (GilkSplicePlan *plan, const GilkSplicePlan *live,
                                  const guint *was);

/*
 * Tracks who owns each byte of a function, and finds room for the jumps of bounces.
 *
 * There is one map of owners per plan. It refers to the plan's patches by index, so each patch that
 * is added or extended must be entered (gilk_rooms_enter()).
 *
 * Threads: only the plan's thread.
 */

/* Makes a map of all bytes of the plan's function, and enters the patches that @plan already has.
 * @plan: borrowed; patches may be added to it later. */
GilkRooms *gilk_rooms_new    (const GilkSplicePlan *plan);
void       gilk_rooms_free   (GilkRooms *rooms);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRooms, gilk_rooms_free)

/* gilk_rooms_keep() reserves the block's free bytes for hooks in the same block,
 * gilk_rooms_release() releases these bytes. */
void       gilk_rooms_keep    (GilkRooms *rooms, guint block);
void       gilk_rooms_release (GilkRooms *rooms, guint block);

/**
 * gilk_rooms_find:
 * @footprint: footprint of a bounce
 * @other: (nullable): another footprint that is planned at the same time
 * @room: (out): the cheapest room within range of the hop, the lowest of equally cheap ones
 * Finds a room (five bytes for the bounce's jump) without taking it. Returns FALSE if there is
 * none.
 */
gboolean   gilk_rooms_find   (GilkRooms *rooms, const GilkFootprint *footprint,
                              const GilkFootprint *other, GilkRoom *room);
/*
 * Returns whether the footprint can be planned. It cannot if the 5-byte jump of a planned bounce is
 * in the footprint's filler, or if that of bounce @other (nullable) is anywhere in the footprint.
 */
gboolean   gilk_rooms_allow  (const GilkRooms *rooms, const GilkFootprint *footprint,
                              const GilkFootprint *other);
/* Enters into the map which bytes the patch and the jump of its bounce own. Must be called after
 * each change of the patch. */
void       gilk_rooms_enter  (GilkRooms *rooms, guint patch);

/* Frees the array of a plan's patches. */
void       gilk_splice_plan_free_patches (GilkSplicePlan *plan);

G_END_DECLS
