import { type RecipeContext, type Recipe, getInboundUrl } from "./recipe.ts";

/** Flows for Menu, Import. Receiving needs Node-RED 4.1, whose "http in" can leave the body unparsed. */
export const nodeRedRecipe = (context: RecipeContext): Recipe => ({
  id: "node-red",
  name: "Node-RED",
  send: [
    {
      text: "Choose Menu, Import, and paste this flow. Put your API key into the function node “Build request”. msg.payload.url is the link.",
      code: JSON.stringify(buildSendFlow(context)),
    },
  ],
  verify: [
    {
      text: "Choose Menu, Import, and paste this flow (Node-RED 4.1 or newer). The “http in” node keeps the raw body. The function checks the signature and the time, returns 401 if one is wrong, and passes each event on once.",
      code: JSON.stringify(RECEIVING),
    },
    {
      text: "Set the environment variable TESSERA_SECRET of Node-RED to the secret. Then set its URL, such as http://127.0.0.1:1880/tessera, in Tessera under Settings, Webhook.",
    },
    { text: "If Node-RED is on a private network, add its host:port to WEBHOOK_ALLOW of this install." },
  ],
});

const buildSendFlow = (context: RecipeContext) => [
  {
    id: "a1f0c2d3e4b50601",
    type: "inject",
    name: "Try it",
    props: [{ p: "payload" }],
    payload: '{"url":"https://example.com/article"}',
    payloadType: "json",
    x: 110,
    y: 80,
    wires: [["a1f0c2d3e4b50602"]],
  },
  {
    id: "a1f0c2d3e4b50602",
    type: "function",
    name: "Build request",
    func: `msg.headers = { "X-API-Key": "tsr_YOUR_KEY", "Content-Type": "application/json" };\nmsg.payload = { board_id: "${context.boardId}", url: msg.payload.url };\nreturn msg;`,
    outputs: 1,
    x: 250,
    y: 80,
    wires: [["a1f0c2d3e4b50603"]],
  },
  {
    id: "a1f0c2d3e4b50603",
    type: "http request",
    name: "Create a tile",
    method: "POST",
    ret: "obj",
    url: getInboundUrl(context),
    x: 410,
    y: 80,
    wires: [["a1f0c2d3e4b50604"]],
  },
  {
    id: "a1f0c2d3e4b50604",
    type: "debug",
    name: "Response",
    active: true,
    complete: "payload",
    targetType: "msg",
    x: 570,
    y: 80,
    wires: [],
  },
];

/** The code of the function node. Its second output is the response; the first one has new events only. */
const CHECK = `const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = msg.req.headers;
const key = Buffer.from(env.get("TESSERA_SECRET").replace("whsec_", ""), "base64");
const expected = crypto.createHmac("sha256", key).update(id + "." + timestamp + ".").update(msg.payload).digest();
const matches = signatures.split(" ").some((signature) => {
  const received = Buffer.from(signature.replace("v1,", ""), "base64");
  return received.length === expected.length && crypto.timingSafeEqual(received, expected);
});
const now = Date.now() / 1000;
if (!matches || !(Math.abs(now - Number(timestamp)) <= 300)) {
  msg.statusCode = 401;
  msg.payload = "";
  return [null, msg];
}
const response = { ...msg, statusCode: 204, payload: "" };
const handled = Object.entries(context.get("handled") || {}).filter(([, at]) => now - at < 86400);
context.set("handled", { ...Object.fromEntries(handled), [id]: now });
if (handled.some(([old]) => old === id)) return [null, response];
msg.payload = JSON.parse(msg.payload);
return [msg, response];`;

const RECEIVING = [
  {
    id: "b1f0c2d3e4b50601",
    type: "http in",
    name: "Event",
    url: "/tessera",
    method: "post",
    upload: false,
    skipBodyParsing: true,
    x: 110,
    y: 180,
    wires: [["b1f0c2d3e4b50602"]],
  },
  {
    id: "b1f0c2d3e4b50602",
    type: "function",
    name: "Valid signature?",
    func: CHECK,
    outputs: 2,
    libs: [{ var: "crypto", module: "crypto" }],
    x: 260,
    y: 180,
    wires: [["b1f0c2d3e4b50603"], ["b1f0c2d3e4b50604"]],
  },
  {
    id: "b1f0c2d3e4b50603",
    type: "debug",
    name: "Verified event",
    active: true,
    complete: "payload",
    targetType: "msg",
    x: 440,
    y: 160,
    wires: [],
  },
  { id: "b1f0c2d3e4b50604", type: "http response", name: "Response", x: 430, y: 220, wires: [] },
];
