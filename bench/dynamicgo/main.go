// bench/dynamicgo - the peer of json_bench: dynamicgo's converters between Thrift Binary and JSON,
// driven by IDL, with its native code. It measures what json_bench exported, and prints one line a
// benchmark: name, nanoseconds, bytes of JSON.
//
//	dynamicgo [-seconds S] IDL DIR NAME=STRUCT...
//
// DIR has NAME.bin and NAME.json. Before anything is measured, NAME.json must become NAME.bin, and
// NAME.bin the text that does as well.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/cloudwego/dynamicgo/conv"
	"github.com/cloudwego/dynamicgo/conv/j2t"
	"github.com/cloudwego/dynamicgo/conv/t2j"
	"github.com/cloudwego/dynamicgo/thrift"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "dynamicgo:", err)
		os.Exit(1)
	}
}

func read(path string) []byte {
	content, err := os.ReadFile(path)
	must(err)
	return content
}

// The descriptor of the struct that the method of this name takes.
func descriptor(service *thrift.ServiceDescriptor, name string) *thrift.TypeDescriptor {
	method, err := service.LookupFunctionByMethod(name)
	must(err)
	return method.Request().Struct().FieldById(1).Type()
}

// Seconds of processor time, of all threads: those that collect garbage work for the benchmark, too.
func processorTime() float64 {
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) * 1e-9
}

// Nanoseconds of one call, of as many as take the time.
func measure(seconds float64, call func() error) float64 {
	for count := 1; ; {
		start := processorTime()
		for i := 0; i < count; i++ {
			must(call())
		}
		passed := processorTime() - start
		if passed >= seconds {
			return passed / float64(count) * 1e9
		}
		more := 1.2 * seconds / max(passed, 1e-6)
		count = int(float64(count)*min(more, 100)) + 1
	}
}

func main() {
	seconds := flag.Float64("seconds", 0.1, "for each benchmark")
	flag.Parse()
	ctx := context.Background()
	service, err := thrift.NewDescritorFromPath(ctx, flag.Arg(0))
	must(err)
	writer := t2j.NewBinaryConv(conv.Options{})
	reader := j2t.NewBinaryConv(conv.Options{})
	for _, object := range flag.Args()[2:] {
		name, method, _ := strings.Cut(object, "=")
		wire := read(filepath.Join(flag.Arg(1), name+".bin"))
		text := read(filepath.Join(flag.Arg(1), name+".json"))
		kind := descriptor(service, method)
		written, err := writer.Do(ctx, kind, wire)
		must(err)
		for _, source := range [][]byte{text, written} {
			made, err := reader.Do(ctx, kind, source)
			must(err)
			if !bytes.Equal(made, wire) {
				must(fmt.Errorf("%s: other bytes than they were exported", name))
			}
		}
		out := make([]byte, 0, 2*len(text)+4096)
		ns := measure(*seconds, func() error {
			out = out[:0]
			return writer.DoInto(ctx, kind, wire, &out)
		})
		fmt.Printf("write/dynamicgo/%s %.1f %d\n", name, ns, len(written))
		ns = measure(*seconds, func() error {
			out = out[:0]
			return reader.DoInto(ctx, kind, text, &out)
		})
		fmt.Printf("read/dynamicgo/%s %.1f %d\n", name, ns, len(text))
	}
}
