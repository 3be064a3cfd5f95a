/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-operand-notes.c - tests that operands get notes only where their meaning is certain
 */
#include "core/dataflow/gilk-operand.h"

#include <gio/gio.h>

#include "core/dataflow/gilk-operand-notes.h"

#include "false-agent-socket.h"
#include "splice-fixture.h"

#define DATA    (FIXTURE_BASE + 0x100000)
#define STRINGS (FIXTURE_BASE + 0x200000)
#define WORD(v) (uint8_t) (v), (uint8_t) ((uint64_t) (v) >> 8), (uint8_t) ((uint64_t) (v) >> 16), \
                (uint8_t) ((uint64_t) (v) >> 24)
/* The displacement of a rip-relative operand that addresses @to, in an instruction that ends at
 * offset @end. */
#define FROM(end, to) WORD ((to) - (FIXTURE_BASE + (end)))

/*
 * The symbols and their addresses:
 *   DATA + 0x00  jiffies, which is also the start of a section
 *   DATA + 0x08  table, of 64 bytes
 *   DATA + 0x48  local, followed at 0x80 by the end of all data
 *   STRINGS      banner, a constant; texts from 0x40 on
 */
static const char *const symbols =
  "0000000000000000 A __per_cpu_start\n"
  "0000000000000000 A fixed_data\n"
  "0000000000001000 A runqueue\n"
  "0000000000001040 A current_task\n"
  "0000000000001048 A current_file\n"
  "0000000000002000 A __per_cpu_end\n"
  "0000000000003000 d own_cpu_data\t[mod]\n"
  "ffffffff81100000 D _sdata\n"
  "ffffffff81100000 D jiffies\n"
  "ffffffff81100000 D __start_of_it\n"
  "ffffffff81100008 D table\n"
  "ffffffff81100048 b local\n"
  "ffffffff81100080 D _edata\n"
  "ffffffff81200000 D banner\n"
  "ffffffff812000c0 D __func__.3\n"
  "ffffffff81200200 D __end_rodata\n";

static const char texts[0x200] =
  "\x7f" "ELF\x02\x01\x01\0........................................" "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
  "some text that is there\0"                          /* 0x40 */
  "another of these texts\0\0"                         /* 0x58 */
  "%s\0\0\0\0\0\0"                                     /* 0x70 */
  "and what is behind it\0\0\0"                        /* 0x78 */
  "\001" "3quoted \"a\\b\"\n\0"                        /* 0x90 */
  "\xff\xfe number" "\0\0\0\0\0\0\0\0"                  /* 0xa0 */
  "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
  "do_it_all\0";                                       /* 0xc0 */

typedef struct {
  guint       offset;
  const char *text;
} Noted;

static GilkBtf *
make_types (void)
{
  g_autoptr (BtfFile) file = btf_file_new ();
  g_autoptr (GBytes) plain = NULL;
  g_autoptr (GilkBtf) first = NULL;
  g_autoptr (GBytes) bytes = NULL;
  guint pointer;

  btf_small_kernel (file);
  plain = btf_bytes (file);
  first = gilk_btf_new (plain, NULL, NULL);
  pointer = btf_to (file, BTF_KIND_PTR, NULL, gilk_btf_find (first, "struct file"));
  btf_variable (file, "current_file", pointer);
  btf_to (file, BTF_KIND_FUNC, "fixture", btf_proto (file, gilk_btf_find (first, "int"), { "file", pointer }));
  bytes = btf_bytes (file);

  return gilk_btf_new (bytes, NULL, NULL);
}

static void
assert_all (const Fixture *fixture, const GilkOperandNotes *notes, const Noted *noted, guint n_noted)
{
  guint found = 0;

  for (guint i = 0; i < n_noted; i++)
    g_assert_cmpstr (gilk_operand_notes_text (notes, fixture_insn (fixture, noted[i].offset)), ==, noted[i].text);
  for (guint i = 0; i < fixture->cfg->n_insns; i++)
    {
      guint count;

      gilk_operand_notes_at (notes, i, &count);
      g_assert_true ((count > 0) == (gilk_operand_notes_text (notes, i) != NULL));
      found += count > 0;
    }
  g_assert_cmpuint (found, ==, n_noted);
}

