// The records of bench/json_objects.h, for peers that read IDL. Names, ids and types must stay the
// same in both files; the peer compares what it makes with our bytes before it measures.

enum JsonColor {
    JSON_RED = 1,
    JSON_GREEN = 2,
    JSON_BLUE = 5
}

struct Plain {
    1: i8        byte_field
    2: i64       i64_field
    3: double    double_field
    4: i32       i32_field
    5: string    string_field
    6: binary    binary_field
    7: JsonColor enum_field
}

struct Nested {
    1:  string             string_field
    2:  list<Plain>        list_plain
    3:  double             double_field
    4:  i32                i32_field
    5:  list<i32>          list_i32
    6:  i64                i64_field
    7:  map<string,string> map_string_string
    8:  Plain              plain_struct
    9:  map<i32,i64>       map_i32_i64
    10: list<string>       list_string
    11: binary             binary_field
    12: map<i64,string>    map_i64_string
    13: list<i64>          list_i64
    14: i8                 byte_field
    15: map<string,Plain>  map_string_plain
}

struct Figures {
    1: list<i64>    ints
    2: list<double> doubles
}

service Objects {
    Nested  nested(1: Nested it)
    Figures figures(1: Figures it)
}
