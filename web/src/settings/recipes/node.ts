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

function isValid(rawBody, header) {
  const expected = createHmac("sha256", process.env.TESSERA_SECRET).update(rawBody).digest();
  const received = Buffer.from(header ?? "", "hex");
  return received.length === expected.length && timingSafeEqual(received, expected);
}

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const rawBody = Buffer.concat(parts);
  if (!isValid(rawBody, request.headers["x-service-signature"])) return response.writeHead(401).end();
  const { event, payload } = JSON.parse(rawBody);
  console.log(event, payload);
  response.writeHead(204).end();
}).listen(Number(process.env.PORT ?? 3000), "127.0.0.1");`;
