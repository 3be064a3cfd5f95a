/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-actions-table.h - table of the actions: keys, groups and titles
 *
 * Rows without an action are keys that a widget handles while it has the focus. They are listed so
 * that the keys window and the guide's page of keys (data/help/keys.c) show every key. Each program
 * includes this header from one file only.
 */
#pragma once

#include <glib/gi18n.h>

typedef struct {
  const char *group;
  const char *action;            /* "win.run"; NULL: a key of a widget */
  const char *accels[3];
  const char *title;
} Action;

static const Action actions[] = {
  { N_("Find"), "win.find", { "<Control>k", "<Control>g" }, N_("Find a function") },
  { N_("Find"), "win.find-action", { "<Control><Shift>p" }, N_("Find an action") },
  { N_("Find"), "win.back", { "<Alt>Left" }, N_("Back to the block or function before") },
  { N_("Find"), "win.forward", { "<Alt>Right" }, N_("Forward") },
  { N_("Find"), "win.calls", { "<Alt>Down" }, N_("Callers and callees") },
  { N_("Find"), "win.call-graph", { "<Control><Shift>g" }, N_("Call graph, or the function's own") },
  { N_("Find"), "win.reconnect", { NULL }, N_("Connect again, and read all functions anew") },
  { N_("Find"), "win.mode::explore", { "<Control>1" }, N_("Explore") },
  { N_("Find"), "win.mode::schedule", { "<Control>2" }, N_("Schedule") },
  { N_("Find"), "win.mode::results", { "<Control>3" }, N_("Results") },

  { N_("Graph"), NULL, { "Up" }, N_("Move to the nearest block (all four arrows)") },
  { N_("Graph"), NULL, { "z" }, N_("Fold the loop, or open what is folded; Shift+Z: all loops") },
  { N_("Graph"), "canvas.fold::toggle", { NULL }, N_("Fold the loop here, or open what is folded") },
  { N_("Graph"), "canvas.fold::loops", { NULL }, N_("Fold all loops") },
  { N_("Graph"), "canvas.fold::open-all", { NULL }, N_("Open all folds") },
  { N_("Graph"), NULL, { "Home" }, N_("Entry block") },
  { N_("Graph"), NULL, { "h" }, N_("Hottest block") },
  { N_("Graph"), NULL, { "bracketright" }, N_("Next block by heat") },
  { N_("Graph"), NULL, { "bracketleft" }, N_("Previous block by heat") },
  { N_("Graph"), NULL, { "t" }, N_("Follow the branch taken") },
  { N_("Graph"), NULL, { "f" }, N_("Follow the branch not taken") },
  { N_("Graph"), NULL, { "<Control>Down" }, N_("Choose among the ways out; Ctrl+Up: in") },
  { N_("Graph"), "win.find-in-function", { "<Control>f" }, N_("Find in this function") },
  { N_("Graph"), NULL, { "space" }, N_("Listing, or graph") },
  { N_("Graph"), NULL, { "j" }, N_("Next instruction; K: the one before") },
  { N_("Graph"), NULL, { "g" }, N_("To where the instruction leads (in the listing Enter as well)") },

  { N_("Points and blocks"), NULL, { "b" }, N_("Plan the block's pre-hook, or take it out") },
  { N_("Points and blocks"), NULL, { "<Shift>b" }, N_("Plan the block's post-hook, or take it out") },
  { N_("Points and blocks"), NULL, { "x" }, N_("Choose the block as one of several, or no more") },
  { N_("Points and blocks"), NULL, { "<Shift>Down" }, N_("Choose the blocks one goes through (all four arrows)") },
  { N_("Points and blocks"), NULL, { "<Control>a" }, N_("Choose all blocks; Escape: none") },
  { N_("Points and blocks"), "win.plan-chosen", { "<Control>b" }, N_("Plan hooks of the blocks that are chosen") },
  { N_("Points and blocks"), "win.unplan-chosen", { "<Control><Shift>b" }, N_("Take them out of the plan") },
  { N_("Points and blocks"), "win.plan-reached", { "<Control><Alt>b" }, N_("Plan everything that the function reaches") },

  { N_("View of the graph"), "win.zoom-in", { "<Control>plus", "<Control>equal", "<Control>KP_Add" }, N_("Zoom in") },
  { N_("View of the graph"), "win.zoom-out", { "<Control>minus", "<Control>KP_Subtract" }, N_("Zoom out") },
  { N_("View of the graph"), "win.zoom-one", { "<Control>0" }, N_("Actual size") },
  { N_("View of the graph"), "win.zoom-fit", { "<Control>9" }, N_("Whole graph") },
  { N_("View of the graph"), "win.minimap", { "<Control>m" }, N_("Minimap") },
  { N_("View of the graph"), "win.graph-layer::heat", { "<Alt>1" }, N_("Colour blocks by heat") },
  { N_("View of the graph"), "win.graph-layer::tactic", { "<Alt>2" }, N_("by tactic or refusal") },
  { N_("View of the graph"), "win.graph-layer::cost", { "<Alt>3" }, N_("by the cost of a count") },
  { N_("View of the graph"), "win.dim::from", { "<Alt>4" }, N_("Make faint what cannot be reached from here") },
  { N_("View of the graph"), "win.dim::to", { "<Alt>5" }, N_("Make faint what does not lead here") },
  { N_("View of the graph"), "win.dim::ran", { "<Alt>6" }, N_("Make faint what never ran") },
  { N_("View of the graph"), "win.dim::none", { "<Alt>0" }, N_("Make nothing faint") },

  { N_("Probe program"), NULL, { "<Control>Return" }, N_("Check the program and take it into the plan") },
  { N_("Probe program"), NULL, { "<Control>space" }, N_("Names that fit") },

  { N_("Run"), "win.run", { "<Control>r", "F5" }, N_("Start or stop the run") },
  { N_("Run"), "win.apply-plan", { "<Control><Shift>r" }, N_("Have the run go by the changed plan") },
  { N_("Run"), "win.live", { "<Control>l" }, N_("Watch the run that goes on") },
  { N_("Run"), "win.stop-when", { "<Control><Shift>e" }, N_("What else ends the run") },
  { N_("Run"), "win.disarm-all", { "<Control><Shift>d" }, N_("Disarm all") },
  { N_("Run"), "win.cancel", { "Escape" }, N_("Cancel what is under way") },

  { N_("Plan and files"), "win.undo", { "<Control>z" }, N_("Undo") },
  { N_("Plan and files"), "win.redo", { "<Control><Shift>z", "<Control>y" }, N_("Redo") },
  { N_("Plan and files"), "win.drop-refused", { NULL }, N_("Take out of the plan what is refused") },
  { N_("Plan and files"), "win.watch", { "<Control><Shift>w" }, N_("Watch a variable") },
  { N_("Plan and files"), "win.open", { "<Control>o" }, N_("Open a session or a plan") },
  { N_("Plan and files"), "win.sessions", { "<Control><Shift>o" }, N_("The sessions of this user") },
  { N_("Plan and files"), "win.copy-command", { "<Control><Shift>c" }, N_("Copy what is planned as a command") },
  { N_("Plan and files"), "win.save-plan", { "<Control>s" }, N_("Save the plan") },
  { N_("Plan and files"), "win.save-plan-as", { "<Control><Shift>s" }, N_("Save the plan under another name") },
  { N_("Plan and files"), "win.revert-plan", { NULL }, N_("Take the plan as its file has it") },
  { N_("Plan and files"), "win.beside", { "<Control>d" }, N_("Look at another session beside the results") },
  { N_("Plan and files"), "win.export::svg", { "<Control>e" }, N_("Export what is in view") },

  { N_("Schedule"), NULL, { "Up" }, N_("The bar above; Down: the one below") },
  { N_("Schedule"), NULL, { "Left" }, N_("Move the bar (Left and Right)") },
  { N_("Schedule"), NULL, { "<Control>Left" }, N_("Move its start (Left and Right)") },
  { N_("Schedule"), NULL, { "<Shift>Left" }, N_("Move its end (Left and Right)") },
  { N_("Schedule"), NULL, { "Return" }, N_("Show the hook in the graph, or fold a function") },
  { N_("Schedule"), NULL, { "Delete" }, N_("Take it out of the plan") },
  { N_("Schedule"), NULL, { "plus" }, N_("Closer; -: further away; 0: all") },

  { N_("Plots"), NULL, { "Left" }, N_("Read the plot off (Left and Right)") },
  { N_("Plots"), NULL, { "<Control>Left" }, N_("Move what is in view (Left and Right)") },
  { N_("Plots"), NULL, { "plus" }, N_("Closer; -: further away; 0: all") },
  { N_("Plots"), NULL, { "<Shift>z" }, N_("Back to the range before") },

  { N_("Writers"), NULL, { "<Control>f" }, N_("Find a writer") },
  { N_("Writers"), NULL, { "Return" }, N_("To the block in the graph; Escape: back") },
  { N_("Writers"), NULL, { "<Control>c" }, N_("Copy the rows in view") },

  { N_("Window"), "win.function-list", { "<Control><Shift>l" }, N_("Function list") },
  { N_("Window"), "win.inspector", { "<Control><Shift>i" }, N_("Inspector") },
  { N_("Window"), "win.plan-panel", { "F9" }, N_("Plan") },
  { N_("Window"), "win.next-pane", { "F6" }, N_("Next pane") },
  { N_("Window"), "win.help", { "F1" }, N_("Guide: the page about what is in view") },
  { N_("Window"), "win.shortcuts", { "<Control>question", "<Control>F1" }, N_("Keyboard shortcuts") },
  { N_("Window"), "app.new-window", { "<Control>n" }, N_("New window, with a target of its own") },
  { N_("Window"), "app.preferences", { "<Control>comma" }, N_("Preferences") },
  { N_("Window"), "win.close", { "<Control>w" }, N_("Close the window") },
  { N_("Window"), "app.quit", { "<Control>q" }, N_("Quit") },
};
