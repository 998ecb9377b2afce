import { expect, it } from "vitest";
import { normaliseAddress } from "#domain/core/address.ts";

it.each([
  ["https://Example.COM:443/a", "https://example.com/a"],
  ["https://example.com/", "https://example.com"],
  ["https://example.com/a/", "https://example.com/a"],
  ["https://example.com/a#part", "https://example.com/a"],
  ["https://example.com/a?utm_source=x&UTM_medium=y&fbclid=1&gclid=2", "https://example.com/a"],
  ["https://example.com/a?b=2&a=1&utm_id=3", "https://example.com/a?a=1&b=2"],
  ["https://example.com/a?", "https://example.com/a"],
])("the addresses %s and %s of one page are equal", (one, other) => {
  expect(normaliseAddress(one)).toBe(normaliseAddress(other));
});

it.each([
  ["https://example.com/a", "https://example.com/A"],
  ["https://example.com/a", "http://example.com/a"],
  ["https://example.com/a", "https://example.com:8443/a"],
  ["https://example.com/a?id=1", "https://example.com/a?id=2"],
  ["https://example.com/a?id=1&id=2", "https://example.com/a?id=2&id=1"],
  ["https://example.com/a?utm=1", "https://example.com/a"],
])("the addresses %s and %s of different pages differ", (one, other) => {
  expect(normaliseAddress(one)).not.toBe(normaliseAddress(other));
});
