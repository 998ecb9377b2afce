import { expect, it } from "vitest";
import { detectKind } from "#ingest/detect.ts";
import { measureCpuMs } from "../support/cpu-time.ts";
import { ADDRESS_CASES } from "./fixtures/addresses.ts";

it.each(ADDRESS_CASES)("detection returns the kind of %s", (address = "", type, subtype, id) => {
  expect(detectKind(new URL(address))).toEqual({ type, ...(subtype ? { subtype } : {}), ...(id ? { id } : {}) });
});

it("detection ignores case, www., m. and a trailing dot of the host", () => {
  for (const host of ["WWW.Reddit.Com", "m.reddit.com", "reddit.com.", "www.reddit.com.", "mobile.reddit.com"]) {
    expect(detectKind(new URL(`https://${host}/r/optics/`))).toEqual({ type: "REDDIT", subtype: "SUBREDDIT", id: "optics" });
  }
});

it("detection accepts a path that cannot be decoded", () => {
  expect(detectKind(new URL("https://example.com/%E0%A4%A/x"))).toEqual({ type: "WEBSITE" });
});

it("detection is fast for the longest hostile path", () => {
  const took = measureCpuMs(() => {
    for (const host of ["www.facebook.com", "www.linkedin.com", "vimeo.com", "github.com", "example.com"]) {
      detectKind(new URL(`https://${host}/${"posts/activity-".repeat(140)}`));
      detectKind(new URL(`https://${host}/pages/${"1-/".repeat(650)}`));
    }
  });
  expect(took).toBeLessThan(2_000);
});
