/** Any input, as the transport sees it. */
export type PlainInput = {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  readonly form?: Readonly<Record<string, unknown>> | undefined;
};

const toSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Whether the value is written to JSON field by field: objects of classes and of other windows are, and dates are not. */
const hasFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !("toJSON" in value);

/** Fields whose names are the caller's own, and stay as they are. */
const OWN_DATA: ReadonlySet<string> = new Set(["properties", "setProperties"]);

/** The value with snake_case names, at every depth. */
export function withSnakeCaseNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSnakeCaseNames);
  if (!hasFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [toSnakeCase(name), OWN_DATA.has(name) ? field : withSnakeCaseNames(field)]),
  );
}

/** The fields as multipart/form-data, except those that are undefined or null. Lists and objects are written as JSON. */
export function toFormData(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    if (value instanceof Blob) form.set(toSnakeCase(name), value);
    else if (hasFields(value)) form.set(toSnakeCase(name), JSON.stringify(value));
    else form.set(toSnakeCase(name), String(value));
  }
  return form;
}

/** The URL of an operation: path parameters filled in, query parameters in snake_case. Throws a `RangeError` for what is no id. */
export function buildUrl(baseUrl: string, path: string, { path: parameters = {}, query = {} }: PlainInput): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeId(name, parameters[name]));
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    addPairs(pairs, toSnakeCase(name), value);
  }
  const text = pairs.toString();
  return `${baseUrl}${filled}${text && `?${text}`}`;
}

/** Adds a query parameter: once for each item of a list, and as `name.key` for each key of an object. */
function addPairs(pairs: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) for (const item of value) addPairs(pairs, name, item);
  else if (hasFields(value)) for (const [key, item] of Object.entries(value)) addPairs(pairs, `${name}.${key}`, item);
  else pairs.append(name, value instanceof Date ? value.toISOString() : String(value));
}

/** An id as one part of a path. "", "." and ".." would lead to another path, and an object would be sent as its name. */
function encodeId(name: string, id: unknown): string {
  if (typeof id !== "string" || /^\.{0,2}$|\p{Surrogate}/u.test(id))
    throw new RangeError(`${name} must be an id: a text other than "", "." and "..".`);
  return encodeURIComponent(id);
}
