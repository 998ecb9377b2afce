import { expect } from "vitest";
import { until } from "../../../e2e/support/servers.ts";
import type { Browser } from "../../../support/people/people.ts";

export const BACKUPS = "/api/settings/backups";
export const list = async (owner: Browser): Promise<any> => (await owner.call("GET", BACKUPS)).json;

export const ended = (owner: Browser, id?: string): Promise<any> =>
  until("the backup's end", async () => {
    const { backups } = await list(owner);
    const run = id === undefined ? backups[0] : backups.find((one: { id: string }) => one.id === id);
    return run !== undefined && run.status !== "running" && run;
  });

export const make = async (owner: Browser): Promise<any> => {
  const answer = await owner.call("POST", BACKUPS);
  expect(answer.status, answer.text).toBe(202);
  return ended(owner, answer.json.backup.id);
};
