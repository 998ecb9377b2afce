import type { Open, Permission } from "@tessera-board/sdk";

export type PermissionChoice = { readonly id: "read" | "ask" | "write" | "inbound"; readonly name: string; readonly meaning: string };

export const PERMISSION_CHOICES: readonly PermissionChoice[] = [
  { id: "write", name: "Write", meaning: "Full access: read, search, ask, generate, create, change and delete." },
  { id: "ask", name: "Ask", meaning: "Read, search, ask and generate." },
  { id: "read", name: "Read", meaning: "List, read and search only." },
  { id: "inbound", name: "Inbound", meaning: "Create tiles through the inbound API only. For automations." },
];

export const getPermissionName = (permission: Open<Permission>): string =>
  PERMISSION_CHOICES.find(({ id }) => id === permission)?.name ?? permission;

/** A shell command for a first request that the key's permission allows. */
export function buildCurlCommand(base: string, key: string, permission: Open<Permission>, boardId: string): string {
  const header = `-H "X-API-Key: ${key}"`;
  const json = `-H "Content-Type: application/json"`;
  if (permission === "read") return `curl ${header} ${base}/api/me`;
  if (permission === "ask") return `curl ${header} ${json} -d '{"question":"What is new?"}' ${base}/api/board/${boardId}/ask`;
  return `curl ${header} ${json} -d '{"board_id":"${boardId}","content":"Hello from my first call"}' ${base}/api/inbound/tiles`;
}

export const EXPIRIES = [
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In 1 year"],
  ["never", "Never"],
  ["date", "On a date…"],
] as const;

/** The expiry of a key created now, in ISO 8601; null for never. `date` is the last local day on which it works. */
export function computeExpiry(choice: string, date: string, now: number = Date.now()): string | null {
  if (choice === "never") return null;
  if (choice === "date") return new Date(`${date}T23:59:59`).toISOString();
  return new Date(now + Number(choice) * 86_400_000).toISOString();
}

/** Parses a number of tokens (`100000`, `100 000`, `100,000`); null for an empty text, NaN if it is not an integer from 1. */
export function parseBudget(text: string): number | null {
  const digits = text.replaceAll(/[\s,.'’_]/g, "");
  if (digits === "") return null;
  return /^[1-9]\d{0,11}$/.test(digits) ? Number(digits) : Number.NaN;
}

export const INVALID_BUDGET_MESSAGE = "Enter a whole number of tokens, such as 100000, or leave the field empty.";
