import { expect, it } from "vitest";
import { getUrlAtTime, getHost, getSafeUrl } from "../../web/src/text/links.ts";

it.each([
  ["https://example.org/a", "https://example.org/a"],
  ["http://example.org", "http://example.org/"],
  ["javascript:alert(1)", null],
  [" javascript:alert(1)", null],
  ["data:text/html,x", null],
  ["https://example.org@evil.test/", null],
  ["//evil.test", null],
  ["", null],
  [null, null],
  [undefined, null],
])("an address has a safe URL or none: %s", (address, known) => expect(getSafeUrl(address)).toBe(known));

it.each([
  ["https://www.youtube.com/watch?v=abc&t=5", "https://www.youtube.com/watch?v=abc&t=83s"],
  ["https://youtu.be/abc", "https://youtu.be/abc?t=83s"],
  ["https://vimeo.com/1", "https://vimeo.com/1#t=83s"],
  ["https://www.twitch.tv/videos/1", "https://www.twitch.tv/videos/1?t=83s"],
  ["https://soundcloud.com/a/b", "https://soundcloud.com/a/b#t=1:23"],
  ["https://www.loom.com/share/1", "https://www.loom.com/share/1?t=83"],
  ["https://example.org/talk.mp3", "https://example.org/talk.mp3#t=83"],
  ["https://notyoutube.com/watch", null],
  ["https://example.org/page", null],
  ["javascript:1", null],
  [null, null],
])("an address has a URL at a given time: %s", (address, there) => expect(getUrlAtTime(address, 83.7)).toBe(there));

it("an invalid address has no time", () => {
  for (const seconds of [-1, Number.NaN, Infinity]) expect(getUrlAtTime("https://youtu.be/abc", seconds)).toBeNull();
});

it("an address has a host name", () => {
  expect(getHost("https://www.example.org/a")).toBe("example.org");
  expect(getHost("nothing")).toBe("");
});
