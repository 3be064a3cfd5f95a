/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-operand-notes.c - finds names for the operands of a function's instructions
 *
 * A kernel address gets a symbol's name if the symbol starts at the address or certainly covers it.
 * Most variables extend to the next symbol, but unnamed data may follow constants. Any other
 * address may be that of a string. Strings are all read together, at the end.
 */
#include "core/dataflow/gilk-operand-notes.h"

#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/dataflow/gilk-liveness.h"
#include "core/dataflow/gilk-operand.h"
#include "core/image/gilk-type-scope.h"

#define KERNEL_FIRST 0xffffffff80000000u
#define KERNEL_END   0xffffffffff000000u

#define OPCODE_LEA   0x8d

struct _GilkOperandNotes {
  guint    n;                  /* number of instructions */
  GArray **notes;              /* notes of each instruction (element-type GilkNote); NULL: none */
  char   **texts;
};

/* An operand that may be the address of a string. */
typedef struct {
  guint    index;
  guint    place;              /* index of the operand's note among the notes of its instruction */
  uint64_t addr;
} Candidate;

typedef struct {
  const GilkCfg    *cfg;
  GilkImage        *image;
  GilkSymbols      *symbols;
  GilkBtf          *btf;               /* (nullable) */
  GilkMemberNames  *members;           /* (nullable) */
  GilkPerCpu        per_cpu;
  gboolean          describes;         /* the kernel is built with UBSAN, which puts unnamed
                                        * descriptors after variables */
  uint64_t          bss_start, bss_end;
  GilkOperandNotes *notes;
  GArray           *candidates;        /* Candidate */
} Maker;

GILK_DEFINE_CLEAR (note_clear, GilkNote, self, g_free (self->text))

/* Adds a note to instruction @index. @text: (transfer full) (nullable): text of the note; NULL if
 * it is added later, or never */
static void
add_note (Maker *maker, guint index, GilkNoteKind kind, uint64_t addr, char *text)
{
  GArray **notes = &maker->notes->notes[index];
  const GilkNote note = { kind, text, addr };

  if (*notes == NULL)
    {
      *notes = gilk_array_new (sizeof (GilkNote), note_clear);
    }
  g_array_append_val (*notes, note);
}

static char *
format_offset (const char *name, uint64_t offset)
{
  return offset == 0 ? g_strdup (name) : g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", name, offset);
}

/* ---- notes on per-CPU variables ---- */

/*
 * Returns a name such as "runqueues.curr". If BTF lacks the variable's type, the offset is
 * shown. Returns NULL if the offset is beyond the variable.
 */
static char *
format_per_cpu (const Maker *maker, const GilkSymbol *symbol, uint64_t offset, uint32_t size)
{
  g_autofree char *path = NULL;
  GilkType type;
  guint id;

  if (maker->btf == NULL || !gilk_btf_variable (maker->btf, symbol->name, &id) ||
      !gilk_btf_type (maker->btf, id, &type) || type.size == 0)
    return format_offset (symbol->name, offset);
  if (offset >= type.size)
    return NULL;
  if (type.kind == GILK_TYPE_STRUCT)
    path = gilk_btf_path_at (maker->btf, id, (uint32_t) offset, size);

  return path != NULL ? g_strconcat (symbol->name, ".", path, NULL) : format_offset (symbol->name, offset);
}

static void
note_per_cpu (Maker *maker, guint index, const GilkOperand *operand)
{
  const GilkSymbol *symbol = gilk_per_cpu_at (&maker->per_cpu, operand);
  char *text = symbol != NULL ? format_per_cpu (maker, symbol, operand->address - symbol->addr, operand->size) : NULL;

  if (text != NULL)
    add_note (maker, index, GILK_NOTE_PER_CPU, operand->address, text);
}

/* ---- notes on data, functions and strings ---- */

static gboolean
is_kernel_address (uint64_t addr)
{
  return addr >= KERNEL_FIRST && addr < KERNEL_END;
}

/* Adds a note that shows @text. If a string is found at @addr later, the string replaces @text. */
static void
note_text (Maker *maker, guint index, uint64_t addr, char *text)
{
  Candidate candidate = { index, 0, addr };

  add_note (maker, index, text != NULL ? GILK_NOTE_SYMBOL : GILK_NOTE_STRING, addr, text);
  candidate.place = maker->notes->notes[index]->len - 1;
  g_array_append_val (maker->candidates, candidate);
}

/* Returns whether the symbol is C's __func__, whose string is more useful than its name. */
static gboolean
is_function_name (const GilkSymbol *symbol)
{
  return g_str_has_prefix (symbol->name, "__func__.") || g_str_has_prefix (symbol->name, "__PRETTY_FUNCTION__.");
}