/* Checks that a function named @name has exactly the expected notes. */
static void
assert_noted_as (const char *name, const char *more, gboolean typed, const uint8_t *code, gsize length,
                 const Noted *noted, guint n_noted)
{
  const GilkSite sites[] = { FIXTURE_C };
  g_autofree char *table = g_strconcat (symbols, more, NULL);
  g_autoptr (GBytes) constants = g_bytes_new_static (texts, sizeof texts);
  g_autoptr (GilkBtf) btf = make_types ();
  g_autoptr (GilkOperandNotes) notes = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (Fixture) fixture = { NULL };

  fixture_init_named (&fixture, name, FIXTURE_BASE, code, length, table, sites, G_N_ELEMENTS (sites));
  gilk_image_set_static_constants (fixture.image, STRINGS, constants);
  if (typed)
    gilk_types_set_for_tests (gilk_image_types (fixture.image), NULL, btf);
  notes = gilk_operand_notes_new (fixture.cfg, fixture.decoder, NULL, &error);
  g_assert_no_error (error);
  assert_all (&fixture, notes, noted, n_noted);
}

/* A function, and the notes that it must have. */
typedef struct {
  const uint8_t *code;
  gsize          length;
  Noted          noted[12];
} Case;

#define CODE(...) (const uint8_t[]) { __VA_ARGS__ }, sizeof ((const uint8_t[]) { __VA_ARGS__ })

static void
test_noted (gconstpointer data)
{
  const Case *c = data;
  guint n = 0;

  while (c->noted[n].text != NULL)
    n++;
  assert_noted_as ("fixture", "", TRUE, c->code, c->length, c->noted, n);
}

static const Case per_cpu = {
  CODE (
    FENTRY,                                                     /* 0 */
    0x65, 0x48, 0x8b, 0x04, 0x25, WORD (0x1040),                /* 5: mov %gs:0x1040,%rax */
    0x65, 0x48, 0x8b, 0x05, FROM (0x16, 0x1008),                /* e: mov %gs:..(%rip),%rax: runqueue.prev */
    0x65, 0x48, 0x8b, 0x04, 0x25, WORD (0x28),                  /* 16: mov %gs:0x28,%rax */
    0xc3                                                        /* 1f: ret */
  ),
  .noted = { { 5, "current_task" }, { 0xe, "runqueue.prev" }, { 0x16, "fixed_data+0x28" } },
};

/* These operands get no note: an address relative to fs instead of gs; an address with a register;
 * addresses after the end of all data, beyond the size of runqueue's type, and of a module's
 * variable; and an address without a segment. */
static const Case no_per_cpu = {
  CODE (
    FENTRY,                                                     /* 0 */
    0x64, 0x48, 0x8b, 0x04, 0x25, WORD (0x1040),                /* 5: mov %fs:0x1040,%rax */
    0x65, 0x48, 0x8b, 0x80, WORD (0x1040),                      /* e: mov %gs:0x1040(%rax),%rax */
    0x65, 0x48, 0x8b, 0x04, 0x25, WORD (0x2000),                /* 16: mov %gs:0x2000,%rax */
    0x65, 0x48, 0x8b, 0x04, 0x25, WORD (0x1010),                /* 1f: mov %gs:0x1010,%rax */
    0x65, 0x48, 0x8b, 0x04, 0x25, WORD (0x3000),                /* 28: mov %gs:0x3000,%rax */
    0x48, 0x8b, 0x04, 0x25, WORD (0x1040),                      /* 31: mov 0x1040,%rax */
    0xc3                                                        /* 39: ret */
  ),
};

