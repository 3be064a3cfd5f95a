#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: programs read local variables, and points may be source lines
"""
locals - by debug data, programs see local variables and the types of a module that tells none, points are lines of source, and sessions keep lines

The functions of tests/kmod/locals.c write down what their variables are: that is the witness. Its debug data are those
of the file that the module was loaded from, in the build folder of the lab.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, GILK, ROOT, Run, expect, lab_of_arguments, main
from watchpoints import Watched

SOURCE = os.path.join(ROOT, "tests", "kmod", "locals.c")
NUMBERS = [3, -7, 300, 1 << 40]
SIZE = 56                        # of struct gilk_locals_thing, as its source asserts


def line_of(mark):
  with open(SOURCE, encoding="utf-8") as file:
    return next(number for number, line in enumerate(file, 1) if f"/* {mark} */" in line)


def folder_of_modules(lab):
  return os.path.join(BUILD, "lab", lab.run("uname -r").strip(), "modules")


def prepare(lab):
  lab.run("test -d /sys/module/gilk_locals || insmod /lib/modules/$(uname -r)/extra/gilk_locals.ko")


def record(lab, folder, *points):
  """Calls with all NUMBERS under POINTS. Returns: the run, ended."""
  prepare(lab)
  words = [word for point in points for word in ("--hook", point)]
  run = Run(lab, os.path.join(folder, "locals.gilk"), "--debug", folder_of_modules(lab), *words, "--for", "10m")
  lab.wait_armed(len({point.split(" ")[0] for point in points}))
  for number in NUMBERS:
    lab.run(f"echo {number} >/sys/module/gilk_locals/parameters/call")
  expect(run.stop() == 0, f"gilk run failed: {run.output}")
  return run


def samples_of(run, index=0):
  """Those of one of the hooks."""
  label = run.report()["hooks"][index]["hook"]
  done = subprocess.run([GILK, "export", "--csv", "--hook", label, run.session], stdout=subprocess.PIPE, text=True, check=True)
  lines = [line.split(",") for line in done.stdout.splitlines()]
  return [{name: value if name.endswith("_name") else int(value, 0) for name, value in zip(lines[0][3:], line[3:])}
          for line in lines[1:]]


def truth(name, ctype="s64"):
  return f"{name[12:]}_true = *({ctype} *) variable({name})"


def locals_at_a_line(lab):
  code = ("sample(first, second, sum, narrow, own.tv_sec, own_ns = own.tv_nsec, given_ns = given->tv_nsec, "
          f"{truth('gilk_locals_sum')}, {truth('gilk_locals_narrow', 's32')})")
  with tempfile.TemporaryDirectory() as folder:
    rows = samples_of(record(lab, folder, f"kmod/locals.c:{line_of('HERE')} {{ {code} }}"))
  expect([row["first"] for row in rows] == NUMBERS, f"first is {[row['first'] for row in rows]}")
  for row, number in zip(rows, NUMBERS):
    second = (number + 1 + (1 << 31)) % (1 << 32) - (1 << 31)
    expect(row["second"] == second and row["own_ns"] == second, f"second of {number}: {row}")
    expect(row["sum"] == row["sum_true"] == row["tv_sec"] == number * 3 + second, f"sum of {number}: {row}")
    expect(row["narrow"] == row["narrow_true"] == number & 0xff, f"narrow of {number}: {row}")
    expect(row["given_ns"] == 72 and row["bad"] == 0, f"given: {row}")
  return f"{len(rows)} calls, 7 variables each"


def locals_of_what_was_inlined(lab):
  code = f"sample(number, inner, {truth('gilk_locals_inner')})"
  with tempfile.TemporaryDirectory() as folder:
    run = record(lab, folder, f"gilk_locals:locals.c:{line_of('INLINED')} {{ {code} }}")
    rows = samples_of(run)
    lines = run.sql("select depth, function, file, line from line order by address, depth")
  expect(len(rows) == len(NUMBERS), f"{len(rows)} samples")
  for row, number in zip(rows, NUMBERS):
    second = (number + 1 + (1 << 31)) % (1 << 32) - (1 << 31)
    expect(row["number"] == number * 3 + second + 72 and row["inner"] == row["inner_true"], f"inlined, of {number}: {row}")
  expect("inlined" in run.output or "gilk_locals_work" in run.output, f"where the line is was not told: {run.output}")
  expect([line["function"] for line in lines] == ["gilk_locals_inlined", "gilk_locals_work"], f"lines: {lines}")
  expect(int(lines[0]["line"]) == line_of("INLINED") and lines[0]["file"].endswith("locals.c"), f"lines: {lines}")


def where_it_was_inlined(lab):
  """The place is found by the function's name, hooked there, and hit as often as the code was called."""
  prepare(lab)
  found = lab.gilk("find", "gilk_locals_inlined", "--debug", folder_of_modules(lab))
  expect([place["into"] for place in found["inlined"]] == ["gilk_locals_work"] and not found["functions"], f"found: {found}")
  with tempfile.TemporaryDirectory() as folder:
    rows = samples_of(record(lab, folder, "gilk_locals_inlined:inlined { sample(number) }"))
  expect(len(rows) == len(NUMBERS), f"{len(rows)} samples")
  for row, number in zip(rows, NUMBERS):
    second = (number + 1 + (1 << 31)) % (1 << 32) - (1 << 31)
    expect(row["number"] == number * 3 + second + 72, f"inlined, of {number}: {row}")
  return f"{len(rows)} calls, at {found['inlined'][0]['location']}"


