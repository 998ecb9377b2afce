import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ImageConfig } from "./image.ts";
import { startContainer } from "./run.ts";

type Image = { readonly config: ImageConfig; readonly root: string };
type Check = (name: string, run: () => void | Promise<void>) => Promise<void>;

const MAX_IMAGE_BYTES = 300_000_000;
const MAX_STOP_MS = 10_000;
const USER = 1_000;
const PORT = "18080";

/** What an engine reads from the image. */
export async function checkConfig({ config, root }: Image, check: Check): Promise<void> {
  await check("the configuration is that of the Dockerfile", () => {
    assert.deepEqual(
      [config.User, config.StopSignal, config.Entrypoint, config.Cmd, Object.keys(config.Volumes), Object.keys(config.ExposedPorts)],
      ["tessera", "SIGTERM", ["tessera-server"], ["start"], ["/data"], ["8080/tcp"]],
    );
    assert.equal(config.Labels["org.opencontainers.image.version"], "test");
    assert.equal(config.Healthcheck.Test[0], "CMD");
  });
  await check(`the image has at most ${MAX_IMAGE_BYTES / 1_000_000} MB`, () => {
    const bytes = Number(spawnSync("du", ["-sb", root], { encoding: "utf8" }).stdout.split("\t")[0]);
    process.stdout.write(`${(bytes / 1_000_000).toFixed(1)} MB\n`);
    assert.ok(bytes > 0 && bytes <= MAX_IMAGE_BYTES, `It has ${bytes} bytes.`);
  });
}

/** The image in use: its user without rights, a read-only file system, and the server as process 1. */
export async function checkRun({ config, root }: Image, data: string, check: Check): Promise<void> {
  mkdirSync(data);
  chownSync(data, USER, USER);
  const environment = { ...Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s).slice(0, 2))), PORT, HOST: "127.0.0.1" };
  const container = { root, data, user: USER, environment };
  const health = async () => (await startContainer(container, config.Healthcheck.Test.slice(1)).ended).code;
  const server = startContainer(container, [...config.Entrypoint, ...config.Cmd]);
  await check("the server starts on a read-only file system", () => server.waitFor("Tessera is ready on"));
  await check("the health check succeeds", async () => assert.equal(await health(), 0));
  await check("only the data directory belongs to the user", async () => {
    assert.equal(statSync(join(data, "tessera.sqlite")).uid, USER);
    assert.notEqual((await startContainer(container, ["touch", "/opt/tessera/file"]).ended).code, 0);
    assert.equal((await startContainer(container, ["touch", "/data/file"]).ended).code, 0);
  });
  await check("commands work beside the server", async () => {
    const { code, output } = await startContainer(container, ["tessera-server", "key", "create", "--name", "container", "--json"]).ended;
    assert.match(output, /"key": ?"tsr_/);
    assert.equal(code, 0);
  });
  await check("SIGTERM ends it in time, as process 1", async () => {
    const started = performance.now();
    assert.equal((await server.stop()).code, 0);
    assert.ok(performance.now() - started < MAX_STOP_MS);
  });
  await check("the health check fails without the server", async () => assert.equal(await health(), 1));
  await check("compiled code is in the image", () => assert.ok(existsSync(join(root, "opt/tessera/.cache"))));
}
