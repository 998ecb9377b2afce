import type { TestService } from "./service.ts";

export type Ids = { readonly boardId: string; readonly zoneId: string; readonly tileId: string; readonly generationId: string };
export type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
};

/** One route of the OpenAPI document. */
export type Operation = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Of a JSON body; undefined also for a form. */
  readonly body: JsonSchema | undefined;
  readonly query: readonly { readonly name: string; readonly schema: JsonSchema }[];
  readonly answer: JsonSchema;
};

/** Every route that the service's own document lists, but for those that answer with nothing but a stream, whose end nobody waits for. */
export async function readOperations(service: Pick<TestService, "call">): Promise<Operation[]> {
  const { json } = await service.call("GET", "/openapi.json", { key: null });
  return Object.entries<Record<string, any>>(json.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.responses["200"].content["text/event-stream"] === undefined)
      .map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        body: operation.requestBody?.content["application/json"]?.schema,
        query: (operation.parameters ?? []).filter((parameter: { in: string }) => parameter.in === "query"),
        answer: operation.responses["200"].content["application/json"]?.schema ?? {},
      })),
  );
}

/** What settings are named by, and nothing has. */
const NOTHING = { memberId: "mem_none", sessionId: "ses_none", invitationId: "inv_none", keyId: "key_none", deliveryId: "dlv_none" };

/** The path with its parameters filled in; throws for one that nobody gave. */
export function fillPath(path: string, ids: Ids): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ({ ...NOTHING, ...ids } as Readonly<Record<string, string>>)[name];
    if (id === undefined) throw new Error(`The path ${path} has a parameter "${name}" that the tests do not know.`);
    return encodeURIComponent(id);
  });
}
