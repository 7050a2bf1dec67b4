// Two services with a method of one name, and one that extends.
struct Thing { 1: optional string name }
exception Gone { 1: optional string why }
service Left { Thing get(1: i32 id) throws (1: Gone gone), void only() }
service Right { string get(1: string key), oneway void tell(1: string what) }
service Below extends Left { void deeper() }
