#!/usr/bin/env python3
"""Makes tests/data/peers, the selection of recorded bytes that is committed, from the full sets.

    tests/data/select.py FOLDER      the folder with vectors/ and cases/

The selection has the layout of the full sets, so that a test reads either. Of the values: of the schemas that
peers/tables.h describes all that are small and a few large ones, put into the row instead of files of their
own; of the others all that are short. All IDL. Of malformed inputs and cases: Binary alone. Of messages: all that are short.
Columns that no test reads are left out. Running it twice gives the same files.
"""
import json
import pathlib
import sys

SCHEMAS = "scalars containers recur unions defaults fieldids negids".split()
LOADED_SCHEMAS = "annots calls inc_core inc_mid inc_top jsonmap oddkeys structkey".split()  # without tables by hand
BIG = {
    "containers.Lists/big-bools-5000", "containers.Lists/big-shorts-5000", "containers.Lists/big-ints-5000",
    "containers.Nested/counts-around-15", "containers.MapKeys/big-ints-5000",
    "containers.OptContainers/big-s-5000", "scalars.OptScalars/binary-70k", "recur.Link/string-70k",
}
VALUE_KEYS = ("id", "schema", "type", "kind", "name", "binary_fields", "value", "binary_hex")
MALFORMED_KEYS = ("id", "protocol", "schema", "type", "base", "kind", "hex", "expect", "confidence", "why")
TRANSPORT_KEYS = ("id", "transport", "kind", "hex", "expect", "confidence", "why")
TTHEADER_KEYS = ("id", "transport", "flags", "seqid", "protocol_id", "int_info", "str_info", "header_len",
                 "frame_hex", "message_hex_in_payload")
THEADER_KEYS = ("id", "subprotocol", "frame_hex")
STREAM_KEYS = ("id", "transport", "protocol", "messages", "bytes_hex")
ENVELOPE_KEYS = ("id", "name", "message_type_number", "seqid", "binary_strict_hex", "binary_old_hex",
                 "framed_binary_hex")
MESSAGES = {"ttheader": TTHEADER_KEYS, "theader": THEADER_KEYS, "streams": STREAM_KEYS,
            "envelopes": ENVELOPE_KEYS}
MAPPING_KEYS = ("id", "direction", "codec", "schema", "type", "options_name", "options", "source", "json", "result",
                "binary_hex", "binary_hex_sorted")
MAPPING_MAX = 120  # characters of the text and of the bytes together
CAPTURES = ("echo.", "mixed.", "unknown.", "biz.", "notifyonly.")  # these calls, and one of HTTP/2
HEX_MAX = 2048  # digits of a row
IDL_CASE_KEYS = ("file", "expect", "line", "column", "checks", "also_accept", "level")
CASE_DROPS = ("verified_by", "peers_at_fault_or_differing", "relation")
SIZE_MAX = 2_500_000

TARGET = pathlib.Path(__file__).resolve().parent / "peers"


def rows(path):
    with open(path, encoding="utf-8", newline="\n") as file:  # a string may hold U+2028
        return [json.loads(line) for line in file if line != "\n"]


def write(path, chosen):
    chosen = list(chosen)
    target = TARGET / path
    target.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in chosen)
    target.write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(chosen):5} rows {len(text.encode()):8} bytes  {path}")
    return len(text.encode())


def value_row(row, vectors):
    if "value_file" in row:
        if row["id"] not in BIG:
            return None
        with open(vectors / row["value_file"], encoding="utf-8") as file:
            row["value"] = json.load(file)
        row["binary_hex"] = (vectors / row["binary_file"]).read_bytes().hex()
    return {key: row[key] for key in VALUE_KEYS if key in row}


def captures(folder):
    size = 0
    for path in sorted(folder.glob("*.bin")):
        if path.name.startswith("h2-") and "triple-echo" not in path.name:
            continue
        if any(call in path.name for call in CAPTURES):
            target = TARGET / "captures" / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
            size += path.stat().st_size
    print(f"           {size:8} bytes  captures")
    return size


def idl(vectors):
    size = 0
    for path in sorted((vectors / "idl").glob("*.thrift")):
        text = path.read_bytes()
        target = TARGET / "vectors/idl" / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text)
        size += len(text)
    print(f"           {size:8} bytes  vectors/idl")
    return size


def idl_cases(cases):
    """The cases of the IDL with all their files, the verdicts without the words of the peers."""
    for path in sorted((cases / "idl").rglob("*.thrift")):
        target = TARGET / "cases/idl" / path.relative_to(cases / "idl")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    chosen = [{key: row[key] for key in IDL_CASE_KEYS if key in row} for row in rows(cases / "idl/expect.jsonl")]
    return write("cases/idl/expect.jsonl", chosen)


def verdict(row):
    return {**row, "peers": {name: said[:5] if said != "ok" else said for name, said in row["peers"].items()}}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    vectors = root / "vectors"
    size = 0
    for schema in SCHEMAS:
        chosen = [value_row(row, vectors) for row in rows(vectors / "values" / f"{schema}.jsonl")]
        size += write(f"vectors/values/{schema}.jsonl", [row for row in chosen if row])
    for schema in LOADED_SCHEMAS:
        chosen = [value_row(row, vectors) for row in rows(vectors / "values" / f"{schema}.jsonl")]
        size += write(f"vectors/values/{schema}.jsonl",
                      [row for row in chosen if row and len(row["binary_hex"]) <= HEX_MAX])
    for name in ("structs", "messages"):
        chosen = [{key: row[key] for key in MALFORMED_KEYS if key in row}
                  for row in rows(vectors / "malformed" / f"{name}.jsonl")
                  if row["protocol"].startswith("binary")]
        size += write(f"vectors/malformed/{name}.jsonl", chosen)
    chosen = [{key: row[key] for key in TRANSPORT_KEYS} for row in rows(vectors / "malformed" / "transports.jsonl")]
    size += write("vectors/malformed/transports.jsonl", chosen)
    for name, keys in MESSAGES.items():
        chosen = [{key: row[key] for key in keys if key in row}
                  for row in rows(vectors / "messages" / f"{name}.jsonl")]
        short = [row for row in chosen if all(len(str(value)) <= HEX_MAX for value in row.values())]
        size += write(f"vectors/messages/{name}.jsonl", short)
    for name in ("t2j", "j2t"):
        chosen = [{key: row[key] for key in MAPPING_KEYS if key in row}
                  for row in rows(vectors / "json-mapping" / f"{name}.jsonl")]
        size += write(f"vectors/json-mapping/{name}.jsonl",
                      [row for row in chosen if len(row.get("json", "")) + len(row.get("binary_hex", "")) <= MAPPING_MAX])
    size += idl(vectors)
    size += idl_cases(root / "cases")
    size += write("vectors/idl-verdicts.jsonl", map(verdict, rows(vectors / "idl-verdicts.jsonl")))
    size += captures(root / "captures")
    chosen = [{key: value for key, value in row.items() if key not in CASE_DROPS}
              for row in rows(root / "cases" / "codec.jsonl") if row["protocol"] == "binary"]
    size += write("cases/codec.jsonl", chosen)
    print(f"{size} bytes in all")
    if size > SIZE_MAX:
        sys.exit(f"more than {SIZE_MAX}")


if __name__ == "__main__":
    main()
