import { expect, test } from "vitest";
import { ConfigError, readConfig } from "#config";

test.each([
  ["", []],
  ["https://app.example.com", ["https://app.example.com"]],
  ["https://App.example.com/ , http://localhost:5173/,", ["https://app.example.com", "http://localhost:5173"]],
  ["https://app.example.com:443,http://a.example:80", ["https://app.example.com", "http://a.example"]],
  ["chrome-extension://abcdef/,capacitor://localhost", ["chrome-extension://abcdef", "capacitor://localhost"]],
])("CORS_ORIGINS %j is read in the form that browsers send", (text, origins) => {
  expect(readConfig({ CORS_ORIGINS: text }).corsOrigins).toEqual(origins);
});

test.each(["*", "https://*.example.com", "https://a.example,*"])("CORS_ORIGINS %j is refused, with the reason", (text) => {
  expect(() => readConfig({ CORS_ORIGINS: text })).toThrow(/^CORS_ORIGINS has ".*\*.*", but origins are compared exactly: name each/);
});

test.each(["app.example.com", "https://a.example/page", "https://a.example?x=1", "https://user@a.example", "null", "https://"])(
  "CORS_ORIGINS %j is refused",
  (text) => {
    expect(() => readConfig({ CORS_ORIGINS: text })).toThrow(ConfigError);
    expect(() => readConfig({ CORS_ORIGINS: text })).toThrow(`CORS_ORIGINS has "${text}", but an origin is a scheme, host and port alone`);
  },
);

test.each([
  ["", ""],
  ["https://boards.example.com", "https://boards.example.com"],
  ["https://Boards.example.com:443//", "https://boards.example.com"],
  ["http://localhost:8080/", "http://localhost:8080"],
])("BASE_URL %j is read as %j", (text, address) => {
  expect(readConfig({ BASE_URL: text }).baseUrl).toBe(address);
});

test.each([
  ["https://example.com/boards", "BASE_URL has the path /boards, but Tessera needs a host of its own"],
  ["https://example.com/?a=b", "BASE_URL must be a scheme, host and port alone"],
  ["https://example.com/#a", "BASE_URL must be a scheme, host and port alone"],
  ["https://ada@example.com", "BASE_URL must be a scheme, host and port alone"],
  ["example.com", 'BASE_URL must be an http or https address, but is "example.com"'],
])("BASE_URL %j is refused", (text, message) => {
  expect(() => readConfig({ BASE_URL: text })).toThrow(message);
});
