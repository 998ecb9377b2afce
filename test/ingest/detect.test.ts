import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { detectKind } from "#ingest/detect.ts";
import { measureCpuMs } from "../support/cpu-time.ts";
import { OWN_CASES } from "./fixtures/addresses.ts";

type Row = { readonly url: string; readonly kind: string | null; readonly subtype?: string; readonly id?: string };

const shared = join(process.env["TESSERA_DATA"] ?? join(import.meta.dirname, "../../../shared/data"), "url_kinds.json");
const rows = existsSync(shared) ? (JSON.parse(readFileSync(shared, "utf8")) as readonly Row[]).filter((row) => row.kind !== null) : [];
const parse = (address: string): URL => new URL(/^[a-z]+:\/\//i.test(address) ? address : `https://${address}`);

describe.skipIf(rows.length === 0)("detection by the shared table", () => {
  it.each(rows)("returns the kind of $url", ({ url, kind, subtype, id }) => {
    expect(detectKind(parse(url))).toEqual({ type: kind, ...(subtype ? { subtype } : {}), ...(id ? { id } : {}) });
  });
});

describe("detection", () => {
  it.each(OWN_CASES)("returns the kind of %s", (address = "", type, subtype, id) => {
    expect(detectKind(parse(address))).toEqual({ type, ...(subtype ? { subtype } : {}), ...(id ? { id } : {}) });
  });

  it("ignores case, www., m. and a trailing dot of the host", () => {
    for (const host of ["WWW.Reddit.Com", "m.reddit.com", "reddit.com.", "www.reddit.com.", "mobile.reddit.com"]) {
      expect(detectKind(new URL(`https://${host}/r/optics/`))).toEqual({ type: "REDDIT", subtype: "SUBREDDIT", id: "optics" });
    }
  });

  it("accepts a path that cannot be decoded", () => {
    expect(detectKind(new URL("https://example.com/%E0%A4%A/x"))).toEqual({ type: "WEBSITE" });
  });

  it("is fast for the longest hostile path", () => {
    const took = measureCpuMs(() => {
      for (const host of ["www.facebook.com", "www.linkedin.com", "vimeo.com", "github.com", "example.com"]) {
        detectKind(new URL(`https://${host}/${"posts/activity-".repeat(140)}`));
        detectKind(new URL(`https://${host}/pages/${"1-/".repeat(650)}`));
      }
    });
    expect(took).toBeLessThan(2_000);
  });
});
