import { expect, it } from "vitest";
import { openWire } from "../support/wire.ts";
import { API, DID, post } from "./bluesky-post.ts";

const profile = JSON.stringify({
  did: DID,
  handle: "harbour.bsky.social",
  displayName: "Harbour",
  description: "Lenses.",
  followersCount: 9,
  postsCount: 2,
});

it("an account on Bluesky has its description and latest posts", async () => {
  const wire = await openWire({
    [API]: ({ path }) =>
      path.endsWith("getProfile")
        ? profile
        : JSON.stringify({ feed: [{ post: post("One.") }, { post: post("Passed on."), reason: {} }, { post: post("Two.") }] }),
  });
  expect(await wire.ingest("https://bsky.app/profile/harbour.bsky.social")).toMatchObject({
    type: "BLUESKY",
    title: "Harbour",
    text: "Lenses.\n\nOne.\n\nTwo.",
    metadata: { subtype: "PROFILE", stats: { followers: 9, posts: 2 } },
    warnings: [],
  });
});

it("an account on Bluesky that does not exist fails with that reason", async () => {
  const wire = await openWire({ [API]: () => ({ status: 400, body: '{"error":"InvalidRequest","message":"Profile not found"}' }) });
  await expect(wire.ingest("https://bsky.app/profile/nobody.example")).rejects.toMatchObject({
    code: "not_found",
    message: expect.stringMatching(/^This account/),
  });
});
