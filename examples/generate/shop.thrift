include "money.thrift"

const i32 COUNT_MAX = 100

struct Item {
  1: required string name
  2: money.Amount price
  3: i32 count = 1
  4: optional string class // a word of C++
}

struct Order {
  1: i64 id
  2: list<Item> items
}

exception Refused {
  1: string why
}

service Shop {
  money.Amount place(1: Order order) throws (1: Refused refused)
}
