/** Values of the examples in the OpenAPI document, so that those of different resources belong together. */
export const EXAMPLE = {
  businessId: "biz_01jdj5th0c4ya",
  boardId: "brd_01jdj5tkn8wq2",
  zoneId: "zon_01jdj5tm3v7f9",
  tileId: "til_01jdj5v0q2c8k",
  generationId: "gen_01jdj5wd4m1x0",
  keyId: "key_01jdj5x1f6t3b",
  inboundAddressId: "iba_01jdj5x2m4k9c",
  memberId: "mem_01jdj5x4z9h2d",
  invitationId: "inv_01jdj5x6k0w8e",
  sessionId: "ses_01jdj5x7p5r1m",
  deliveryId: "dlv_01jdj5x8r7n3p",
  webhookId: "whk_01jdj5x9c2v6s",
  changeId: "evt_01jdj5xb3h8w6",
  subscriptionId: "sub_01jdj5xc4k9x7",
  backupId: "bak_01jdj5xa8d4q7",
  created: "2026-11-02T08:15:00.000Z",
  later: "2026-11-03T09:30:00.000Z",
  email: "ada@example.com",
  title: "The lighthouse at Nordholm",
  text: "The lighthouse at Nordholm was built in 1887. Its light is 42 metres above the sea.",
  url: "https://example.com/nordholm",
  tags: ["lighthouses", "coast"],
} as const;

/** A sentence of the example text. */
export const EXAMPLE_QUOTE = { quote: "The lighthouse at Nordholm was built in 1887.", start: 0, end: 45 } as const;
