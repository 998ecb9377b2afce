import type { Install, Session } from "../install.ts";

/** Imports a board with one tile whose fields can be chosen freely. */
export async function importTile(
  install: Install,
  session: Session,
  fields: object,
): Promise<{ readonly id: string; readonly boardId: string }> {
  const now = new Date().toISOString();
  const tile = {
    id: "til_00000000000000000000000000",
    zoneId: null,
    type: "WEBSITE",
    title: "An imported tile",
    rawContent: "https://example.org",
    extractedText: "Its text.",
    status: "ready",
    sourceUrl: "https://example.org",
    metadata: {},
    error: null,
    warnings: [],
    sortOrder: 1,
    externalId: null,
    connectedToChat: null,
    titleOverridden: false,
    textOverridden: false,
    file: null,
    refreshMinutes: null,
    createdAt: now,
    updatedAt: now,
    ...fields,
  };
  const lines = [{ format: "tessera-board", version: 1, board: { name: "Films" } }, { tile }];
  const form = new FormData();
  form.set("file", new Blob([lines.map((line) => `${JSON.stringify(line)}\n`).join("")]), "films.jsonl");
  const response = await fetch(`${install.url}/api/settings/boards/import`, {
    method: "POST",
    headers: { cookie: session.cookie, origin: install.url },
    body: form,
  });
  const { board, error } = (await response.json()) as { readonly board?: { readonly id: string }; readonly error?: string };
  if (board === undefined) throw new Error(error);
  const { tiles } = await install.call(session, "GET", `/api/board/${board.id}/tiles`);
  return { id: tiles[0].id, boardId: board.id };
}
