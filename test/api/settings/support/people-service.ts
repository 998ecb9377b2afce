import { afterEach, beforeEach } from "vitest";
import { PASSWORD } from "../../../support/people/people.ts";
import { type TestService, startTestService } from "../../../support/service.ts";

export let service: TestService;

export const claim = (token: string, email: string, password = PASSWORD) => ({ body: { token, email, password } });
export const logIn = (email: string, password = PASSWORD) => ({ body: { email, password } });
export const error = (status: number, message: string): unknown => ({ status, error: message });
export const toError = ({ status, json }: { status: number; json: any }): unknown => ({ status, error: json.error });

/** Registers the hooks that set up and close what the tests of a file share. */
export function usePeopleService(): void {
  beforeEach(async () => {
    service = await startTestService({ ROLE: "api" });
  });
  afterEach(() => service.stop());
}
