import * as fc from "fast-check";
import { afterAll, beforeAll } from "vitest";
import { type Ids, type JsonSchema, type Operation, fillPath, readOperations } from "../../../support/operations.ts";
import { authorizeOn } from "../../../support/boards.ts";
import { pictures } from "../../../support/pictures.ts";
import { UNKNOWN_TARGET, type TestData, fillBoard, startServiceWithData } from "../../../support/test-data.ts";
import { oddText, oddValue, ODD_HEADERS, formBody } from "./random-values.ts";

/** The number of requests over all routes. The same seed yields the same requests. */
export const NUM_RUNS = 4_000;
export const SETTINGS_RUNS = 600;
export const SEED = 20_260_101;

export let testData: TestData;
export let operations: Operation[];
export let settings: Operation[];
/** Resources that may be deleted; all others stay. */
let victims: Ids;
/** A failed link, reserved for retrying. */
let failedId: string;
const renewals: NodeJS.Timeout[] = [];
/** Running generations, reserved for cancelling. */
let runningIds: readonly string[];
/** An uploaded picture on the first board. */
let pictureId: string;
/** An idea of the first board. */
let ideaId: string;

async function addFailedLink(): Promise<string> {
  const { service } = testData;
  const { queue } = service.appContext.deps.store;
  // On a separate board, so that a retry of all failed links does not include it.
  const { id } = (await service.call("POST", "/api/board/boards", { body: { name: "Failed" } })).json.board;
  const { json } = await service.call("POST", "/api/inbound/tiles", { body: { board_id: id, url: "https://example.com/failed" } });
  for (const job of await queue.claim(1, 1, Date.now())) {
    await queue.fail(
      job,
      { code: "http_status", message: "The page is not there.", stage: "fetch", retryable: false, attempts: 1 },
      Date.now(),
    );
  }
  return json.tile.id;
}

async function addPicture(): Promise<string> {
  const { service, boardA1: a1 } = testData;
  const body = Buffer.concat([
    Buffer.from('--x1\r\nContent-Disposition: form-data; name="file"; filename="dot.gif"\r\n\r\n'),
    pictures.gif(1, 1),
    Buffer.from("\r\n--x1--\r\n"),
  ]);
  const headers = { "content-type": "multipart/form-data; boundary=x1" };
  return (await service.call("POST", `/api/board/${a1.boardId}/files`, { body, headers })).json.tile.id;
}

/** A generation run by another process, whose lease is renewed until the test ends. */
async function addRunningGeneration(lease: string): Promise<string> {
  const { boards, generations } = testData.service.appContext.deps.store;
  const board = await boards.find(testData.service.businessId, testData.boardA1.boardId);
  const draft = { id: `gen_running_${lease}`, endpoint: "/api/v1/idea", assetType: null, request: {}, lease } as const;
  await generations.create(authorizeOn(board!), draft, Date.now());
  const held = { businessId: testData.service.businessId, boardId: testData.boardA1.boardId, id: draft.id, lease };
  // A lease can be renewed only while it is held, so cancelling the generation ends this loop too.
  renewals.push(setInterval(() => void generations.renew([held], Date.now()).catch(() => undefined), 2_000));
  return draft.id;
}

/** Ids that exist, unknown ids, and invalid ones. */
const idArbitrary = (own: () => readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.nat().map((n) => own()[n % own().length] ?? "x") },
    fc.constantFrom("x", "__proto__", "brd_", "0", "😀", "a/b", "..", "a\u0000", "x".repeat(300)),
    oddText.filter((text) => text !== "" && text !== "." && text.isWellFormed()),
  );

const boardIds = (): string[] => [
  testData.boardA1.boardId,
  testData.boardA1.boardId,
  testData.boardA2.boardId,
  testData.boardB1.boardId,
  testData.deletedBoardId,
  UNKNOWN_TARGET.boardId,
];
const zoneIds = (): string[] => [
  testData.boardA1.zoneId,
  testData.boardA1.zoneId,
  testData.boardA2.zoneId,
  testData.boardB1.zoneId,
  testData.deleted.zoneId,
  UNKNOWN_TARGET.zoneId,
];
const tileIds = (): string[] => [
  testData.boardA1.tileId,
  testData.boardA1.tileId,
  testData.boardA2.tileId,
  testData.boardB1.tileId,
  testData.deleted.tileId,
  UNKNOWN_TARGET.tileId,
];

