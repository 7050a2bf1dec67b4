// What the tests of the command decode and encode.
include "place.thrift"

enum Mood { GLAD = 1, SAD = 2 }

struct User {
  1: required i64 id,
  2: optional string name,
  3: optional binary photo,
  4: optional Mood mood,
  5: optional list<User> friends,
  6: optional place.Home home,
  7: optional map<string, i32> scores,
  8: optional bool active,
  9: optional double height,
  10: optional string greeting = "hello",
}

struct Short { 1: i64 id }

union Choice { 1: i32 number, 2: string text }
