#include "core/stop.h"

const mr_stop_word mr_stop_nobody;
mr_stop_token mr_stop_no_token = {.run = &mr_stop_nobody, .all = &mr_stop_nobody};

mr_status mr_stop_reason(const mr_stop_word *word) {
  // acquire: the status was made by another thread.
  uintptr_t reason = atomic_load_explicit(word, memory_order_acquire);
  return reason > MR_STOP_NEVER ? mr_status_retain((mr_status)reason) : MR_OK;
}

mr_status mr_stop_token_reason(const mr_stop_token *token) {
  mr_status reason = mr_stop_reason(token->run);
  return reason ? reason : mr_stop_reason(token->all);
}
