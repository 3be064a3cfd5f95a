/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-actions-table.h - table of the actions: keys, groups and titles
 *
 * Rows without an action are keys that a widget handles while it has the focus. They are in the
 * table because the window of keyboard shortcuts and the guide's page of keys (data/help/keys.c)
 * show every key. As this header defines the table, only one source file of each program may
 * include it.
 */
#pragma once

#include <glib/gi18n.h>

typedef struct {
  const char *group;
  const char *action;            /* name, such as "win.run"; NULL: the key belongs to a widget */
  const char *accels[3];
  const char *title;
} Action;

static const Action actions[] = {
  { N_("Find"), "win.find", { "<Control>k", "<Control>g" }, N_("Find a function") },
  { N_("Find"), "win.find-action", { "<Control><Shift>p" }, N_("Find an action") },
  { N_("Find"), "win.back", { "<Alt>Left" }, N_("Back to the previous block or function") },
  { N_("Find"), "win.forward", { "<Alt>Right" }, N_("Forward") },
  { N_("Find"), "win.calls", { "<Alt>Down" }, N_("Callers and callees") },
  { N_("Find"), "win.call-graph", { "<Control><Shift>g" }, N_("Switch between call graph and function graph") },
  { N_("Find"), "win.reconnect", { NULL }, N_("Reconnect and read all functions again") },
  { N_("Find"), "win.mode::explore", { "<Control>1" }, N_("Explore") },
  { N_("Find"), "win.mode::schedule", { "<Control>2" }, N_("Schedule") },
  { N_("Find"), "win.mode::results", { "<Control>3" }, N_("Results") },

  { N_("Graph"), NULL, { "Up" }, N_("Move to the nearest block (all four arrows)") },
  { N_("Graph"), NULL, { "z" }, N_("Fold or unfold the loop; Shift+Z: all loops") },
  { N_("Graph"), "canvas.fold::toggle", { NULL }, N_("Fold or unfold here") },
  { N_("Graph"), "canvas.fold::loops", { NULL }, N_("Fold all loops") },
  { N_("Graph"), "canvas.fold::open-all", { NULL }, N_("Unfold all") },
  { N_("Graph"), NULL, { "Home" }, N_("Entry block") },
  { N_("Graph"), NULL, { "h" }, N_("Hottest block") },
  { N_("Graph"), NULL, { "bracketright" }, N_("Next block by heat") },
  { N_("Graph"), NULL, { "bracketleft" }, N_("Previous block by heat") },
  { N_("Graph"), NULL, { "t" }, N_("Follow the taken branch") },
  { N_("Graph"), NULL, { "f" }, N_("Follow the branch that is not taken") },
  { N_("Graph"), NULL, { "<Control>Down" }, N_("Go to a successor; Ctrl+Up: predecessor") },
  { N_("Graph"), "win.find-in-function", { "<Control>f" }, N_("Find in this function") },
  { N_("Graph"), NULL, { "space" }, N_("Switch between graph and listing") },
  { N_("Graph"), NULL, { "j" }, N_("Next instruction; K: previous") },
  { N_("Graph"), NULL, { "g" },
    N_("Go to the instruction's target (in the listing, Enter does the same)") },

  { N_("Points and blocks"), NULL, { "b" }, N_("Plan or remove the block's pre-hook") },
  { N_("Points and blocks"), NULL, { "<Shift>b" }, N_("Plan or remove the block's post-hook") },
  { N_("Points and blocks"), NULL, { "x" }, N_("Add the block to the selection, or remove it") },
  { N_("Points and blocks"), NULL, { "<Shift>Down" }, N_("Extend the selection (all four arrows)") },
  { N_("Points and blocks"), NULL, { "<Control>a" }, N_("Select all blocks; Escape: none") },
  { N_("Points and blocks"), "win.plan-chosen", { "<Control>b" }, N_("Plan hooks at the selected blocks") },
  { N_("Points and blocks"), "win.unplan-chosen", { "<Control><Shift>b" }, N_("Remove the selected blocks from the plan") },
  { N_("Points and blocks"), "win.plan-reached", { "<Control><Alt>b" }, N_("Plan hooks in all callees of the function") },

  { N_("View of the graph"), "win.zoom-in", { "<Control>plus", "<Control>equal", "<Control>KP_Add" }, N_("Zoom in") },
  { N_("View of the graph"), "win.zoom-out", { "<Control>minus", "<Control>KP_Subtract" }, N_("Zoom out") },
  { N_("View of the graph"), "win.zoom-one", { "<Control>0" }, N_("Actual size") },
  { N_("View of the graph"), "win.zoom-fit", { "<Control>9" }, N_("Whole graph") },
  { N_("View of the graph"), "win.minimap", { "<Control>m" }, N_("Minimap") },
  { N_("View of the graph"), "win.graph-layer::heat", { "<Alt>1" }, N_("Colour blocks by heat") },
  { N_("View of the graph"), "win.graph-layer::tactic", { "<Alt>2" }, N_("Colour blocks by tactic or refusal") },
  { N_("View of the graph"), "win.graph-layer::cost", { "<Alt>3" }, N_("Colour blocks by counter cost") },
  { N_("View of the graph"), "win.dim::from", { "<Alt>4" }, N_("Dim what cannot be reached from here") },
  { N_("View of the graph"), "win.dim::to", { "<Alt>5" }, N_("Dim what does not lead here") },
  { N_("View of the graph"), "win.dim::ran", { "<Alt>6" }, N_("Dim what was never executed") },
  { N_("View of the graph"), "win.dim::none", { "<Alt>0" }, N_("Dim nothing") },

  { N_("Probe program"), NULL, { "<Control>Return" }, N_("Check the program and apply it to the plan") },
  { N_("Probe program"), NULL, { "<Control>space" }, N_("Matching names") },

  { N_("Run"), "win.run", { "<Control>r", "F5" }, N_("Start or stop the run") },
  { N_("Run"), "win.apply-plan", { "<Control><Shift>r" }, N_("Apply plan changes to the running recording") },
  { N_("Run"), "win.live", { "<Control>l" }, N_("Show the current run") },
  { N_("Run"), "win.stop-when", { "<Control><Shift>e" }, N_("Stop conditions…") },
  { N_("Run"), "win.way::ilk", { NULL }, N_("Hook the kernel by the driver") },
  { N_("Run"), "win.way::bpf", { NULL }, N_("Hook the kernel by BPF (kprobes)") },
  { N_("Run"), "win.disarm-all", { "<Control><Shift>d" }, N_("Disarm all") },
  { N_("Run"), "win.cancel", { "Escape" }, N_("Cancel the current operation") },

  { N_("Plan and files"), "win.undo", { "<Control>z" }, N_("Undo") },
  { N_("Plan and files"), "win.redo", { "<Control><Shift>z", "<Control>y" }, N_("Redo") },
  { N_("Plan and files"), "win.drop-refused", { NULL }, N_("Remove refused hooks from the plan") },
  { N_("Plan and files"), "win.watch", { "<Control><Shift>w" }, N_("Add a watchpoint") },
  { N_("Plan and files"), "win.event", { NULL }, N_("Add a tracepoint or timer") },
  { N_("Plan and files"), "win.open", { "<Control>o" }, N_("Open a session or a plan") },
  { N_("Plan and files"), "win.sessions", { "<Control><Shift>o" }, N_("Your sessions") },
  { N_("Plan and files"), "win.copy-command", { "<Control><Shift>c" }, N_("Copy the plan as a command") },
  { N_("Plan and files"), "win.save-plan", { "<Control>s" }, N_("Save the plan") },
  { N_("Plan and files"), "win.save-plan-as", { "<Control><Shift>s" }, N_("Save the plan under another name") },
  { N_("Plan and files"), "win.revert-plan", { NULL }, N_("Revert the plan to its saved file") },
  { N_("Plan and files"), "win.beside", { "<Control>d" }, N_("Compare with another session") },
  { N_("Plan and files"), "win.export::svg", { "<Control>e" }, N_("Export the current view") },

  { N_("Schedule"), NULL, { "Up" }, N_("Go to the bar above; Down: to the bar below") },
  { N_("Schedule"), NULL, { "Left" }, N_("Move the bar (Left and Right)") },
  { N_("Schedule"), NULL, { "<Control>Left" }, N_("Move the bar's start (Left and Right)") },
  { N_("Schedule"), NULL, { "<Shift>Left" }, N_("Move the bar's end (Left and Right)") },
  { N_("Schedule"), NULL, { "Return" }, N_("Show the hook in the graph, or fold a function") },
  { N_("Schedule"), NULL, { "Delete" }, N_("Remove the hook from the plan") },
  { N_("Schedule"), NULL, { "plus" }, N_("Zoom in (−: zoom out, 0: fit)") },

  { N_("Plots"), NULL, { "Left" }, N_("Move the cursor (Left and Right)") },
  { N_("Plots"), NULL, { "<Control>Left" }, N_("Pan (Left and Right)") },
  { N_("Plots"), NULL, { "plus" }, N_("Zoom in (−: zoom out, 0: fit)") },
  { N_("Plots"), NULL, { "<Shift>z" }, N_("Back to the previous range") },

  { N_("Accesses"), NULL, { "<Control>f" }, N_("Find a location") },
  { N_("Accesses"), NULL, { "Return" }, N_("Go to the block in the graph; Escape: back") },
  { N_("Accesses"), NULL, { "<Control>c" }, N_("Copy the listed rows") },

  { N_("Window"), "win.function-list", { "<Control><Shift>l" }, N_("Function list") },
  { N_("Window"), "win.inspector", { "<Control><Shift>i" }, N_("Inspector") },
  { N_("Window"), "win.plan-panel", { "F9" }, N_("Plan") },
  { N_("Window"), "win.next-pane", { "F6" }, N_("Next pane") },
  { N_("Window"), "win.help", { "F1" }, N_("Guide page for the current view") },
  { N_("Window"), "win.shortcuts", { "<Control>question", "<Control>F1" }, N_("Keyboard shortcuts") },
  { N_("Window"), "app.new-window", { "<Control>n" }, N_("New window with its own target") },
  { N_("Window"), "app.preferences", { "<Control>comma" }, N_("Preferences") },
  { N_("Window"), "win.close", { "<Control>w" }, N_("Close the window") },
  { N_("Window"), "app.quit", { "<Control>q" }, N_("Quit") },
};
