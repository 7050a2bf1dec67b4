struct Weight { 1: i64 grams }
