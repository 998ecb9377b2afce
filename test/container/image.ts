import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findProgram } from "../deploy/support/programs.ts";

/** The configuration of an image, as container engines read it. */
export type ImageConfig = {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly StopSignal: string;
  readonly Volumes: Readonly<Record<string, object>>;
  readonly ExposedPorts: Readonly<Record<string, object>>;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
};

/** What Debian's slim image leaves out. */
const NOT_SLIM = ["usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/info", "var/cache/apt", "var/lib/apt/lists"];

function runTool(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: "utf8", maxBuffer: 64 * 1_048_576 });
  if (status !== 0)
    throw new Error(`${program} ${args.join(" ")} failed: ${error?.message ?? ""}${stdout.slice(-2_000)}${stderr.slice(-2_000)}`);
  return stdout;
}

/**
 * Builds the Dockerfile of `root` on stand-ins for its base images, since no registry of images is needed then: Debian made by
 * debootstrap, and the Node of package.json with npm. Returns the configuration of the image and the folder of its file system.
 */
export function buildImage(root: string, folder: string): { readonly config: ImageConfig; readonly root: string } {
  const buildah = findProgram("buildah");
  const storage = ["--storage-driver", "vfs", "--root", join(folder, "store"), "--runroot", join(folder, "run")];
  const run = (...args: string[]) => runTool(buildah, [...storage, ...args], folder).trim();
  const build = (context: string, tag: string, ...args: string[]) =>
    run("bud", "--isolation", "chroot", "--pull-never", "--format", "docker", "--quiet", "--tag", tag, ...args, context);
  makeDebian(join(folder, "debian"));
  build(join(folder, "debian"), "docker.io/library/debian:bookworm-slim");
  makeNode(root, join(folder, "node"));
  const [, version = ""] = /^ARG NODE_VERSION=(.*)$/m.exec(readFileSync(join(root, "Dockerfile"), "utf8")) ?? [];
  build(join(folder, "node"), `docker.io/library/node:${version}-bookworm-slim`);
  build(root, "tessera", "--build-arg", `TARGETARCH=${process.arch === "x64" ? "amd64" : process.arch}`, "--build-arg", "VERSION=test");
  const { Docker } = JSON.parse(run("inspect", "--type", "image", "tessera")) as { Docker: { config: ImageConfig } };
  return { config: Docker.config, root: run("mount", run("from", "--pull-never", "tessera")) };
}

function makeDebian(folder: string): void {
  const files = join(folder, "files");
  mkdirSync(folder);
  runTool(findProgram("debootstrap"), ["--variant=minbase", "bookworm", files], folder);
  for (const path of NOT_SLIM) rmSync(join(files, path), { recursive: true, force: true });
  writeFileSync(join(folder, "Dockerfile"), "FROM scratch\nCOPY files /\n");
}

/** Node and npm of this machine. Its registry and certificates are needed as well. */
function makeNode(root: string, folder: string): void {
  const local = join(folder, "files/usr/local");
  mkdirSync(join(local, "lib/node_modules"), { recursive: true });
  mkdirSync(join(local, "etc"));
  mkdirSync(join(local, "bin"));
  cpSync(realpathSync(join(root, "node_modules/.bin/node")), join(local, "bin/node"));
  cpSync(dirname(dirname(realpathSync(findProgram("npm")))), join(local, "lib/node_modules/npm"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  for (const name of ["npm", "npx"]) symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, "bin", name));
  const setting = (name: string): string => runTool("npm", ["config", "get", name], root).trim();
  const certificates = setting("cafile");
  if (certificates !== "null") cpSync(certificates, join(local, "etc/certificates.pem"));
  const cafile = certificates === "null" ? "" : "cafile=/usr/local/etc/certificates.pem\n";
  // npm reads the file beside itself also with --prefix, unlike the one in /usr/local/etc.
  writeFileSync(join(local, "lib/node_modules/npm/npmrc"), `registry=${setting("registry")}\n${cafile}`);
  writeFileSync(join(folder, "Dockerfile"), "FROM debian:bookworm-slim\nCOPY files /\n");
}
