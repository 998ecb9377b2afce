import { type RecipeContext, type Recipe, getInboundUrl, buildInboundBody } from "./recipe.ts";

export const makeRecipe = (context: RecipeContext): Recipe => ({
  id: "make",
  name: "Make",
  send: [
    { text: "Add the module HTTP, Make a request. Choose the method POST, and this URL:", code: getInboundUrl(context) },
    {
      text: "Add the header X-API-Key with your API key. Choose the body type Raw and the content type JSON (application/json). Enter this request content, and drag your own fields into it:",
      code: buildInboundBody(context),
    },
    { text: "Turn on “Parse response”. Also turn on “Evaluate all states as errors”, so that an error response stops the scenario." },
  ],
  verify: [
    {
      text: "Start the scenario with Webhooks, Custom webhook. In its advanced settings, turn on “Get request headers” and “JSON pass-through”: its field Value is then the raw body. Copy its URL.",
    },
    {
      text: "Subscribe once, with a key that may manage webhooks: in a scenario of its own, run HTTP, Make a request, with the method POST, the header X-API-Key, and this URL. Turn on “Parse response”.",
      code: `${context.base}/api/webhooks`,
    },
    { text: "Its request content has the URL of the webhook:", code: buildSubscription(context) },
    {
      text: "The response has the secret, which is shown once, and the id. A DELETE of this URL with the id at its end unsubscribes.",
    },
    {
      text: "For the structure of events, send a GET to this URL, and paste a sample into JSON, Parse JSON, Generate:",
      code: `${context.base}/api/webhooks/samples?event=tile.ready`,
    },
    {
      text: "After the webhook, add Tools, Set variable. Name the variable received, with this value:",
      code: 'get(map(1.__IMTHEADERS__; "value"; "name"; "x-service-signature"); 1)',
    },
    {
      text: "Add a filter before the next module: received, the text operator “Equal to”, and this formula with the subscription's secret:",
      code: 'sha256(1.value; "hex"; "whsec_YOUR_SECRET"; "text")',
    },
    { text: "After the filter, parse the event with JSON, Parse JSON, from the field Value." },
    {
      text: "Add a filter after it, so that a copy of an old request stops: sentAt, the datetime operator “Later than”, and this formula:",
      code: "addMinutes(now; -5)",
    },
    {
      text: "To handle each event once, add Data store, Check the existence of a record, with the key below. Continue only if it does not exist, and then add it:",
      code: 'get(map(1.__IMTHEADERS__; "value"; "name"; "webhook-id"); 1)',
    },
  ],
});

const buildSubscription = ({ boardId }: RecipeContext): string =>
  JSON.stringify({ url: "https://hook.eu2.make.com/YOUR_WEBHOOK", events: ["tile.ready"], board_id: boardId, description: "Make" });
