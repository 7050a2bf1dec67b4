// The records of bench/objects.h, for peers that generate code. Ids and types must stay the same in
// both files; codec_bench compares the bytes before it measures.

namespace cpp frugal_bench
namespace c_glib peer
namespace go objects

enum Color {
    RED = 1,
    GREEN = 2,
    BLUE = 5
}

// ---- small, medium, large, short: the shapes of Frugal's own benchmark ----

struct Simple {
    1: i8     tiny
    2: i64    id
    3: double ratio
    4: i32    count
    5: string text
    6: binary data
    7: Color  color
}

struct Nesting {
    1:  string             name
    2:  list<Simple>       simples
    3:  double             ratio
    4:  i32                count
    5:  list<i32>          counts
    6:  i64                id
    7:  map<string,string> labels
    8:  Simple             simple
    9:  map<i32,i64>       totals
    10: list<string>       words
    11: binary             data
    12: map<i64,string>    names
    13: list<i64>          ids
    14: i8                 tiny
    15: map<string,Simple> index
}

struct Nesting2 {
    1:  map<Simple,Nesting> cells
    2:  Simple              simple
    3:  i8                  tiny
    4:  double              ratio
    5:  list<Nesting>       nestings
    6:  i64                 id
    7:  Nesting             nesting
    8:  binary              data
    9:  string              text
    11: i32                 count
}

// ---- lists of numbers, of 8, 1,024 (i64list among them) and 100,000 ----

struct Shorts {
    1: list<i16> values
}

struct Ints {
    1: list<i32> values
}

struct Numbers {
    1: list<i64> values
}

struct Doubles {
    1: list<double> values
}

struct Flags {
    1: list<bool> values
}

// ---- strings, i64map, features, deep ----

struct Words {
    1: list<string> values
}

struct Totals {
    1: map<i64,i64> values
}

struct Features {
    1: string          model
    2: i64             user
    3: list<double>    dense
    4: list<i64>       ids
    5: map<i32,double> weights
    6: list<bool>      flags
}

struct Tree {
    1: i32        id
    2: string     name
    3: list<Tree> children
}

// ---- event, unknown, shuffled: a journal, and a reader that knows 14 of its 20 fields ----

struct Place {
    1: double latitude
    2: double longitude
    3: string city
}

struct Event {
    1:  i64                time
    2:  string             host
    3:  i32                level
    4:  string             program
    5:  string             text
    6:  i64                trace
    7:  i64                span
    8:  bool               sampled
    9:  double             duration
    10: i32                status
    11: map<string,string> tags
    12: list<i64>          counters
    13: string             user
    14: i16                shard
    15: i8                 zone
    16: Place              place
    17: string             agent
    18: i64                received
    19: i64                sent
    20: list<string>       notes
}

struct Journal {
    1: list<Event> events
}

struct EventSeen {
    1:  i64          time
    2:  string       host
    3:  i32          level
    5:  string       text
    6:  i64          trace
    8:  bool         sampled
    9:  double       duration
    10: i32          status
    12: list<i64>    counters
    14: i16          shard
    15: i8           zone
    17: string       agent
    18: i64          received
    20: list<string> notes
}

struct JournalSeen {
    1: list<EventSeen> events
}

// ---- wide: ten rows of ten optional fields ----

struct Wide {
    1:   optional bool   flag0
    2:   optional i8     tiny0
    3:   optional i16    port0
    4:   optional i32    count0
    5:   optional i64    time0
    6:   optional double ratio0
    7:   optional string name0
    8:   optional string text0
    9:   optional binary data0
    10:  optional Color  color0
    11:  optional bool   flag1
    12:  optional i8     tiny1
    13:  optional i16    port1
    14:  optional i32    count1
    15:  optional i64    time1
    16:  optional double ratio1
    17:  optional string name1
    18:  optional string text1
    19:  optional binary data1
    20:  optional Color  color1
    21:  optional bool   flag2
    22:  optional i8     tiny2
    23:  optional i16    port2
    24:  optional i32    count2
    25:  optional i64    time2
    26:  optional double ratio2
    27:  optional string name2
    28:  optional string text2
    29:  optional binary data2
    30:  optional Color  color2
    31:  optional bool   flag3
    32:  optional i8     tiny3
    33:  optional i16    port3
    34:  optional i32    count3
    35:  optional i64    time3
    36:  optional double ratio3
    37:  optional string name3
    38:  optional string text3
    39:  optional binary data3
    40:  optional Color  color3
    41:  optional bool   flag4
    42:  optional i8     tiny4
    43:  optional i16    port4
    44:  optional i32    count4
    45:  optional i64    time4
    46:  optional double ratio4
    47:  optional string name4
    48:  optional string text4
    49:  optional binary data4
    50:  optional Color  color4
    51:  optional bool   flag5
    52:  optional i8     tiny5
    53:  optional i16    port5
    54:  optional i32    count5
    55:  optional i64    time5
    56:  optional double ratio5
    57:  optional string name5
    58:  optional string text5
    59:  optional binary data5
    60:  optional Color  color5
    61:  optional bool   flag6
    62:  optional i8     tiny6
    63:  optional i16    port6
    64:  optional i32    count6
    65:  optional i64    time6
    66:  optional double ratio6
    67:  optional string name6
    68:  optional string text6
    69:  optional binary data6
    70:  optional Color  color6
    71:  optional bool   flag7
    72:  optional i8     tiny7
    73:  optional i16    port7
    74:  optional i32    count7
    75:  optional i64    time7
    76:  optional double ratio7
    77:  optional string name7
    78:  optional string text7
    79:  optional binary data7
    80:  optional Color  color7
    81:  optional bool   flag8
    82:  optional i8     tiny8
    83:  optional i16    port8
    84:  optional i32    count8
    85:  optional i64    time8
    86:  optional double ratio8
    87:  optional string name8
    88:  optional string text8
    89:  optional binary data8
    90:  optional Color  color8
    91:  optional bool   flag9
    92:  optional i8     tiny9
    93:  optional i16    port9
    94:  optional i32    count9
    95:  optional i64    time9
    96:  optional double ratio9
    97:  optional string name9
    98:  optional string text9
    99:  optional binary data9
    100: optional Color  color9
}
