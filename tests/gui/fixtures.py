# SPDX-License-Identifier: GPL-2.0-or-later
"""fixtures.py - files that cases open; each is made once, when the first case wants it"""
import functools
import os
import shutil
import sqlite3

from workbench import Missing, tool

FUNCTION = "pipe_write|anon_pipe_write"


def folder():
  return os.environ["XDG_RUNTIME_DIR"]


def written(name, text):
  path = os.path.join(folder(), name)
  with open(path, "w", encoding="utf-8") as out:
    out.write(text)
  return path


def made(program, name):
  """What the program named by the variable @program writes."""
  path = os.path.join(folder(), name)
  tool(os.environ[program], path)
  return path


@functools.lru_cache
def session():
  return made("GILK_FIXTURE", "fixture.gilk")


@functools.lru_cache
def studies():
  return made("GILK_STUDIES", "studies.gilk")


@functools.lru_cache
def programs():
  return made("GILK_PROGRAMS", "programs.gilk")


@functools.lru_cache
def switched():
  return made("GILK_AB_SESSION", "switched.gilk")


@functools.lru_cache
def many():
  """Some hundred thousand samples of one hook."""
  path = os.path.join(folder(), "many.gilk")
  tool(os.path.join(os.environ["GILK_BUILD"], "tests/bench/samples"), path, "--samples", "400000", "--hooks", "1", "--fields")
  return path


@functools.lru_cache
def watched():
  return made("GILK_WATCH_SESSION", "watched.gilk")


@functools.lru_cache
def spoilt():
  path = shutil.copy(studies(), os.path.join(folder(), "spoilt.gilk"))
  corrupt(path)
  return path


@functools.lru_cache
def spoilt_watched():
  path = shutil.copy(watched(), os.path.join(folder(), "spoilt-watched.gilk"))
  corrupt(path)
  return path


@functools.lru_cache
def newer():
  """A session of a version to come."""
  path = shutil.copy(studies(), os.path.join(folder(), "newer.gilk"))
  with sqlite3.connect(path) as db:
    db.execute("PRAGMA user_version = 999")
  db.close()
  return path


def no_session():
  return written("not-one.gilk", "this is no session\n")


@functools.lru_cache
def graphed():
  """A session with a graph of three blocks."""
  path = made("GILK_FIXTURE", "graphed.gilk")
  add_graph(path)
  return path


@functools.lru_cache
def studies_graphed():
  """The studies, with a graph of the function that "asleep" is in."""
  path = shutil.copy(studies(), os.path.join(folder(), "studies-graphed.gilk"))
  add_graph(path, "asleep")
  return path


def add_graph(path, hook="writes"):
  """What a run would have written down of the function of one of its hooks."""
  db = sqlite3.connect(path)
  run, addr = db.execute("SELECT run, addr FROM hook WHERE label = ?", (hook,)).fetchone()
  function = db.execute("INSERT INTO function (run, name, module, entry) VALUES (?, 'pipe_write', 'kernel', ?)",
                        (run, addr)).lastrowid
  texts = ("push %rbp\nmov %rdi,%rbp\ntest %rax,%rax\nje +0x40", "call mutex_lock\njmp +0x0", "pop %rbp\nret")
  for i, text in enumerate(texts):
    db.execute("INSERT INTO block VALUES (?, ?, ?, ?, ?, 0, ?)",
               (function, i, f"+{0x20 * i:#x}", addr + 0x20 * i, addr + 0x20 * i + 16, text))
  for i, edge in enumerate(((0, 1, 2, 0), (0, 2, 1, 0), (1, 0, 3, 1))):
    db.execute("INSERT INTO edge VALUES (?, ?, ?, ?, ?, ?)", (function, i, *edge))
  db.commit()
  db.close()


def corrupt(path):
  """Samples of the session's chunks are what they were not."""
  db = sqlite3.connect(path)
  names_of = [name for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%chunk%'")]
  done = 0
  for table in names_of:
    columns = [column[1] for column in db.execute(f"PRAGMA table_info({table})") if column[2].upper() == "BLOB"]
    for column in columns:
      done += db.execute(f"UPDATE {table} SET {column} = zeroblob(length({column})) WHERE {column} IS NOT NULL").rowcount
  db.commit()
  db.close()
  if done == 0:
    raise Missing(f"no chunk to spoil in {os.path.basename(path)}: {names_of}")
