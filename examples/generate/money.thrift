namespace c money

enum Currency { EUR = 1, GBP = 2 }

struct Amount {
  1: required i64 cents
  2: Currency currency = Currency.EUR
}
