struct Record { 1: required i64 id, 2: string name = "nobody", 3: list<Record> records }
