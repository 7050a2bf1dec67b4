struct Broken {
  1: i32 a,
  1: string b,
  2: Missing c,
}
enum E { A = 1, A = 2 }
