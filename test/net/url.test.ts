import { expect, it } from "vitest";
import { parseAllow, parseRoutes, readUrl } from "#net/url.ts";
import { readWebhookUrl } from "#net/webhook-sender.ts";

const NONE = parseAllow("");
const read = (input: string, allow = NONE): string => {
  const answer = readUrl(input, allow);
  return answer.ok ? answer.url.href : answer.refusal;
};

it.each([
  ["https://example.com/a?q=1#f", "https://example.com/a?q=1#f"],
  ["  http://example.com  ", "http://example.com/"],
  ["example.com", "https://example.com/"],
  ["example.com/a:b", "https://example.com/a:b"],
  ["example.com:8080/a", "https://example.com:8080/a"],
  ["8.8.8.8:8443/x", "https://8.8.8.8:8443/x"],
  ["HTTP://EXAMPLE.COM", "http://example.com/"],
  ["http://134744072/", "http://8.8.8.8/"],
  ["http://[2606:4700:4700::1111]/", "http://[2606:4700:4700::1111]/"],
  ["http://bücher.example/", "http://xn--bcher-kva.example/"],
  ["http://10.0.0.1.public.test/", "http://10.0.0.1.public.test/"],
  ["http://localhost.example.com/", "http://localhost.example.com/"],
  ["http://example.com:3000/", "http://example.com:3000/"],
  ["https://example.com/mailto:a@b", "https://example.com/mailto:a@b"],
])("the parser of addresses normalises %j to %s", (input, href) => expect(read(input)).toBe(href));

it.each([
  "",
  "   ",
  "//127.0.0.1/",
  "//example.com/",
  "\\\\example.com",
  "/path",
  "?q",
  "#f",
  "javascript:alert(1)",
  "java\nscript:alert(1)",
  "JAVASCRIPT:80/alert",
  "data:text/html,hi",
  "blob:http://example.com/1",
  "file:///etc/passwd",
  "ftp://example.com/",
  "gopher://127.0.0.1:6379/_INFO",
  "mailto:a@example.com",
  "tel:5551",
  "http://",
  "https://",
  "http:///",
  "http://256.256.256.256/",
  "http://exa mple.com/",
  "not a url",
  "http://[::1",
  "http://example.com:99999/",
  "ws://example.com/",
  "view-source:http://example.com",
  "http://a%00b/",
])("the parser of addresses rejects %j for its scheme or syntax", (input) => expect(read(input)).toBe("scheme"));

it.each([
  "http://user:pw@example.com/",
  "http://a@example.com/",
  "http://:p@example.com/",
  "user@example.com",
  "http://example.com@127.0.0.1/",
])("the parser of addresses rejects the credentials of %j", (input) => expect(read(input)).toBe("credentials"));

it.each([
  "http://127.0.0.1:3000/",
  "http://127.1/",
  "http://0x7f000001/",
  "http://2130706433/",
  "http://0177.01/",
  "http://127.000.000.1/",
  "http://127。0。0。1/",
  "http://127%2e0%2e0%2e1/",
  "http://１２７.0.0.1/",
  "http://①②⑦.0.0.1/",
  "http://127.0.0.1./",
  "http:127.0.0.1/",
  "http:/127.0.0.1/",
  "http:\\\\127.0.0.1/",
  " \thttp://127.0.0.1/",
  "ht\ntp://127.0.0.1/",
  "http://127.0.0.1\\@example.com/",
  "http://127.0.0.1#@example.com/",
  "http://127.0.0.1?@example.com/",
  "127.0.0.1",
  "127.0.0.1:3000",
  "localhost",
  "localhost:3000",
  "http://localhost/",
  "http://LOCALHOST./",
  "http://foo.localhost/",
  "http://ⓛocalhost/",
  "http://printer.local/",
  "http://metadata.google.internal/",
  "http://metadata.google.internal./",
  "http://nas.home.arpa/",
  "http://[::1]/",
  "[::1]:3000",
  "http://[::]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::127.0.0.1]/",
  "http://[64:ff9b::808:808]/",
  "http://[fd00:ec2::254]/",
  "http://[fe80::1]/",
  "http://0/",
  "http://0251.0376.0251.0376/",
  "http://168.63.129.16/",
  "http://example.com:22/",
  "http://example.com:25/",
  "http://example.com:0/",
  "http://example.com:6379/",
  "http://example.com:5432/",
  "http://example.com:11211/",
  "http://example.com:81/",
  "http://example.com:27017/",
  "http://8.8.8.8:10250/",
  "http://example.com:6667/",
])("the parser of addresses rejects %j as private", (input) => expect(read(input)).toBe("inside"));

