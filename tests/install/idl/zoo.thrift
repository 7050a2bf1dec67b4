include "common.thrift"
include "units.thrift"

struct Animal { 1: required common.Name name, 2: units.Weight weight }
