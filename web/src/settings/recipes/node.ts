import { type RecipeContext, type Recipe, getInboundUrl } from "./recipe.ts";

/** Node 20 and newer, without a package. */
export const nodeRecipe = (context: RecipeContext): Recipe => ({
  id: "node",
  name: "Node",
  send: [{ text: "Set the environment variable TESSERA_KEY to your API key, and run this code.", code: buildSendCode(context) }],
  verify: [
    {
      text: "Set TESSERA_SECRET to the webhook's secret. The signature is computed over the raw body, so verify it before parsing.",
      code: VERIFYING,
    },
    { text: 'With Express, mount express.raw({ type: "application/json" }) on the path; request.body is then the raw body.' },
  ],
});

const buildSendCode = (context: RecipeContext): string => `const response = await fetch("${getInboundUrl(context)}", {
  method: "POST",
  headers: { "X-API-Key": process.env.TESSERA_KEY, "Content-Type": "application/json" },
  body: JSON.stringify({ board_id: "${context.boardId}", url: "https://example.com/article" }),
});
const result = await response.json();
if (!response.ok) throw new Error(result.error);
console.log(result.tile.id, result.tile.status);`;

const VERIFYING = `import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const key = Buffer.from(process.env.TESSERA_SECRET.replace("whsec_", ""), "base64");
// Ids of a day. If several processes receive events, keep them in your database.
const handled = new Set();

function isValid(rawBody, headers) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const expected = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\`).update(rawBody).digest();
  return signatures.split(" ").some((signature) => {
    const received = Buffer.from(signature.replace("v1,", ""), "base64");
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
}

function isRepeated(id) {
  if (handled.has(id)) return true;
  handled.add(id);
  setTimeout(() => handled.delete(id), 86_400_000).unref();
  return false;
}

createServer(async (request, response) => {
  try {
    const parts = [];
    for await (const part of request) parts.push(part);
    const rawBody = Buffer.concat(parts);
    if (!isValid(rawBody, request.headers)) return response.writeHead(401).end();
    const { event, payload } = JSON.parse(rawBody);
    if (!isRepeated(request.headers["webhook-id"])) console.log(event, payload);
    response.writeHead(204).end();
  } catch (error) {
    // Without this, a request that is cut off would end the process.
    console.error(error);
    response.writeHead(500).end();
  }
}).listen(Number(process.env.PORT ?? 3000), "127.0.0.1");`;
