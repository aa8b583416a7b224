-- For wrk: BODY_FILE is posted with the headers of HEADERS ("Name: value" lines), or a GET without BODY_FILE; one line of JSON at the end.
local path = os.getenv("BODY_FILE")
if path then
  wrk.method = "POST"
  wrk.body = io.open(path, "rb"):read("*a")
end
for name, value in (os.getenv("HEADERS") or ""):gmatch("([^:\n]+): ([^\n]*)") do wrk.headers[name] = value end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"seconds":%f,"p50_us":%d,"p99_us":%d,"errors":%d}\n', summary.requests, summary.duration / 1e6,
    latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
