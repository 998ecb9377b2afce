import type { RecipeContext, Recipe } from "./recipe.ts";

const PACKAGE = "@tessera-board/n8n-nodes-tessera";

/** Nodes to paste onto n8n's canvas. They are in integrations/n8n. */
export const n8nRecipe = (context: RecipeContext): Recipe => ({
  id: "n8n",
  name: "n8n",
  send: [
    { text: "Choose Settings, Community nodes, Install, and install this package:", code: PACKAGE },
    { text: "Copy this node, click the canvas of your workflow, and paste.", code: pretty(buildNodes(buildSendStep(context))) },
    { text: `Open it, create a credential with the Server URL ${context.base} and your API key, and save: n8n tests it.` },
    { text: "The key needs the permission write. The same node updates, asks, searches and drafts, and is a tool for agents." },
  ],
  verify: [
    {
      text: "Paste this trigger too, and choose the credential. It subscribes itself, verifies each signature, and gives every event once.",
      code: pretty(buildNodes(buildTriggerStep(context))),
    },
    { text: "Its key needs the permission read, and it may manage webhooks: an owner chooses that when the key is made." },
    { text: "Publish or activate the workflow. Events that happen while n8n is off come when it starts again, for up to 30 days." },
    { text: "If n8n is on a private network, add its host:port to WEBHOOK_ALLOW of this install." },
  ],
});

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

type Step = { readonly name: string; readonly type: string; readonly id: string; readonly parameters: object; readonly webhookId?: string };

const buildNodes = ({ type, ...step }: Step) => ({
  nodes: [{ ...step, type: `${PACKAGE}.${type}`, typeVersion: 1, position: [0, 0] }],
  connections: {},
});

const chooseBoard = ({ boardId }: RecipeContext) => ({ __rl: true, mode: "id", value: boardId });

const buildSendStep = (context: RecipeContext): Step => ({
  id: "8b0f4f7e-54b3-4d0a-9c61-7d2a3c6a1f01",
  name: "Create a tile",
  type: "tessera",
  parameters: { resource: "tile", operation: "create", board: chooseBoard(context), source: "url", url: "={{ $json.url }}" },
});

const buildTriggerStep = (context: RecipeContext): Step => ({
  id: "8b0f4f7e-54b3-4d0a-9c61-7d2a3c6a1f02",
  name: "Tessera Trigger",
  type: "tesseraTrigger",
  webhookId: "8b0f4f7e-54b3-4d0a-9c61-7d2a3c6a1f03",
  parameters: { events: ["tile.ready"], board: chooseBoard(context), options: { includeTile: true } },
});
