/** A JSON object, such as a schema or an operation. */
export type Json = Readonly<Record<string, unknown>>;
/** Who sends the value: clients send requests, the server sends responses and events. */
type Direction = "request" | "response";
type Place = {
  readonly title: string;
  readonly path: string;
  readonly parent: string;
  readonly direction: Direction;
  readonly isRequired: boolean;
};

/** What a document says about one place, such as `GET /tiles: response 200 field tiles[].title`. */
export type Fact = {
  readonly parent: string;
  readonly direction: Direction;
  readonly isRequired: boolean;
  /** `any` stands for every type; an empty list allows nothing. */
  readonly types: readonly string[];
  readonly values: readonly string[] | undefined;
  readonly limits: Json;
  /** Whether clients were told to expect other values. */
  readonly mayGrow: boolean;
  /** The sentence for a place that is missing in the new document. */
  readonly removal: string;
};

/** What is known of a place without a schema. */
export const ANYTHING = { types: ["any"], values: undefined, limits: {}, mayGrow: false } as const;

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
/** Keywords of schemas that are no limits: they are read in other ways, or say nothing about which values are valid. */
const NO_LIMITS =
  /^(?:type|enum|const|properties|required|items|additionalProperties|title|description|default|examples?|deprecated|readOnly|writeOnly)$/;
const MAY_GROW = /\b(?:values|types|codes|kinds|events) may be added\b/i;

/** Reads a document into facts. Choices of `anyOf` are read together; other ways to combine schemas are limits that must not change. */
export class FactReader {
  readonly facts = new Map<string, Fact>();
  readonly #document: Json;

  constructor(document: Json) {
    this.#document = document;
    for (const [path, item] of Object.entries(asObject(document["paths"]))) this.#addItem(path, this.#resolve(item), false);
    for (const [name, item] of Object.entries(asObject(document["webhooks"]))) this.#addItem(`Event ${name}`, this.#resolve(item), true);
    // Shared schemas are types in generated clients.
    for (const name of Object.keys(asObject(asObject(document["components"])["schemas"]))) this.#addPlace(`Schema ${name}`, "");
  }

