/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picture.h - writes a drawing to the files that --out, --svg, --png and --pdf name
 */
#pragma once

#include "cli/base/cli.h"
#include "core/plot/gilk-plot.h"

typedef struct {
  char    *svg, *png, *pdf, *out;
  gboolean dark;
  gboolean scales;      /* the drawing may be scaled down to the maximum size of a file format */
} CliPicture;

/* Entries of a GOptionEntry array: the options --out, --svg, --png, --pdf and --dark. */
#define CLI_PICTURE_ENTRIES(picture)                                                    \
  { "out", 'O', 0, G_OPTION_ARG_FILENAME, &(picture).out, N_("Draw into this file, whose name ends in .svg, .png or .pdf"), N_("FILE") }, \
  { "svg", 0, 0, G_OPTION_ARG_FILENAME, &(picture).svg, N_("Draw into this SVG file"), N_("FILE") }, \
  { "png", 0, 0, G_OPTION_ARG_FILENAME, &(picture).png, N_("Draw into this PNG file"), N_("FILE") }, \
  { "pdf", 0, 0, G_OPTION_ARG_FILENAME, &(picture).pdf, N_("Draw into this PDF file"), N_("FILE") }, \
  { "dark", 0, 0, G_OPTION_ARG_NONE, &(picture).dark, N_("Use light on dark colours"), NULL }

gboolean cli_picture_wanted (const CliPicture *picture);
/* Draws the picture into each requested file; with --json lists the files as "files" in the
 * document. */
gboolean cli_picture_write  (Cli *cli, const CliPicture *picture, double width, double height,
                             GilkPaintFunc paint, gpointer data, GError **error);
void     cli_picture_clear  (CliPicture *picture);
