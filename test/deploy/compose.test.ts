import { spawnSync } from "node:child_process";
import { expect, it, test } from "vitest";
import { parse } from "yaml";
import { SETTINGS, readConfig } from "#config";
import { readFile } from "./support/files.ts";

type Service = {
  readonly image: string;
  readonly build?: object;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: object;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string; readonly required?: boolean }>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly ports?: readonly string[];
};
type Compose = { readonly services: Readonly<Record<string, Service>>; readonly volumes: object; readonly networks: object };

const compose = parse(readFile("compose.yaml"), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const isNode = ({ image }: Service): boolean => image.startsWith("tessera-board/");
const nodes = services.filter(([, service]) => isNode(service));
const names = (profile: string): string[] => services.filter(([, { profiles = [] }]) => profiles.includes(profile)).map(([name]) => name);

/** Replaces variables as Compose does, nested ones first. */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  const innermost = /\$\{([A-Z_]+)(?:(:[-+])([^${}]*))?\}/;
  let result = text;
  for (let found = innermost.exec(result); found !== null; found = innermost.exec(result)) {
    const [whole, name = "", operator, other = ""] = found;
    const value = variables[name] ?? "";
    result = result.replace(whole, () => (operator === ":+" ? (value === "" ? "" : other) : value === "" ? other : value));
  }
  return result;
}

const environmentOf = (name: string, variables: Readonly<Record<string, string>>): Record<string, string> => ({
  ...variables,
  ...Object.fromEntries(
    Object.entries(compose.services[name]?.environment ?? {}).map(([key, text]) => [key, interpolate(text, variables)]),
  ),
});

/** Read by Compose, PostgreSQL's client, and the services beside Tessera. */
const OTHERS = [
  "COMPOSE_PROFILES",
  "POSTGRES_PASSWORD",
  "POSTGRES_USER",
  "PGPASSWORD",
  "TESSERA_VERSION",
  "TESSERA_REVISION",
  "SITE_ADDRESS",
  "NODES",
  "OLLAMA_HOST",
];

it("compose.yaml starts one node by default, and more with profiles", () => {
  expect(services.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name)).toEqual(["tessera"]);
  expect(names("postgres")).toEqual(["api-2", "worker-1", "worker-2", "postgres", "caddy"]);
  expect(services.flatMap(([, { profiles = [] }]) => profiles).filter((name) => !["postgres", "models"].includes(name))).toEqual([]);
  expect(names("models")).toEqual(["ollama", "models"]);
});

