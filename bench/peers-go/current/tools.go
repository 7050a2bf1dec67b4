//go:build tools

package main

// The generator is pinned with the rest.
import _ "github.com/cloudwego/thriftgo"
