/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * glance-module.h - the accessible tree of the program, whole, in one answer
 *
 * A test asks for each state of the window many times, and through AT-SPI a look at the tree is some
 * 5,000 messages. This reads the same ATK objects that AT-SPI exports, in the program.
 *
 * The socket PATH.tree.PID takes one connection after the other. A client sends "ID LIMIT\n": the number
 * at the end of an object's AT-SPI path, or 0 for the root, and how many children of each object it
 * wants. The answer is the names of all states, separated by commas, and then for each object, parents
 * first: depth, index in its parent, number of children, states (hexadecimal), role, name, description.
 * Each is terminated by a NUL. The answer to an ID that is not in the tree is empty.
 */
#pragma once

#include <glib.h>

/* Called with the time, in ns, that an answer kept the main thread busy. */
typedef void (*GlanceTook) (long ns);

void glance_listen (const char *path, GlanceTook took);
