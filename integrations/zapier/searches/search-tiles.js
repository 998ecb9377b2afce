const { call } = require("../api.js");
const { BOARD } = require("../fields.js");

const searchTiles = {
  key: "search_tiles",
  noun: "Tile",
  display: { label: "Find Tiles", description: "Finds tiles of a board by words and meaning, best match first." },
  operation: {
    inputFields: [BOARD, { key: "q", label: "Search for", type: "string", required: true }],
    async perform(z, bundle) {
      const { board_id: boardId, q } = bundle.inputData;
      const { results } = await call(z, bundle, "GET", `/api/board/${encodeURIComponent(boardId)}/search`, { params: { q } });
      return results.map((result) => ({ id: result.tileId, ...result }));
    },
    sample: {
      id: "til_01JD0V7Q2M6D3S8F9K4H5N6P7R",
      title: "Opening hours",
      type: "TEXT",
      score: 1,
      quote: "The harbour office opens at nine.",
    },
  },
};

module.exports = { searchTiles };
