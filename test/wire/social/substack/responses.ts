import { openWire } from "../../support/wire.ts";

export const HOST = "substack.com";

export const ID = 123456;

export const PATH = `/@keeper/note/c-${ID}`;

export const LINK = `https://${HOST}${PATH}`;

export const API = `/api/v1/reader/comment/${ID}`;

export const note = (more: Record<string, unknown> = {}) => ({
  id: ID,
  name: "The Keeper",
  handle: "keeper",
  body: "The lamp was lit at nine.",
  date: "2026-03-02T21:00:00.000Z",
  reaction_count: 12,
  restacks: 3,
  children_count: 0,
  attachments: [],
  ...more,
});

export const answer = (comment: unknown, more: Record<string, unknown> = {}): string => JSON.stringify({ item: { comment, ...more } });

export const json = (status: number, body: unknown) => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

export const paragraph = (...content: unknown[]) => ({ type: "paragraph", content });

export const words = (text: string, href?: string) => ({
  type: "text",
  text,
  ...(href === undefined ? {} : { marks: [{ type: "link", attrs: { href } }] }),
});

/** A site whose API and page return these responses. */
export const openSubstack = (
  api: () => ReturnType<typeof json> | string,
  page: () => ReturnType<typeof json> | string = () => json(500, {}),
) => openWire({ [HOST]: ({ path }) => (path === API ? api() : path === PATH ? page() : undefined) });
