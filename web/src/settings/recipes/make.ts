import { type RecipeContext, type Recipe, getInboundUrl, buildInboundBody } from "./recipe.ts";

export const makeRecipe = (context: RecipeContext): Recipe => ({
  id: "make",
  name: "Make",
  send: [
    { text: "Add the module HTTP, Make a request. URL, with method POST:", code: getInboundUrl(context) },
    {
      text: "Header X-API-Key with your API key. Body type Raw, content type JSON (application/json), and as the request content, with your own fields dragged in:",
      code: buildInboundBody(context),
    },
    { text: "Turn “Parse response” on, and “Evaluate all states as errors” so that an error response stops the scenario." },
  ],
  verify: [
    {
      text: "Start the scenario with Webhooks, Custom webhook. In its advanced settings turn on “Get request headers” and “JSON pass-through”: the raw body is then its field Value. Set its address under Settings, Webhook.",
    },
    {
      text: "Add Tools, Set variable, named given, with the header's value:",
      code: 'get(map(1.__IMTHEADERS__; "value"; "name"; "x-service-signature"); 1)',
    },
    {
      text: "Before the next module, set a filter: given, Text operator “Equal to”, and this formula with the webhook's secret:",
      code: 'sha256(1.value; "hex"; "whsec_YOUR_SECRET"; "text")',
    },
    { text: "After the filter, read the event with JSON, Parse JSON, from the field Value." },
  ],
});
