const { call } = require("../api.js");
const { BOARD, ZONE } = require("../fields.js");

const createTile = {
  key: "create_tile",
  noun: "Tile",
  display: { label: "Create Tile", description: "Adds a link, which the server reads in the background, or a text." },
  operation: {
    inputFields: [
      BOARD,
      ZONE,
      { key: "url", label: "Link", type: "string", required: false, helpText: "Either a link or a text." },
      { key: "content", label: "Text", type: "text", required: false },
      { key: "title", label: "Title", type: "string", required: false },
      {
        key: "external_id",
        label: "External ID",
        type: "string",
        required: false,
        helpText: "Your own id. The tile that has it already is updated.",
      },
      { key: "tags", label: "Tags", type: "string", list: true, required: false },
      { key: "properties", label: "Properties", dict: true, required: false, helpText: "Your own data, with a name for each value." },
    ],
    async perform(z, bundle) {
      const { tile, created } = await call(z, bundle, "POST", "/api/inbound/tiles", { body: bundle.inputData });
      return { ...tile, created };
    },
    sample: { id: "til_01JD0V7Q2M6D3S8F9K4H5N6P7R", type: "TEXT", title: "Opening hours", status: "ready", created: true },
  },
};

module.exports = { createTile };
