import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TARGET, renderSdkTypes } from "../../scripts/write/sdk-types.ts";

test("the types of the SDK are those of the OpenAPI document; `npm run sdk:types` writes them", async () => {
  for (const [name, text] of Object.entries(await renderSdkTypes())) expect(readFileSync(join(TARGET, name), "utf8"), name).toBe(text);
});
