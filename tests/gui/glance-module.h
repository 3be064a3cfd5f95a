/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * glance-module.h - sends a test the whole tree of the program's accessible objects in one answer
 *
 * Tests read this tree very often, and AT-SPI needs some 5,000 messages for each reading. This
 * module runs in the program and reads the same ATK objects that AT-SPI exports.
 *
 * The socket PATH.tree.PID serves one connection at a time. A client sends "ID LIMIT\n": ID is the
 * number at the end of an object's AT-SPI path, or 0 for the root; LIMIT is the maximum number of
 * children that the answer contains for each object. The answer consists of the names of all
 * states, separated by commas, and then, for each object, parents first: depth, index in its
 * parent, number of children, states (hexadecimal), role, name, description. A NUL ends each of
 * these.
 *
 * The answer ends with "end" and a NUL. The answer is empty if the ID is not in the tree.
 */
#pragma once

/* Answers requests on the socket PATH.tree.PID. Calls @begin before and @end after each answer,
 * because answering keeps the main thread busy. */
void glance_listen (const char *path, void (*begin) (void), void (*end) (void));
