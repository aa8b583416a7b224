#include "devices/faulty/orders.h"

#include <string.h>

// ORDER work
static const char *const operations[MR_FAULTY_OPERATIONS] = {"copy_in", "copy_out", "copy", "fill", "launch",
                                                             "call",    "allocate", "load", "any"};
static const char *const fates[] = {"", "fail", "refuse", "late", "never", "lost"};

static int find(const char *const *names, size_t count, mr_str name) {
  for (size_t i = 0; i < count; i++) {
    if (name.size && mr_str_is(name, names[i])) {
      return (int)i;
    }
  }
  return -1;
}

int mr_faulty_operation_parse(mr_str name) { return find(operations, MR_FAULTY_OPERATIONS, name); }
const char *mr_faulty_operation_name(int operation) { return operations[operation]; }

// What stands before the next `separator`, which goes.
static mr_str next_part(mr_str *text, char separator) {
  const char *end = text->size ? memchr(text->data, separator, text->size) : NULL;
  mr_str part = {text->data, end ? (size_t)(end - text->data) : text->size};
  *text = end ? (mr_str){end + 1, text->size - part.size - 1} : (mr_str){text->data + text->size, 0};
  return part;
}

static uint64_t parse_number(mr_str text) {
  uint64_t value = 0;
  for (size_t i = 0; i < text.size; i++) {
    if (text.data[i] < '0' || text.data[i] > '9' || value > UINT32_MAX) {
      return 0;
    }
    value = value * 10 + (uint64_t)(text.data[i] - '0');
  }
  return value;
}

static mr_status parse_one(mr_str text, mr_faulty_orders *orders) {
  mr_str left = text, operation = next_part(&left, ':'), number = next_part(&left, ':'), fate = left;
  size_t at = orders->count;
  if (at == MR_FAULTY_ORDERS) {
    return mr_error(MR_INVALID_ARGUMENT, "a faulty device takes %d orders at most", MR_FAULTY_ORDERS);
  }
  int which = fate.size ? find(fates, MR_ARRAY_SIZE(fates), fate) : MR_FATE_FAIL;
  orders->orders[at].operation = mr_faulty_operation_parse(operation);
  orders->orders[at].number = parse_number(number);
  orders->orders[at].fate = which < 0 ? MR_FATE_NONE : (mr_faulty_fate)which;
  if (orders->orders[at].operation < 0 || !orders->orders[at].number || which < 0) {
    return mr_error(MR_INVALID_ARGUMENT,
                    "a faulty device was given '%.*s', wanted operation:number or operation:number:fate, an operation "
                    "of work, allocate, load or any, and fail, refuse, late, never or lost",
                    MR_STR_ARG(text));
  }
  orders->count++;
  return MR_OK;
}

mr_status mr_faulty_orders_parse(mr_str list, mr_faulty_orders *out_orders) {
  memset(out_orders, 0, sizeof *out_orders);  // also the atomics: nobody knows them yet
  while (list.size) {
    MR_TRY(parse_one(next_part(&list, ','), out_orders));
  }
  return MR_OK;
}

mr_faulty_fate mr_faulty_orders_next(mr_faulty_orders *orders, int operation, uint64_t *out_number) {
  // relaxed: numbers, each given out once.
  uint64_t own = atomic_fetch_add_explicit(&orders->counts[operation], 1, memory_order_relaxed) + 1;
  uint64_t any = atomic_fetch_add_explicit(&orders->counts[MR_FAULTY_ANY], 1, memory_order_relaxed) + 1;
  *out_number = own;
  for (size_t i = 0; i < orders->count; i++) {
    int wanted = orders->orders[i].operation;
    if ((wanted == operation && orders->orders[i].number == own) ||
        (wanted == MR_FAULTY_ANY && orders->orders[i].number == any)) {
      return orders->orders[i].fate;
    }
  }
  return MR_FATE_NONE;
}