const generationIds = (): string[] => [
  testData.boardA1.generationId,
  testData.boardA1.generationId,
  testData.boardA2.generationId,
  testData.boardB1.generationId,
  UNKNOWN_TARGET.generationId,
];

const PLAUSIBLE_TEXT = ["A note.", "The harbour opens at six.", "Kept 😀", "https://example.com/page"];

/** A value that is probably valid for a property of this name and schema. */
function plausibleValue(name: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  if (name === "board_id") return fc.nat().map((n) => boardIds()[n % boardIds().length]);
  // Most requests have no filters; undefined properties are omitted from the JSON.
  const rarely = (values: () => readonly string[], isList: boolean) =>
    fc.tuple(fc.nat(), fc.integer({ min: 0, max: 9 })).map(([n, dice]) => {
      const value = values()[n % values().length];
      return dice < 7 ? undefined : isList ? [value] : value;
    });
  if (name === "zone_ids") return rarely(zoneIds, true);
  if (name === "tile_ids") return rarely(tileIds, true);
  if (name === "save_to_zone_id") return rarely(zoneIds, false);
  if (name === "idea_id") return rarely(() => [ideaId], false);
  if (name === "zone_id") return fc.nat().map((n) => zoneIds()[n % zoneIds().length]);
  if (name === "filter") return fc.nat().map((n) => ({ tile_ids: [tileIds()[n % tileIds().length]] }));
  // No deletion, because other requests need the tiles.
  if (name === "action") return fc.constantFrom({ retry: true }, { restore: "true" }, { move_to: null }, { moveTo: null });
  if (name === "tags") return fc.constantFrom(["Red", "a, b"], [], null, ["red", "RED"]);
  if (name === "properties") return fc.constantFrom<unknown>({ order: 4711, sizes: ["S"] }, {}, null, { note: null });
  if (name === "source_url") return fc.constantFrom("https://example.com/page?utm_source=x", "example.com");
  if (name === "language_hint") return fc.constantFrom("de", "pt-BR");
  if (schema.anyOf?.[0] !== undefined) return plausibleValue(name, schema.anyOf[0]);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  if (type === "boolean") return fc.constantFrom<unknown>(true, false, "true", "false");
  if (type === "integer") return fc.integer({ min: 0, max: 20 });
  if (type === "array")
    return fc.array(fc.oneof({ weight: 4, arbitrary: arbitraryObject(schema.items ?? {}) }, oddValue), { maxLength: 4 });
  return name === "emoji" ? fc.constantFrom("😀", null, "ab") : fc.constantFrom(...PLAUSIBLE_TEXT);
}

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Fields that are sent less often, so that some requests are completely valid. */
const RARE_FIELDS: ReadonlySet<string> = new Set([
  "origin",
  "connected_to_chat",
  "external_id",
  "language_hint",
  "tags",
  "properties",
  "url",
  "html",
  "source_url",
  "on_duplicate",
  "zone_ids",
  "tile_ids",
  "async",
]);

/** Fields without which a call fails. Other fields are often odd, so these must not be missing too. */
const NEEDED_FIELDS: ReadonlySet<string> = new Set(["board_id", "filter", "action", "asset_type"]);

/** In how many of ten requests a field is sent. Most requests name their board, which many of them need. */
const tenthsWithField = (name: string): number => (NEEDED_FIELDS.has(name) ? 9 : RARE_FIELDS.has(name) ? 2 : 6);

/** An object similar to the schema: each property is valid, unusual, under its alias or missing. Sometimes there is an unknown one. */
function arbitraryObject(schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    fc
      .tuple(
        fc.constantFrom(name, name, camel(name)),
        fc.oneof({ weight: 3, arbitrary: plausibleValue(name, property) }, { weight: 1, arbitrary: oddValue }),
        fc.integer({ min: 0, max: 9 }),
      )
      .map(([key, value, dice]) => (dice < tenthsWithField(name) ? [[key, value]] : [])),
  );
  const unknown = fc.array(fc.tuple(oddText, oddValue), { maxLength: 1 });
  return fc.tuple(unknown, ...properties).map((parts) => Object.fromEntries(parts.flat() as [string, unknown][]));
}

const toBody = (value: unknown): string => JSON.stringify(value);

