import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectralCore from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";
import { expect, test } from "vitest";
import { buildDocument } from "#http/openapi/document.ts";
import { createRoutes } from "#http/routes/all.ts";

const routes = createRoutes({ name: 200, title: 500, content: 1_000_000, question: 4_000 });
/** The document of a server without and with a public address. */
const TEXTS = ["", "https://boards.museum.org"].map((address) => [address, JSON.stringify(buildDocument(routes, address))] as const);

/** The paths of the specification put fixed words and ids in the same place. The server prefers the fixed words. */
const FIXED_BY_THE_SPECIFICATION = "no-ambiguous-paths";

test.each(TEXTS)("Redocly's recommended rules find no problem (address: %j)", { timeout: 300_000 }, async (_address, source) => {
  const config = await createConfig({ extends: ["recommended"], rules: { [FIXED_BY_THE_SPECIFICATION]: "off" } });
  const problems = await lintFromString({ source, config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ""}`)).toEqual([]);
});

test.each(TEXTS)("Spectral's rules for OpenAPI find no problem (address: %j)", { timeout: 300_000 }, async (_address, source) => {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [spectralRulesets.oas as never] });
  const problems = await spectral.run(source);
  expect(problems.map(({ code, message, path }) => `${code}: ${message} ${path.join("/")}`)).toEqual([]);
});
