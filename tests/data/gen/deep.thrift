// What needs an order, a pointer, or more levels than a macro has.
struct Last {
  1: Middle middle
  2: map<string, Middle> middles
  3: map<First, Last> lasts
}
struct Middle {
  1: First first
  2: list<Last> lasts
  3: optional Middle next
  4: list<map<string, Middle>> maps
  5: set<list<map<Middle, map<i32, Middle>>>> more
}
struct First { 1: bool yes; 2: i64 no; 3: bool perhaps }

typedef list<list<list<list<list<list<list<list<i32>>>>>>>> Eight
typedef map<Eight, map<list<set<map<string, list<set<map<binary, First>>>>>>, Eight>> Tower
typedef Tower Spire
typedef Last Final
typedef list<Final> Finals

struct Levels {
  1: Eight eight
  2: Spire spire
  3: optional Tower tower
  4: list<Tower> towers
  5: map<Tower, Eight> both
  6: Finals finals
  7: Final final_one
}

// Each is two of the one before: more paths than anybody can walk.
typedef map<i32, i64> L1
typedef map<L1, L1> L2
typedef map<L2, L2> L3
typedef map<L3, L3> L4
typedef map<L4, L4> L5
typedef map<L5, L5> L6
typedef map<L6, L6> L7
typedef map<L7, L7> L8
typedef map<L8, L8> L9
typedef map<L9, L9> L10
typedef map<L10, L10> L11
typedef map<L11, L11> L12
typedef map<L12, L12> L13
typedef map<L13, L13> L14
typedef map<L14, L14> L15
typedef map<L15, L15> L16
typedef map<L16, L16> L17
typedef map<L17, L17> L18
typedef map<L18, L18> L19
typedef map<L19, L19> L20
typedef map<L20, L20> L21
typedef map<L21, L21> L22
typedef map<L22, L22> L23
typedef map<L23, L23> L24
typedef map<L24, L24> L25
typedef map<L25, L25> L26
typedef map<L26, L26> L27
typedef map<L27, L27> L28
typedef map<L28, L28> L29
typedef map<L29, L29> L30
struct Lattice { 1: L30 top; 2: optional L29 below }

// By value in itself through others is a pointer somewhere.
struct Ring1 { 1: Ring2 two }
struct Ring2 { 1: Ring3 three; 2: i8 pad }
struct Ring3 { 1: Ring1 one }

// Names of containers that are taken.
struct String { 1: string text }
struct Strings {
  1: list<string> texts
  2: list<String> structs
  3: map<string, String> both
  4: map<String, string> other
}
struct ListString { 1: i32 x }
struct AVeryLongNameOfAStructThatFillsALineInAnyLanguageYouMayChooseToWriteItIn { 1: i32 x }
struct LongNames {
  1: list<AVeryLongNameOfAStructThatFillsALineInAnyLanguageYouMayChooseToWriteItIn> one
  2: map<i32, list<AVeryLongNameOfAStructThatFillsALineInAnyLanguageYouMayChooseToWriteItIn>> two
}

// More than 4 KiB: behind a pointer wherever it is.
struct Wide1 { 1: string a, 2: string b, 3: string c, 4: string d, 5: string e, 6: string f, 7: string g, 8: string h }
struct Wide2 { 1: Wide1 a, 2: Wide1 b, 3: Wide1 c, 4: Wide1 d, 5: Wide1 e, 6: Wide1 f, 7: Wide1 g, 8: Wide1 h }
struct Wide3 { 1: Wide2 a, 2: Wide2 b, 3: Wide2 c, 4: Wide2 d, 5: Wide2 e, 6: Wide2 f, 7: Wide2 g, 8: Wide2 h }
struct Wide4 { 1: Wide3 a, 2: list<Wide3> b, 3: map<i32, Wide3> c, 4: optional Wide3 d, 5: map<Wide3, Wide3> e }
union Wide5 { 1: Wide3 far; 2: Wide2 near; 3: bool small }

service Deep {
  Lattice lattice(1: L30 top, 2: Wide3 wide)
  map<Tower, list<Wide3>> towers(1: list<set<map<string, Ring1>>> rings)
}
