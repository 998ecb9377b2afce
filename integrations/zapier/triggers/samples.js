const { call } = require("../api.js");

/** As the server cuts the texts of tiles in events. */
const MAX_TEXT_LENGTH = 100_000;

const EVENT_TILE = {
  tileId: "til_01JD0V7Q2M6D3S8F9K4H5N6P7R",
  boardId: "brd_01JD0V7Q2M6D3S8F9K4H5N6P7R",
  title: "The northern lighthouse",
  type: "WEBSITE",
  externalId: null,
  sourceUrl: "https://example.com/lighthouse",
  zoneId: null,
  tags: ["harbour"],
};
/** The whole tile, as it is when the event is sent. */
const TILE = {
  id: EVENT_TILE.tileId,
  zoneId: null,
  type: "WEBSITE",
  title: "The northern lighthouse",
  extractedText: "The northern lighthouse is open from nine to five.",
  status: "ready",
  sourceUrl: "https://example.com/lighthouse",
  error: null,
  sortOrder: 1,
  externalId: null,
  tags: ["harbour"],
  createdAt: "2026-01-01T08:59:00.000Z",
  updatedAt: "2026-01-01T09:00:00.000Z",
  boardId: EVENT_TILE.boardId,
  rawContent: "",
  metadata: { siteName: "Example", language: "en", wordCount: 9 },
  warnings: [],
  connectedToChat: null,
  properties: {},
  sourceId: null,
  hasFile: false,
};
const TILE_EVENT = { ...EVENT_TILE, tile: TILE };
const DELETED_EVENT = { ...EVENT_TILE, tile: null };
const GENERATION = {
  generationId: "gen_01JD0V7Q2M6D3S8F9K4H5N6P7R",
  boardId: EVENT_TILE.boardId,
  endpoint: "/api/v1/generate",
  assetType: "post",
};

/** Returns the samples with the tile that live events have. */
const addTiles = (z, bundle, samples) =>
  Promise.all(
    samples.map(async (sample) => {
      const { event, payload } = sample;
      if (!event.startsWith("tile.")) return sample;
      return { ...sample, payload: { ...payload, tile: event === "tile.deleted" ? null : await readTile(z, bundle, payload) } };
    }),
  );

/** Returns the tile of an event. One that is gone by now, or that the server made up, has the fields of the example. */
async function readTile(z, bundle, { tileId, ...fields }) {
  const found = await call(z, bundle, "GET", `/api/board/tiles/${encodeURIComponent(tileId)}`, { mayBeMissing: true });
  if (found === null) return { ...TILE, ...fields, id: tileId };
  const { segments = [], ...tile } = found.tile;
  const extractedText = cutText(tile.extractedText);
  const included = segments.filter(({ end }) => end <= extractedText.length);
  return { ...tile, extractedText, rawContent: cutText(tile.rawContent), ...(included.length > 0 && { segments: included }) };
}

/** Returns the first characters, counted as Unicode code points. */
const cutText = (text) => [...text.slice(0, 2 * MAX_TEXT_LENGTH)].slice(0, MAX_TEXT_LENGTH).join("");

module.exports = { DELETED_EVENT, GENERATION, TILE_EVENT, addTiles };