static const Case named_symbols = {
  CODE (
    FENTRY,                                                     /* 0 */
    0x48, 0x8b, 0x05, FROM (0xc, DATA),                         /* 5: mov ..(%rip),%rax */
    0x8b, 0x04, 0x25, WORD (DATA + 0x10),                       /* c: mov ..,%eax */
    0x48, 0xc7, 0xc6, WORD (DATA + 0x48),                       /* 13: mov $..,%rsi */
    0x48, 0x8d, 0x05, FROM (0x21, FIXTURE_BASE + 5),            /* 1a: lea ..(%rip),%rax: this function */
    0x68, WORD (DATA + 0x7f),                                   /* 21: push $.. */
    0x48, 0x3d, WORD (DATA + 8),                                /* 26: cmp $..,%rax */
    0x48, 0xc7, 0x47, 0x10, WORD (DATA + 8),                    /* 2c: movq $..,0x10(%rdi) */
    0xff, 0x15, FROM (0x3a, DATA + 0x20),                       /* 34: call *..(%rip) */
    0x48, 0xb8, WORD (DATA), 0xff, 0xff, 0xff, 0xff,            /* 3a: movabs $..,%rax */
    0xc3                                                        /* 44: ret */
  ),
  .noted = { { 5, "jiffies" }, { 0xc, "table+0x8" }, { 0x13, "local" }, { 0x1a, "fixture+0x5" },
             { 0x21, "local+0x37" }, { 0x26, "table" }, { 0x2c, "file.id, table" },
             { 0x34, "table+0x18" }, { 0x3a, "jiffies" } },
};

/* Tests operands that refer to descriptors of UBSAN, which places them between variables and passes
 * their addresses as arguments. */
static void
test_descriptions (void)
{
  static const uint8_t code[] = {
    FENTRY,                                                     /* 0 */
    0x48, 0xc7, 0xc7, WORD (DATA + 0x50),                       /* 5: mov $..,%rdi */
    0x48, 0xc7, 0xc7, WORD (DATA + 0x48),                       /* c: mov $..,%rdi */
    0x48, 0x8b, 0x05, FROM (0x1a, DATA + 0x50),                 /* 13: mov ..(%rip),%rax */
    0x48, 0x8d, 0x05, FROM (0x21, DATA + 0x98),                 /* 1a: lea ..(%rip),%rax: in .bss */
    0x48, 0xc7, 0xc7, WORD (DATA + 0x18),                       /* 21: mov $..,%rdi */
    0xc3,                                                       /* 28: ret */
  };
  static const Noted noted[] = {
    { 0xc, "local" }, { 0x13, "local+0x8" }, { 0x1a, "cleared+0x8" },
  };
  static const char more[] =
    "ffffffff81100090 D __bss_start\n"
    /* The letter for the symbol's type is lower case in some kernels. */
    "ffffffff81100090 t cleared\n"
    "ffffffff811000a0 D __bss_stop\n"
    "ffffffff81400000 T __ubsan_handle_out_of_bounds\n";

  assert_noted_as ("fixture", more, TRUE, code, sizeof code, noted, G_N_ELEMENTS (noted));
}

/* These operands get no note: numbers that look like addresses, addresses without a name, and
 * jumps, whose operand already has a name. */
static const Case no_symbols = {
  CODE (
    FENTRY,                                                     /* 0 */
    0xbf, WORD (DATA),                                          /* 5: mov $..,%edi: not a kernel address */
    0x48, 0x25, WORD (DATA + 8),                                /* a: and $..,%rax */
    0x48, 0x3d, WORD (DATA + 0x10),                             /* 10: cmp $..,%rax: inside a variable */
    0x48, 0x8b, 0x05, FROM (0x1d, DATA + 0x90),                 /* 16: mov ..(%rip),%rax: past the data */
    0x48, 0x8b, 0x05, FROM (0x24, STRINGS + 8),                 /* 1d: mov ..(%rip),%rax: banner, or a number */
    0x48, 0x8b, 0x05, FROM (0x2b, STRINGS + 0x40),              /* 24: mov ..(%rip),%rax: loads text */
    0x81, 0xff, WORD (DATA),                                    /* 2b: cmp $..,%edi */
    0xeb, 0x00,                                                 /* 31: jmp 33 */
    0xc3                                                        /* 33: ret */
  ),
};

