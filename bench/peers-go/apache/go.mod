module bench/apache

go 1.19

require (
	bench/harness v0.0.0
	github.com/apache/thrift v0.17.0
)

replace bench/harness => ../harness
