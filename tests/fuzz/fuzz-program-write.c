/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-program-write.c - draws valid programs
 *
 * Half of the operands are in parentheses, so that precedence is tested, too.
 */
#include "tests/fuzz/fuzz-program.h"

#define LETS_MAX 40

static void write_number (Writer *w, guint depth);
static void write_statement (Writer *w, guint depth);

static guint
pick_below (Writer *w, guint below)
{
  return draw_below (&w->random, below);
}

static void
append_text (Writer *w, const char *text)
{
  g_string_append (w->text, text);
}

#define say_one(w, ...) \
  G_STMT_START { \
    static const char *const all[] = { __VA_ARGS__ }; \
    append_text (w, all[pick_below (w, G_N_ELEMENTS (all))]); \
  } G_STMT_END

/* ---- writing expressions that are pointers ---- */

static void write_inode (Writer *w, guint depth);

static void
write_file (Writer *w, guint depth)
{
  switch (pick_below (w, depth == 0 ? 2 : 6))
    {
    case 0: case 1: case 2: append_text (w, "file"); break;
    case 3: append_text (w, "((struct file *) arg0)"); break;
    case 4: append_text (w, "(file + 0)"); break;
    default:
      append_text (w, "(&file[");
      write_number (w, depth - 1);
      append_text (w, "])");
      break;
    }
}

static void
write_user_file (Writer *w, guint depth)
{
  say_one (w, "user ((struct file *) arg2)", "user ((struct file *) %rax)", "(struct file *) user (buf)",
           "user ((struct file *) (arg0 & 0x7fffffffffff))");
}

/* Writes an expression that points to an inode in the memory of the current task. */
static void
write_user_inode (Writer *w, guint depth)
{
  append_text (w, "(");
  switch (pick_below (w, depth == 0 ? 2 : 6))
    {
    case 0: append_text (w, "user ("); write_file (w, 0); append_text (w, "->f_inode)"); break;
    case 1: append_text (w, "("); write_user_file (w, depth); append_text (w, ")->f_inode"); break;
    case 2: append_text (w, "&("); write_user_file (w, depth); append_text (w, ")->f_own"); break;
    case 3: append_text (w, "("); write_user_file (w, depth); append_text (w, ")->f_table[1]"); break;
    case 4: write_user_inode (w, depth - 1); append_text (w, "->i_next"); break;
    default: write_user_inode (w, depth - 1); say_one (w, " + 1", " - 1", " + mode"); break;
    }
  append_text (w, ")");
}

static void
write_user_number (Writer *w, guint depth)
{
  if (pick_below (w, 2))
    {
      write_user_inode (w, depth);
      say_one (w, "->i_ino", "->i_uid", "->i_small", "->i_byte", "->i_dirty");
      return;
    }
  append_text (w, "(");
  write_user_file (w, depth);
  say_one (w, ")->f_signed", ")->bits_b", ")->sbits_a", ")->f_own.i_byte", ")->f_numbers[3]", ")->f_bytes[count & 3]");
}

static void
write_inode (Writer *w, guint depth)
{
  switch (pick_below (w, depth == 0 ? 3 : 8))
    {
    case 0: write_file (w, 0); append_text (w, "->f_inode"); break;
    case 1: append_text (w, "(&file->f_own)"); break;
    case 2: append_text (w, "file->f_table[1]"); break;
    case 3: write_inode (w, depth - 1); append_text (w, "->i_next"); break;
    case 4: append_text (w, "file->f_table[0]"); break;
    case 5:
      append_text (w, "file->f_table[");
      write_number (w, depth - 1);
      append_text (w, "]");
      break;
    case 6: append_text (w, "((struct inode *) buf)"); break;
    default:
      append_text (w, "(");
      write_inode (w, depth - 1);
      say_one (w, " + 1)", " - 1)", " + mode)", " - (s8) count)");
      break;
    }
}

/* ---- writing expressions that are numbers ---- */

static void
write_literal (Writer *w)
{
  say_one (w, "0", "1", "2", "3", "7", "8", "31", "63", "64", "255", "256", "4096", "4K", "0x7fffffff", "0x80000000",
           "0xffffffff", "0x100000000", "0x7fffffffffffffff", "0x8000000000000000", "0xffffffffffffffff", "'a'", "5u",
           "-1", "-2", "-128", "-0x80000000", "MODE_ON", "sizeof (struct file)", "1G", "3ms", "-0x7fffffffffffffff");
}

