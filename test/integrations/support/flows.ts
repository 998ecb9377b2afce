/** Node ids and configuration of flows that tests deploy. */
const FLOW = "00000000000000f0";
export const SERVER = "00000000000000c0";

export type Wired = { readonly id: string; readonly type: string } & Readonly<Record<string, unknown>>;

/** A flow with a server node; its key goes into the credentials. */
export const flowWith = (baseUrl: string, ...nodes: readonly Wired[]): readonly object[] => [
  { id: FLOW, type: "tab", label: "Test" },
  { id: SERVER, type: "tessera-server", name: "", url: baseUrl },
  ...nodes.map((node) => ({ z: FLOW, x: 0, y: 0, wires: [], ...node })),
];

/** Nodes by which `POST /red/<name>` runs a node with the body as payload. The response is its payload, or its error with status 500. */
export const asHttpCall = (name: string, node: Readonly<Record<string, unknown>>): readonly Wired[] => [
  { id: `${name}-in`, type: "http in", url: `/${name}`, method: "post", wires: [[`${name}-body`]] },
  { id: `${name}-body`, type: "function", func: "msg.payload = msg.payload.payload; return msg;", wires: [[name]] },
  { id: name, type: `tessera-${name}`, server: SERVER, wires: [[`${name}-out`]], ...node },
  { id: `${name}-catch`, type: "catch", scope: [name], wires: [[`${name}-error`]] },
  {
    id: `${name}-error`,
    type: "function",
    func: "msg.statusCode = 500; msg.payload = { error: msg.error.message }; return msg;",
    wires: [[`${name}-out`]],
  },
  { id: `${name}-out`, type: "http response" },
];

/** Nodes that post the messages of an event node to a receiver, as JSON. */
export const eventsTo = (receiverUrl: string, id: string, node: Readonly<Record<string, unknown>>): readonly Wired[] => [
  { id, type: "tessera-event-in", server: SERVER, board: "", events: ["tile.created"], publicUrl: "", wires: [[`${id}-body`]], ...node },
  {
    id: `${id}-body`,
    type: "function",
    func: "const { topic, payload, eventId, at } = msg; return { payload: { topic, payload, eventId, at } };",
    wires: [[`${id}-send`]],
  },
  { id: `${id}-send`, type: "http request", method: "POST", ret: "txt", url: receiverUrl, wires: [[]] },
];
