include "units.thrift"

struct Name { 1: string text, 2: units.Weight ink }
