// What /metrics says of models and the server: Triton's names with what the statistics have, all samples in their families.
#include "tests/serve/fake_rest.h"

static sv_service service(void) {
  sv_service made = {.name = "millrace", .version = "0"};
  atomic_init(&made.connections, 3);
  atomic_init(&made.http_requests, 11);
  atomic_init(&made.grpc_calls, 12);
  atomic_init(&made.bytes_in_flight, 1ull << 40);
  made.begin_ns = sv_now_ns();
  return made;
}

// A strict reader of the format: every sample belongs to the family that was begun last, which no family has been before; labels are quoted; the number
// is one.
static void check_format(char *text) {
  char family[100] = "", seen[8192] = "";
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    char name[100], rest[400], type[20];
    if (sscanf(line, "# HELP %99s %399[^\n]", name, rest) == 2) {
      char marked[110];
      snprintf(marked, sizeof marked, " %s ", name);
      assert_null(strstr(seen, marked));
      strcat(seen, marked);
      strcpy(family, name);
      continue;
    }
    if (sscanf(line, "# TYPE %99s %19s", name, type) == 2) {
      assert_string_equal(name, family);
      assert_true(strcmp(type, "counter") == 0 || strcmp(type, "gauge") == 0 || strcmp(type, "histogram") == 0);
      continue;
    }
    assert_memory_equal(line, family, strlen(family));
    char *at = line + strlen(family);
    at += strspn(at, "_bucketsmno");  // _bucket, _sum, _count
    if (*at == '{') {
      do {
        at++;
        at += strcspn(at, "=");
        assert_memory_equal(at, "=\"", 2);
        for (at += 2; *at != '"'; at++) {
          assert_true(*at != 0);
          at += *at == '\\';
        }
        at++;
      } while (*at == ',');
      assert_int_equal(*at++, '}');
    }
    assert_int_equal(*at++, ' ');
    char *end;
    strtod(at, &end);
    assert_true(end != at && *end == 0);
  }
}

#define HAS(text, line) assert_non_null(strstr(text, "\n" line "\n"))

static void fill_statistics(void) {
  sv_statistics *statistics = &fake_mlp_1.statistics;
  *statistics = (sv_statistics){.inference_count = 40,
                                .execution_count = 10,
                                .success = {20, 5000000},
                                .queue = {20, 1000999},
                                .compute_input = {20, 2000},
                                .compute_infer = {20, 3000000},
                                .compute_output = {20, 4000},
                                .rejected = 1,
                                .cancelled = 2,
                                .failed_execution = 3,
                                .failed_otherwise = 4,
                                .pending = 5,
                                .running = 1};
  statistics->latency.counts[0] = 7;
  statistics->latency.counts[2] = 8;
  statistics->latency.counts[SV_HISTOGRAM_BUCKETS - 1] = 5;
  statistics->latency.sum_ns = 2500000000;
  statistics->num_batches = 3;
  statistics->batches[0] = (sv_batch_stats){.rows = 1, .compute_infer = {4, 0}};
  statistics->batches[1] = (sv_batch_stats){.rows = 3, .compute_infer = {5, 0}};
  statistics->batches[2] = (sv_batch_stats){.rows = 2000, .compute_infer = {1, 0}};
}

static void test_models(void **state) {
  (void)state;
  fake_models();
  fill_statistics();
  sv_service made = service();
  sv_text out = {0};
  sv_service_metrics(&made, &out);
  sv_text_putc(&out, 0);
  assert_false(out.failed);
  const char *text = out.data;
#define MLP "{model=\"mlp\",version=\"1\"}"
  HAS(text, "nv_inference_request_success" MLP " 20");
  HAS(text, "nv_inference_count" MLP " 40");
  HAS(text, "nv_inference_exec_count" MLP " 10");
  HAS(text, "nv_inference_request_duration_us" MLP " 5000");
  HAS(text, "nv_inference_queue_duration_us" MLP " 1000");
  HAS(text, "nv_inference_compute_input_duration_us" MLP " 2");
  HAS(text, "nv_inference_compute_infer_duration_us" MLP " 3000");
  HAS(text, "nv_inference_compute_output_duration_us" MLP " 4");
  HAS(text, "nv_inference_pending_request_count" MLP " 5");
  HAS(text, "nv_inference_request_failure{model=\"mlp\",version=\"1\",reason=\"REJECTED\"} 1");
  HAS(text, "nv_inference_request_failure{model=\"mlp\",version=\"1\",reason=\"CANCELED\"} 2");
  HAS(text, "nv_inference_request_failure{model=\"mlp\",version=\"1\",reason=\"BACKEND\"} 3");
  HAS(text, "nv_inference_request_failure{model=\"mlp\",version=\"1\",reason=\"OTHER\"} 4");
  HAS(text, "nv_inference_request_failure{model=\"mlp\",version=\"2\",reason=\"OTHER\"} 0");
  HAS(text, "nv_inference_count{model=\"chain\",version=\"1\"} 0");
  HAS(text, "millrace_request_seconds_bucket{model=\"mlp\",version=\"1\",le=\"5e-5\"} 7");
  HAS(text, "millrace_request_seconds_bucket{model=\"mlp\",version=\"1\",le=\"0.0001\"} 7");
  HAS(text, "millrace_request_seconds_bucket{model=\"mlp\",version=\"1\",le=\"0.0002\"} 15");
  HAS(text, "millrace_request_seconds_bucket{model=\"mlp\",version=\"1\",le=\"+Inf\"} 20");
  HAS(text, "millrace_request_seconds_sum" MLP " 2.5");
  HAS(text, "millrace_request_seconds_count" MLP " 20");
  HAS(text, "millrace_batch_rows_bucket{model=\"mlp\",version=\"1\",le=\"2\"} 4");
  HAS(text, "millrace_batch_rows_bucket{model=\"mlp\",version=\"1\",le=\"4\"} 9");
  HAS(text, "millrace_batch_rows_bucket{model=\"mlp\",version=\"1\",le=\"1024\"} 9");
  HAS(text, "millrace_batch_rows_bucket{model=\"mlp\",version=\"1\",le=\"+Inf\"} 10");
  HAS(text, "millrace_batch_rows_sum" MLP " 2019");
  HAS(text, "millrace_model_memory_bytes{model=\"mlp\",version=\"2\"} 2000");
  HAS(text, "millrace_requests_total{protocol=\"http\"} 11");
  HAS(text, "millrace_requests_total{protocol=\"grpc\"} 12");
  HAS(text, "millrace_connections 3");
  HAS(text, "millrace_bytes_in_flight 1099511627776");
  HAS(text, "millrace_ready 1");
  assert_int_equal(fake_mlp_1.references, 0);
  check_format(out.data);
  sv_text_free(&out);
}

// The process' own figures are there and are not nothing; without models the families are there without samples.
static void test_process(void **state) {
  (void)state;
  fake_models();
  fake_repository.num_versions = 0;
  sv_service made = service();
  atomic_store(&made.draining, true);
  sv_text out = {0};
  sv_service_metrics(&made, &out);
  sv_text_putc(&out, 0);
  char *at = strstr(out.data, "\nmillrace_process_resident_bytes ");
  assert_true(at && strtod(at + 33, NULL) > 100000);
  at = strstr(out.data, "\nmillrace_process_open_descriptors ");
  assert_true(at && strtod(at + 35, NULL) >= 1);
  HAS(out.data, "millrace_ready 0");
  assert_null(strstr(out.data, "model="));
  check_format(out.data);
  sv_text_free(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_models), cmocka_unit_test(test_process)};
  return check_run(tests);
}
