import type { TestService } from "./service.ts";

export type Ids = { readonly boardId: string; readonly zoneId: string; readonly tileId: string; readonly generationId: string };
export type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
};

/** One route of the OpenAPI document. */
export type Operation = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The schema of a JSON body; undefined for a form or without a body. */
  readonly body: JsonSchema | undefined;
  readonly query: readonly { readonly name: string; readonly schema: JsonSchema }[];
  readonly response: JsonSchema;
};

/** Lists every route of the OpenAPI document, except those that return only a stream. */
export async function readOperations(service: Pick<TestService, "call">): Promise<Operation[]> {
  const { json } = await service.call("GET", "/openapi.json", { key: null });
  return Object.entries<Record<string, any>>(withoutReferences(json.paths, json)).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => Object.keys((responses["200"] ?? responses["202"]).content).join() !== "text/event-stream")
      .map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        body: operation.requestBody?.content["application/json"]?.schema,
        query: (operation.parameters ?? []).filter((parameter: { in: string }) => parameter.in === "query"),
        response: closeObjects((operation.responses["200"] ?? operation.responses["202"]).content["application/json"]?.schema ?? {}),
      })),
  );
}

/**
 * Forbids properties that the document does not list. The document leaves responses open for later versions, but this version returns
 * nothing that it does not describe.
 */
function closeObjects(schema: any): any {
  if (Array.isArray(schema)) return schema.map(closeObjects);
  if (typeof schema !== "object" || schema === null) return schema;
  const closed = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closeObjects(part)]));
  return schema.type === "object" && typeof schema.properties === "object" ? { additionalProperties: false, ...closed } : closed;
}

/** Replaces every `$ref` in the value by its target in the document. */
function withoutReferences(value: any, document: unknown): any {
  if (Array.isArray(value)) return value.map((one) => withoutReferences(one, document));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value;
  if (typeof $ref === "string") {
    const named = $ref
      .slice(2)
      .split("/")
      .reduce((part: any, name) => part[name], document);
    return { ...withoutReferences(named, document), ...rest };
  }
  return Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, withoutReferences(part, document)]));
}

/** Ids in paths of settings that do not exist. */
const UNKNOWN_IDS = {
  memberId: "mem_none",
  sessionId: "ses_none",
  invitationId: "inv_none",
  keyId: "key_none",
  addressId: "iba_none",
  deliveryId: "dlv_none",
  webhookId: "sub_none",
  token: "tsi_none",
};

/** Fills in the parameters of a path. Throws for a parameter without a value. */
export function fillPath(path: string, ids: Ids): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ({ ...UNKNOWN_IDS, ...ids } as Readonly<Record<string, string>>)[name];
    if (id === undefined) throw new Error(`The path ${path} has a parameter "${name}" for which the tests have no value.`);
    return encodeURIComponent(id);
  });
}