/*
 * Returns whether the symbol is a variable or constant. Symbol types do not show this: in some
 * kernels, data are linked in the middle of the text.
 */
static gboolean
is_data (const Maker *maker, const GilkSymbol *symbol)
{
  return strchr ("AaN", symbol->type) == NULL && gilk_image_area (maker->image, symbol->addr) == NULL;
}

/* Returns whether @addr certainly belongs to the variable, and not to unnamed data after it.
 * Unnamed data follow constants and, in kernels built with UBSAN, variables, too: UBSAN's
 * descriptors. Instructions never load from descriptors, but pass their addresses to functions. */
static gboolean
is_surely_in (const Maker *maker, const GilkSymbol *symbol, uint64_t addr, gboolean taken)
{
  if (gilk_image_is_constant (maker->image, addr) || strchr ("rR", symbol->type) != NULL)
    return FALSE;

  return !taken || !maker->describes || addr - maker->bss_start < maker->bss_end - maker->bss_start;
}

/* Returns the symbol that starts at @addr or, unless @exact is set, the symbol that certainly
 * covers it; NULL if there is none. */
static const GilkSymbol *
find_symbol (const Maker *maker, uint64_t addr, gboolean taken, gboolean exact)
{
  const GilkSymbol *symbol;

  if (gilk_image_area (maker->image, addr) != NULL)
    {
      symbol = gilk_symbols_at (maker->symbols, addr);
      return symbol != NULL && (addr == symbol->addr || !exact) ? symbol : NULL;
    }
  symbol = gilk_symbols_covering (maker->symbols, addr);
  if (symbol == NULL || !is_data (maker, symbol))
    return NULL;

  return addr == symbol->addr || (!exact && is_surely_in (maker, symbol, addr, taken)) ? symbol : NULL;
}

/*
 * Adds a note for the kernel address @addr. @taken: whether the instruction uses the address
 * itself, not the data at this address. @exact: name the address only if a symbol starts there
 */
static void
note_address (Maker *maker, guint index, uint64_t addr, gboolean taken, gboolean exact)
{
  const gboolean text = taken && gilk_image_is_constant (maker->image, addr);
  const GilkSymbol *symbol = is_kernel_address (addr) ? find_symbol (maker, addr, taken, exact) : NULL;

  if (symbol != NULL && text && is_function_name (symbol))
    note_text (maker, index, addr, g_strdup (symbol->name));
  else if (symbol != NULL)
    add_note (maker, index, GILK_NOTE_SYMBOL, addr, format_offset (symbol->name, addr - symbol->addr));
  else if (text)
    note_text (maker, index, addr, NULL);
}

/* Adds a note for the address in an operand to which registers are added, if it is the start of a
 * table with several entries. Any other address in a table is ambiguous: it may be the address of
 * the next table, minus an entry or two. */
static void
note_table (Maker *maker, guint index, const GilkOperand *operand)
{
  const GilkSymbol *symbol = gilk_symbols_covering (maker->symbols, operand->address);

  if (symbol != NULL && symbol->addr == operand->address && is_data (maker, symbol) &&
      symbol->size > MAX (operand->scale, operand->size))
    add_note (maker, index, GILK_NOTE_TABLE, operand->address, g_strconcat (symbol->name, "[]", NULL));
}

/* ---- notes on the operands of an instruction ---- */

static void
note_memory (Maker *maker, guint index, const GilkOperand *operand, gboolean taken)
{
  const gboolean fixed = operand->base == GILK_NO_REGISTER && operand->index == GILK_NO_REGISTER;
  const char *member;

  if (operand->gs)
    note_per_cpu (maker, index, operand);
  else if (operand->fs)
    return;
  else if (fixed)
    note_address (maker, index, operand->address, taken, FALSE);
  else if (is_kernel_address (operand->address))
    note_table (maker, index, operand);
  else if (maker->members != NULL && (member = gilk_member_names_at (maker->members, index)) != NULL)
    add_note (maker, index, GILK_NOTE_MEMBER, 0, g_strdup (member));
}

/*
 * Returns whether the immediate may be an address: mov and push use it unchanged; add, sub and cmp
 * calculate with it. Sets *@exact if the instruction calculates with it. Immediates of other
 * instructions are numbers.
 */
