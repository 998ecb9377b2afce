import type { FastifyReply } from "fastify";
import type { Actor } from "#domain/core/access.ts";
import type { Tile, TileHead } from "#domain/content/tile.ts";
import { isExpensive } from "#service/content/long-tiles.ts";
import { runInTurn, toOwner } from "#service/work-queue.ts";
import type { HttpDeps } from "../route.ts";
import { renderTile } from "../wire/tile.ts";
import { formatEtag } from "./etag.ts";
import { RawJson } from "./raw-json.ts";

type Call = { readonly deps: HttpDeps; readonly actor: Actor; readonly reply: FastifyReply };

/**
 * Responds with the tile that `work` reads or changes. A long tile, or one that gets the long text `content`, waits for the caller's
 * turn: it is read, rendered and encoded then, and counted before it is read. So many calls hold no more in memory than is counted.
 * Throws 429 before `work` if the caller has too much waiting or unsent.
 */
export async function sendTile(
  { deps, actor, reply }: Call,
  head: TileHead,
  work: () => Promise<Tile>,
  content?: string,
): Promise<RawJson> {
  const render = async (): Promise<string> => {
    const tile = await work();
    reply.header("ETag", formatEtag(tile.version));
    return renderTile(tile);
  };
  if (!isExpensive(head, content)) return new RawJson(await render());
  return runInTurn(deps, actor, async () => {
    const owner = toOwner(actor);
    deps.responses.admit(owner);
    // A text that is its own source is stored once, and is twice in the response.
    deps.responses.hold(reply.raw, owner, 2 * Math.max(head.textBytes, content?.length ?? 0));
    return new RawJson(Buffer.from(await render()));
  });
}
