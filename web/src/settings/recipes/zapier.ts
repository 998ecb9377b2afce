import { type RecipeContext, type Recipe, getInboundUrl } from "./recipe.ts";

export const zapierRecipe = (context: RecipeContext): Recipe => ({
  id: "zapier",
  name: "Zapier",
  send: [
    { text: "Add the action Webhooks by Zapier, POST. URL:", code: getInboundUrl(context) },
    { text: "Payload type json. Under Data add url (from an earlier step) and board_id:", code: context.boardId },
    { text: "Under Headers add X-API-Key with your API key." },
  ],
  verify: [
    {
      text: "Start the Zap with Webhooks by Zapier, Catch Raw Hook: only this trigger keeps the raw body. Set its address under Settings, Webhook, and send a test event.",
    },
    {
      text: "Add Code by Zapier, Run JavaScript, with three input fields: raw (the trigger's Raw Body), given (its header X-Service-Signature) and secret (the webhook's secret). The code:",
      code: CODE,
    },
    { text: "A request with an invalid signature stops the Zap there. In later steps, event and payload are fields of the code step." },
  ],
});

const CODE = `const { createHmac, timingSafeEqual } = require("crypto");
const wanted = createHmac("sha256", inputData.secret).update(inputData.raw, "utf8").digest();
const given = Buffer.from(inputData.given || "", "hex");
if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw new Error("The signature does not match.");
const { event, payload } = JSON.parse(inputData.raw);
output = { event, payload };`;
