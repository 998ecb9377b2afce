import {
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from "n8n-workflow";
import { LIST_SEARCH, LOAD_OPTIONS } from "../Tessera/shared/lists.ts";
import { receiveDelivery } from "./delivery.ts";
import { TRIGGER_FIELDS } from "./fields.ts";
import { isSubscribed, subscribe, unsubscribe } from "./subscription.ts";

/** The node that starts a workflow when something happens on a board. */
export class TesseraTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Tessera Trigger",
    name: "tesseraTrigger",
    icon: { light: "file:../../icons/tessera.svg", dark: "file:../../icons/tessera.dark.svg" },
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: "Starts the workflow when something happens on a Tessera board",
    eventTriggerDescription: "Waiting for an event of a board",
    activationMessage: "The workflow now runs for the events of Tessera, and for those that it missed.",
    defaults: { name: "Tessera Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "tesseraApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: TRIGGER_FIELDS,
  };

  methods = { listSearch: LIST_SEARCH, loadOptions: LOAD_OPTIONS };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return await isSubscribed(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        await subscribe(this);
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await unsubscribe(this);
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return await receiveDelivery(this);
  }
}
