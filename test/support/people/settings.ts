import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Check } from "typebox/schema";
import { expect } from "vitest";
import { authorizeBusiness } from "#service/access.ts";
import { addMember } from "#service/people/members.ts";
import { readRows } from "../engine.ts";
import { type Operation, readOperations } from "../operations.ts";
import { type Browser, PASSWORD, claimOwner, joinAs, newBrowser } from "./people.ts";
import type { Answer, TestService } from "../service.ts";

/** People with different access to the settings. */
export type People = {
  readonly owner: Browser;
  readonly admin: Browser;
  readonly member: Browser;
  /** The owner of another business. */
  readonly stranger: Browser;
  readonly strangerBusinessId: string;
};

/** Wraps a browser so that each response is checked against the OpenAPI document. */
async function withResponseChecks(service: TestService, browser: Browser): Promise<Browser> {
  const operations = await readOperations(service);
  return {
    ...browser,
    async call(method, path, options) {
      const answer = await browser.call(method, path, options);
      const operation = operations.find((each) => each.method === method && matchesPath(each, path));
      if (operation !== undefined && answer.status === 200 && answer.json !== undefined)
        expect(Check(operation.response, answer.json), `${operation.name} returned ${answer.text}`).toBe(true);
      return answer;
    },
  };
}

const matchesPath = ({ path }: Operation, requested: string): boolean =>
  new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/?]+")}$`).test(requested.split("?", 1)[0] ?? "");

export async function gatherPeople(service: TestService): Promise<People> {
  const { deps } = service.appContext;
  const owner = await claimOwner(service);
  const [admin, member] = [await joinAs(service, owner, "admin"), await joinAs(service, owner, "member")];
  const { businessId } = await service.newBusiness("Other Lab");
  const theirs = await authorizeBusiness(deps, { kind: "operator", businessId }, "own");
  await addMember(deps, theirs, { email: "stranger@example.com", role: "owner", password: PASSWORD });
  const stranger = newBrowser(service);
  const entered = await stranger.call("POST", "/api/settings/session", { body: { email: "stranger@example.com", password: PASSWORD } });
  if (entered.status !== 200) throw new Error(entered.text);
  return {
    owner: await withResponseChecks(service, owner),
    admin: await withResponseChecks(service, admin),
    member: await withResponseChecks(service, member),
    stranger: await withResponseChecks(service, stranger),
    strangerBusinessId: businessId,
  };
}

/** Returns the status and error of a response, to compare with `errorResponse`. */
export const getError = ({ status, json }: Answer): unknown => ({ status, error: json?.error });
export const errorResponse = (status: number, error: string): unknown => ({ status, error });

const TABLES = [
  "business",
  "board",
  "api_key",
  "webhook",
  "delivery",
  "audit",
  "inbound_address",
  "once",
  "member",
  "session",
  "invitation",
  "usage",
];

/** Whether a text is stored anywhere: in a row, or in the bytes of the database file. */
export async function isStored(service: TestService, text: string): Promise<boolean> {
  for (const table of TABLES) if (JSON.stringify(await readRows(service, `SELECT * FROM ${table}`)).includes(text)) return true;
  if (service.environment.DATABASE_URL !== undefined) return false;
  return ["tessera.sqlite", "tessera.sqlite-wal"].some((name) => readFileSync(join(service.dataDir, name)).includes(text));
}
