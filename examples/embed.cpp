// The same from C++: what the library gives belongs to a unique_ptr, and an error becomes an exception.
//
//   c++ -std=c++17 examples/embed.cpp $(pkg-config --cflags --libs millrace) -o embed_cpp
//   ./embed_cpp model.mlirbc      the model's first input is filled with ones, open sizes are 2
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

#include <millrace/millrace.h>

template <auto release> struct releaser {
  template <class T> void operator()(T *object) const { release(object); }
};
template <class T, auto release> using owned = std::unique_ptr<T, releaser<release>>;
using context = owned<millrace_context, millrace_context_release>;
using model = owned<millrace_model, millrace_model_release>;
using buffer = owned<millrace_buffer, millrace_buffer_release>;
using error = owned<millrace_error, millrace_error_free>;

static void check(millrace_error *raw) {
  if (error e{raw}) throw std::runtime_error(millrace_error_message(e.get()));
}

// make<model>(millrace_model_open, context, path, nullptr): the last parameter is the result.
template <class T, class F, class... A> T make(F function, A... arguments) {
  typename T::pointer made = nullptr;
  check(function(arguments..., &made));
  return T(made);
}

int main(int argc, char **argv) try {
  auto here = make<context>(millrace_context_create, nullptr);
  auto net = make<model>(millrace_model_open, here.get(), argc > 1 ? argv[1] : "model.mlirbc", nullptr);
  std::vector<int64_t> dims;
  size_t count = 1;
  const millrace_type type = millrace_model_input(net.get(), 0).type;
  for (size_t d = 0; d < type.rank; d++) count *= dims.emplace_back(type.dims[d] < 0 ? 2 : type.dims[d]);
  std::vector<float> ones(count, 1);
  const millrace_array x{ones.data(), type.dtype, dims.data(), type.rank, nullptr};
  std::vector<millrace_buffer *> raw(millrace_model_output_count(net.get()));
  check(millrace_model_run(net.get(), &x, 1, nullptr, raw.data(), raw.size()));
  std::vector<buffer> results(raw.begin(), raw.end());
  std::vector<float> y(millrace_buffer_type(raw[0]).bytes / sizeof(float));
  check(millrace_buffer_read(raw[0], y.data(), y.size() * sizeof(float)));
  std::printf("%s: %zu numbers, the first is %g\n", millrace_model_output(net.get(), 0).name, y.size(), y.empty() ? 0 : y[0]);
} catch (const std::exception &e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