static gboolean
has_address (const GilkOpcode *op, gboolean *exact)
{
  const guint kind = GILK_MODRM_REG (op);

  if (op->map != GILK_MAP_1 || op->prefixes & (GILK_PREFIX_VEX | GILK_PREFIX_66))
    return FALSE;
  *exact = FALSE;
  if (op->opcode == 0x68)                                       /* push */
    return TRUE;
  if (!(op->rex & GILK_REX_W))
    return FALSE;
  if ((op->opcode == 0xc7 && kind == 0) || (op->opcode & 0xf8) == 0xb8)
    return TRUE;
  *exact = TRUE;

  return (op->opcode == 0x81 && (kind == 0 || kind == 5 || kind == 7)) ||
         op->opcode == 0x05 || op->opcode == 0x2d || op->opcode == 0x3d;
}

static void
note_immediate (Maker *maker, guint index, const uint8_t *bytes, const GilkOpcode *op)
{
  gboolean exact;

  if (op->imm_offset < 0 || op->imm_size < 4 || !has_address (op, &exact))
    return;
  note_address (maker, index, (uint64_t) gilk_opcode_value (bytes, op->imm_offset, op->imm_size), !exact, exact);
}

static void
note_insn (Maker *maker, guint index)
{
  const GilkInsn *insn = &maker->cfg->insns[index];
  const uint8_t *bytes = gilk_cfg_bytes (maker->cfg, insn);
  GilkOperand operand;
  GilkOpcode op;

  if (insn->flags & (GILK_INSN_NOP | GILK_INSN_ENDBR) || insn->target != 0 ||
      !gilk_opcode_parse (bytes, insn->len, &op))
    return;
  if (gilk_operand_memory (insn, bytes, &op, &operand))
    note_memory (maker, index, &operand, op.map == GILK_MAP_1 && op.opcode == OPCODE_LEA);
  note_immediate (maker, index, bytes, &op);
}

/* ---- reads strings ---- */

/*
 * Returns FALSE if @why is a cancellation, and copies it to @error. Other errors are ignored,
 * because the target may have disconnected.
 */
static gboolean
check_not_cancelled (const GError *why, GError **error)
{
  if (!g_error_matches (why, GILK_ERROR, GILK_ERROR_CANCELLED))
    return TRUE;
  if (error != NULL)
    *error = g_error_copy (why);

  return FALSE;
}

static gboolean
read_texts (Maker *maker, GCancellable *cancellable, GError **error)
{
  const guint n = maker->candidates->len;
  g_autofree uint64_t *addrs = g_new0 (uint64_t, n + 1);
  g_autofree GBytes **bytes = g_new0 (GBytes *, n + 1);
  g_autoptr (GError) local = NULL;

  for (guint i = 0; i < n; i++)
    {
      addrs[i] = g_array_index (maker->candidates, Candidate, i).addr;
      if (gilk_image_is_constant (maker->image, addrs[i] - GILK_LITERAL_BEFORE))
        addrs[i] -= GILK_LITERAL_BEFORE;
    }
  if (!gilk_image_constants (maker->image, addrs, n, GILK_LITERAL_MAX, bytes, cancellable, &local))
    return check_not_cancelled (local, error);

  for (guint i = 0; i < n; i++)
    {
      const Candidate *candidate = &g_array_index (maker->candidates, Candidate, i);
      GilkNote *note = &g_array_index (maker->notes->notes[candidate->index], GilkNote, candidate->place);
      gsize length;
      const uint8_t *data = g_bytes_get_data (bytes[i], &length);
      char *text;

      text = length > 0 ? gilk_literal (data, length, candidate->addr - addrs[i]) : NULL;
      if (text != NULL)
        {
          g_free (note->text);
          note->text = text;
          note->kind = GILK_NOTE_STRING;
        }
      g_bytes_unref (bytes[i]);
    }

  return TRUE;
}

/* Joins the notes of an instruction, after removing those without a text. */
static void
join_texts (GilkOperandNotes *notes, guint index)
{
  GArray *own = notes->notes[index];
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = own->len; i-- > 0;)
    if (g_array_index (own, GilkNote, i).text == NULL)
      g_array_remove_index (own, i);
  for (guint i = 0; i < own->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", g_array_index (own, GilkNote, i).text);
  if (own->len > 0)
    notes->texts[index] = g_string_free (g_steal_pointer (&text), FALSE);
}

/* ---- makes the notes of a function ---- */

/*
 * Finds the function's prototype, unless several functions have its name: BTF does not show which
 * of these functions a prototype describes.
 */
static gboolean
find_prototype (const Maker *maker, GilkPrototype *prototype)
{
  const GilkFunction *function = maker->cfg->function;
  const char *module = gilk_symbols_module (maker->symbols, function->module);
  g_autofree char *name = g_strdup_printf ("%s [%s]", function->name, module);
  gboolean more = TRUE;

  return gilk_symbols_by_name (maker->symbols, name, &more) != NULL && !more &&
         gilk_btf_function (maker->btf, function->name, prototype);
}

