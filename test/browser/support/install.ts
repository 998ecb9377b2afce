import { type Environment, makeFolder, startServer } from "../../e2e/support/process.ts";

const SETUP_LINK = /https?:\/\/\S+\/claim#(\S+)/;
export const OWNER = { email: "ada@lighthouse.test", password: "a lantern over quiet water" } as const;

/** The session cookie for API requests. */
export type Session = { readonly cookie: string };

/** A server with a new data directory, started like `npm start`. */
export type Install = {
  readonly url: string;
  readonly dataDir: string;
  /** The set-up link that the start printed. */
  readonly claimUrl: string;
  /** Creates the owner with that link, through the API. */
  claim(): Promise<Session>;
  logIn(email: string, password: string): Promise<Session>;
  /** Calls the API as that member; throws on an error. */
  call(session: Session, method: string, path: string, body?: unknown): Promise<any>;
  /** The id of the default board. */
  defaultBoard(session: Session): Promise<string>;
  /** The output of the server. */
  output(): string;
  stop(): Promise<void>;
};

/** Starts an install; `environment` adds settings. */
export async function startInstall(environment: Environment = {}): Promise<Install> {
  const folder = makeFolder();
  const server = await startServer({ LOG_LEVEL: "warn", ...environment, DATA_DIR: folder.dataDir });
  const { url } = server;
  const claimUrl = await until(() => SETUP_LINK.exec(server.stdout())?.[0]);

  const postForSession = async (path: string, body: object): Promise<Session> => {
    const response = await post(url, path, body);
    const cookie = response.headers.getSetCookie()[0]?.split(";", 1)[0];
    if (!response.ok || cookie === undefined) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    return { cookie };
  };
  const call: Install["call"] = async ({ cookie }, method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { cookie, origin: url, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return JSON.parse(text);
  };

  return {
    url,
    dataDir: folder.dataDir,
    claimUrl,
    claim: () => postForSession("/api/settings/claim", { token: SETUP_LINK.exec(claimUrl)?.[1] ?? "", ...OWNER }),
    logIn: (email, password) => postForSession("/api/settings/session", { email, password }),
    call,
    async defaultBoard(session) {
      const { boards } = await call(session, "GET", "/api/board/boards");
      return boards.find((board: { isDefault: boolean }) => board.isDefault).id;
    },
    output: () => server.stdout() + server.stderr(),
    async stop() {
      await server.kill("SIGTERM");
      folder.remove();
    },
  };
}

const post = (url: string, path: string, body: object): Promise<Response> =>
  fetch(url + path, { method: "POST", headers: { "content-type": "application/json", origin: url }, body: JSON.stringify(body) });

/** Waits for a value, such as the set-up link that the server prints after its ready line. */
async function until(find: () => string | undefined): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("The server did not print a set-up link.");
}