it("compose.yaml names variables that are settings", () => {
  const known = [...Object.values(SETTINGS).map(({ name }) => name), ...OTHERS];
  const used = [...readFile("compose.yaml").matchAll(/\$\{([A-Z_]+)/g), ...readFile(".env.example").matchAll(/^# ([A-Z_]+)=/gm)];
  const set = services.flatMap(([, { environment = {} }]) => Object.keys(environment));
  expect([...used.map(([, name]) => name), ...set].filter((name) => !known.includes(name ?? ""))).toEqual([]);
});

it("compose.yaml gives the single node settings that the server accepts", () => {
  const config = readConfig(environmentOf("tessera", {}));
  expect(config).toMatchObject({ role: "all", databaseUrl: "", host: "0.0.0.0", port: 8080, dataDir: "/data", trustProxy: "" });
});

it("compose.yaml gives the nodes on PostgreSQL settings that the server accepts", () => {
  const variables = { POSTGRES_PASSWORD: "p@ss/word", SECRET_KEY: "secret" };
  const roles = nodes.map(([name]) => readConfig(environmentOf(name, variables)).role);
  expect(roles.toSorted()).toEqual(["api", "api", "worker", "worker"]);
  for (const [name] of nodes) {
    const environment = environmentOf(name, variables);
    expect(environment.PGPASSWORD).toBe("p@ss/word");
    expect(readConfig(environment)).toMatchObject({
      databaseUrl: "postgres://tessera@postgres:5432/tessera",
      secretKey: "secret",
      trustProxy: "uniquelocal",
    });
  }
});

it("compose.yaml refuses nodes on PostgreSQL without a secret key", () => {
  for (const [name] of nodes) expect(() => readConfig(environmentOf(name, { POSTGRES_PASSWORD: "p" }))).toThrow("SECRET_KEY is missing");
});

it.each([
  [{}, "http://localhost:8080"],
  [{ PORT: "9000" }, "http://localhost:9000"],
  [{ PORT: "9000", BASE_URL: "https://boards.example.com" }, "https://boards.example.com"],
])("compose.yaml with %j has the address %s", (variables, address) => {
  for (const [name] of nodes)
    expect(readConfig(environmentOf(name, { SECRET_KEY: "s", ...variables }))).toMatchObject({ baseUrl: address, port: 8080 });
});

it.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ COMPOSE_PROFILES: "models" }, true],
  [{ COMPOSE_PROFILES: "postgres" }, false],
  [{ COMPOSE_PROFILES: "models,postgres" }, false],
  [{ COMPOSE_PROFILES: "postgres,models", POSTGRES_PASSWORD: "p" }, true],
  [{ COMPOSE_PROFILES: "models,postgres", DATABASE_URL: "postgres://ada@db/tessera" }, true],
])("compose.yaml with %j starts the node tessera: %s", (variables, starts) => {
  const { entrypoint = [], command = [] } = compose.services.tessera ?? {};
  const [shell = "", ...args] = [...entrypoint, ...command].map((part) =>
    part.replaceAll("$$", "$").replace("exec tessera-server", "echo tessera-server"),
  );
  const { status, stdout, stderr } = spawnSync(shell, args, {
    env: { PATH: process.env.PATH ?? "", ...environmentOf("tessera", variables) },
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual(starts ? { status: 0, stdout: "tessera-server start\n" } : { status: 1, stdout: "" });
  expect(stderr).toMatch(starts ? /^$/ : /^The profile postgres needs POSTGRES_PASSWORD in \.env: .*\n$/);
});

it.each(services)("the service %s has a version, a health check and few rights", (name, service) => {
  // The nodes are built from this folder, and their image has a health check.
  if (isNode(service)) expect(service.build).toMatchObject({ context: "." });
  else expect([service.image, service.healthcheck]).toEqual([expect.stringMatching(/:\d+\.\d+/), expect.anything()]);
  expect(service.cap_drop).toEqual(["ALL"]);
  expect(service.security_opt).toEqual(["no-new-privileges:true"]);
  // What the images of Chrome and Ollama write beside their volumes is not documented.
  expect(service.read_only === true || ["ollama", "models"].includes(name)).toBe(true);
});

it.each(services)("the service %s names volumes, networks and services that exist", (_name, service) => {
  for (const volume of service.volumes ?? []) expect([...Object.keys(compose.volumes), "."]).toContain(volume.split(/[:/]/)[0]);
  expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining([...(service.networks ?? [])]));
  for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
    expect(condition).toBe("service_healthy");
    expect(compose.services[other]).toBeDefined();
  }
});

it("compose.yaml publishes the nodes to this machine alone", () => {
  for (const [, { ports = [] }] of nodes) for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test("the settings of .env.example are accepted together", () => {
  const variables = Object.fromEntries(
    [...readFile(".env.example").matchAll(/^# ([A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
  const given = { ...variables, POSTGRES_PASSWORD: "p", SECRET_KEY: "s" };
  expect(readConfig(environmentOf("tessera", given))).toMatchObject({ llmProvider: "openai-compatible", embeddings: "openai-compatible" });
});

test("the image has the Node of package.json", () => {
  const { dependencies } = JSON.parse(readFile("package.json")) as { dependencies: Record<string, string> };
  expect(/^ARG NODE_VERSION=(.*)$/m.exec(readFile("Dockerfile"))?.[1]).toBe(dependencies.node);
});

const text = readFile("Dockerfile");
it.each([
  ["USER tessera", "runs as a user without rights"],
  ["STOPSIGNAL SIGTERM", "ends on SIGTERM"],
  ["VOLUME /data", "keeps data in a volume"],
  ["org.opencontainers.image.version", "has labels"],
  ["HEALTHCHECK", "has a health check"],
])("the Dockerfile has %s: it %s", (line) => expect(text).toContain(line));

it("the Dockerfile starts the program without a shell, so that it gets the signals", () => {
  expect(text).toMatch(/^ENTRYPOINT \["tessera-server"\]\nCMD \["start"\]$/m);
});

test("only sources go into the build of the image", () => {
  expect(readFile(".dockerignore")).toMatch(/^\*$/m);
  for (const excluded of [".git", "data", ".env"]) expect(readFile(".dockerignore")).not.toContain(`!${excluded}`);
  // The integrations are not part of the build, and the packages that build them would be large.
  expect(readFile("Dockerfile")).toContain("RUN npm run package -- --server\n");
});