static const Case tables = {
  CODE (
    FENTRY,                                                     /* 0 */
    0x48, 0x8b, 0x14, 0xc5, WORD (DATA + 8),                    /* 5: mov table(,%rax,8),%rdx */
    0x0f, 0xb6, 0x80, WORD (DATA + 8),                          /* d: movzbl table(%rax),%eax */
    0x48, 0x8b, 0x14, 0xc5, WORD (DATA + 0x10),                 /* 14: table + 8, inside table */
    0x48, 0x8b, 0x14, 0xc5, WORD (DATA),                        /* 1c: table - 8: index from 1 */
    0x48, 0x8b, 0x90, WORD (0x40),                              /* 24: mov 0x40(%rax),%rdx */
    0xc3                                                        /* 2b: ret */
  ),
  .noted = { { 5, "table[]" }, { 0xd, "table[]" } },
};

static const Case strings = {
  CODE (
    FENTRY,                                                     /* 0 */
    0x48, 0xc7, 0xc7, WORD (STRINGS + 0x40),                    /* 5: mov $..,%rdi */
    0x48, 0x8d, 0x35, FROM (0x13, STRINGS + 0x5f),              /* c: lea ..(%rip),%rsi: the tail of another text */
    0x48, 0xc7, 0xc2, WORD (STRINGS + 0x70),                    /* 13: mov $..,%rdx */
    0x48, 0xc7, 0xc1, WORD (STRINGS + 0x90),                    /* 1a: mov $..,%rcx */
    0x48, 0xc7, 0xc0, WORD (STRINGS),                           /* 21: mov $..,%rax: banner */
    0x48, 0xc7, 0xc7, WORD (STRINGS + 0xc0),                    /* 28: mov $..,%rdi: __func__.3 */
    0xc3                                                        /* 2f: ret */
  ),
  .noted = { { 5, "\"some text that is there\"" }, { 0xc, "\" of these texts\"" },
             { 0x13, "\"%s\"" }, { 0x1a, "\"\\0013quoted \\\"a\\\\b\\\"\\n\"" }, { 0x21, "banner" },
             { 0x28, "\"do_it_all\"" } },
};

/* These operands get no note, because the bytes at the address are not text or cannot be read,
 * or because the operand is compared. */
static const Case no_strings = {
  CODE (
    FENTRY,                                                     /* 0 */
    0x48, 0xc7, 0xc7, WORD (STRINGS + 0x38),                    /* 5: mov $..,%rdi */
    0x48, 0xc7, 0xc7, WORD (STRINGS + 0xa0),                    /* c: mov $..,%rdi */
    0x48, 0xc7, 0xc7, WORD (STRINGS + 0xa2),                    /* 13: mov $..,%rdi */
    0x48, 0xc7, 0xc7, WORD (STRINGS + 0x300),                   /* 1a: mov $..,%rdi */
    0x48, 0x3d, WORD (STRINGS + 0x40),                          /* 21: cmp $..,%rax */
    0xc3                                                        /* 27: ret */
  ),
};

static const uint8_t member_code[] = {
  FENTRY,                               /* 0 */
  0x8b, 0x47, 0x18,                     /* 5: mov 0x18(%rdi),%eax */
  0x48, 0x89, 0xfb,                     /* 8: mov %rdi,%rbx */
  0x48, 0x8b, 0x43, 0x58,               /* b: mov 0x58(%rbx),%rax */
  0x48, 0x8b, 0x04, 0x24,               /* f: mov (%rsp),%rax */
  0xc3,                                 /* 13: ret */
};

static void
test_members (void)
{
  static const Noted noted[] = { { 5, "file.f_flags" }, { 0xb, "file.list.prev" } };

  assert_noted_as ("fixture", "", TRUE, member_code, sizeof member_code, noted,
                   G_N_ELEMENTS (noted));
}

/* If a typed pointer was loaded from a per-CPU variable, accesses through the pointer get names of
 * members. If only half of the pointer was loaded, accesses get no names. */
