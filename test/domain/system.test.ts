import * as fc from "fast-check";
import { expect, it } from "vitest";
import { hashKey, hasKeyFormat, newKey } from "#domain/settings/api-key.ts";
import { toSlug } from "#domain/core/slug.ts";
import { isoTime, newId } from "#domain/core/system.ts";
import { isEmoji } from "#domain/content/zone.ts";

it("a formatted time is the same as that of the platform, whatever was formatted before", () => {
  const moments = fc.array(fc.integer({ min: -1_000_000, max: 253_402_300_799_999 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(moments, (times) => {
      for (const time of times) expect(isoTime(time)).toBe(new Date(time).toISOString());
    }),
  );
});

it("ids have a prefix, sort by millisecond, and are unique", () => {
  const ids = Array.from({ length: 2_000 }, (_, i) => newId("til", Date.UTC(2026, 0, 1) + i));
  for (const id of ids) expect(id).toMatch(/^til_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(Array.from({ length: 2_000 }, () => newId("til", 0))).size).toBe(2_000);
});

it("a key has the documented format, and its hash does not reveal it", () => {
  const key = newKey();
  expect(key).toMatch(/^tsr_[0-9A-Za-z]{38}$/);
  expect(hasKeyFormat(key)).toBe(true);
  expect(hasKeyFormat(`${key}x`)).toBe(false);
  expect(hashKey(key)).toMatch(/^[0-9a-f]{64}$/);
});

it("a slug is URL-safe", () => {
  expect(toSlug("Crème brûlée & Co.")).toBe("creme-brulee-co");
  expect(toSlug("Nordhølm & Straße")).toBe("nordholm-strasse");
  expect(toSlug("Заметки: июнь")).toBe("zametki-iyun");
  expect(toSlug("Σημειώσεις")).toBe("simeioseis");
  expect(toSlug("看板")).toBe("msvy95a");
  expect(toSlug("看板 2026")).not.toBe(toSlug("会议 2026"));
  expect(toSlug("🎉 …")).toBe("board");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(toSlug(name)) && toSlug(name).length <= 60),
  );
});

it("an emoji is one grapheme with emoji presentation", () => {
  for (const one of ["🚢", "👩‍🚀", "🇩🇪", "1️⃣", "❤️"]) expect(isEmoji(one), one).toBe(true);
  for (const other of ["", "a", "🚢🚢", "ab", " "]) expect(isEmoji(other), other).toBe(false);
});
