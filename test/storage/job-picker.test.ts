import { expect, test } from "vitest";
import { type Candidate, createJobPicker } from "#storage/shared/turns/job-picker.ts";

const job = (id: string, businessId: string, host: string): Candidate => ({ id, businessId, host });

test("a reserved slot goes to a business with nothing running, even when it is another one's turn at the host", () => {
  const picker = createJobPicker();
  // The idle business had its turn at the shared host, the busy one did not.
  picker.pick([job("i0", "idle", "shared")], [], { limit: 1, reserved: 0, perHost: 9 });
  const candidates = [job("b1", "busy", "shared"), job("i1", "idle", "shared"), job("i2", "idle", "shared")];
  const running = [{ businessId: "busy", host: "elsewhere", count: 16 }];
  const limits = { limit: 0, reserved: 5, perHost: 9 };
  expect(picker.pick(candidates, running, limits).map(({ id }) => id)).toEqual(["i1"]);
  expect(picker.pick(candidates, running, { ...limits, limit: 1 }).map(({ id }) => id)).toEqual(["b1", "i1"]);
});
