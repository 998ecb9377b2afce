import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { buildPackage } from "./build.ts";
import { sendLikeN8n } from "./http.ts";

/** What a test says about a node. Fields that are left out have the defaults of the node. */
export type NodeSetup = {
  readonly parameters: object;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** What n8n has stored with the workflow. */
  readonly staticData?: object;
  readonly continueOnFail?: boolean;
  readonly mode?: "manual" | "trigger";
};

export type Host = {
  readonly folder: string;
  /** The package's own copy of n8n-workflow, which nodes extend and whose errors they throw. */
  readonly n8n: any;
  readonly nodes: { readonly Tessera: any; readonly TesseraTrigger: any };
  readonly credential: any;
  /** Sets a node up in a workflow of its own. */
  open(name: "Tessera" | "TesseraTrigger", setup: NodeSetup): OpenNode;
  /** Loads the modules of the package anew, as a new process does. */
  reload(): void;
};

export type OpenNode = {
  readonly type: any;
  readonly workflow: any;
  /** The functions that n8n gives a node: those that contexts of all kinds have. `extra` are those of one kind. */
  createContext(extra: object, items?: readonly any[]): any;
};

/** Builds the package before the tests of a file, and loads it as n8n does. */
export function useN8n(): Host {
  const host = {} as Host;
  beforeAll(async () => {
    const folder = await buildPackage();
    Object.assign(host, load(folder), {
      open: (name: keyof Host["nodes"], setup: NodeSetup) => openNode(host, name, setup),
      reload: () => Object.assign(host, load(folder)),
    });
  }, 300_000);
  // n8n-workflow writes big integers as JSON everywhere, and other test files share the process.
  afterAll(() => void Reflect.deleteProperty(BigInt.prototype, "toJSON"));
  return host;
}

/** Loads the package by what its `package.json` tells n8n. Modules of an earlier load are forgotten. */
function load(folder: string): Pick<Host, "folder" | "n8n" | "nodes" | "credential"> {
  const read = createRequire(join(folder, "package.json"));
  const { n8n: paths } = read("./package.json");
  for (const path of Object.keys(read.cache)) if (path.startsWith(join(folder, "dist"))) Reflect.deleteProperty(read.cache, path);
  const n8n = read("n8n-workflow");
  const loadClass = (path: string) => {
    const name = path.split("/").at(-1)!.split(".")[0]!;
    return [name, new (read(join(folder, path))[name])()] as const;
  };
  const nodes = Object.fromEntries(paths.nodes.map(loadClass));
  const [, credential] = loadClass(paths.credentials[0]);
  return { folder, n8n, nodes: nodes as Host["nodes"], credential };
}

function openNode(host: Host, name: "Tessera" | "TesseraTrigger", setup: NodeSetup): OpenNode {
  const type = host.nodes[name];
  const nodeTypes = { getByName: () => type, getByNameAndVersion: () => type, getKnownTypes: () => ({}) };
  const credentials = { tesseraApi: { id: "1", name: "Tessera" } };
  const node = { id: "node-1", name, type: `tessera.${name}`, typeVersion: 1, position: [0, 0], credentials, parameters: setup.parameters };
  // n8n fills in the defaults of parameters that are shown.
  const workflow = new host.n8n.Workflow({
    id: "workflow-1",
    name: "Test",
    nodes: [node],
    connections: {},
    active: true,
    nodeTypes,
    staticData: setup.staticData ?? {},
    settings: {},
  });
  return {
    type,
    workflow,
    createContext: (extra, items = []) => createContext(host, workflow.getNode(name), { workflow, type, setup, items, extra }),
  };
}

type Parts = {
  readonly workflow: any;
  readonly type: any;
  readonly setup: NodeSetup;
  readonly items: readonly any[];
  readonly extra: object;
};

function createContext(host: Host, node: any, { workflow, type, setup, items, extra }: Parts): object {
  const { n8n } = host;
  const credentials = { baseUrl: setup.baseUrl, apiKey: setup.apiKey };
  const mode = setup.mode ?? "trigger";
  const getParameter = (name: string, itemIndex: number, fallback: unknown, options: { extractValue?: boolean } = {}) => {
    const stored = name.split(".").reduce((at: any, key) => at?.[key], node.parameters) ?? fallback;
    if (stored === undefined) throw new n8n.UserError(`Could not get parameter "${name}"`);
    const value = workflow.expression.getParameterValue(stored, null, 0, itemIndex, node.name, items, mode, {});
    return options.extractValue === true ? extractValue(n8n, type, node, name, value) : value;
  };
  const takesItem = "getInputData" in extra;
  return {
    getNode: () => structuredClone(node),
    getMode: () => mode,
    getWorkflow: () => ({ id: workflow.id, name: workflow.name, active: true }),
    getWorkflowStaticData: (kind: string) => workflow.getStaticData(kind, node),
    getCredentials: async () => ({ ...credentials }),
    continueOnFail: () => setup.continueOnFail === true,
    getNodeParameter: (name: string, ...rest: any[]) =>
      takesItem ? getParameter(name, rest[0], rest[1], rest[2]) : getParameter(name, 0, rest[0], rest[1]),
    logger: { warn: () => undefined, error: () => undefined },
    helpers: {
      async httpRequestWithAuthentication(this: any, credentialName: string, request: any) {
        if (credentialName !== host.credential.name) throw new Error(`The node has no credential ${credentialName}.`);
        const headers = resolveHeaders(host, workflow, node, credentials);
        try {
          return await sendLikeN8n(host.folder, { ...request, headers: { ...request.headers, ...headers } });
        } catch (error) {
          throw new n8n.NodeApiError(this.getNode(), error);
        }
      },
    },
    ...extra,
  };
}

/** The headers by which the credential authenticates, with its expressions resolved. */
function resolveHeaders({ credential }: Host, workflow: any, node: any, $credentials: object): object {
  const entries = Object.entries(credential.authenticate.properties.headers as Record<string, string>);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      workflow.expression.getSimpleParameterValue(node, value, "internal", { $credentials }, undefined, ""),
    ]),
  );
}

/** The value of a resource locator in its mode: a part of an address, or the id itself. */
function extractValue(n8n: any, type: any, node: any, name: string, value: any): unknown {
  const property = n8n.NodeHelpers.findDisplayedProperty(name, type.description.properties, node.parameters, node, type.description);
  if (property?.type !== "resourceLocator" || typeof value !== "object" || value === null) return value;
  const regex = property.modes.find((mode: any) => mode.name === value.mode)?.extractValue?.regex;
  if (regex === undefined) return value.value;
  const found = new RegExp(regex).exec(value.value);
  if (found === null) throw new n8n.NodeOperationError(node, `ERROR: ${property.displayName} parameter's value is invalid.`);
  return found[1];
}