static gboolean
find_members (Maker *maker, GilkDecoder *decoder, GCancellable *cancellable, GError **error)
{
  const GilkFunction *function = maker->cfg->function;
  const GilkTypeScope scope = { .module = function->module, .place.code = function->hot.start };
  g_autoptr (GError) local = NULL;
  GilkPrototype prototype;
  gboolean known;

  maker->btf = gilk_scope_types (maker->image, &scope, cancellable, &local);
  if (maker->btf == NULL)
    return check_not_cancelled (local, error);
  known = find_prototype (maker, &prototype);
  maker->members = gilk_member_names_new (maker->cfg, decoder, maker->btf, known ? &prototype : NULL);

  return TRUE;
}

static void
find_places (Maker *maker)
{
  static const char *const handlers[] = {
    "__ubsan_handle_out_of_bounds", "__ubsan_handle_shift_out_of_bounds", "__ubsan_handle_load_invalid_value",
    "__ubsan_handle_type_mismatch_v1", "__ubsan_handle_add_overflow",
  };

  gilk_per_cpu_init (&maker->per_cpu, maker->symbols, maker->cfg->function->module);
  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    maker->describes = maker->describes || gilk_symbols_by_name (maker->symbols, handlers[i], NULL) != NULL;
  maker->bss_start = gilk_symbols_address (maker->symbols, "__bss_start");
  maker->bss_end = MAX (gilk_symbols_address (maker->symbols, "__bss_stop"), maker->bss_start);
}

static gboolean
make_notes (Maker *maker, GilkDecoder *decoder, GCancellable *cancellable, GError **error)
{
  if (!find_members (maker, decoder, cancellable, error))
    return FALSE;
  find_places (maker);
  for (guint i = 0; i < maker->notes->n; i++)
    note_insn (maker, i);
  if (maker->candidates->len > 0 && !read_texts (maker, cancellable, error))
    return FALSE;
  for (guint i = 0; i < maker->notes->n; i++)
    if (maker->notes->notes[i] != NULL)
      join_texts (maker->notes, i);

  return TRUE;
}

GilkOperandNotes *
gilk_operand_notes_new (const GilkCfg *cfg,
                        GilkDecoder   *decoder,
                        GCancellable  *cancellable,
                        GError       **error)
{
  g_autoptr (GilkOperandNotes) notes = g_new0 (GilkOperandNotes, 1);
  Maker maker = { .cfg = cfg, .image = cfg->image, .notes = notes };
  gboolean made;

  notes->n = cfg->insns != NULL ? cfg->n_insns : 0;
  notes->notes = g_new0 (GArray *, notes->n + 1);
  notes->texts = g_new0 (char *, notes->n + 1);
  if (notes->n == 0)
    return g_steal_pointer (&notes);

  maker.symbols = gilk_image_symbols (cfg->image);
  maker.candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  made = make_notes (&maker, decoder, cancellable, error);
  g_array_unref (maker.candidates);
  gilk_member_names_free (maker.members);
  g_clear_pointer (&maker.btf, gilk_btf_unref);

  return made ? g_steal_pointer (&notes) : NULL;
}

void
gilk_operand_notes_free (GilkOperandNotes *notes)
{
  if (notes == NULL)
    return;
  for (guint i = 0; i < notes->n; i++)
    {
      g_clear_pointer (&notes->notes[i], g_array_unref);
      g_free (notes->texts[i]);
    }
  gilk_free_all (notes->notes, notes->texts, notes);
}

const GilkNote *
gilk_operand_notes_at (const GilkOperandNotes *notes,
                       guint                   index,
                       guint                  *count)
{
  const GArray *own = index < notes->n ? notes->notes[index] : NULL;

  *count = own != NULL ? own->len : 0;
  return *count > 0 ? (const GilkNote *) (gpointer) own->data : NULL;
}

const char *
gilk_operand_notes_text (const GilkOperandNotes *notes,
                         guint                   index)
{
  return index < notes->n ? notes->texts[index] : NULL;
}

const char *
gilk_note_kind_name (GilkNoteKind kind)
{
  static const char *const names[] = {
    [GILK_NOTE_PER_CPU] = "per-cpu", [GILK_NOTE_SYMBOL] = "symbol", [GILK_NOTE_TABLE] = "table",
    [GILK_NOTE_STRING] = "string", [GILK_NOTE_MEMBER] = "member",
  };

  return (guint) kind < G_N_ELEMENTS (names) ? names[kind] : "";
}
