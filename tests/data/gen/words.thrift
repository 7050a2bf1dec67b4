// Names that C or C++ uses for something else, and names that only the words tell apart.
namespace c odd.words

enum Default { class, int, NULL, Mixed_Case = 7, lowest = -2147483648, x = 2147483647 }

enum Nothing {}

union Union {
  1: i32 which
  2: string union_
  3: list<Default> enum_
  -4: Static struct_
}

union NoArms {}

struct Static {
  1: bool bool_
  2: i32 INT32_MAX
  3: i64 int64_t
  4: string frugal_str
  5: binary FRUGAL_TABLE
  6: optional i32 co_await
  7: double __LINE__
  8: Union class
  9: Default char
  10: Nothing nothing
  11: optional Nothing maybe
  12: list<Nothing> many
  13: NoArms arms
  14: map<Nothing, NoArms> by
  15: i8 restrict
  16: i8 template
  17: string odd_words_words_text = "hides a typedef in C++"
  18: words_text other
  19: optional string long_ = "opt"
  20: optional i32 signed_ = 4
  21: i32 ptr
  22: i32 len
  23: list<i32> odd_words_words_list_i32
  24: list<i32> again
  25: i32 ODD_WORDS_LIMIT
}

const i32 Limit = 5

typedef string words_text

struct HTTPServer2Config { 1: string URL }

exception Throw { 1: string try }

service Operator {
  void new()
  i32 delete(1: i32 this, 2: Union register) throws (1: Throw throw)
  oneway void cast()
}

service Empty {}
service EmptyToo extends Empty {}
