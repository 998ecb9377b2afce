import { expect, it } from "vitest";
import { IngestError } from "#domain/content/job.ts";
import { findShortage, ShortageError } from "#domain/core/errors/shortage.ts";

const systemError = (code: string, more: object = {}): Error => Object.assign(new Error(`${code}: failed`), { code, ...more });

it.each([
  ["EMFILE", {}, "file_handles"],
  ["ENFILE", {}, "file_handles"],
  ["ENOBUFS", {}, "memory"],
  ["ENOMEM", {}, "memory"],
  ["ENOSPC", {}, "disk"],
  ["EADDRNOTAVAIL", { syscall: "connect", address: "192.0.2.1" }, "ports"],
  ["EADDRNOTAVAIL", { syscall: "connect", address: "2001:db8::1" }, null],
  ["EAGAIN", { syscall: "spawn node" }, "processes"],
  ["EAGAIN", { syscall: "read" }, null],
  ["ECONNREFUSED", {}, null],
  ["ERR_WORKER_INIT_FAILED", { message: "Worker initialization failure: EMFILE" }, "file_handles"],
  ["ERR_INVALID_PACKAGE_CONFIG", { message: "Cannot read package config /a: too many open files." }, "file_handles"],
  ["ERR_INVALID_PACKAGE_CONFIG", { message: "Invalid package config /a." }, null],
])("the error %s %j is classified as %s", (code, more, expected) => expect(findShortage(systemError(code, more))).toBe(expected));

it("shortages of this machine are found among causes and attempts to connect", () => {
  const attempts = new AggregateError([systemError("ECONNREFUSED"), systemError("EMFILE")]);
  const error = new IngestError("connection_failed", "Could not connect.", { stage: "fetch", cause: attempts });
  expect(findShortage(error)).toBe("file_handles");
  expect(findShortage(new Error("failed", { cause: new ShortageError("processes") }))).toBe("processes");
  expect(findShortage("EMFILE")).toBeNull();
});
