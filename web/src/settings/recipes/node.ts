import { type RecipeContext, type Recipe, getInboundUrl } from "./recipe.ts";

/** Node 20 and newer, without packages. */
export const nodeRecipe = (context: RecipeContext): Recipe => ({
  id: "node",
  name: "Node",
  send: [{ text: "Put the key into the environment variable TESSERA_KEY, then send the request.", code: buildSendCode(context) }],
  verify: [
    {
      text: "Put the webhook's secret into TESSERA_SECRET. The signature covers the raw bytes, so verify it before parsing.",
      code: VERIFYING,
    },
    { text: 'With Express, mount express.raw({ type: "application/json" }) on the path: request.body is then the raw body.' },
  ],
});

const buildSendCode = (context: RecipeContext): string => `const response = await fetch("${getInboundUrl(context)}", {
  method: "POST",
  headers: { "X-API-Key": process.env.TESSERA_KEY, "Content-Type": "application/json" },
  body: JSON.stringify({ board_id: "${context.boardId}", url: "https://example.com/article" }),
});
const answer = await response.json();
if (!response.ok) throw new Error(answer.error);
console.log(answer.tile.id, answer.tile.status);`;

const VERIFYING = `import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

function isGenuine(rawBody, header) {
  const wanted = createHmac("sha256", process.env.TESSERA_SECRET).update(rawBody).digest();
  const given = Buffer.from(header ?? "", "hex");
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const rawBody = Buffer.concat(parts);
  if (!isGenuine(rawBody, request.headers["x-service-signature"])) return response.writeHead(401).end();
  const { event, payload } = JSON.parse(rawBody);
  console.log(event, payload);
  response.writeHead(204).end();
}).listen(Number(process.env.PORT ?? 3000), "127.0.0.1");`;