static const Case members_of_cpu = {
  CODE (
    FENTRY,                                                     /* 0 */
    0x65, 0x48, 0x8b, 0x04, 0x25, WORD (0x1048),                /* 5: mov %gs:0x1048,%rax */
    0x8b, 0x50, 0x18,                                           /* e: mov 0x18(%rax),%edx */
    0x65, 0x48, 0x8b, 0x0c, 0x25, WORD (0x1000),                /* 11: mov %gs:0x1000,%rcx */
    0x48, 0x8b, 0x51, 0x08,                                     /* 1a: mov 8(%rcx),%rdx */
    0x65, 0x8b, 0x0c, 0x25, WORD (0x1048),                      /* 1e: mov %gs:0x1048,%ecx */
    0x48, 0x8b, 0x51, 0x08,                                     /* 26: mov 8(%rcx),%rdx */
    0x65, 0x48, 0x8b, 0x04, 0x25, WORD (0x1040),                /* 2a: mov %gs:0x1040,%rax: of unknown type */
    0x8b, 0x50, 0x18,                                           /* 33: mov 0x18(%rax),%edx */
    0xc3                                                        /* 36: ret */
  ),
  .noted = { { 5, "current_file" }, { 0xe, "file.f_flags" }, { 0x11, "runqueue.next" },
             { 0x1a, "list_head.prev" }, { 0x1e, "current_file" }, { 0x2a, "current_task" } },
};

/* Tests that members do not get notes without types, or if the types contain no function of this
 * name, or if two functions have the name. */
static void
test_no_members (void)
{
  const char *const other = "ffffffff81300000 t fixture\n";

  assert_noted_as ("fixture", "", FALSE, member_code, sizeof member_code, NULL, 0);
  assert_noted_as ("stranger", "", TRUE, member_code, sizeof member_code, NULL, 0);
  assert_noted_as ("fixture", other, TRUE, member_code, sizeof member_code, NULL, 0);
}

/* Checks the fields of notes in the output for other programs. */
static void
test_fields (void)
{
  static const uint8_t code[] = {
    FENTRY,                                                     /* 0 */
    0x48, 0xc7, 0x47, 0x10, WORD (STRINGS + 0x40),              /* 5: movq $..,0x10(%rdi) */
    0xc3,                                                       /* d: ret */
  };
  static const char *const kinds[] = { "per-cpu", "symbol", "table", "string", "member" };
  const GilkSite sites[] = { FIXTURE_C };
  g_autoptr (GBytes) constants = g_bytes_new_static (texts, sizeof texts);
  g_autoptr (GilkBtf) btf = make_types ();
  g_autoptr (GilkOperandNotes) notes = NULL;
  g_auto (Fixture) fixture = { NULL };
  const GilkNote *note;
  guint count;

  fixture_init_named (&fixture, "fixture", FIXTURE_BASE, code, sizeof code, symbols, sites, G_N_ELEMENTS (sites));
  gilk_image_set_static_constants (fixture.image, STRINGS, constants);
  gilk_types_set_for_tests (gilk_image_types (fixture.image), NULL, btf);
  notes = gilk_operand_notes_new (fixture.cfg, fixture.decoder, NULL, NULL);
  note = gilk_operand_notes_at (notes, fixture_insn (&fixture, 5), &count);
  g_assert_cmpuint (count, ==, 2);
  g_assert_cmpint (note[0].kind, ==, GILK_NOTE_MEMBER);
  g_assert_cmpstr (note[0].text, ==, "file.id");
  g_assert_cmpint (note[1].kind, ==, GILK_NOTE_STRING);
  g_assert_cmphex (note[1].addr, ==, STRINGS + 0x40);
  g_assert_null (gilk_operand_notes_at (notes, fixture.cfg->n_insns, &count));
  g_assert_null (gilk_operand_notes_text (notes, fixture.cfg->n_insns));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_assert_cmpstr (gilk_note_kind_name (i), ==, kinds[i]);
}

/* Tests that notes are made from data that were read before the target was gone, and that a
 * cancelled request returns no notes. */
