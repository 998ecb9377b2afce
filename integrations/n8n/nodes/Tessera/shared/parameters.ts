import type { IDataObject, IExecuteFunctions } from "n8n-workflow";
import { createParameterError } from "./errors.ts";

/** The text of a parameter, or undefined if it is blank. */
export function readText(context: IExecuteFunctions, name: string, itemIndex: number): string | undefined {
  return toText(context.getNodeParameter(name, itemIndex, ""));
}

/** The id that a resource locator stands for, or undefined if nothing is chosen. */
export function readId(context: IExecuteFunctions, name: string, itemIndex: number): string | undefined {
  return toText(context.getNodeParameter(name, itemIndex, "", { extractValue: true }));
}

/** The id that a required resource locator stands for. */
export function readRequiredId(context: IExecuteFunctions, name: string, label: string, itemIndex: number): string {
  const id = readId(context, name, itemIndex);
  if (id === undefined) throw createParameterError(context.getNode(), label, "is empty.", itemIndex);
  return id;
}

/** The fields of a collection. */
export const readCollection = (context: IExecuteFunctions, name: string, itemIndex: number): IDataObject =>
  context.getNodeParameter(name, itemIndex, {}) as IDataObject;

/** The text of a field, or undefined if it is blank. */
export function toText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = String(value).trim();
  return text === "" ? undefined : text;
}

/** The entries of a list that is written with commas, or that an expression returns as an array; undefined if there are none. */
export function toList(value: unknown): string[] | undefined {
  const entries = Array.isArray(value) ? value.map(String) : String(value ?? "").split(",");
  const list = entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
  return list.length === 0 ? undefined : list;
}

/** An object that is written as JSON, or that an expression returns; undefined if there is none. */
export function toObject(context: IExecuteFunctions, value: unknown, label: string, itemIndex: number): IDataObject | undefined {
  if (typeof value === "string" && value.trim() === "") return undefined;
  const parsed = typeof value === "string" ? parseJson(value) : value;
  if (parsed === undefined || parsed === null) return undefined;
  if (typeof parsed !== "object" || Array.isArray(parsed))
    throw createParameterError(context.getNode(), label, 'must be a JSON object, such as { "order": 42 }.', itemIndex);
  return Object.keys(parsed).length === 0 ? undefined : (parsed as IDataObject);
}

/** The value of a JSON text; the text itself if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The value of a switch between three: follow the zone, always, never. */
export function toConnected(value: unknown): boolean | null | undefined {
  if (value === "zone") return null;
  if (value === "always") return true;
  return value === "never" ? false : undefined;
}