def types_of_the_module(lab):
  """Types that only the module has, which tells none itself: those of its debug data are what its code has."""
  prepare(lab)
  expect(lab.run("test -e /sys/kernel/btf/gilk_locals && echo has || echo none").strip() == "none", "the module tells its types")
  truths = ", ".join(truth(f"gilk_locals_{name}", "s32") for name in ("several", "few", "many", "kind"))
  code = "sample(thing->next->several, thing->few, thing->high, many = thing->many[1][2], thing->kind, thing->since.tv_sec, step)"
  cast = ("sample(several = ((struct gilk_locals_thing *) arg0)->next->several, odd = ((struct gilk_locals_thing *) arg0)->kind == "
          "GILK_LOCALS_ODD, size = sizeof(struct gilk_locals_thing), step = (gilk_locals_step) arg1)")
  back = f"sample(retval, {truths})"
  with tempfile.TemporaryDirectory() as folder:
    run = record(lab, folder, f"gilk_locals_take:entry {{ {code} }}", f"gilk_locals_take:entry {{ {cast} }}",
                 f"gilk_locals_take:return {{ {back} }}")
    rows, casts, backs = (samples_of(run, index) for index in range(3))
  expect(len(rows) == len(casts) == len(backs) == len(NUMBERS), f"{len(rows)}, {len(casts)}, {len(backs)} samples")
  for row, by_cast, after, number in zip(rows, casts, backs, NUMBERS):
    for name in ("several", "few", "many", "kind"):
      expect(row[name] == after[f"{name}_true"], f"{name} of {number}: {row}, {after}")
    expect(row["kind_name"] == ("GILK_LOCALS_ODD" if number & 1 else "GILK_LOCALS_EVEN"), f"kind of {number}: {row}")
    expect(row["high"] == (number << 31 & 0xffffffff00000000) >> 32 and row["tv_sec"] == number, f"of {number}: {row}")
    expect(row["step"] == by_cast["step"] == number & 0xff and row["bad"] == 0, f"step of {number}: {row}")
    expect(by_cast["several"] == row["several"] and by_cast["odd"] == number & 1 and by_cast["size"] == SIZE, f"cast: {by_cast}")
    expect(after["retval"] == row["several"] - row["step"], f"returned for {number}: {after}")
  return f"{len(rows)} calls, 7 values each"


