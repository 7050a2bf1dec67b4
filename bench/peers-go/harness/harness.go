// Package harness measures a Go codec on the messages that codec_bench exported. It works with Go 1.18,
// because one peer needs an old one. Each program prints one line a benchmark: its name, nanoseconds of
// wall time and of processor time, bytes on the wire, bytes allocated and allocations, all of one call.
package harness

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

var (
	seconds = flag.Float64("seconds", 0.2, "for each benchmark")
	folder  = flag.String("data", "", "has OBJECT.bin of codec_bench --export")
	answers = flag.String("out", "", "for OBJECT.out: what the peer makes of it")
)

func init() {
	flag.Parse()
}

// Keep makes sure that what was decoded is really made.
var Keep interface{}

func must(name string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// Nanoseconds of processor time, of all threads: those that collect garbage work for the benchmark, too.
func processorTime() float64 {
	var usage syscall.Rusage
	must("getrusage", syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano() + usage.Stime.Nano())
}

// One batch of as many calls as take the time.
func measure(name string, size int, call func()) {
	var before, after runtime.MemStats

	for count := 1; ; {
		runtime.GC()
		runtime.ReadMemStats(&before)
		processor, start := processorTime(), time.Now()
		for i := 0; i < count; i++ {
			call()
		}
		passed := float64(time.Since(start).Nanoseconds())
		processor = processorTime() - processor
		if passed >= *seconds*1e9 {
			runtime.ReadMemStats(&after)
			n := float64(count)
			fmt.Printf("%s %.1f %.1f %d %.1f %.2f\n", name, passed/n, processor/n, size,
				float64(after.TotalAlloc-before.TotalAlloc)/n,
				float64(after.Mallocs-before.Mallocs)/n)
			return
		}
		more := 1.2 * *seconds * 1e9 / (passed + 1)
		if more > 100 {
			more = 100
		}
		count = int(float64(count)*more) + 1
	}
}

// Run measures one object: decode fills a new value and tells how many bytes it read; encode is size and
// write, into a buffer with room, and returns what it wrote.
func Run[T any](peer, object string, decode func(wire []byte, value *T) (int, error),
	encode func(value *T, out []byte) ([]byte, error)) {
	name := peer + "/" + object
	wire, err := os.ReadFile(filepath.Join(*folder, object+".bin"))
	must(name, err)
	value := new(T)
	used, err := decode(wire, value)
	must(name, err)
	if used != len(wire) {
		must(name, fmt.Errorf("reads %d bytes of %d", used, len(wire)))
	}
	out := make([]byte, len(wire))
	written, err := encode(value, out)
	must(name, err)
	must(name, os.WriteFile(filepath.Join(*answers, object+".out"), written, 0o644))
	measure("encode/"+name, len(wire), func() {
		_, err := encode(value, out)
		must(name, err)
	})
	measure("decode/"+name, len(wire), func() {
		value := new(T)
		_, err := decode(wire, value)
		must(name, err)
		Keep = value
	})
}
