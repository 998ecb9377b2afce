const { call } = require("./api.js");

const authentication = {
  type: "custom",
  fields: [
    {
      key: "serverUrl",
      label: "Server address",
      type: "string",
      required: true,
      helpText: "The address of your Tessera server, such as https://tessera.example.com. Zapier must be able to reach it.",
    },
    {
      key: "apiKey",
      label: "API key",
      type: "password",
      required: true,
      helpText: "Created in Tessera under Settings, API keys. Triggers need a key that may manage webhooks.",
    },
  ],
  test: (z, bundle) => call(z, bundle, "GET", "/api/me"),
  connectionLabel: "{{business.name}} ({{key.name}})",
};

module.exports = { authentication };
