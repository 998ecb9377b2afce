import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeFolder, tesseraJson } from "../e2e/support/process.ts";
import { ROOT } from "./sentence.ts";

const folder = makeFolder();
afterAll(() => folder.remove());

const isRoot = process.getuid?.() === 0;
/** A namespace in which disks can be mounted; `unshare` and `setpriv` are in the package util-linux. */
const MOUNTS = ["unshare", "--mount", ...(isRoot ? [] : ["--map-root-user"])];

/** Runs a shell script that starts commands, and returns all of its output. */
async function runScript(script: string, environment: Record<string, string>, prefix: readonly string[] = []): Promise<string> {
  const [program = "", ...args] = [...prefix, "sh", "-c", script];
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "", NODE: process.execPath, EMBEDDINGS: "off", PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part: string) => (output += part));
  await once(child, "close");
  return output;
}

const run = '"$NODE" scripts/run.mjs src/cli/main.ts';

test("a read-only disk is named", { timeout: 300_000 }, async () => {
  await tesseraJson({ DATA_DIR: folder.path("disk/data") }, "init");
  const disk = folder.path("disk");
  const script = `mount --bind "$DISK" "$DISK" && mount -o remount,bind,ro "$DISK" || exit
      for command in start "board list" "key create --name k"; do ${run} $command; echo "code $?"; done
      DATA_DIR="$DISK/new" ${run} init; echo "code $?"`;
  const output = await runScript(script, { DISK: disk, DATA_DIR: join(disk, "data") }, MOUNTS);
  const [start, ...others] = output.trim().split(/\ncode 1(?:\n|$)/);
  const sentence = (name: string) =>
    `The data directory ${join(disk, name)} is on a read-only disk: make the disk writable, or set DATA_DIR to another folder.`;
  expect(start).toBe(`Tessera could not start: ${sentence("data")}`);
  expect(others.filter((text) => text !== "")).toEqual([sentence("data"), sentence("data"), sentence("new")]);
  expect(existsSync(join(disk, "new"))).toBe(false);
});

test("a folder of another user is named", { timeout: 300_000 }, async () => {
  const dataDir = folder.path("owned/data");
  await tesseraJson({ DATA_DIR: dataDir }, "init");
  for (const [path, mode] of [
    [dirname(folder.path("owned")), 0o711],
    [folder.path("owned"), 0o555],
    [dataDir, isRoot ? 0o700 : 0o000],
  ] as const)
    chmodSync(path, mode);
  const script = `for command in start "board list" init; do ${run} $command; echo "code $?"; done
      DATA_DIR="$PARENT/new" ${run} start; echo "code $?"`;
  const nobody = isRoot ? ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] : [];
  const output = await runScript(script, { PARENT: folder.path("owned"), DATA_DIR: dataDir, HOME: "/nonexistent" }, nobody);
  for (const path of [folder.path("owned"), dataDir]) chmodSync(path, 0o700);
  const texts = output
    .trim()
    .split(/\ncode 1(?:\n|$)/)
    .filter((text) => text !== "");
  expect(texts).toHaveLength(4);
  for (const text of texts) {
    expect(text.split("\n")).toHaveLength(1);
    expect(text).toMatch(
      /The data directory \S+ can't be written by this user: let the user read and write everything in it, or set DATA_DIR/,
    );
  }
});
