/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * late-libraries.c - source of a library that has no code, but is linked to all libraries that are
 * loaded late (gilk-library.h): the build of a package finds by it which packages gilk needs
 */
extern int gilk_late_libraries;
