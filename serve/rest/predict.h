// Inside rest/: the answer to :predict, in rows or columns as the request was. predict_write.c
#ifndef SV_REST_PREDICT_H
#define SV_REST_PREDICT_H

#include "serve/rest/infer.h"

sv_error *sv_predict_write(sv_infer *infer, sv_answer *out);

#endif