const arbitraryBody = (schema: JsonSchema): fc.Arbitrary<string | undefined> =>
  fc.oneof(
    { weight: 12, arbitrary: arbitraryObject(schema).map(toBody) },
    { weight: 2, arbitrary: oddValue.map(toBody) },
    fc.constantFrom(
      undefined,
      "",
      "{",
      "nul",
      '{"a":1,}',
      "[".repeat(40_000),
      '{"__proto__":{"polluted":1}}',
      "board_id=x&content=y",
      "\ufeff{}",
    ),
    oddText,
  );

/** With many parameters each is sent less often, so that some requests are completely valid. */
const arbitraryQuery = (operation: Operation): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...operation.query.map(({ name, schema }) =>
        fc
          .tuple(fc.oneof({ weight: 3, arbitrary: plausibleValue(name, schema).map(String) }, oddText), fc.integer({ min: 0, max: 9 }))
          .map(([value, dice]) =>
            dice < (operation.query.length > 5 ? 2 : 5)
              ? `${name}=${encodeURIComponent(value.toWellFormed())}`
              : dice === 5
                ? `${camel(name)}[]=${encodeURIComponent(value.toWellFormed())}&${name}`
                : "",
          ),
      ),
      fc.constantFrom("", "", "&&=", "%zz", "a=%ff", "q=x&q=y", "cursor=AAAA", "__proto__=1"),
    )
    .map((parts) => parts.filter((part) => part !== "").join("&"));

function tileIdsFor({ method, path }: Operation): () => readonly string[] {
  if (method === "DELETE") return () => [victims.tileId, UNKNOWN_TARGET.tileId];
  if (path.endsWith("/thumbnail")) return () => [pictureId, pictureId, ...tileIds()];
  return path.endsWith("/retry") ? () => [failedId, ...tileIds()] : tileIds;
}

const isForm = ({ path }: Operation): boolean => path.endsWith("/files");

type RandomRequest = {
  readonly operation: Operation;
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: Record<string, string>;
};

export function arbitraryRequest(operation: Operation): fc.Arbitrary<RandomRequest> {
  const isFatal = operation.method === "DELETE" && operation.path.includes("/boards/");
  const ids = fc.record({
    boardId: isFatal ? fc.constantFrom("x", "").map((x) => x || victims.boardId) : idArbitrary(boardIds),
    zoneId: operation.method === "DELETE" ? idArbitrary(() => [victims.zoneId, UNKNOWN_TARGET.zoneId]) : idArbitrary(zoneIds),
    tileId: idArbitrary(tileIdsFor(operation)),
    generationId: idArbitrary(() => (operation.path.endsWith("/cancel") ? [...runningIds, ...generationIds()] : generationIds())),
  });
  const body = operation.method === "GET" ? fc.constant(undefined) : isForm(operation) ? formBody : arbitraryBody(operation.body ?? {});
  return fc.record({ ids, body, query: arbitraryQuery(operation), headers: ODD_HEADERS }).map(({ ids, body, query, headers }) => ({
    operation,
    path: `${fillPath(operation.path, ids)}${query === "" ? "" : `?${query}`}`,
    body,
    headers: isForm(operation) ? { ...headers, "content-type": "multipart/form-data; boundary=x1" } : headers,
  }));
}

/** Registers the hooks that set up and close what the tests of a file share. */
export function useRandomRequests(): void {
  beforeAll(async () => {
    testData = await startServiceWithData();
    const { service, boardA1: a1 } = testData;
    const { id: boardId } = (await service.call("POST", "/api/board/boards", { body: { name: "Victim" } })).json.board;
    const { zoneId } = await fillBoard(service, a1.boardId);
    const { tileId } = await fillBoard(service, a1.boardId);
    victims = { boardId, zoneId, tileId, generationId: UNKNOWN_TARGET.generationId };
    failedId = await addFailedLink();
    pictureId = await addPicture();
    runningIds = await Promise.all(["1", "2", "3"].map(addRunningGeneration));
    ideaId = (await service.call("POST", "/api/v1/idea", { body: { board_id: a1.boardId } })).json.generation.ideas[0].id;
    const all = await readOperations(testData.service);
    // Registered webhooks need another key, and inbound addresses their token. Webhooks of owners are the same calls.
    operations = all.filter(({ path }) => !/^\/(?:api\/(?:settings|webhooks)|in)\//.test(path) && path !== "/api/webhooks");
    settings = all.filter(({ path }) => path.startsWith("/api/settings/"));
  });
  afterAll(() => {
    for (const renewal of renewals) clearInterval(renewal);
    return testData.service.stop();
  });
}
