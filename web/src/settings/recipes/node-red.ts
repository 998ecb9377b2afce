import type { RecipeContext, Recipe } from "./recipe.ts";

const SERVER_ID = "a1f0c2d3e4b50600";

/** Flows for Menu, Import. They use the nodes in integrations/node-red. */
export const nodeRedRecipe = (context: RecipeContext): Recipe => ({
  id: "node-red",
  name: "Node-RED",
  send: [
    {
      text: "Choose Menu, Manage palette, Install, and install this package (Node-RED 4 or newer):",
      code: "@tessera-board/node-red-contrib-tessera",
    },
    { text: "Choose Menu, Import, and paste this flow. msg.payload is a link or a text.", code: JSON.stringify(buildSendFlow(context)) },
    { text: "Open the node “create tile”, edit its server, enter your API key, and choose “Test the connection”. Then deploy." },
  ],
  verify: [
    {
      text: "Paste this flow too. The node “event in” follows the change feed: Node-RED needs no public address, and events of a pause are caught up with. Its key needs the permission read.",
      code: JSON.stringify(buildEventFlow(context)),
    },
    {
      text: "To receive webhooks instead, enter the public URL of Node-RED in the node, and use a key that may manage webhooks. The node then subscribes itself, and verifies each signature.",
    },
    { text: "If Node-RED is on a private network, add its host:port to WEBHOOK_ALLOW of this install. The change feed does not need it." },
  ],
});

const buildServer = ({ base }: RecipeContext) => ({ id: SERVER_ID, type: "tessera-server", name: "", url: base });

const buildSendFlow = (context: RecipeContext) => [
  buildServer(context),
  {
    id: "a1f0c2d3e4b50601",
    type: "inject",
    name: "Try it",
    props: [{ p: "payload" }],
    payload: "https://example.com/article",
    payloadType: "str",
    x: 110,
    y: 80,
    wires: [["a1f0c2d3e4b50602"]],
  },
  {
    id: "a1f0c2d3e4b50602",
    type: "tessera-create",
    name: "",
    server: SERVER_ID,
    board: context.boardId,
    zone: "",
    wait: false,
    x: 270,
    y: 80,
    wires: [["a1f0c2d3e4b50603"]],
  },
  buildDebug("a1f0c2d3e4b50603", "Tile", 430, 80),
];

const buildEventFlow = (context: RecipeContext) => [
  buildServer(context),
  {
    id: "b1f0c2d3e4b50601",
    type: "tessera-event-in",
    name: "",
    server: SERVER_ID,
    board: context.boardId,
    events: ["tile.ready"],
    includeTile: true,
    publicUrl: "",
    x: 110,
    y: 180,
    wires: [["b1f0c2d3e4b50602"]],
  },
  buildDebug("b1f0c2d3e4b50602", "Event", 270, 180),
];

const buildDebug = (id: string, name: string, x: number, y: number) => ({
  id,
  type: "debug",
  name,
  active: true,
  complete: "payload",
  targetType: "msg",
  x,
  y,
  wires: [],
});
