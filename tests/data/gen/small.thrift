/** A small IDL with one of everything. */

namespace c shop

const i32 LIMIT = 10
const string GREETING = "hello"
const list<string> COLORS = ["red", "green"]

/** What a thing costs. */
typedef i64 Cents

enum State {
  NEW = 1,
  /** Paid, and gone. */
  SENT
}

struct Item {
  1: required string name
  /** Of one. */
  2: Cents price = 100
  3: optional i32 count = 1
}

/**
 * Items that belong together.
 * They are sent at once.
 */
struct Order {
  1: i64 id
  2: list<Item> items
  3: map<string, Item> extras
  4: State state = State.NEW
  5: optional Order next
  6: string class
}

union Payment {
  1: Cents cash
  2: string card
}

exception Refused { 1: string why }

/** Where orders go. */
service Shop {
  Order place(1: Order order, 2: Payment payment) throws (1: Refused refused)
  oneway void ping()
}
