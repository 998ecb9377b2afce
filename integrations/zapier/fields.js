/** Inputs that several actions have. The lists come from the hidden triggers in triggers/lists.js. */
const BOARD = {
  key: "board_id",
  label: "Board",
  type: "string",
  required: true,
  dynamic: "board.id.name",
  altersDynamicFields: true,
};
const ZONE = { key: "zone_id", label: "Zone", type: "string", required: false, dynamic: "zone.id.name" };

module.exports = { BOARD, ZONE };
