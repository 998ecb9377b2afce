import { generateProse } from "../output/random-text.ts";
import type { Board } from "../servers/service.ts";
import type { Attack } from "./attack-worker.ts";

/** A kind of load that one key puts on the service. `connections` is 100 by default. */
export type Load = { readonly name: string } & Pick<Attack, "method" | "path" | "body"> & { readonly connections?: number };

const TILES_PER_BATCH = 500;
const NOTE_CHARACTERS = 100_000;
const BROKEN_BYTES = 15_000_000;

/** Lists the kinds of load: everything that takes more than a few milliseconds. */
export function listLoads({ id }: Board): readonly Load[] {
  const board = `/api/board/${id}`;
  const post = (name: string, path: string, body: object): Load => ({ name, method: "POST", path, body: JSON.stringify(body) });
  const notes = Array.from({ length: TILES_PER_BATCH }, (_, n) => ({ board_id: id, content: `Note ${n} of a batch.` }));
  return [
    { name: "searches", method: "GET", path: `${board}/search?q=lighthouse+harbour+winter+storm` },
    { name: "searches of the whole board", method: "GET", path: `${board}/search?q=lighthouse+harbour&scope=all&limit=100` },
    { name: "questions", method: "GET", path: `${board}/ask?q=Who+paid+for+the+harbour+and+the+lighthouse%3F` },
    post("generations", "/api/v1/generate", { board_id: id, asset_type: "article", prompt: "The harbour in winter" }),
    { name: "whole listings", method: "GET", path: `${board}/tiles` },
    { name: "pages of 500 tiles", method: "GET", path: `${board}/tiles?limit=500` },
    post("batches of 500 notes", "/api/inbound/tiles/batch", { tiles: notes }),
    post("bulk changes", `${board}/tiles/bulk`, { filter: { status: "ready" }, action: { retry: true }, dry_run: true }),
    post("notes of 100 kB", `${board}/tiles`, { content: generateProse(NOTE_CHARACTERS, 7) }),
    { name: "broken bodies of 15 MB", method: "POST", path: `${board}/tiles`, body: { brokenBytes: BROKEN_BYTES }, connections: 16 },
  ];
}
