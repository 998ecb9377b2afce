import { type RecipeContext, type Recipe, getInboundUrl } from "./recipe.ts";

export const zapierRecipe = (context: RecipeContext): Recipe => ({
  id: "zapier",
  name: "Zapier",
  send: [
    { text: "Add the action Webhooks by Zapier, POST. Enter this URL:", code: getInboundUrl(context) },
    { text: "Choose the payload type json. Under Data, add url (from an earlier step) and board_id:", code: context.boardId },
    { text: "Under Headers, add X-API-Key with your API key." },
  ],
  verify: [
    {
      text: "Start the Zap with Webhooks by Zapier, Catch Raw Hook: only this trigger keeps the raw body. Set its URL in Tessera under Settings, Webhook, and send a test event.",
    },
    {
      text: "Add Code by Zapier, Run JavaScript, with three input fields: raw (the trigger's Raw Body), signature (its header X-Service-Signature) and secret (the webhook's secret). Enter this code:",
      code: CODE,
    },
    {
      text: "A request with a wrong signature stops the Zap at this step. Later steps can use the fields event and payload of the code step.",
    },
  ],
});

const CODE = `const { createHmac, timingSafeEqual } = require("crypto");
const expected = createHmac("sha256", inputData.secret).update(inputData.raw, "utf8").digest();
const received = Buffer.from(inputData.signature || "", "hex");
if (received.length !== expected.length || !timingSafeEqual(received, expected)) throw new Error("The signature does not match.");
const { event, payload } = JSON.parse(inputData.raw);
output = { event, payload };`;
