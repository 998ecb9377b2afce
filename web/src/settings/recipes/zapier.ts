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
      text: "Add Code by Zapier, Run JavaScript, with five input fields: raw (the trigger's Raw Body), id, timestamp and signatures (its headers webhook-id, webhook-timestamp and webhook-signature) and secret (the webhook's secret). Enter this code:",
      code: CODE,
    },
    {
      text: "A request with a wrong signature or an old timestamp stops the Zap at this step. Later steps can use the fields id, event and payload of the code step.",
    },
    {
      text: "To handle each event once, add Storage by Zapier, Get Value, with the id as key. Add a filter that continues only if the value does not exist. Then set it with Storage by Zapier, Set Value.",
    },
  ],
});

const CODE = `const { createHmac, timingSafeEqual } = require("crypto");
const { raw, id, timestamp, signatures = "", secret } = inputData;
const key = Buffer.from(secret.replace("whsec_", ""), "base64");
const expected = createHmac("sha256", key).update(id + "." + timestamp + "." + raw, "utf8").digest();
const isValid = signatures.split(" ").some((signature) => {
  const received = Buffer.from(signature.replace("v1,", ""), "base64");
  return received.length === expected.length && timingSafeEqual(received, expected);
});
if (!isValid) throw new Error("The signature does not match.");
if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) throw new Error("The request is too old.");
const { event, payload } = JSON.parse(raw);
output = { id, event, payload };`;