def watched_by_its_type(lab):
  """A member of a module's variable, whose type only debug data have."""
  prepare(lab)
  what = "gilk_locals_given.tv_nsec:rw"
  watched = Watched(lab, "--debug", folder_of_modules(lab), watches=[what])
  for number in NUMBERS:
    lab.run(f"echo {number} >/sys/module/gilk_locals/parameters/call")
  rows = watched.end().run.sql("select value, comm from samples_watchpoint")
  with tempfile.TemporaryDirectory() as folder:
    bare = Run(lab, os.path.join(folder, "bare.gilk"), "--watchpoint", what, "--for", "1s")
    expect(bare.wait() != 0 and "type is not known" in " ".join(bare.output.split()), bare.output)
  expect(len(rows) >= len(NUMBERS) and all(int(row["value"], 0) == 72 for row in rows), f"watched: {rows}")
  return f"{len(rows)} accesses"


def by_each_tactic(lab):
  for tactic in ("splice", "clone", "trap"):
    with tempfile.TemporaryDirectory() as folder:
      rows = samples_of(record(lab, folder, f"locals.c:{line_of('HERE')}:{tactic} {{ sample(sum, {truth('gilk_locals_sum')}) }}"))
    expect(len(rows) == len(NUMBERS) and all(row["sum"] == row["sum_true"] for row in rows), f"{tactic}: {rows}")


def missing_locals_are_reported(lab):
  def refused(point, *words):
    done = subprocess.run([GILK, "run", "--target", lab.target, *words, "--hook", point, "--for", "1s"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    expect(done.returncode != 0, f"{point} was not refused")
    return done.stdout
  prepare(lab)
  debug = ("--debug", folder_of_modules(lab))
  here = line_of("HERE")
  said = refused(f"locals.c:{here} {{ sample(tail) }}", *debug)
  expect("optimized out" in said or "has no location" in said, said)
  said = refused(f"locals.c:{here} {{ sample(sun) }}", *debug)
  expect("Did you mean sum?" in said, said)
  said = refused(f"locals.c:{here + 2000}", *debug)
  expect("No code found for" in said, said)
  said = refused("gilk_locals_work:inlined", *debug)
  expect("not inlined anywhere" in said and "gilk_locals_work:entry" in said, said)
  said = refused("gilk_locals_inlined:entry", *debug)
  expect('"gilk find gilk_locals_inlined"' in said, said)
  said = refused("locals.c:1", *debug)
  expect("The next line with code is" in said, said)
  said = refused(f"locals.c:{here}")
  expect("linux-image-" in said and "-dbg" in said, said)
  said = refused("gilk_locals_take:entry { sample(((struct gilk_locals_thing *) arg0)->few) }")
  expect("Unknown type struct gilk_locals_thing" in said and "no BTF types" in said and "--debug" in said, said)
  said = refused("gilk_locals_take:entry { sample(thing->fex) }", *debug)
  expect("struct gilk_locals_thing has no member fex. Did you mean few?" in said, said)
  said = refused("vfs_write:entry", "--debug", "/nonexistent/vmlinux")
  expect("/nonexistent/vmlinux, given for debug data, does not exist" in said, said)
  with tempfile.TemporaryDirectory() as folder:
    other = os.path.join(folder, "vmlinux")
    os.symlink(GILK, other)
    said = refused("vfs_write:entry", "--debug", other)
    expect("belongs to another kernel" in said and "build id" in said, said)


def lines_in_a_listing(lab):
  prepare(lab)
  said = subprocess.run([GILK, "cfg", "gilk_locals_work", "--target", lab.target, "--lines", "--debug", folder_of_modules(lab)],
                        stdout=subprocess.PIPE, text=True, check=True).stdout
  expect(f"locals.c:{line_of('INLINED')} in gilk_locals_inlined, from " in said, said)
  rows = lab.gilk("cfg", "gilk_locals_work", "--debug", folder_of_modules(lab))
  sources = [insn["source"] for block in rows["blocks"] for insn in block["instructions"] if "source" in insn]
  expect(any(source[0]["line"] == line_of("HERE") for source in sources), "no line in JSON")
  expect(all("source" not in insn for block in lab.gilk("cfg", "gilk_locals_work")["blocks"] for insn in block["instructions"]),
         "lines without debug data")


if __name__ == "__main__":
  sys.exit(main([locals_at_a_line, locals_of_what_was_inlined, where_it_was_inlined, types_of_the_module, watched_by_its_type, by_each_tactic,
                 missing_locals_are_reported, lines_in_a_listing], lab_of_arguments()))
