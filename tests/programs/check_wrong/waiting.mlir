func.func private @work(%t: !stablehlo.token) -> tensor<2xi32> {
  %x, %n = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  return %x : tensor<2xi32>
}
func.func public @main() {
  %t = stablehlo.after_all : !stablehlo.token
  %r = "interpreter.run_parallel"(%t) {programs = [[@work]]} : (!stablehlo.token) -> tensor<2xi32>
  func.return
}