static void
test_gone (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr (GilkOperandNotes) notes = NULL;
  g_autoptr (GilkFunctions) functions = NULL;
  g_autoptr (GilkImage) image = NULL;
  g_autoptr (GilkCfg) cfg = NULL;
  g_autoptr (GError) error = NULL;
  FalseSocket s;
  GilkTarget *target = false_socket_open (&s, 2, NULL, NULL);

  image = gilk_image_open (target, NULL, NULL, &error);
  g_assert_no_error (error);
  functions = gilk_functions_new (image);
  cfg = gilk_cfg_new (functions, gilk_functions_at (functions, FALSE_TEXT), decoder, &error);
  g_assert_no_error (error);

  g_cancellable_cancel (cancellable);
  g_assert_null (gilk_operand_notes_new (cfg, decoder, cancellable, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_CANCELLED);
  g_clear_error (&error);
  false_socket_hang_up (&s);
  notes = gilk_operand_notes_new (cfg, decoder, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (notes);

  g_clear_pointer (&cfg, gilk_cfg_unref);
  g_clear_pointer (&functions, gilk_functions_unref);
  g_clear_pointer (&image, gilk_image_unref);
  gilk_target_unref (target);
  false_socket_stop (&s);
}

static void
assert_literal (const char *bytes, gsize length, gsize at, const char *expected)
{
  g_autofree char *text = gilk_literal ((const uint8_t *) bytes, length, at);

  g_assert_cmpstr (text, ==, expected);
}

#define LITERAL(bytes, at, expected) assert_literal (bytes, sizeof bytes - 1, at, expected)

static void
test_literals (void)
{
  LITERAL ("text\0", 0, "\"text\"");
  /* The text is not terminated, so it may continue. */
  LITERAL ("text", 0, NULL);
  LITERAL ("\0\0", 0, NULL);
  LITERAL ("\0013\0\0", 0, NULL);                               /* a log level without a message */
  LITERAL ("te\x80xt\0", 0, NULL);
  LITERAL ("te\001xt\0", 0, NULL);
  LITERAL ("\001" "7text\n\0", 0, "\"\\0017text\\n\"");
  LITERAL ("a\tb\\\"\r\0", 0, "\"a\\tb\\\\\\\"\\r\"");
  LITERAL ("abc\0", 0, NULL);                                   /* three letters only: the bytes may
                                                                   also be a number */
  LITERAL ("texts before it, and some more.\0abc\0texts behind\0", 32, "\"abc\"");
  LITERAL ("texts before it, and some more.\0abc\0\xff\xff\0", 32, NULL);
  LITERAL ("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0abc\0texts behind\0", 32, NULL);
  LITERAL ("\x7ftext\0", 1, NULL);
  LITERAL ("text\0", 5, NULL);
  LITERAL ("0123456789012345678901234567890123456789012345678901234567890\0", 0,
           "\"012345678901234567890123456789012345678901234567890123456789\"...");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/operand-notes/per-cpu", &per_cpu, test_noted);
  g_test_add_data_func ("/operand-notes/no-per-cpu", &no_per_cpu, test_noted);
  g_test_add_data_func ("/operand-notes/symbols", &named_symbols, test_noted);
  g_test_add_func ("/operand-notes/descriptions", test_descriptions);
  g_test_add_data_func ("/operand-notes/no-symbols", &no_symbols, test_noted);
  g_test_add_data_func ("/operand-notes/tables", &tables, test_noted);
  g_test_add_data_func ("/operand-notes/strings", &strings, test_noted);
  g_test_add_data_func ("/operand-notes/no-strings", &no_strings, test_noted);
  g_test_add_func ("/operand-notes/members", test_members);
  g_test_add_data_func ("/operand-notes/members-of-cpu", &members_of_cpu, test_noted);
  g_test_add_func ("/operand-notes/no-members", test_no_members);
  g_test_add_func ("/operand-notes/fields", test_fields);
  g_test_add_func ("/operand-notes/gone", test_gone);
  g_test_add_func ("/operand-notes/literals", test_literals);

  return g_test_run ();
}