it("the parser of addresses counts the length in code points after trimming, before all other checks", () => {
  const path = (length: number, character: string): string => `https://e.test/${character.repeat(length - 15)}`;
  expect(read(`  ${path(2048, "a")}  `)).not.toBe("too_long");
  expect(read(path(2048, "😀"))).not.toBe("too_long");
  expect(read(path(2049, "a"))).toBe("too_long");
  expect(read(`javascript:${"a".repeat(3000)}`)).toBe("too_long");
});

it("the parser of addresses allows exactly the configured host and port", () => {
  const allow = parseAllow("127.0.0.1:3000, [::1]:3000, n8n:5678, db.internal:5432, example.com:22,");
  for (const open of [
    "http://127.0.0.1:3000/",
    "http://127.1:3000/",
    "localhost.test",
    "http://[0:0::1]:3000/",
    "http://n8n:5678/",
    "http://N8N.:5678/",
    "http://db.internal:5432/",
    "http://example.com:22/",
  ]) {
    expect(read(open, allow), open).toMatch(/^https?:/);
  }
  for (const shut of [
    "http://127.0.0.1:3001/",
    "http://127.0.0.1/",
    "http://127.0.0.2:3000/",
    "http://localhost:3000/",
    "http://[::ffff:127.0.0.1]:3000/",
    "http://x.db.internal:5432/",
    "http://sub.example.com:22/",
  ]) {
    expect(read(shut, allow), shut).toBe("inside");
  }
  expect(read("http://u@127.0.0.1:3000/", allow)).toBe("credentials");
});

it("the parser of addresses names the host and port to allow", () => {
  expect(readUrl("http://[::1]/", NONE)).toEqual({ ok: false, refusal: "inside", target: "[::1]:80" });
  expect(readWebhookUrl("127.1:5678", NONE)).toEqual({ ok: false, refusal: "inside", target: "127.0.0.1:5678" });
});

it.each([
  "*",
  "*:80",
  "127.0.0.1",
  "127.0.0.1:",
  "127.0.0.1:0",
  "127.0.0.1:65536",
  "10.0.0.0/8:80",
  "http://127.0.0.1:80",
  "::1:80",
  "a b:80",
  "u@h:80",
  "*.internal:80",
  "999.1.1.1:80",
])("the parser of network settings rejects %j in an allow list and names it", (entry) =>
  expect(() => parseAllow(`good:80,${entry}`)).toThrow(`"${entry}"`),
);

it("the parser of network settings parses routes from origin to origin", () => {
  const routes = parseRoutes("https://www.youtube.com=http://127.0.0.1:9001, http://a.test:80/=https://b.test");
  expect([...routes]).toEqual([
    ["https://www.youtube.com", "http://127.0.0.1:9001"],
    ["http://a.test", "https://b.test"],
  ]);
  expect(parseRoutes("").size).toBe(0);
});

it.each([
  "https://a.test",
  "https://a.test=b.test",
  "https://a.test/path=http://b.test",
  "ftp://a.test=http://b.test",
  "https://a.test=http://u@b.test",
  "https://a.test=http://b.test=c",
])("the parser of network settings rejects %j as a route", (entry) => expect(() => parseRoutes(entry)).toThrow("is not a route"));

it("the parser of network settings rejects two routes of one origin", () => {
  expect(() => parseRoutes("https://a.test=http://b.test,https://a.test:443=http://c.test")).toThrow("routed twice");
});
