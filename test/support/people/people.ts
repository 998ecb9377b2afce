import type { Role } from "#domain/core/access.ts";
import type { Answer, TestService } from "../service.ts";

export const PASSWORD = "correct horse battery";

/** A browser of a person: sends the cookie that the server set, like the page does. */
export type Browser = {
  /** The cookie as `name=value`; "" before log-in. */
  cookie: string;
  call(method: string, path: string, options?: { body?: unknown; headers?: Record<string, string> }): Promise<Answer>;
};

export function newBrowser(service: TestService, cookie = ""): Browser {
  const browser: Browser = {
    cookie,
    async call(method, path, options = {}) {
      const answer = await service.call(method, path, {
        key: null,
        ...("body" in options ? { body: options.body } : {}),
        headers: { origin: service.url, "sec-fetch-site": "same-origin", cookie: browser.cookie, ...options.headers },
      });
      const set = answer.headers.get("set-cookie");
      if (set !== null) browser.cookie = set.split(";", 1)[0] ?? "";
      return answer;
    },
  };
  return browser;
}

/** Creates the first owner with the printed set-up link. */
export async function claimOwner(service: TestService, email = "owner@example.com"): Promise<Browser> {
  const browser = newBrowser(service);
  const answer = await browser.call("POST", "/api/settings/claim", { body: { token: service.claimToken, email, password: PASSWORD } });
  if (answer.status !== 200) throw new Error(`The set-up returned ${answer.status}: ${answer.text}`);
  return browser;
}

/** Creates a member with this role, invited by `owner`. */
export async function joinAs(service: TestService, owner: Browser, role: Role, email = `${role}@example.com`): Promise<Browser> {
  const invited = await owner.call("POST", "/api/settings/invitations", { body: { email, role } });
  const token = String(invited.json?.link).split("#")[1];
  const browser = newBrowser(service);
  const answer = await browser.call("POST", "/api/settings/invitations/accept", { body: { token, password: PASSWORD } });
  if (answer.status !== 200) throw new Error(`Accepting the invitation returned ${answer.status}: ${answer.text}`);
  return browser;
}
