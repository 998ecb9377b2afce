import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult, INodePropertyOptions } from "n8n-workflow";
import { callServer, getServerUrl } from "./request.ts";

type Named = { readonly id: string; readonly name: string };

/** The value of the list entry for tiles outside all zones. */
export const NO_ZONE = "none";

/** Lists that are searched by name. */
export const LIST_SEARCH = {
  /** The boards that the key reaches. */
  async searchBoards(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
    const { boards } = await callServer<{ readonly boards: readonly Named[] }>(this, { path: "/api/board/boards" });
    const serverUrl = await getServerUrl(this);
    return { results: toEntries(boards, filter).map((entry) => ({ ...entry, url: `${serverUrl}/b/${String(entry.value)}` })) };
  },

  /** The zones of the chosen board. */
  async searchZones(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
    return { results: toEntries(await readZones(this), filter) };
  },

  /** The same with an entry for tiles outside all zones. */
  async searchZonesOrNone(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
    return { results: toEntries([{ id: NO_ZONE, name: "Outside All Zones" }, ...(await readZones(this))], filter) };
  },
};

/** Lists of fields with several values. */
export const LOAD_OPTIONS = {
  /** The zones of the chosen board. */
  async listZones(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
    return toEntries(await readZones(this));
  },
};

const toEntries = (all: readonly Named[], filter = ""): INodeListSearchItems[] =>
  all
    .filter(({ id, name }) => name.toLowerCase().includes(filter.trim().toLowerCase()) || id === filter.trim())
    .map(({ id, name }) => ({ name, value: id }));

async function readZones(context: ILoadOptionsFunctions): Promise<readonly Named[]> {
  const boardId = await readBoardId(context);
  if (boardId === undefined) return [];
  const { zones } = await callServer<{ readonly zones: readonly Named[] }>(context, {
    path: `/api/board/${encodeURIComponent(boardId)}/zones`,
  });
  return zones;
}

/** The chosen board, or the board of the chosen tile. A board that an expression names is known only when the workflow runs. */
async function readBoardId(context: ILoadOptionsFunctions): Promise<string | undefined> {
  const boardId = readCurrentId(context, "board");
  if (boardId !== undefined) return boardId;
  const tileId = readCurrentId(context, "tile");
  if (tileId === undefined) return undefined;
  const { tile } = await callServer<{ readonly tile: { readonly boardId: string } }>(context, {
    path: `/api/board/tiles/${encodeURIComponent(tileId)}`,
  });
  return tile.boardId;
}

function readCurrentId(context: ILoadOptionsFunctions, name: string): string | undefined {
  const value = context.getCurrentNodeParameter(name, { extractValue: true });
  return typeof value === "string" && value !== "" && !value.startsWith("=") ? value : undefined;
}