  #addItem(title: string, item: Json, isEvent: boolean): void {
    this.#addPlace(title, "");
    for (const method of METHODS.filter((one) => one in item)) {
      const operation = asObject(item[method]);
      const place = isEvent ? title : `${method.toUpperCase()} ${title}`;
      if (!isEvent) this.#addPlace(place, title);
      // Generated clients name their functions by the ids of operations.
      const id = operation["operationId"];
      if (id !== undefined) this.#addPlace(`${place} operationId ${String(id)}`, place, `${place} lost its operationId ${String(id)}`);
      if (!isEvent) this.#addAuthentication(place, operation);
      const parameters = [...asList(item["parameters"]), ...asList(operation["parameters"])];
      this.#addMessages(place, { ...operation, parameters }, isEvent ? ["response", "request"] : ["request", "response"]);
    }
  }

  /** Each way to authenticate, or all if anybody may call. */
  #addAuthentication(place: string, operation: Json): void {
    const ways = asList(operation["security"] ?? this.#document["security"]).map((way) => Object.keys(asObject(way)).join(" and "));
    const isPublic = ways.length === 0 || ways.includes("");
    const open = `${place} without authentication`;
    if (isPublic) this.#addPlace(open, place, `${place} needs authentication now`);
    const schemes = Object.keys(asObject(asObject(this.#document["components"])["securitySchemes"]));
    for (const way of isPublic ? schemes : ways)
      this.#addPlace(`${place} authentication ${way}`, isPublic ? open : place, `${place} no longer accepts the authentication ${way}`);
  }

  /** What is sent and what is answered. The server sends the requests of events, so their directions are exchanged. */
  #addMessages(parent: string, operation: Json, [sent, answered]: readonly [Direction, Direction]): void {
    const add = (title: string, above: string, direction: Direction, { required, schema }: Json): void =>
      this.#addSchema({ title, path: "", parent: above, direction, isRequired: required === true }, schema ?? true, []);
    const addBody = (title: string, direction: Direction, { required, content, headers }: Json): void => {
      const { "application/json": json, ...others } = asObject(content);
      add(title, parent, direction, { ...asObject(json), required });
      if (json !== undefined) this.#addPlace(`${title} of type application/json`, title);
      for (const [type, media] of Object.entries(others)) add(`${title} of type ${type}`, title, direction, asObject(media));
      for (const [name, header] of Object.entries(asObject(headers)))
        add(`${title} header ${name}`, title, direction, this.#resolve(header));
    };
    for (const parameter of asList(operation["parameters"]).map((one) => this.#resolve(one))) {
      const kind = parameter["in"] === "header" ? "header" : `${String(parameter["in"])} parameter`;
      add(`${parent}: ${kind} ${String(parameter["name"])}`, parent, sent, parameter);
    }
    const body = operation["requestBody"];
    if (body !== undefined) addBody(`${parent}: request body`, sent, this.#resolve(body));
    for (const [status, response] of Object.entries(asObject(operation["responses"])))
      addBody(`${parent}: response ${status}`, answered, this.#resolve(response));
  }

  /** A value and its parts. A schema that contains itself, as `open` says, is read once. */
  #addSchema({ title, path, ...more }: Place, schema: unknown, open: readonly unknown[]): void {
    const place = path === "" ? title : `${title} field ${path}`;
    const forms = this.#listForms(schema);
    const mayGrow = [schema, ...forms].some((one) => MAY_GROW.test(String(asObject(one)["description"])));
    const others = forms.filter((form) => form["type"] !== "null");
    const all = others.map(listValues);
    const values = all.length > 0 && all.every((one) => one !== undefined) ? all.flat() : undefined;
    // Limits of several forms are not compared.
    const limits = others.length === 1 ? Object.entries(others[0] ?? {}).filter(([name]) => !NO_LIMITS.test(name)) : [];
    const types = [...new Set(forms.flatMap(listTypes))];
    this.facts.set(place, { ...more, types, values, limits: Object.fromEntries(limits), mayGrow, removal: `${place} was removed` });
    const inner = [...open, asObject(schema)["$ref"] ?? schema];
    const addPart = (name: string, part: unknown): void => {
      if (part === undefined || part === true || inner.includes(asObject(part)["$ref"] ?? part)) return;
      const isRequired = others.every((form) => asList(form["required"]).includes(name));
      const next = name === "[]" || path === "" ? path + name : `${path}.${name}`;
      this.#addSchema({ title, path: next, parent: place, direction: more.direction, isRequired }, part, inner);
    };
    for (const { properties, items, additionalProperties } of others) {
      for (const [name, part] of Object.entries(asObject(properties))) addPart(name, part);
      addPart("[]", items);
      addPart("*", additionalProperties);
    }
  }

  #addPlace(place: string, parent: string, removal = `${place} was removed`): void {
    this.facts.set(place, { ...ANYTHING, parent, direction: "request", isRequired: false, removal });
  }

  /** The schemas of which a value must fulfil one; none if nothing is allowed. */
  #listForms(schema: unknown): readonly Json[] {
    if (schema === false) return [];
    const found = this.#resolve(schema);
    const { anyOf, ...others } = found;
    return anyOf === undefined ? [found] : asList(anyOf).flatMap((choice) => this.#listForms({ ...others, ...this.#resolve(choice) }));
  }

  #resolve(value: unknown): Json {
    const reference = asObject(value)["$ref"];
    if (typeof reference !== "string") return asObject(value);
    const found = reference
      .slice(2)
      .split("/")
      .reduce<unknown>((part, name) => asObject(part)[name], this.#document);
    if (found === undefined) throw new Error(`The reference ${reference} leads to nothing.`);
    return this.#resolve(found);
  }
}

function listValues(form: Json): readonly string[] | undefined {
  const values = "const" in form ? [form["const"]] : (form["enum"] as readonly unknown[] | undefined);
  return values?.filter((value) => value !== null).map((value) => JSON.stringify(value));
}

function listTypes({ type, const: constant, enum: listed }: Json): readonly string[] {
  if (type !== undefined) return [type].flat().map(String);
  const values = constant === undefined ? listed : [constant];
  if (values === undefined) return ["any"];
  return asList(values).map((value) => (value === null ? "null" : Number.isInteger(value) ? "integer" : typeof value));
}

const asObject = (value: unknown): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {});

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
