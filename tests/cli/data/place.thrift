struct Home { 1: optional string street, 2: optional i32 zip }
struct User { 1: optional i32 nothing }
