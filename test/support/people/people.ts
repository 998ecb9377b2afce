import type { Role } from "#domain/core/access.ts";
import type { Answer, TestService } from "../service.ts";

export const PASSWORD = "correct horse battery";

/** Somebody in a browser: calls with the cookie that the server set, as a page of its own does. */
export type Browser = {
  /** `name=value` as it is sent back; "" before log-in. */
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

/** The first owner, made by the link that the start printed. */
export async function claimOwner(service: TestService, email = "owner@example.com"): Promise<Browser> {
  const browser = newBrowser(service);
  const answer = await browser.call("POST", "/api/settings/claim", { body: { token: service.claimToken, email, password: PASSWORD } });
  if (answer.status !== 200) throw new Error(`The claim was answered with ${answer.status}: ${answer.text}`);
  return browser;
}

/** A member of this role, invited by `owner`. */
export async function joinAs(service: TestService, owner: Browser, role: Role, email = `${role}@example.com`): Promise<Browser> {
  const invited = await owner.call("POST", "/api/settings/invitations", { body: { email, role } });
  const token = String(invited.json?.link).split("#")[1];
  const browser = newBrowser(service);
  const answer = await browser.call("POST", "/api/settings/invitations/accept", { body: { token, password: PASSWORD } });
  if (answer.status !== 200) throw new Error(`Joining was answered with ${answer.status}: ${answer.text}`);
  return browser;
}
