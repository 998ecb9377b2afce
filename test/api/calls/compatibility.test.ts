import { Ajv2020 } from "ajv/dist/2020.js";
import formatsModule from "ajv-formats";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listReleases, readSnapshot } from "../../../scripts/release/snapshots.ts";
import { fillBoard } from "../../support/test-data.ts";
import { type EveryOperation, startEveryOperation } from "./support/every-operation.ts";

const ROOT = join(import.meta.dirname, "../../..");
const release = listReleases(ROOT).at(-1) ?? "";
const document = readSnapshot(ROOT, release) as any;
/** Calls that need more than the service has: a link, a token, a form, another session. Their other responses are checked below. */
const MAY_FAIL =
  /\/retry$|\/restore$|\/cancel$|\/files$|\/import$|\/claim$|\/session$|\/look$|\/accept$|\/password$|Id\}$|\/thumbnail$|\/redeliver$/;

let every: EveryOperation;
beforeAll(async () => {
  every = await startEveryOperation();
});
afterAll(() => every.testData.service.stop());

/** The schema as clients are told to read it: responses may have more fields. */
function open(value: any): any {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, part]) => name !== "additionalProperties" || part !== false)
      .map(([name, part]) => [name, open(part)]),
  );
}

test(`today's responses are valid by the document of ${release}`, async () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // The package's types describe its ES module, which is not what Node loads.
  (formatsModule as unknown as (instance: Ajv2020) => void)(ajv);
  ajv.addSchema(open(document), "release");
  const { service } = every.testData;
  const known = every.operations.filter(({ path, method }) => document.paths[path]?.[method.toLowerCase()] !== undefined);
  let succeeded = 0;
  // Deleting comes last, and logging out after everything else.
  const rank = ({ name }: { name: string }): number => (name === "DELETE /api/settings/session" ? 2 : name.startsWith("DELETE") ? 1 : 0);
  for (const operation of known.toSorted((a, b) => rank(a) - rank(b))) {
    const { id } = (await service.call("POST", "/api/board/boards", { body: { name: "Fresh" } })).json.board;
    const isOnBoard = rank(operation) === 1 && operation.path.startsWith("/api/board/");
    const { status, json, text } = await every.call(operation, isOnBoard ? { ids: await fillBoard(service, id) } : {});
    const name = `${operation.name}: ${status} ${text.slice(0, 300)}`;
    if (status >= 400) {
      expect(operation.path, name).toMatch(MAY_FAIL);
      expect(Object.keys(json), name).toEqual(["error"]);
      continue;
    }
    succeeded++;
    const responses = document.paths[operation.path][operation.method.toLowerCase()].responses;
    // 0.1.0 answered 202 where its document listed 200 (releases/0.1.0/accepted-differences.json).
    const listed = responses[status] === undefined ? "200" : String(status);
    if (responses[listed].content?.["application/json"]?.schema === undefined) continue;
    const pointer = `/paths/${operation.path.replaceAll("/", "~1")}/${operation.method.toLowerCase()}/responses/${listed}/content/application~1json/schema`;
    const validate = ajv.compile({ $ref: `release#${encodeURI(pointer)}` });
    expect(validate(json) ? [] : validate.errors, name).toEqual([]);
  }
  expect(succeeded).toBeGreaterThan(45);
});
