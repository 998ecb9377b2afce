const { call } = require("../api.js");
const { BOARD, ZONE } = require("../fields.js");

const ASSET_TYPES = {
  article: "Article",
  carousel: "Carousel",
  newsletter: "Newsletter",
  podcast: "Podcast",
  post: "Post",
  short_video: "Short video",
  thread: "Thread",
  video: "Video",
};

const generate = {
  key: "generate",
  noun: "Generation",
  display: { label: "Generate Text", description: "Writes a text from the content of a board." },
  operation: {
    inputFields: [
      BOARD,
      { ...ZONE, label: "Only Zone" },
      { key: "asset_type", label: "Kind", type: "string", required: true, choices: ASSET_TYPES },
      {
        key: "prompt",
        label: "Prompt",
        type: "text",
        required: false,
        helpText: "A text that takes longer than 25 seconds is still processing: continue in a Zap with the trigger Generation Complete.",
      },
    ],
    async perform(z, bundle) {
      const { zone_id: zoneId, ...body } = bundle.inputData;
      const zoneIds = zoneId ? { zone_ids: [zoneId] } : {};
      return (await call(z, bundle, "POST", "/api/v1/generate", { body: { ...body, ...zoneIds } })).generation;
    },
    sample: {
      id: "gen_01JD0V7Q2M6D3S8F9K4H5N6P7R",
      assetType: "post",
      status: "complete",
      output: { title: "The harbour", text: "The harbour office opens at nine.", sections: [] },
    },
  },
};

module.exports = { generate };
