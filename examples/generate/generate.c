/* examples/generate/generate.c - structs and tables from an IDL, by `frugal gen` while building.
 *
 * shop.h and money.h are written from shop.thrift and money.thrift: plain structs, used as if they
 * had been written by hand. This program plays both sides of a call: it encodes the arguments of
 * Shop.place, finds the method by its name, decodes them and prints what came. */
#include <stdio.h>

#include <frugal/frugal.h>

#include "shop.h"

static struct shop_shop_place_args two_things(struct shop_item items[2])
{
    items[0] = (struct shop_item){
        .name  = FRUGAL_STR("kettle"),
        .price = { .cents = 2995, .currency = MONEY_CURRENCY_EUR },
        .count = 1,
    };
    items[1] = (struct shop_item){
        .name   = FRUGAL_STR("cup"),
        .price  = { .cents = 450, .currency = MONEY_CURRENCY_GBP },
        .count  = 6,
        .class_ = FRUGAL_STR("china"),
    };
    return (struct shop_shop_place_args){ .order = { .id = 7, .items = { items, 2 } } };
}

/* What a server does with the bytes of a call. */
static frugal_status serve(frugal_bytes call, frugal_arena *arena, frugal_buf *text,
                           frugal_error *error)
{
    struct shop_shop_place_args args;
    const frugal_method        *method =
        frugal_service_method(&frugal_service_shop_shop, FRUGAL_STR("place"));
    if (!method || method->args != FRUGAL_TYPE(shop_shop_place_args))
        return FRUGAL_NOTFOUND;
    frugal_status status =
        frugal_decode(FRUGAL_REF(shop_shop_place_args, &args), call, arena, NULL, NULL, error);
    if (status != FRUGAL_OK)
        return status;
    for (size_t i = 0; i < args.order.items.len; i++)
        if (args.order.items.ptr[i].count > SHOP_COUNT_MAX)
            return FRUGAL_SIZE;
    return frugal_print(FRUGAL_VIEW(shop_order, &args.order), NULL, text, error);
}

int main(void)
{
    struct shop_item            items[2];
    struct shop_shop_place_args args  = two_things(items);
    frugal_error                error = { 0 };
    frugal_buf                  wire, text;
    frugal_buf_init(&wire, NULL, 0, NULL);
    frugal_buf_init(&text, NULL, 0, NULL);
    frugal_arena *arena  = frugal_arena_new(NULL);
    frugal_status status = arena ? shop_shop_pretouch(NULL, &error) : FRUGAL_NOMEM;
    if (status == FRUGAL_OK)
        status = frugal_encode(FRUGAL_VIEW(shop_shop_place_args, &args), NULL, &wire, &error);
    if (status == FRUGAL_OK)
        status = serve(frugal_buf_bytes(&wire), arena, &text, &error);
    if (status == FRUGAL_OK)
        printf("%zu bytes\n%.*s\n", wire.size, (int)text.size, (const char *)text.data);
    else
        fprintf(stderr, "%s: %s: %s\n", frugal_status_name(status), error.path, error.message);
    frugal_buf_release(&text);
    frugal_buf_release(&wire);
    frugal_arena_free(arena);
    return status != FRUGAL_OK;
}
