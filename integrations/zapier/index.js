const { version: platformVersion } = require("zapier-platform-core");
const { version } = require("./package.json");
const { addKey, throwForError } = require("./api.js");
const { authentication } = require("./authentication.js");
const { ask } = require("./creates/ask.js");
const { createTile } = require("./creates/create-tile.js");
const { generate } = require("./creates/generate.js");
const { searchTiles } = require("./searches/search-tiles.js");
const { EVENT_TRIGGERS } = require("./triggers/events.js");
const { LIST_TRIGGERS } = require("./triggers/lists.js");

const byKey = (...parts) => Object.fromEntries(parts.map((part) => [part.key, part]));

module.exports = {
  version,
  platformVersion,
  flags: { cleanInputData: false },
  authentication,
  beforeRequest: [addKey],
  afterResponse: [throwForError],
  triggers: byKey(...EVENT_TRIGGERS, ...LIST_TRIGGERS),
  creates: byKey(createTile, ask, generate),
  searches: byKey(searchTiles),
};
