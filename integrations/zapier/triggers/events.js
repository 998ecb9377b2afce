const { call } = require("../api.js");
const { BOARD } = require("../fields.js");
const { DELETED_EVENT, GENERATION, TILE_EVENT, addTiles } = require("./samples.js");
const { verifyEvent } = require("./signature.js");

/** What later steps of a Zap see: the id of the event, its name, its time and its payload. */
const toItem = (id, { event, payload, sentAt }) => ({ id, event, sentAt, ...payload });

const getBoard = (bundle) => bundle.inputData.board_id || undefined;

/** A trigger that subscribes while its Zap is on. The secret of the subscription stays in Zapier's data of it. */
const trigger = (key, event, noun, label, description, payload) => ({
  key,
  noun,
  display: { label, description },
  operation: {
    type: "hook",
    inputFields: [{ ...BOARD, required: false, helpText: "Leave it empty for all boards of the key." }],
    async performSubscribe(z, bundle) {
      const body = {
        url: bundle.targetUrl,
        events: [event],
        board_id: getBoard(bundle),
        include_tile: event.startsWith("tile."),
        description: `Zapier: ${label}`,
      };
      const { webhook, secret } = await call(z, bundle, "POST", "/api/webhooks", { body });
      return { id: webhook.id, secret };
    },
    performUnsubscribe: (z, bundle) => call(z, bundle, "DELETE", `/api/webhooks/${encodeURIComponent(bundle.subscribeData.id)}`),
    perform(z, bundle) {
      const id = verifyEvent(bundle.rawRequest, bundle.subscribeData.secret);
      return [toItem(id, bundle.cleanedRequest)];
    },
    async performList(z, bundle) {
      const { samples } = await call(z, bundle, "GET", "/api/webhooks/samples", { params: { event } });
      const newestFirst = samples.toSorted((a, b) => b.sentAt.localeCompare(a.sentAt));
      return (await addTiles(z, bundle, newestFirst)).map((sample) =>
        toItem(`${sample.payload.tileId ?? sample.payload.generationId}-${sample.sentAt}`, sample),
      );
    },
    sample: toItem("evt_01JD0V7Q2M6D3S8F9K4H5N6P7R", { event, payload, sentAt: "2026-01-01T09:00:00.000Z" }),
  },
});

const EVENT_TRIGGERS = [
  trigger("tile_ready", "tile.ready", "Tile", "Tile Ready", "Triggers when a link or file has become text.", TILE_EVENT),
  trigger("tile_created", "tile.created", "Tile", "New Tile", "Triggers when a tile is created.", TILE_EVENT),
  trigger("tile_updated", "tile.updated", "Tile", "Updated Tile", "Triggers when a tile is changed.", TILE_EVENT),
  trigger("tile_failed", "tile.failed", "Tile", "Failed Tile", "Triggers when a link or file could not be read.", TILE_EVENT),
  trigger("tile_deleted", "tile.deleted", "Tile", "Deleted Tile", "Triggers when a tile is deleted.", DELETED_EVENT),
  trigger(
    "generation_complete",
    "generation.complete",
    "Generation",
    "Generation Complete",
    "Triggers when a text or ideas are written.",
    GENERATION,
  ),
];

module.exports = { EVENT_TRIGGERS };
