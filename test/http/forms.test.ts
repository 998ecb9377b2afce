import { array, assert, constantFrom, property } from "fast-check";
import { expect, test } from "vitest";
import { readMediaType } from "#http/request/form/media-type.ts";
import { readMultipart } from "#http/request/form/multipart.ts";
import { readUrlEncoded } from "#http/request/form/url-encoded.ts";
import { countTurns } from "../support/turns.ts";

const TOO_MANY = "The form has too many fields. The maximum is 1,000.";
const part = (name: string, value: string): string => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

test("URL-encoded fields are read as URLSearchParams reads them", () => {
  const token = constantFrom("a", "=", "&", "%", "%41", "%C3%A9", "+", "%zz", "%4", "%F0%9F%98%80", "%ff", "__proto__");
  assert(
    property(array(token, { maxLength: 12 }), (tokens) => {
      const text = tokens.join("");
      const expected = new URLSearchParams(text);
      const names = new Set(expected.keys());
      const values = (name: string) => (expected.getAll(name).length > 1 ? expected.getAll(name) : expected.get(name));
      expect(readUrlEncoded(Buffer.from(text))).toEqual(Object.fromEntries([...names].map((name) => [name, values(name)])));
    }),
  );
});

test("URL-encoded fields may have characters that are not encoded", () => {
  expect(readUrlEncoded(Buffer.from("content=Häfen 😀&title=%C3%A9+ö"))).toEqual({ content: "Häfen 😀", title: "é ö" });
});

test.each(["a=1&", "&", "=&", "a&"])("more than 1,000 fields of the form %j are refused", (field) => {
  expect(() => readUrlEncoded(Buffer.from(field.repeat(1_001)))).toThrow(TOO_MANY);
});

test("a multipart form has its text fields, all texts of each name, and no files", async () => {
  const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nfile\r\n';
  const body = Buffer.from(`${part("a", "1")}${file}${part("a", "Häfen 😀")}${part("__proto__", "x")}--b--\r\n`);
  const fields = await readMultipart(body, 'multipart/form-data; boundary="b"');
  expect(Object.entries(fields)).toEqual([
    ["a", ["1", "Häfen 😀"]],
    ["__proto__", "x"],
  ]);
});

test.each([
  "multipart/form-data; x-boundary=zzz; boundary=b",
  "multipart/form-data; boundary=b; boundary=zzz",
  'multipart/form-data;boundary="b"',
])("%s does not evade the limit of fields", async (type) => {
  for (const tiny of ["--b\r\n\r\n\r\n", part("a", ""), '--b\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n\r\n'])
    await expect(readMultipart(Buffer.from(`${tiny.repeat(20_000)}--b--\r\n`), type)).rejects.toThrow(TOO_MANY);
});

test.each(["", "x".repeat(100_000), part("a", "1"), `--b\r\n${"a: b\r\n".repeat(10_000)}`])(
  "a multipart form that is not complete is refused",
  async (text) => {
    await expect(readMultipart(Buffer.from(text), "multipart/form-data; boundary=b")).rejects.toThrow("The form could not be read.");
  },
);

test("other work is done while a long multipart form is read", async () => {
  const body = Buffer.from(`${part("a", "x".repeat(4_000_000))}--b--\r\n`);
  const { turns } = await countTurns(() => readMultipart(body, "multipart/form-data; boundary=b"));
  expect(turns).toBeGreaterThan(50);
});

test("media types are read by their grammar", () => {
  expect(readMediaType("Multipart/Form-Data; X-Boundary=a; Boundary=b")).toMatchObject({
    type: "multipart/form-data",
    parameters: { "x-boundary": "a", boundary: "b" },
  });
  for (const invalid of [undefined, "", "json", "a/b/c", "a b/c", "/"]) expect(readMediaType(invalid)).toBeNull();
});