static void
write_leaf (Writer *w)
{
  switch (pick_below (w, 4))
    {
    case 0: write_literal (w); break;
    case 1:
      if (w->lets > 0)
        {
          g_string_append_printf (w->text, "v%u", pick_below (w, w->lets));
          break;
        }
      G_GNUC_FALLTHROUGH;
    case 2:
      say_one (w, "count", "mode", "flag", "yes", "arg1", "arg3", "%rax", "%r9", "pid", "tid", "cpu", "now", "g0",
               "g1",
               "once", "(u64) buf", "(s64) file");
      break;
    default:
      say_one (w, "file->f_flags", "file->f_signed", "file->f_id", "file->low", "file->bits_a", "file->bits_b",
               "file->bits_c", "file->sbits_a", "file->sbits_b", "file->wide_bits", "file->wide_rest", "file->f_mode",
               "file->f_own.i_small", "file->f_bytes[2]", "file->f_numbers[3]", "file->f_name[1]", "task->pid",
               "task->parent->tgid", "*(u16 *) (arg0 + 9)", "*(s32 *) buf", "(*file).f_own.i_byte", "every (3)",
               "limit (2)", "file->f_triples[2].y", "t0[1]", "t0[pid]", "event (page_faults)", "event (0x1c2)", "take (t0, 1)", "take (t0, count)");
      break;
    }
}

static void
write_side (Writer *w, guint depth)
{
  const gboolean brackets = pick_below (w, 2) != 0;

  if (brackets)
    append_text (w, "(");
  write_number (w, depth);
  if (brackets)
    append_text (w, ")");
}

static void
write_both_sides (Writer *w, guint depth)
{
  write_side (w, depth);
  say_one (w, " + ", " - ", " * ", " / ", " % ", " << ", " >> ", " & ", " | ", " ^ ", " == ", " != ", " < ", " > ",
           " <= ",
           " >= ", " && ", " || ", " & ", " && ", " || ");
  write_side (w, depth);
}

static void
write_pointers (Writer *w, guint depth)
{
  switch (pick_below (w, 5))
    {
    case 4: write_user_number (w, depth); break;
    case 0:
      append_text (w, "(");
      write_inode (w, depth);
      say_one (w, " - ", " == ", " != ", " < ", " >= ", " && ", " || ");
      write_inode (w, depth);
      append_text (w, ")");
      break;
    case 1:
      write_inode (w, depth);
      say_one (w, "->i_ino", "->i_uid", "->i_small", "->i_byte", "->i_dirty");
      break;
    case 2:
      append_text (w, "file->f_numbers[");
      write_number (w, depth);
      append_text (w, "]");
      break;
    default:
      append_text (w, "(&file->f_triples[");
      write_number (w, depth);
      say_one (w, "] - file->f_triples)", "])->z", "])->y", "] > file->f_triples)");
      break;
    }
}

static void
write_number (Writer *w, guint depth)
{
  if (depth == 0)
    {
      write_leaf (w);
      return;
    }
  switch (pick_below (w, 8))
    {
    case 0: write_leaf (w); break;
    case 1: write_pointers (w, depth - 1); break;
    case 2:
      if (pick_below (w, 4) == 0)
        {
          const gboolean take = pick_below (w, 2) != 0;

          append_text (w, take ? "take (t0, " : "t0[");
          write_number (w, depth - 1);
          append_text (w, take ? ")" : "]");
          break;
        }
      {
        const gboolean symbol = pick_below (w, 6) == 0;

        if (symbol)
          append_text (w, "symbol ((u64) ");
        else
          say_one (w, "- ", "~ ", "! ", "!!", "ns ");
        append_text (w, "(");
        write_number (w, depth - 1);
        append_text (w, symbol ? "))" : ")");
      }
      break;
    case 3:
      say_one (w, "(u8) ", "(s8) ", "(u16) ", "(s16) ", "(u32) ", "(s32) ", "(u64) ", "(s64) ", "(bool) ", "(int) ",
               "(unsigned long) ", "(enum mode) ");
      append_text (w, "(");
      write_number (w, depth - 1);
      append_text (w, ")");
      break;
    default: write_both_sides (w, depth - 1); break;
    }
}

