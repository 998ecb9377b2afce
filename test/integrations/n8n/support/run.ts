import { isDeepStrictEqual } from "node:util";
import type { Host, NodeSetup } from "./host.ts";

/** Runs the node for these items, and returns the items that it puts out. Pairs each with its input, as n8n does. */
export async function execute(host: Host, setup: NodeSetup, items: readonly object[] = [{}]): Promise<any[]> {
  const node = host.open("Tessera", setup);
  const input = items.map((json) => ({ json }));
  const context = node.createContext({ getInputData: () => input }, input);
  const [output] = await node.type.execute.call(context);
  return output;
}

/** Runs the node for one item, and returns the data of what it puts out. */
export async function executeOne(host: Host, setup: NodeSetup, item: object = {}): Promise<any[]> {
  const output = await execute(host, setup, [item]);
  if (!output.every(({ pairedItem }) => isDeepStrictEqual(pairedItem, { item: 0 }))) throw new Error("An item is not paired.");
  return output.map(({ json }) => json);
}

/** Runs the node, and returns the error with which it fails. */
export const executeWrong = (host: Host, setup: NodeSetup, items?: readonly object[]): Promise<any> =>
  execute(host, setup, items).then(
    () => {
      throw new Error("The node did not fail.");
    },
    (error: unknown) => error,
  );

/** Loads a list of the editor, as the user has filled in the node so far. */
export async function loadList(host: Host, setup: NodeSetup, method: string, filter?: string): Promise<any[]> {
  const node = host.open("Tessera", setup);
  const context = node.createContext({
    getCurrentNodeParameter: (name: string) => {
      const value = (setup.parameters as any)[name];
      return value?.value ?? value;
    },
  });
  const { listSearch, loadOptions } = node.type.methods;
  const found = await (listSearch[method] ?? loadOptions[method]).call(context, filter);
  return found.results ?? found;
}

/** Sends the request by which n8n tests the credential when it is saved. */
export async function testCredential(host: Host, credentials: { readonly baseUrl: string; readonly apiKey: string }): Promise<any> {
  const { workflow, createContext } = host.open("Tessera", { ...credentials, parameters: {} });
  const { baseURL, url } = host.credential.test.request;
  const resolved = workflow.expression.getSimpleParameterValue(
    workflow.getNode("Tessera"),
    baseURL,
    "internal",
    { $credentials: credentials },
    undefined,
    "",
  );
  const context = createContext({});
  return context.helpers.httpRequestWithAuthentication.call(context, host.credential.name, { baseURL: resolved, url });
}
