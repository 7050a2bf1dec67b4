module bench/jit

go 1.18

require (
	bench/harness v0.0.0
	github.com/cloudwego/frugal v0.1.16
)

require (
	github.com/cloudwego/iasm v0.2.0 // indirect
	github.com/oleiade/lane v1.0.1 // indirect
	golang.org/x/arch v0.2.0 // indirect
)

replace bench/harness => ../harness
