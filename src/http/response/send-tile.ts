import type { FastifyReply } from "fastify";
import type { Actor } from "#domain/core/access.ts";
import type { Tile, TileHead } from "#domain/content/tile.ts";
import { isExpensive, writeText } from "#service/content/long-tiles.ts";
import { runInTurn, toOwner, yieldToOthers } from "#service/work-queue.ts";
import type { HttpDeps } from "../route.ts";
import { presentTile } from "../wire/tiles/tile.ts";
import { formatEtag } from "./etag.ts";
import { RawJson } from "./raw-json.ts";

type Call = { readonly deps: HttpDeps; readonly actor: Actor; readonly reply: FastifyReply };

/** Characters of a text that are rendered in one turn of the event loop: 4 ms outside Latin-1. */
const SLICE_CHARACTERS = 131_072;

/** A tile, and fields of the response beside it. */
type TileResult = { readonly tile: Tile };

/**
 * Responds with the tile that `work` reads or changes, and the fields beside it. A long tile, or one that gets the long text `content`, waits for the caller's
 * turn, and is counted before it is read: many calls hold no more in memory than is counted. Throws 429 before `work` if the caller has
 * too much waiting or unsent.
 */
export async function sendTile(
  { deps, actor, reply }: Call,
  head: Pick<TileHead, "textBytes">,
  work: () => Promise<TileResult>,
  content?: string,
): Promise<RawJson | object> {
  const run = async (): Promise<TileResult> => {
    const result = await work();
    reply.header("ETag", formatEtag(result.tile.version));
    return result;
  };
  if (!isExpensive(head, content)) {
    const result = await run();
    return { ...result, tile: presentTile(result.tile) };
  }
  return runInTurn(deps, actor, async () => {
    holdTexts({ deps, actor, reply }, Math.max(head.textBytes, content?.length ?? 0));
    return new RawJson(await renderLongTile(await run()));
  });
}

/**
 * Responds to a creation, with the text `content` if there is one, that updates the tile `head`; null if there is none. The response has the
 * texts of that tile, however short the request is: a long tile waits and is counted as in `sendTile`, and a long text waits.
 */
export function sendUpsert<T>({ deps, actor, reply }: Call, head: TileHead | null, content: string, work: () => Promise<T>): Promise<T> {
  if (head === null || !isExpensive(head)) return writeText(deps, actor, content, work);
  return runInTurn(deps, actor, () => {
    holdTexts({ deps, actor, reply }, head.textBytes);
    return work();
  });
}

/** Counts the response with these texts before they are read. Throws 429 if the caller has too much unsent. */
function holdTexts({ deps, actor, reply }: Call, textBytes: number): void {
  const owner = toOwner(actor);
  deps.responses.admit(owner);
  // A text that is its own source is stored once, and is twice in the response.
  deps.responses.hold(reply.raw, owner, 2 * textBytes);
}

/** Renders a tile with its texts as the last fields, in slices between which short calls run. */
export async function renderLongTile({ tile, ...beside }: TileResult): Promise<Buffer> {
  const { rawContent, extractedText, ...rest } = presentTile(tile);
  const extracted = await renderText(extractedText);
  const raw = rawContent === extractedText ? extracted : await renderText(rawContent);
  const frame = JSON.stringify({ ...beside, tile: rest }).slice(0, -"}}".length);
  const texts = [Buffer.from(`${frame},"rawContent":"`), ...raw, Buffer.from('","extractedText":"'), ...extracted, Buffer.from('"}}')];
  return Buffer.concat(texts);
}

/** Returns a text as it is between the quotes of JSON. */
async function renderText(text: string): Promise<Buffer[]> {
  const slices: Buffer[] = [];
  for (let at = 0; at < text.length;) {
    // Both halves of a surrogate pair are in one slice.
    const end = at + SLICE_CHARACTERS + ((text.charCodeAt(at + SLICE_CHARACTERS) & 0xfc00) === 0xdc00 ? 1 : 0);
    slices.push(Buffer.from(JSON.stringify(text.slice(at, end)).slice(1, -1)));
    at = end;
    await yieldToOthers();
  }
  return slices;
}
