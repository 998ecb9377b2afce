import { type RecipeContext, type Recipe, getInboundUrl } from "./recipe.ts";

/** Nodes to paste onto n8n's canvas (n8n 1.0 and newer). */
export const n8nRecipe = (context: RecipeContext): Recipe => ({
  id: "n8n",
  name: "n8n",
  send: [
    {
      text: "Copy this node, click the canvas of your workflow, and paste. Put your API key into its header.",
      code: pretty(buildSendNodes(context)),
    },
    { text: "Or add the node HTTP Request yourself, with the method POST, the header X-API-Key and a JSON body." },
  ],
  verify: [
    {
      text: "Copy these nodes and paste them onto the canvas. The Webhook node keeps the raw body, the Crypto node computes its signature, and the If node compares.",
      code: pretty(VERIFYING),
    },
    { text: "Put the webhook's secret into the node “Sign the raw body”." },
    {
      text: "At the output “true”, add Extract from File (Extract From JSON), and a Filter that is true for {{ Math.abs(Date.now() - Date.parse($json.data.sentAt)) < 300000 }}: an older request is a copy.",
    },
    {
      text: "Then add Remove Duplicates (Remove Items Processed in Previous Executions) with the value {{ $('Event').item.json.headers['webhook-id'] }}, so that each event is handled once.",
    },
    { text: "Activate the workflow, copy the Webhook node's production URL, and set it under Settings, Webhook." },
    { text: "If n8n is on a private network, add its host:port to WEBHOOK_ALLOW of this install." },
  ],
});

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

const buildSendNodes = (context: RecipeContext) => ({
  nodes: [
    {
      id: "8b0f4f7e-54b3-4d0a-9c61-7d2a3c6a1f01",
      name: "Create a tile",
      type: "n8n-nodes-base.httpRequest",
      typeVersion: 4.2,
      position: [0, 0],
      parameters: {
        method: "POST",
        url: getInboundUrl(context),
        sendHeaders: true,
        headerParameters: { parameters: [{ name: "X-API-Key", value: "tsr_YOUR_KEY" }] },
        sendBody: true,
        specifyBody: "json",
        jsonBody: `={{ JSON.stringify({ board_id: "${context.boardId}", url: $json.url }) }}`,
        options: {},
      },
    },
  ],
  connections: {},
});

const VERIFYING = {
  nodes: [
    {
      id: "8b0f4f7e-54b3-4d0a-9c61-7d2a3c6a1f02",
      name: "Event",
      type: "n8n-nodes-base.webhook",
      typeVersion: 2,
      position: [0, 0],
      webhookId: "8b0f4f7e-54b3-4d0a-9c61-7d2a3c6a1f03",
      parameters: { httpMethod: "POST", path: "tessera", options: { rawBody: true } },
    },
    {
      id: "8b0f4f7e-54b3-4d0a-9c61-7d2a3c6a1f04",
      name: "Sign the raw body",
      type: "n8n-nodes-base.crypto",
      typeVersion: 1,
      position: [220, 0],
      parameters: {
        action: "hmac",
        type: "SHA256",
        binaryData: true,
        binaryPropertyName: "data",
        dataPropertyName: "signature",
        secret: "whsec_YOUR_SECRET",
        encoding: "hex",
      },
    },
    {
      id: "8b0f4f7e-54b3-4d0a-9c61-7d2a3c6a1f05",
      name: "Valid signature?",
      type: "n8n-nodes-base.if",
      typeVersion: 2.2,
      position: [440, 0],
      parameters: {
        conditions: {
          options: { caseSensitive: true, leftValue: "", typeValidation: "strict", version: 2 },
          conditions: [
            {
              id: "8b0f4f7e-54b3-4d0a-9c61-7d2a3c6a1f06",
              leftValue: "={{ $json.signature }}",
              rightValue: "={{ $json.headers['x-service-signature'] }}",
              operator: { type: "string", operation: "equals" },
            },
          ],
          combinator: "and",
        },
        options: {},
      },
    },
  ],
  connections: {
    Event: { main: [[{ node: "Sign the raw body", type: "main", index: 0 }]] },
    "Sign the raw body": { main: [[{ node: "Valid signature?", type: "main", index: 0 }]] },
  },
};
