import { type Json, canonical, isObject, asList, asObject, resolve } from "./json.ts";
import { type Direction, compareSchemas } from "./schemas.ts";

/** What breaks clients: where, and why. Together they are a sentence. */
export type Problem = { readonly place: string; readonly reason: string };

/** What is needed to compare one part of a request or response. */
type Part = { readonly before: Json; readonly after: Json; readonly direction: Direction; readonly place: string };

/** How parameters are written if the document does not say. */
const STYLES: Readonly<Record<string, string>> = { query: "form", cookie: "form", path: "simple", header: "simple" };

/** Compares what is sent and what is answered. The server sends the requests of events, so these are compared as responses are. */
export function compareExchange(before: Json, after: Json, old: Json, now: Json, place: string, isEvent: boolean): readonly Problem[] {
  const sent: Part = { before, after, direction: isEvent ? "response" : "request", place };
  const answered: Part = { before, after, direction: isEvent ? "request" : "response", place };
  return [...compareParameters(sent, old, now), ...compareBody(sent, old, now), ...compareResponses(answered, old, now)];
}

function compareParameters(part: Part, old: Json, now: Json): readonly Problem[] {
  const [olds, news] = [getParameters(old), getParameters(now)];
  const problems = [...olds].flatMap(([key, parameter]) => {
    const place = `${part.place}: ${getTitle(parameter)}`;
    const current = news.get(key);
    if (current === undefined) return [{ place, reason: "was removed" }];
    return [
      ...compareRequired(part, parameter, current, place),
      ...(getStyle(parameter) === getStyle(current)
        ? []
        : [{ place, reason: `is written as ${getStyle(current)}, before ${getStyle(parameter)}` }]),
      ...compareValues(part, parameter["schema"], current["schema"], place),
      ...compareContent(part, parameter["content"], current["content"], place),
    ];
  });
  const added = [...news].filter(([key, { required }]) => !olds.has(key) && required === true && part.direction === "request");
  return [...problems, ...added.map(([, parameter]) => ({ place: `${part.place}: ${getTitle(parameter)}`, reason: "is required now" }))];
}

const getParameters = (operation: Json): ReadonlyMap<string, Json> =>
  new Map(
    asList(operation["parameters"])
      .map(asObject)
      .map((parameter) => [getTitle(parameter).toLowerCase(), parameter]),
  );

const getTitle = (parameter: Json): string =>
  parameter["in"] === "header"
    ? `header ${String(parameter["name"])}`
    : `${String(parameter["in"])} parameter ${String(parameter["name"])}`;

function getStyle(parameter: Json): string {
  const style = parameter["style"] ?? STYLES[String(parameter["in"])] ?? "simple";
  return `${String(style)}${(parameter["explode"] ?? style === "form") ? ", exploded" : ""}`;
}

/** In a request nothing may become required; in a response nothing may become optional. */
function compareRequired({ direction }: Part, old: Json, now: Json, place: string): readonly Problem[] {
  const [was, is] = [old["required"] === true, now["required"] === true];
  if (direction === "request") return is && !was ? [{ place, reason: "is required now" }] : [];
  return was && !is ? [{ place, reason: "may now be missing" }] : [];
}

function compareBody(part: Part, old: Json, now: Json): readonly Problem[] {
  const place = `${part.place}: request body`;
  const [from, to] = [old["requestBody"], now["requestBody"]];
  if (from === undefined) {
    const isNeeded = asObject(resolve(part.after, to))["required"] === true && part.direction === "request";
    return isNeeded ? [{ place, reason: "is required now" }] : [];
  }
  if (to === undefined) return [{ place, reason: "was removed" }];
  const [body, current] = [asObject(resolve(part.before, from)), asObject(resolve(part.after, to))];
  return [...compareRequired(part, body, current, place), ...compareContent(part, body["content"], current["content"], place)];
}

function compareResponses(part: Part, old: Json, now: Json): readonly Problem[] {
  const current = asObject(now["responses"]);
  return Object.entries(asObject(old["responses"])).flatMap(([status, response]) => {
    const place = `${part.place}: response ${status}`;
    if (!Object.hasOwn(current, status)) return [{ place, reason: "was removed" }];
    const [from, to] = [asObject(resolve(part.before, response)), asObject(resolve(part.after, current[status]))];
    return [
      ...compareHeaders(part, asObject(from["headers"]), asObject(to["headers"]), place),
      ...compareContent(part, from["content"], to["content"], place),
    ];
  });
}

function compareHeaders(part: Part, old: Json, now: Json, place: string): readonly Problem[] {
  const byName = new Map(Object.entries(now).map(([name, header]) => [name.toLowerCase(), asObject(resolve(part.after, header))]));
  return Object.entries(old).flatMap(([name, value]) => {
    const header = asObject(resolve(part.before, value));
    const current = byName.get(name.toLowerCase());
    const title = `${place} header ${name}`;
    if (current === undefined) return [{ place: title, reason: "was removed" }];
    return [...compareRequired(part, header, current, title), ...compareValues(part, header["schema"], current["schema"], title)];
  });
}

function compareContent(part: Part, old: unknown, now: unknown, place: string): readonly Problem[] {
  const current = asObject(now);
  return Object.entries(asObject(old)).flatMap(([type, media]) => {
    if (!Object.hasOwn(current, type)) return [{ place: `${place} of type ${type}`, reason: "was removed" }];
    const title = type === "application/json" ? place : `${place} of type ${type}`;
    return compareValues(part, asObject(media)["schema"], asObject(current[type])["schema"], title);
  });
}

/** Schemas; one that is missing on either side allows everything. */
function compareValues({ before, after, direction }: Part, old: unknown, now: unknown, place: string): readonly Problem[] {
  if (canonical(old) === canonical(now) && !containsReference(old)) return [];
  const problems = compareSchemas({ document: before, schema: old ?? true }, { document: after, schema: now ?? true }, direction);
  return problems.map(({ path, reason }) => ({ place: path === "" ? place : `${place} field ${path}`, reason }));
}

const containsReference = (schema: unknown): boolean => isObject(schema) && canonical(schema).includes('"$ref"');
