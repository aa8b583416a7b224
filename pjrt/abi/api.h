// What the files of pjrt/ share: the slot functions, struct_size checks, errors made from statuses.
//
// Threads: the ABI may be entered from any thread; a host's object may be used by several threads at once unless it is
// being destroyed. Ownership follows the ABI: what a call hands out the host destroys, accessors lend.
//
//   PJRT_Error *mr_pjrt_Buffer_ElementType(PJRT_Buffer_ElementType_Args *args) {
//     MR_PJRT_NEED(args, type);
//     args->type = (PJRT_Buffer_Type)args->buffer->dtype;
//     return NULL;
//   }
#ifndef MR_PJRT_ABI_API_H
#define MR_PJRT_ABI_API_H

#include "core/core.h"
#include "core/version.h"
#include "pjrt/abi.h"

#define VOID_SLOT(index, name, since) void mr_pjrt_##name(PJRT_##name##_Args *args);
#define SLOT(index, name, since) PJRT_Error *mr_pjrt_##name(PJRT_##name##_Args *args);
#include "pjrt/abi/api.def"

// ---- struct_size ------------------------------------------------------------------------------------------------------
// A host may have been built against another version of the ABI: its struct ends where its struct_size says. A slot names
// the last field it cannot do without; later fields are touched only where MR_PJRT_HAS says they are there.

#define MR_PJRT_HAS(args, field) ((args)->struct_size >= PJRT_ABI_END(__typeof__(*(args)), field))
#define MR_PJRT_NEED(args, field)                                                                         \
  do {                                                                                                    \
    if (MR_UNLIKELY(!MR_PJRT_HAS(args, field))) {                                                         \
      return mr_pjrt_error_size(__func__, (args)->struct_size, PJRT_ABI_END(__typeof__(*(args)), field)); \
    }                                                                                                     \
  } while (0)
// Refuses NULL in an input field that must be set.
#define MR_PJRT_NONNULL(args, field)                                                                            \
  do {                                                                                                          \
    if (MR_UNLIKELY((args)->field == NULL)) {                                                                   \
      return mr_pjrt_error(mr_error(MR_INVALID_ARGUMENT, "%s: " #field " is NULL", mr_pjrt_slot_of(__func__))); \
    }                                                                                                           \
  } while (0)
// The same for a list or text that may be NULL when it is empty.
#define MR_PJRT_NONNULL_IF(args, count, field) \
  do {                                         \
    if ((args)->count) {                       \
      MR_PJRT_NONNULL(args, field);            \
    }                                          \
  } while (0)
// Element `index` of a list of structs, which lie as far apart as the host's are long: that is what the first one says, if it
// says anything. Ours are `known` bytes.
static inline const void *mr_pjrt_element(const void *list, size_t known, size_t index) {
  enum { LARGEST = 4096 };  // of what is no size
  size_t said = list ? *(const size_t *)list : 0, padded = (said + 7) / 8 * 8;
  return (const char *)list + index * (padded > known && padded <= LARGEST ? padded : known);
}
#define MR_PJRT_ELEMENT(list, index) ((__typeof__(list))mr_pjrt_element(list, sizeof *(list), index))
// A slot that only answers from `object`; `last`: the last field it writes. The answers are statements.
#define MR_PJRT_GETTER(slot, object, last, ...)          \
  PJRT_Error *mr_pjrt_##slot(PJRT_##slot##_Args *args) { \
    MR_PJRT_NEED(args, last);                            \
    MR_PJRT_NONNULL(args, object);                       \
    __VA_ARGS__;                                         \
    return NULL;                                         \
  }
#define MR_PJRT_TRY(call)                        \
  do {                                           \
    mr_status mr_pjrt_status_ = (call);          \
    if (MR_UNLIKELY(mr_pjrt_status_ != MR_OK)) { \
      return mr_pjrt_error(mr_pjrt_status_);     \
    }                                            \
  } while (0)

// ---- Errors -----------------------------------------------------------------------------------------------------------

// The error a host gets for a status; NULL for MR_OK. Never fails: without memory a static error is returned.
PJRT_Error *mr_pjrt_error(mr_status take_status);
// Takes over an error that a host's callback returned (NULL: MR_OK) and destroys it through its own table.
mr_status mr_pjrt_status_of_foreign(PJRT_Error *take_error) MR_WARN_UNUSED;
// A status from the three fields by which hosts describe an error; a code of OK gives MR_OK.
mr_status mr_pjrt_status_of_code(PJRT_Error_Code code, const char *message, size_t message_size) MR_WARN_UNUSED;
// Adds named values, which must be strings, to an error as its payloads. OK stays OK.
mr_status mr_pjrt_status_with_payloads(mr_status take_status, const PJRT_NamedValue *values,
                                       size_t count) MR_WARN_UNUSED;
PJRT_Error *mr_pjrt_error_size(const char *function, size_t got, size_t wanted);
// "PJRT_Client_Create" from "mr_pjrt_Client_Create".
const char *mr_pjrt_slot_of(const char *function);

#endif
