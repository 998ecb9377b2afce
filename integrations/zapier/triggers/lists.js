const { call } = require("../api.js");

const list = (key, noun, perform) => ({
  key,
  noun,
  display: { label: `New ${noun}`, description: `Lists the ${noun.toLowerCase()}s for a dropdown.`, hidden: true },
  operation: { type: "polling", perform, sample: { id: `${key}_1`, name: "Harbour" } },
});

const byName = (items) => items.map(({ id, name }) => ({ id, name }));

const boards = list("board", "Board", async (z, bundle) => byName((await call(z, bundle, "GET", "/api/board/boards")).boards));

const zones = list("zone", "Zone", async (z, bundle) => {
  const boardId = bundle.inputData.board_id;
  return boardId ? byName((await call(z, bundle, "GET", `/api/board/${encodeURIComponent(boardId)}/zones`)).zones) : [];
});

module.exports = { LIST_TRIGGERS: [boards, zones] };
