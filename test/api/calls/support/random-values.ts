import * as fc from "fast-check";

const ODD_TEXT = [
  "",
  " ",
  "\n",
  "null",
  "true",
  "0",
  "-1",
  "1e400",
  "NaN",
  "[]",
  "{}",
  "__proto__",
  "constructor",
  "toString",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udc00x",
  "😀",
  "👩‍👩‍👧‍👦",
  "e\u0301",
  "\u202eabc",
  "\ufeff",
  "\uffff",
  "日本語",
  "' OR 1=1 --",
  '"; DROP TABLE tile; --',
  "%00",
  "%2e%2e%2f",
  "../../etc/passwd",
  "${7*7}",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "\r\nX-Injected: 1",
  "https://example.com/",
  "http://127.0.0.1/",
  "javascript:alert(1)",
  "2026-01-01T00:00:00Z",
  "x".repeat(201),
  "x".repeat(501),
  "x".repeat(5_000),
];

export const oddText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD_TEXT) },
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
);
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    1e308,
    5e-324,
    [],
    {},
    [[]],
    [null],
    [""],
    { a: 1 },
    { length: 1 },
    { toString: "x" },
  ),
  fc.double(),
  fc.integer(),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
);

export const ODD_HEADERS: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  fc.constantFrom<Record<string, string>>(
    { "content-type": "text/plain" },
    { "content-type": "application/x-www-form-urlencoded" },
    { "content-type": "multipart/form-data; boundary=b" },
    { "content-type": "multipart/form-data" },
    { "content-type": "json" },
    { "content-encoding": "gzip" },
    { "if-match": '"1"' },
    { "if-match": "*" },
    { "if-match": 'W/"x"' },
    { "if-match": '"999999999999999"' },
    { "idempotency-key": "same" },
    { "idempotency-key": "x".repeat(300) },
    { accept: "text/event-stream" },
    { accept: "*/*;q=0.1" },
    { origin: "https://evil.test" },
    { cookie: "a=b" },
    { range: "bytes=0-1" },
    { "x-http-method-override": "DELETE" },
    { "accept-encoding": "br" },
    { "x-forwarded-for": "1.1.1.1, ::1" },
  ),
);

/** Forms with a file and various errors. */
export const formBody: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom("file", "title", "zone_id", "__proto__", ""), oddText, fc.boolean(), fc.boolean())
  .map(([name, value, hasFile, isWhole]) => {
    const field = `--x1\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const file = `--x1\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nwords\r\n`;
    return `${name === "" ? "" : field}${hasFile ? file : ""}${isWhole ? "--x1--\r\n" : ""}`;
  });
