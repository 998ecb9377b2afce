import { type Static, Type } from "typebox";
import { invalidField } from "#domain/core/errors/error.ts";
import { isoTime } from "#domain/core/system.ts";
import { MAX_TAGS, parseTags } from "#domain/labels/tags.ts";
import { type InboundAddress, SIGNATURE_ENCODINGS, isHeaderName } from "#domain/settings/inbound-address.ts";
import type { InboundAddressInput } from "#service/settings/inbound-addresses.ts";
import { readObject } from "../../request/schema-reader.ts";
import { EXAMPLE } from "../example.ts";
import { type InputLimits, type Output, choice, entity, isoOrNull, nameInput, object, orNull, time, timeOrNull } from "../schema.ts";
import { requireValid } from "../tiles/tile-options.ts";

const MAX_SECRET_LENGTH = 1_000;
const MAX_PREFIX_LENGTH = 50;

const encoding = choice(SIGNATURE_ENCODINGS, { title: "SignatureEncoding", description: "How the signature is written. Default: hex." });

const ADDRESS = entity(
  "InboundAddress",
  {
    id: Type.String(),
    name: Type.String(),
    boardId: Type.String(),
    zoneId: orNull("string", { description: "The zone of the tiles that are created. null: none." }),
    tags: Type.Array(Type.String(), { description: "The tags of the tiles that are created." }),
    signature: Type.Union([object({ header: Type.String(), encoding, prefix: Type.String() }), Type.Null()], {
      description: "Where requests have their signature. null: requests are not signed. The secret is not returned.",
    }),
    createdBy: Type.String({ description: "The id of the member, or operator." }),
    createdAt: time,
    lastUsedAt: timeOrNull,
  },
  {
    examples: [
      {
        id: EXAMPLE.inboundAddressId,
        name: "GitHub issues",
        boardId: EXAMPLE.boardId,
        zoneId: null,
        tags: ["github"],
        signature: { header: "x-hub-signature-256", encoding: "hex", prefix: "sha256=" },
        createdBy: EXAMPLE.memberId,
        createdAt: EXAMPLE.created,
        lastUsedAt: EXAMPLE.later,
      },
    ],
  },
);

export const INBOUND_ADDRESS_RESPONSES = {
  created: object({
    inboundAddress: ADDRESS,
    url: Type.String({ description: "Where senders post. It is shown only once.", examples: ["https://tessera.example.com/in/tsi_…"] }),
  }),
  list: object({ inboundAddresses: Type.Array(ADDRESS) }),
};

export const presentInboundAddress = (address: InboundAddress): Output<typeof ADDRESS> => ({
  id: address.id,
  name: address.name,
  boardId: address.boardId,
  zoneId: address.zoneId,
  tags: address.tags,
  signature: address.signature,
  createdBy: address.createdBy,
  createdAt: isoTime(address.createdAt),
  lastUsedAt: isoOrNull(address.lastUsedAt),
});

const SIGNATURE_INPUT = Type.Object({
  header: Type.String({ "x-name": "signature.header", description: "The header with the signature." }),
  secret: Type.String({
    maxLength: MAX_SECRET_LENGTH,
    "x-name": "signature.secret",
    description: "The secret that you also give to the sender. It is stored encrypted.",
  }),
  encoding: Type.Optional({ ...encoding, "x-name": "signature.encoding" }),
  prefix: Type.Optional(
    Type.String({
      maxLength: MAX_PREFIX_LENGTH,
      "x-name": "signature.prefix",
      description: "What precedes the signature in the header, such as sha256=.",
    }),
  ),
});

export const createInboundAddressInput = (limits: Pick<InputLimits, "name">) =>
  Type.Object(
    {
      name: nameInput(limits.name, "missing", "A name to tell addresses apart."),
      board_id: Type.String({ description: "The board of the tiles that are created." }),
      zone_id: Type.Optional(Type.String({ description: "The zone of the tiles that are created. It must belong to the board." })),
      tags: Type.Optional(
        Type.Array(Type.String(), { maxItems: MAX_TAGS, description: "The tags of the tiles that are created, of 1 to 100 characters." }),
      ),
      signature: Type.Optional({
        ...SIGNATURE_INPUT,
        description: "Requests must be signed: the HMAC-SHA256 of the body in a header, as GitHub, Typeform and many others send it.",
      }),
    },
    {
      examples: [
        {
          name: "GitHub issues",
          board_id: EXAMPLE.boardId,
          signature: { header: "X-Hub-Signature-256", secret: "a long random text", prefix: "sha256=" },
        },
      ],
    },
  );

type Body = Static<ReturnType<typeof createInboundAddressInput>>;

/** Returns what a request sets on a new address. Throws 400 for tags and signatures that are not valid. */
export function readInboundAddress({ name, zone_id: zoneId, tags, signature }: Body): InboundAddressInput {
  return {
    name,
    zoneId: zoneId ?? null,
    tags: tags === undefined ? [] : requireValid("tags", parseTags(tags)),
    signature: signature === undefined ? null : readSignature(signature),
  };
}

function readSignature(value: unknown): InboundAddressInput["signature"] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalidField("signature", "must be a JSON object.");
  const { header, secret, encoding: given = "hex", prefix = "" } = readObject(SIGNATURE_INPUT, value);
  if (!isHeaderName(header)) throw invalidField("signature.header", "must be the name of a header, such as X-Hub-Signature-256.");
  return { header: header.toLowerCase(), secret, encoding: given, prefix };
}
