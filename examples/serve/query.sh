#!/bin/sh
# What a server answers, with curl alone: query.sh [HOST:PORT]. The model is the one of export_model.py.
# With BODIES=FOLDER it writes bodies there for the load tools wrk and h2load (docs/serving.md) in place of asking.
set -eu
server=${1:-127.0.0.1:8000}

# A 2 on a seven-segment display, as little-endian floats.
one='\000\000\200\077'
zero='\000\000\000\000'
two="$one$one$zero$one$one$zero$one"
head='{"inputs":[{"name":"segments","datatype":"FP32","shape":[1,7],"parameters":{"binary_data_size":28}}],"parameters":{"binary_data_output":true}}'

if [ -n "${BODIES:-}" ]; then
  mkdir -p "$BODIES"
  { printf '%s' "$head"; printf "$two"; } > "$BODIES/infer.bin"
  cat > "$BODIES/infer.lua" <<LUA
local file = assert(io.open("$BODIES/infer.bin", "rb"))
wrk.method, wrk.body = "POST", file:read("*a")
wrk.headers["Inference-Header-Content-Length"] = "${#head}"
LUA
  # gRPC: not compressed, 60 bytes; ModelInferRequest with model_name, one of inputs (name, datatype, shape) and raw_input_contents.
  { printf '\000\000\000\000\074'; printf '\012\006digits'; printf '\052\024\012\010segments\022\004FP32\032\002\001\007'; printf '\072\034'; printf "$two"; } > "$BODIES/infer.grpc"
  echo "wrote $BODIES/infer.bin, infer.lua and infer.grpc"
  exit
fi

ask() {
  echo "$ curl $*"
  curl --silent --show-error --fail-with-body "$@"
  echo
}

ask "http://$server/v2/health/ready"
ask "http://$server/v2/models/digits"
ask "http://$server/v2/models/digits/infer" -d '{"inputs": [{"name": "segments", "datatype": "FP32", "shape": [1, 7], "data": [1, 1, 0, 1, 1, 0, 1]}]}'
echo "the three likeliest, by name"
ask "http://$server/v2/models/digits/infer" -d '{"inputs": [{"name": "segments", "datatype": "FP32", "shape": [1, 7], "data": [1, 1, 0, 1, 1, 0, 1]}],
  "outputs": [{"name": "digit", "parameters": {"classification": 3}}]}'
echo "TensorFlow Serving's way"
ask "http://$server/v1/models/digits:predict" -d '{"instances": [[1, 1, 0, 1, 1, 0, 1]]}'
echo "bytes in, bytes out: the floats behind the JSON of the answer"
{ printf '%s' "$head"; printf "$two"; } | curl --silent --show-error --fail-with-body "http://$server/v2/models/digits/infer" \
  -H "Inference-Header-Content-Length: ${#head}" --data-binary @- | tail -c 40 | od -A n -t f4
ask -X POST "http://$server/v2/repository/index"
curl --silent --show-error --fail "http://$server/metrics" | grep '^nv_inference_count'
