const { call } = require("../api.js");
const { BOARD } = require("../fields.js");

const ask = {
  key: "ask",
  noun: "Answer",
  display: { label: "Ask a Question", description: "Answers a question from a board, with verified quotes." },
  operation: {
    inputFields: [BOARD, { key: "question", label: "Question", type: "text", required: true }],
    perform: (z, bundle) =>
      call(z, bundle, "POST", `/api/board/${encodeURIComponent(bundle.inputData.board_id)}/ask`, {
        body: { question: bundle.inputData.question },
      }),
    sample: {
      answer: "The harbour office opens at nine.",
      answered: true,
      mode: "extractive",
      contextTokens: 12,
      citations: [{ tileId: "til_01JD0V7Q2M6D3S8F9K4H5N6P7R", title: "Opening hours", quote: "The harbour office opens at nine." }],
    },
  },
};

module.exports = { ask };
