# SPDX-License-Identifier: GPL-2.0-or-later
"""
glance.py - the accessible tree at one look

glance-module.c, within the program, tells the objects that AT-SPI exports, all in one answer. As long as walk() goes on,
they are as they were then. What is asked of one of them later, or beyond what that tells, is asked of the object
itself, through AT-SPI.
"""
import os
import socket

from gi.repository import GLib

FIELDS = 7


class Gone(GLib.Error):
  """An object that is not where it was seen."""


class States:
  """States of an object; its methods are those of Atspi.StateSet."""

  def __init__(self, names, bits):
    self.names = names
    self.bits = bits

  def contains(self, state):
    return bool(self.bits >> self.names[state.value_nick] & 1)


class Look:
  """One answer; over once walk() is."""

  def __init__(self, states):
    self.states = states
    self.over = False


class Glance:
  """An object as it was seen in @look, and the object itself for all else."""

  def __init__(self, look, parent, index, n_children, states, role, name, description):
    self.look = look
    self.parent = parent
    self.index = index
    self.n_children = n_children
    self.states = states
    self.role = role
    self.name = name
    self.description = description
    self.found = None

  def get_child_count(self):
    return self.itself().get_child_count() if self.look.over else int(self.n_children)

  def get_state_set(self):
    return self.itself().get_state_set() if self.look.over else States(self.look.states, int(self.states, 16))

  def get_role_name(self):
    return self.itself().get_role_name() if self.look.over else self.role

  def get_name(self):
    return self.itself().get_name() if self.look.over else self.name

  def get_description(self):
    return self.itself().get_description() if self.look.over else self.description

  def itself(self):
    """The object of AT-SPI. Raises Gone if another is at its place now."""
    if self.found is None:
      found = self.parent.itself().get_child_at_index(int(self.index))
      if found is None or found.get_role_name() != self.role or (found.get_name() or "") != self.name:
        raise Gone(f"{self.role} {self.name!r} went away")
      self.found = found
    return self.found

  def __getattr__(self, name):
    return getattr(self.itself(), name)

  def __eq__(self, other):
    return self.itself() == itself(other)

  def __hash__(self):
    return hash(self.itself())


def itself(node):
  return node.itself() if isinstance(node, Glance) else node


def resolved(answer):
  """@answer with the objects of AT-SPI in the place of those that were seen. Raises Gone if one is not there any more."""
  if isinstance(answer, (list, tuple)):
    return type(answer)(resolved(part) for part in answer)
  if isinstance(answer, dict):
    return {key: resolved(part) for key, part in answer.items()}
  return itself(answer)


def ask(node, limit):
  """The answer of the program of @node, an object of AT-SPI."""
  number = node.path.rsplit("/", 1)[1]
  answer = b""
  with socket.socket(socket.AF_UNIX) as asks:
    asks.settimeout(60)
    asks.connect(f"{os.environ['GILK_HEALTH']}.tree.{node.get_process_id()}")
    asks.sendall(f"{0 if number == 'root' else number} {limit}\n".encode())
    while part := asks.recv(1 << 20):
      answer += part
  return answer


def walk(node, limit=60):
  """@node and all below it, of each object the first @limit children, parents first. Raises Gone if @node is not in the tree."""
  node = itself(node)
  try:
    fields = ask(node, limit).decode().split("\0")
  except OSError as error:
    raise Gone(f"the program does not answer: {error}") from None
  if len(fields) < 2 or fields[-2] != "end":
    raise Gone("the object is not in the tree, or the program ended while it answered")
  look = Look({name: bit for bit, name in enumerate(fields[0].split(","))})
  path = []
  try:
    for at in range(1, len(fields) - FIELDS, FIELDS):
      depth = int(fields[at])
      seen = Glance(look, path[depth - 1] if depth else None, *fields[at + 1:at + FIELDS])
      if not depth:
        seen.found = node
      path[depth:] = [seen]
      yield seen
  finally:
    look.over = True
