// The Open Inference Protocol over gRPC (inference.GRPCInferenceService), and grpc.health.v1.Health.
#ifndef SV_GRPC_H
#define SV_GRPC_H

#include "serve/h2/h2.h"
#include "serve/service/service.h"

typedef struct sv_grpc sv_grpc;

sv_grpc *sv_grpc_create(sv_service *service);  // borrowed; NULL without memory
const sv_rpc_service *sv_grpc_service(sv_grpc *grpc);
void sv_grpc_release(sv_grpc *grpc);

#endif
