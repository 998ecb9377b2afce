import { type Config, readConfig } from "#config";
import { formatLocalUrl } from "#composition/start/port.ts";
import { isoTime } from "#domain/core/system.ts";
import { parseTags } from "#domain/labels/tags.ts";
import { type InboundAddress, SIGNATURE_ENCODINGS, isHeaderName } from "#domain/settings/inbound-address.ts";
import { authorizeBoard, authorizeBusiness } from "#service/access.ts";
import {
  type InboundAddressInput,
  createInboundAddress,
  formatInboundUrl,
  listInboundAddresses,
  revokeInboundAddress,
} from "#service/settings/inbound-addresses.ts";
import { type Command, type Invocation, UsageError, print } from "../../command.ts";
import { textOption, textOptions } from "../../options.ts";
import { withData } from "../../with-data.ts";

const presentAddress = ({ sealedSecret: _secret, businessId: _business, createdAt, lastUsedAt, ...address }: InboundAddress) => ({
  ...address,
  createdAt: isoTime(createdAt),
  lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
});

const describe = ({ id, name, boardId, zoneId, lastUsedAt }: InboundAddress): string =>
  `${id}  ${boardId}${zoneId === null ? "" : `/${zoneId}`}  ${name}  ${lastUsedAt === null ? "never used" : `used ${isoTime(lastUsedAt)}`}`;

/** Returns the address with which URLs begin: the public one, or the one at which this machine reaches the server. */
const getBaseUrl = ({ baseUrl, host, port }: Config): string => (baseUrl === "" ? formatLocalUrl(host, port) : baseUrl);

function readInput(invocation: Invocation): InboundAddressInput {
  const name = textOption(invocation, "name");
  if (name === undefined) throw new UsageError("--name is required to distinguish addresses.");
  const tags = parseTags(textOptions(invocation, "tag"));
  if ("problem" in tags) throw new UsageError(`--tag ${tags.problem}`);
  return { name, zoneId: textOption(invocation, "zone") ?? null, tags: tags.value, signature: readSignature(invocation) };
}

function readSignature(invocation: Invocation): InboundAddressInput["signature"] {
  const [header, secret, prefix, encoding] = ["header", "secret", "prefix", "encoding"].map((part) =>
    textOption(invocation, `signature-${part}`),
  );
  if (header === undefined && secret === undefined) {
    if (prefix === undefined && encoding === undefined) return null;
    throw new UsageError("A signature needs --signature-header and --signature-secret.");
  }
  if (header === undefined || secret === undefined) throw new UsageError("--signature-header and --signature-secret go together.");
  if (!isHeaderName(header)) throw new UsageError("--signature-header must be the name of a header, such as X-Hub-Signature-256.");
  const found = SIGNATURE_ENCODINGS.find((one) => one === (encoding ?? "hex"));
  if (found === undefined) throw new UsageError(`--signature-encoding must be one of ${SIGNATURE_ENCODINGS.join(", ")}.`);
  return { header: header.toLowerCase(), secret, prefix: prefix ?? "", encoding: found };
}

export const INBOUND_ADDRESS_COMMANDS: readonly Command[] = [
  {
    name: "inbound-address create",
    options: {
      name: { value: "NAME", meaning: "Who posts to the address, to tell addresses apart.", isRequired: true },
      board: { value: "ID", meaning: "The board of the tiles that are created.", isRequired: true },
      zone: { value: "ID", meaning: "The zone of the tiles that are created; by default none." },
      tag: { value: "TAG", meaning: "A tag of the tiles that are created.", isRepeatable: true },
      "signature-header": { value: "NAME", meaning: "The header in which the sender signs its requests; by default they are not signed." },
      "signature-secret": { value: "SECRET", meaning: "The secret with which the sender signs." },
      "signature-prefix": { value: "TEXT", meaning: "What precedes the signature in the header, such as sha256=." },
      "signature-encoding": { value: "ENCODING", meaning: "hex (default) or base64.", choices: SIGNATURE_ENCODINGS },
    },
    summary: "Creates a URL to which senders post, and shows it once.",
    details: "For senders that can't set a header. The URL begins with BASE_URL.",
    examples: [
      'inbound-address create --name "Shortcuts" --board brd_… --tag phone',
      "inbound-address create --name GitHub --board brd_… --signature-header X-Hub-Signature-256 --signature-prefix sha256= --signature-secret …",
    ],
    installation: "required",
    async run(invocation) {
      const input = readInput(invocation);
      const boardId = textOption(invocation, "board");
      if (boardId === undefined) throw new UsageError("--board is required: it gets the tiles that are created.");
      await withData(invocation, async ({ deps, actor }) => {
        const { address, token } = await createInboundAddress(deps, await authorizeBoard(deps, actor, boardId, "write"), input);
        const url = formatInboundUrl(getBaseUrl(readConfig(process.env)), token);
        print(invocation, { inboundAddress: presentAddress(address), url }, [url, "Store it safely; it is not shown again."]);
      });
    },
  },
  {
    name: "inbound-address list",
    summary: "Lists inbound addresses without their URLs.",
    examples: ["inbound-address list", "inbound-address list --json"],
    installation: "required",
    run: (invocation) =>
      withData(invocation, async ({ deps, business }) => {
        const addresses = await listInboundAddresses(deps, business.id);
        print(invocation, { inboundAddresses: addresses.map(presentAddress) }, addresses.map(describe));
      }),
  },
  {
    name: "inbound-address revoke",
    parameters: [{ name: "ID", meaning: 'The id of the address, from "inbound-address list".' }],
    summary: "Revokes an inbound address at once, also on a running server.",
    examples: ["inbound-address revoke iba_…", "inbound-address revoke iba_… --json"],
    installation: "required",
    run: (invocation) =>
      withData(invocation, async ({ deps, actor }) => {
        const [id = ""] = invocation.parameters;
        await revokeInboundAddress(deps, await authorizeBusiness(deps, actor, "write"), id);
        print(invocation, { revoked: true }, `Revoked ${id}.`);
      }),
  },
];
