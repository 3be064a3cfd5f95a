/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-lanes.c - assigns a lane to each net: lines that join between two layers
 *
 * The nets in a channel, the space between two layers, are ordered from top to bottom: nets that
 * turn back up (below a loop's last block); nets that run right, by their start, the rightmost
 * first; nets that run left, the leftmost first; nets that turn back down (above a loop's header).
 * Two nets that run the same way then cross only if they must. A net with an upper end in the
 * column of another net's lower end must be in a higher lane.
 */
#include "core/layout/gilk-layout-channel.h"

#include "core/base/gilk-array.h"

#define CLEAR 5             /* minimum distance between two nets (sets of joining lines) in one
                             * lane */
#define SAME  3             /* x coordinates that differ by less than this count as the same
                             * column */
#define NUDGE 5             /* distance by which an end of a net is moved out of another net's
                             * column */

typedef struct {
  guint net;
  int   x;
  int  *place;              /* pointer to @x in the caller's data; NULL if the end is above the
                             * channel and cannot be moved */
} End;

typedef struct {
  guint channel, lane;
  int   low, high;          /* extent */
  int   above, below;       /* sum of the x coordinates of the net's ends above the channel, and sum
                             * of those below it */
  guint n_above, n_below;
  guint first_end, n_ends;
  guint rank;               /* position of the net's kind in the order described at the top of this
                             * file */
  int   key;
} Net;

struct _GilkNets {
  GArray *nets, *ends;
  GArray *tangled;          /* nets that got a higher lane than a net that should be above them */
  guint  *lanes;            /* number of lanes of each channel */
  guint   n_channels;
};

#define NET(n, i) (&g_array_index ((n)->nets, Net, (i)))
#define END(n, i) (&g_array_index ((n)->ends, End, (i)))

GilkNets *
gilk_nets_new (guint n_channels)
{
  GilkNets *nets = g_new0 (GilkNets, 1);

  nets->nets = g_array_new (FALSE, FALSE, sizeof (Net));
  nets->ends = g_array_new (FALSE, FALSE, sizeof (End));
  nets->tangled = g_array_new (FALSE, FALSE, sizeof (guint));
  nets->lanes = g_new0 (guint, n_channels + 1);
  nets->n_channels = n_channels;
  return nets;
}

void
gilk_nets_free (GilkNets *nets)
{
  g_array_free (nets->nets, TRUE);
  g_array_free (nets->ends, TRUE);
  g_array_free (nets->tangled, TRUE);
  g_free (nets->lanes);
  g_free (nets);
}

guint
gilk_nets_add (GilkNets *nets, guint channel)
{
  Net net = { .channel = channel, .low = G_MAXINT, .high = G_MININT };

  g_array_append_val (nets->nets, net);
  return nets->nets->len - 1;
}

static Net *
add_end (GilkNets *nets, guint index, int x, int *place)
{
  Net *net = NET (nets, index);
  End end = { index, x, place };

  net->low = MIN (net->low, x);
  net->high = MAX (net->high, x);
  net->n_ends++;
  g_array_append_val (nets->ends, end);
  return net;
}

void
gilk_nets_above (GilkNets *nets, guint index, int x)
{
  Net *net = add_end (nets, index, x, NULL);

  net->above += x;
  net->n_above++;
}

void
gilk_nets_below (GilkNets *nets, guint index, int *x)
{
  Net *net = add_end (nets, index, *x, x);

  net->below += *x;
  net->n_below++;
}

/* Sorts the array of line ends by net, so that the ends of one net are contiguous. */
static void
group_ends (GilkNets *nets)
{
  guint n = nets->ends->len, at = 0;
  g_autofree End *copy = g_memdup2 (nets->ends->data, n * sizeof (End));

  for (guint i = 0; i < nets->nets->len; i++)
    {
      NET (nets, i)->first_end = at;
      at += NET (nets, i)->n_ends;
      NET (nets, i)->n_ends = 0;
    }
  for (guint i = 0; i < n; i++)
    {
      Net *net = NET (nets, copy[i].net);

      *END (nets, net->first_end + net->n_ends++) = copy[i];
    }
}

static void
classify_net (Net *net)
{
  int above, below;

  if (net->n_below == 0 || net->n_above == 0)
    {
      net->rank = net->n_below == 0 ? 0 : 3;
      net->key = net->n_below == 0 ? net->high - net->low : net->low - net->high;
      return;
    }

  above = net->above / (int) net->n_above;
  below = net->below / (int) net->n_below;
  net->rank = above <= below ? 1 : 2;
  net->key = above <= below ? -above : above;
}

static gboolean
nets_overlap (const Net *a, const Net *b)
{
  return a->low < b->high + CLEAR && b->low < a->high + CLEAR;
}

/* Returns TRUE if net @a must be in a higher lane than net @b, because @a has an upper end in a
 * column in which @b has a lower end. */
static gboolean
must_be_above (const GilkNets *nets, const Net *a, const Net *b)
{
  if (!nets_overlap (a, b))
    return FALSE;

  for (guint i = a->first_end; i < a->first_end + a->n_ends; i++)
    for (guint k = b->first_end; !END (nets, i)->place && k < b->first_end + b->n_ends; k++)
      if (END (nets, k)->place && ABS (END (nets, i)->x - END (nets, k)->x) < SAME)
        return TRUE;

  return FALSE;
}

typedef struct {
  GilkNets *nets;
  guint *list;              /* the channel's nets, each of which needs a lane */
  guint  n;
  guint *waiting;           /* for each net of @list: number of nets that must be above it and are
                             * not in a lane yet */
} Channel;

static int
compare_nets (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GilkNets *nets = user_data;
  const Net *x = NET (nets, *(const guint *) a), *y = NET (nets, *(const guint *) b);

  return GILK_ORDER (x->rank, y->rank) ?: GILK_ORDER (x->key, y->key) ?: GILK_ORDER (x, y);
}

/* Returns the highest free lane that is below the lanes of those nets placed earlier that must stay
 * above @net. */
static guint
find_lane (const Channel *c, const Net *net, const gboolean *placed)
{
  guint lane = 0;
  gboolean taken = TRUE;

  for (guint i = 0; i < c->n; i++)
    {
      const Net *other = NET (c->nets, c->list[i]);

      if (placed[i] && nets_overlap (other, net) &&
          (other->rank == net->rank || net->rank == 3 || other->rank == 0 ||
           must_be_above (c->nets, other, net)))
        lane = MAX (lane, other->lane + 1);
    }

  while (taken)
    {
      taken = FALSE;
      for (guint i = 0; i < c->n && !taken; i++)
        taken = placed[i] && NET (c->nets, c->list[i])->lane == lane &&
                nets_overlap (NET (c->nets, c->list[i]), net);
      lane += taken;
    }

  return lane;
}

static void
assign_channel (Channel *c, guint *lanes)
{
  g_autofree gboolean *placed = g_new0 (gboolean, c->n + 1);

  for (guint i = 0; i < c->n; i++)
    for (guint k = 0; k < c->n; k++)
      c->waiting[i] += i != k && must_be_above (c->nets, NET (c->nets, c->list[k]),
                                                NET (c->nets, c->list[i]));

  for (guint done = 0; done < c->n; done++)
    {
      guint pick = G_MAXUINT;
      Net *net;

      for (guint i = 0; i < c->n; i++)
        if (!placed[i] && (pick == G_MAXUINT ||
                           (c->waiting[pick] > 0 && c->waiting[i] == 0)))
          pick = i;

      if (c->waiting[pick] > 0)
        g_array_append_val (c->nets->tangled, c->list[pick]);
      net = NET (c->nets, c->list[pick]);
      net->lane = find_lane (c, net, placed);
      placed[pick] = TRUE;
      *lanes = MAX (*lanes, net->lane + 1);
      for (guint i = 0; i < c->n; i++)
        if (!placed[i] && c->waiting[i] > 0 &&
            must_be_above (c->nets, net, NET (c->nets, c->list[i])))
          c->waiting[i]--;
    }
}

void
gilk_nets_assign (GilkNets *nets)
{
  g_autofree guint *first = g_new0 (guint, nets->n_channels + 2);
  g_autofree guint *list = g_new (guint, nets->nets->len + 1);
  g_autofree guint *waiting = g_new0 (guint, nets->nets->len + 1);

  group_ends (nets);
  for (guint i = 0; i < nets->nets->len; i++)
    {
      classify_net (NET (nets, i));
      if (NET (nets, i)->low < NET (nets, i)->high)
        first[NET (nets, i)->channel + 2]++;
    }
  for (guint i = 1; i < nets->n_channels + 2; i++)
    first[i] += first[i - 1];
  for (guint i = 0; i < nets->nets->len; i++)
    if (NET (nets, i)->low < NET (nets, i)->high)
      list[first[NET (nets, i)->channel + 1]++] = i;

  for (guint i = 0; i < nets->n_channels; i++)
    {
      Channel c = { nets, list + first[i], first[i + 1] - first[i], waiting + first[i] };

      g_qsort_with_data (c.list, (int) c.n, sizeof *c.list, compare_nets, nets);
      assign_channel (&c, &nets->lanes[i]);
    }
}

guint
gilk_nets_untangle (GilkNets *nets)
{
  guint moved = 0;

  for (guint i = 0; i < nets->tangled->len; i++)
    {
      const Net *net = NET (nets, g_array_index (nets->tangled, guint, i));

      for (guint k = net->first_end; k < net->first_end + net->n_ends; k++)
        if (END (nets, k)->place != NULL && *END (nets, k)->place == END (nets, k)->x)
          {
            *END (nets, k)->place += net->rank == 2 ? -NUDGE : NUDGE;
            moved++;
          }
    }

  return moved;
}

guint
gilk_nets_lanes (const GilkNets *nets, guint channel)
{
  return nets->lanes[channel];
}

guint
gilk_nets_lane (const GilkNets *nets, guint net)
{
  return NET (nets, net)->lane;
}

guint
gilk_nets_channel (const GilkNets *nets, guint net)
{
  return NET (nets, net)->channel;
}
