export const API = "public.api.bsky.app";

export const DID = "did:plc:abcdefghijklmnopqrstuvwx";

export type View = Record<string, unknown>;

export const author = (name: string, did = DID, more: View = {}): View => ({
  did,
  handle: `${name.toLowerCase()}.bsky.social`,
  displayName: name,
  ...more,
});

export const post = (text: string, more: View = {}, record: View = {}): View => ({
  uri: `at://${DID}/app.bsky.feed.post/${text.length}`,
  author: author("Harbour"),
  record: { $type: "app.bsky.feed.post", text, createdAt: "2026-03-02T09:00:00.000Z", langs: ["en"], ...record },
  likeCount: 5,
  replyCount: 2,
  repostCount: 1,
  ...more,
});
