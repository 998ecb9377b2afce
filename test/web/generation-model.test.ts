import { describe, expect, it } from "vitest";
import { DEFAULT_OPTIONS, toGenerateInput, toIdeaInput } from "../../web/src/ask/generate/generate-options.ts";
import { type Source, WHOLE_BOARD, removeMissing, validateSource, getSkipReason } from "../../web/src/ask/generate/source.ts";

it("generation requests contain the trimmed fields that are filled in", () => {
  expect(toGenerateInput("brd_1", DEFAULT_OPTIONS)).toEqual({ boardId: "brd_1", assetType: "post" });
  const options = { ...DEFAULT_OPTIONS, prompt: " ferry ", length: " 300 ", zoneId: "zon_1", tone: "  " };
  expect(toGenerateInput("brd_1", options, "ide_1")).toEqual({
    boardId: "brd_1",
    assetType: "post",
    prompt: "ferry",
    length: 300,
    saveToZoneId: "zon_1",
    ideaId: "ide_1",
  });
  expect(toGenerateInput("brd_1", { ...DEFAULT_OPTIONS, length: "short" }).length).toBe("short");
  expect(toIdeaInput("brd_1", { ...DEFAULT_OPTIONS, count: "8" })).toEqual({ boardId: "brd_1", assetType: "post", count: 8 });
});

describe("generation sources", () => {
  const zones = [
    { id: "zon_on", connectedToChat: true },
    { id: "zon_off", connectedToChat: false },
  ];
  const tile = (id: string, zoneId: string | null = "zon_on", status = "ready") => ({ id, zoneId, status });
  const tiles = [
    tile("til_1"),
    tile("til_2", null),
    tile("til_off", "zon_off"),
    tile("til_new", "zon_on", "processing"),
    tile("til_bad", null, "failed"),
  ];
  const some = (from: Source["from"], tileIds: readonly string[] = [], zoneIds: readonly string[] = []): Source => ({
    from,
    tileIds,
    zoneIds,
  });

  it("a generation request sends only the ids of the active mode", () => {
    const inputs = (source: Source) => [
      toGenerateInput("brd_1", { ...DEFAULT_OPTIONS, source }),
      toIdeaInput("brd_1", { ...DEFAULT_OPTIONS, source }),
    ];
    for (const input of inputs(some("board", ["til_1"], ["zon_on"]))) {
      expect(input).not.toHaveProperty("zoneIds");
      expect(input).not.toHaveProperty("tileIds");
    }
    for (const input of inputs(some("zones", ["til_1"], ["zon_on"]))) {
      expect(input).toMatchObject({ zoneIds: ["zon_on"] });
      expect(input).not.toHaveProperty("tileIds");
    }
    for (const input of inputs(some("tiles", ["til_1"], ["zon_on"]))) {
      expect(input).toMatchObject({ tileIds: ["til_1"] });
      expect(input).not.toHaveProperty("zoneIds");
    }
  });

  it("the sources of a generation lose deleted tiles and zones, and disconnected zones", () => {
    const source = some("zones", ["til_gone", "til_off", "til_1"], ["zon_gone", "zon_off", "zon_on"]);
    expect(removeMissing(source, zones, tiles)).toEqual({ from: "zones", tileIds: ["til_off", "til_1"], zoneIds: ["zon_on"] });
  });

  it("each skipped tile has a reason", () => {
    expect(tiles.map((one) => getSkipReason(one, zones))).toEqual([null, null, "Zone not connected to chat", "Still processing", "Failed"]);
    expect(getSkipReason({ id: "til_1", zoneId: null, status: "ready", connectedToChat: false }, zones)).toBe("Not used in answers");
  });

  it("a generation requires at least one usable tile, and at most 100", () => {
    const many = Array.from({ length: 101 }, (_, index) => `til_${index}`);
    expect(validateSource(WHOLE_BOARD, [], [])).toBeNull();
    expect(validateSource(some("zones"), zones, tiles)).toMatch(/^Choose at least one zone/);
    expect(validateSource(some("zones", [], ["zon_on"]), zones, tiles)).toBeNull();
    expect(validateSource(some("zones", [], many), zones, tiles)).toBe("Choose at most 100 zones; you chose 101.");
    expect(validateSource(some("tiles"), zones, tiles)).toMatch(/^Select at least one tile/);
    expect(validateSource(some("tiles", many), zones, tiles)).toBe("Select at most 100 tiles; you selected 101.");
    expect(validateSource(some("tiles", ["til_off", "til_1"]), zones, tiles)).toBeNull();
    expect(validateSource(some("tiles", ["til_off", "til_new", "til_bad"]), zones, tiles)).toMatch(/^None of these tiles can be used\./);
  });
});
