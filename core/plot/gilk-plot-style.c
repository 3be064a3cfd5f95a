/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-style.c - the two built-in sets of colours
 *
 * Text and dim text keep a contrast of 4.5 : 1 against background and surface. Accent and second
 * accent differ in lightness as well as in hue, so that they can be distinguished with colour
 * blindness and in greyscale.
 */
#include "core/plot/gilk-plot.h"

#define RGB(hex) { (((hex) >> 16) & 0xff) / 255.0, (((hex) >> 8) & 0xff) / 255.0, \
                   ((hex) & 0xff) / 255.0, 1.0 }

#define FONT "Cantarell, Noto Sans, DejaVu Sans, Sans"
#define MONO "Source Code Pro, Noto Sans Mono, DejaVu Sans Mono, Monospace"

const GilkPlotStyle gilk_plot_light = {
  .background = RGB (0xffffff),
  .surface    = RGB (0xf4f4f6),
  .text       = RGB (0x24242c),
  .dim        = RGB (0x6a6a75),
  .grid       = RGB (0xe4e4e9),
  .accent     = RGB (0x1c71d8),
  .accent2    = RGB (0xe66100),
  .warn       = RGB (0x8f5902),
  .good       = RGB (0x1a7f4b),
  .bad        = RGB (0xc01c28),
  .heat_low   = RGB (0xfdf3d3),
  .heat_high  = RGB (0xe0542a),
  /* The palette of Okabe and Ito, without its yellow, which is invisible on paper. */
  .series = { RGB (0x0072b2), RGB (0xd55e00), RGB (0x009e73), RGB (0x24242c), RGB (0xcc79a7),
              RGB (0xe69f00), RGB (0x56b4e9), RGB (0x7a5c00) },
  .ramp = { RGB (0xbfe3b4), RGB (0x7fcdbb), RGB (0x41b6c4), RGB (0x1d91c0), RGB (0x225ea8), RGB (0x0c2c84) },
  .font = FONT, .mono = MONO, .size = 12.0,
};

const GilkPlotStyle gilk_plot_dark = {
  .background = RGB (0x1e1e22),
  .surface    = RGB (0x2a2a30),
  .text       = RGB (0xededf0),
  .dim        = RGB (0xa3a3ae),
  .grid       = RGB (0x37373f),
  .accent     = RGB (0x62a0ea),
  .accent2    = RGB (0xffa348),
  .warn       = RGB (0xf5c211),
  .good       = RGB (0x57e389),
  .bad        = RGB (0xff7b70),
  .heat_low   = RGB (0x453a24),
  .heat_high  = RGB (0xe0542a),
  .series = { RGB (0x56b4e9), RGB (0xe69f00), RGB (0x2fc79b), RGB (0xededf0), RGB (0xe199c4),
              RGB (0xff7f3f), RGB (0x7d9bff), RGB (0xf0e442) },
  .ramp = { RGB (0x433e7e), RGB (0x31688e), RGB (0x21918c), RGB (0x35b779), RGB (0x90d743), RGB (0xfde725) },
  .font = FONT, .mono = MONO, .size = 12.0,
};