/* ---- writing statements ---- */

static void
write_block (Writer *w, guint depth)
{
  const guint lets = w->lets;

  append_text (w, "{ ");
  for (guint i = pick_below (w, 4); i > 0; i--)
    write_statement (w, depth);
  append_text (w, "} ");
  w->lets = lets;
}

static void
write_condition (Writer *w, guint depth)
{
  append_text (w, "if (");
  write_number (w, pick_below (w, 4));
  append_text (w, ") ");
  write_block (w, depth);
  if (pick_below (w, 3) != 0)
    return;
  append_text (w, "else ");
  write_block (w, depth);
}

static void
write_sample (Writer *w)
{
  static const char *const casts[] = { "u64", "s64", "u32", "s32", "u8", "s16" };

  append_text (w, "sample (");
  for (guint i = 0; i < 1 + w->shape % 5; i++)
    {
      if (w->shape >> (15 + i) % 20 & 1 && i % 2 == 1)
        {
          g_string_append_printf (w->text, ", f%u = string (", i);
          say_one (w, "file->f_name", "file->f_bytes", "file->f_private", "(u64) file + 172", "%rax", "task->comm", "user ((char *) arg2)",
                   "user (buf)", "user ((struct file *) %rax)->f_name");
          append_text (w, ", 8)");
          continue;
        }
      g_string_append_printf (w->text, "%sf%u = (%s) (", i > 0 ? ", " : "", i,
                              casts[(w->shape >> 3 * i) % G_N_ELEMENTS (casts)]);
      write_number (w, pick_below (w, 3));
      append_text (w, ")");
    }
  append_text (w, "); ");
}

static void
write_set (Writer *w)
{
  if (w->lets > 0 && pick_below (w, 2))
    g_string_append_printf (w->text, "v%u", pick_below (w, w->lets));
  else
    say_one (w, "g0", "g1");
  say_one (w, " = ", " += ", " -= ");
  write_number (w, pick_below (w, 4));
  append_text (w, "; ");
}

static void
write_let (Writer *w)
{
  if (w->lets == LETS_MAX)
    return;
  g_string_append_printf (w->text, "let v%u = ", w->lets);
  write_number (w, pick_below (w, 4));
  append_text (w, "; ");
  w->lets++;
}

static void
write_add (Writer *w)
{
  const gboolean table = pick_below (w, 3) == 0;

  if (table)
    append_text (w, "t0[");
  else
    say_one (w, "c0 += ", "m0[", "h0 (");
  if (g_str_has_suffix (w->text->str, "["))
    {
      write_number (w, pick_below (w, 3));
      append_text (w, table && pick_below (w, 3) != 0 ? "] = " : "] += ");
    }
  if (g_str_has_suffix (w->text->str, "("))
    {
      write_number (w, pick_below (w, 3));
      append_text (w, "); ");
      return;
    }
  write_number (w, pick_below (w, 3));
  append_text (w, "; ");
}

static void
write_statement (Writer *w, guint depth)
{
  switch (pick_below (w, depth == 0 ? 7 : 10))
    {
    case 0: write_let (w); break;
    case 1: write_set (w); break;
    case 2: case 3: write_add (w); break;
    case 4: write_sample (w); break;
    case 5: say_one (w, "count (); ", "c0++; ", "g1++; ", "start (first); ", "stop (second); ", "m0[pid]++; "); break;
    case 6: say_one (w, "count (); ", "crash (\"found\"); ", "c1++; ", "return; "); break;
    case 7: write_block (w, depth - 1); break;
    default: write_condition (w, depth - 1); break;
    }
}

void
writer_program (Writer *w)
{
  g_string_truncate (w->text, 0);
  w->lets = 0;
  w->shape = pick_below (w, 1 << 20);
  append_text (w, "global g0 = -5; global g1; counter c0; counter c1; histogram h0 (1); map m0[16]; "
          "table t0[16]; ");
  for (guint i = 1 + pick_below (w, 5); i > 0; i--)
    write_statement (w, 2);
}
