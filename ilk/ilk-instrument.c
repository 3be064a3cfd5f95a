// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-instrument.c - registry of instrument modules
 *
 * Each hook that is bound to an instrument holds a reference to the instrument's module until
 * no thread can be inside that module any longer; until then rmmod is refused.
 */
#include <linux/ctype.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "ilk-driver.h"
#include "ilk-hook.h"
#include "ilk.h"

static LIST_HEAD(instruments);
static u32 last_id;

static bool is_valid_name(const char *name, size_t room, char dash)
{
	size_t i;

	if (!name || !islower(name[0]) || strlen(name) >= room)
		return false;
	for (i = 0; name[i]; i++)
		if (!islower(name[i]) && !isdigit(name[i]) && name[i] != dash)
			return false;
	return true;
}

static bool field_is_sane(const struct ilk_field *field, u32 sample_bytes)
{
	static const u16 size_of[] = {
		[ILK_FIELD_U64] = 8, [ILK_FIELD_S64] = 8, [ILK_FIELD_HEX64] = 8,
		[ILK_FIELD_U32] = 4, [ILK_FIELD_S32] = 4,
	};

	if (!is_valid_name(field->name, sizeof(field->name), '_') || field->type > ILK_FIELD_TEXT ||
	    !field->size || field->offset + field->size > sample_bytes ||
	    field->meaning > ILK_MEANING_ERRNO)
		return false;
	return field->type == ILK_FIELD_TEXT || field->size == size_of[field->type];
}

static bool is_sane(const struct ilk_instrument *instrument)
{
	u16 i;

	if (!is_valid_name(instrument->name, sizeof_field(struct ilk_instrument_desc, name), '-') ||
	    !instrument->help || !instrument->fn || !instrument->owner ||
	    instrument->sample_bytes > ILK_SAMPLE_MAX ||
	    instrument->field_count > ILK_FIELDS_MAX || instrument->param_count > ILK_PARAMS_MAX)
		return false;
	for (i = 0; i < instrument->field_count; i++)
		if (!field_is_sane(&instrument->fields[i], instrument->sample_bytes))
			return false;
	for (i = 0; i < instrument->param_count; i++)
		if (!is_valid_name(instrument->params[i].name,
				   sizeof(instrument->params[i].name), '_') ||
		    instrument->params[i].min > instrument->params[i].max)
			return false;
	return true;
}

static struct ilk_instrument *find_by_name(const char *name)
{
	struct ilk_instrument *instrument;

	list_for_each_entry(instrument, &instruments, node)
		if (!strcmp(instrument->name, name))
			return instrument;
	return NULL;
}

/**
 * ilk_instrument_register() - offer an instrument to clients
 * Context: Process context, from the instrument's module_init.
 * Return: 0; -EINVAL its description is malformed; -EEXIST its name is taken.
 */
int ilk_instrument_register(struct ilk_instrument *instrument)
{
	int ret = 0;

	if (!is_sane(instrument)) {
		pr_err("ilk: instrument \"%s\" is not accepted: its description breaks a rule of ilk.h\n",
		       instrument->name ?: "");
		return -EINVAL;
	}
	ilk_lock();
	if (find_by_name(instrument->name)) {
		ret = -EEXIST;
	} else {
		instrument->id = ++last_id;
		instrument->users = 0;
		list_add_tail(&instrument->node, &instruments);
	}
	ilk_unlock();
	return ret;
}
EXPORT_SYMBOL_GPL(ilk_instrument_register);

/**
 * ilk_instrument_unregister() - withdraw an instrument and wait for users
 *
 * Only a forced unload finds users; their hooks are disarmed.
 * Context: Process context, from the instrument's module_exit.
 */
void ilk_instrument_unregister(struct ilk_instrument *instrument)
{
	u32 users;

	ilk_lock();
	list_del(&instrument->node);
	users = instrument->users;
	ilk_unlock();
	if (users)
		ilk_instrument_evict(instrument);
}
EXPORT_SYMBOL_GPL(ilk_instrument_unregister);

/*
 * Takes a reference for a hook; returns NULL if no instrument has this id. Must
 * be called with ilk_mutex held.
 */
struct ilk_instrument *ilk_instrument_get(u32 id)
{
	struct ilk_instrument *instrument;

	lockdep_assert_held(&ilk_mutex);
	list_for_each_entry(instrument, &instruments, node) {
		if (instrument->id != id)
			continue;
		if (!try_module_get(instrument->owner))
			return NULL;
		instrument->users++;
		return instrument;
	}
	return NULL;
}

void ilk_instrument_put(struct ilk_instrument *instrument)
{
	lockdep_assert_held(&ilk_mutex);
	instrument->users--;
	module_put(instrument->owner);
}

static void fill_desc(const struct ilk_instrument *instrument, struct ilk_instrument_desc *desc)
{
	static const u8 endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	memset(desc, 0, sizeof(*desc));
	desc->id = instrument->id;
	desc->version = instrument->version;
	desc->flags = instrument->flags;
	desc->sample_bytes = instrument->sample_bytes;
	desc->fn = (unsigned long)instrument->fn;
	/* A patch calls the function directly: skip the ENDBR. */
	if (!memcmp((const void *)instrument->fn, endbr, sizeof(endbr)))
		desc->fn += sizeof(endbr);
	desc->users = instrument->users;
	desc->field_count = instrument->field_count;
	desc->param_count = instrument->param_count;
	strscpy(desc->name, instrument->name, sizeof(desc->name));
	strscpy(desc->help, instrument->help, sizeof(desc->help));
	memcpy(desc->fields, instrument->fields,
	       instrument->field_count * sizeof(*desc->fields));
	memcpy(desc->params, instrument->params,
	       instrument->param_count * sizeof(*desc->params));
}

/* Describes up to @capacity instruments. Returns the number of all instruments. */
u32 ilk_instruments_list(struct ilk_instrument_desc *descs, u32 capacity)
{
	struct ilk_instrument *instrument;
	u32 n = 0;

	ilk_lock();
	list_for_each_entry(instrument, &instruments, node) {
		if (n < capacity)
			fill_desc(instrument, &descs[n]);
		n++;
	}
	ilk_unlock();
	return n;
}
