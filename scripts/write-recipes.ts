import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildRecipes } from "../web/src/settings/recipes/recipes.ts";
import type { Recipe, Step } from "../web/src/settings/recipes/recipe.ts";

const TARGET = fileURLToPath(new URL("../docs/recipes.md", import.meta.url));
const PLACE = { base: "https://tessera.example", boardId: "brd_…" };

const INTRO = `# Recipes

Written by \`npm run recipes\` from \`web/src/settings/recipes/\`, which the page shows under Settings, Recipes, with your own server's address and board; do not edit by hand.

Two things to build anywhere: a call that makes a tile, and a receiver that believes only genuine events. Make a key with the permission \`inbound\` for the first, set the webhook's address for the second, and put key and secret where the platform keeps secrets. \`${PLACE.base}\` stands for your server, \`${PLACE.boardId}\` for the board's id. A receiver on your own network needs its \`host:port\` in \`WEBHOOK_ALLOW\`.
The signature is over the bytes as they came: a body that was parsed and written again is another one, and fails. Answer with any 2xx within 10 seconds; a redirect is a failure. In TypeScript, \`verifyWebhook\` of the client in \`sdk/\` does the same and checks the time besides.
`;

/** Writes the page anew. */
export function run(): void {
  writeFileSync(TARGET, renderRecipes());
}

/** The page of recipes, with an address and a board that stand for the reader's own. */
export const renderRecipes = (): string => [INTRO, ...buildRecipes(PLACE).map(renderRecipe)].join("\n");

const renderRecipe = ({ name, id, send, verify }: Recipe): string =>
  [`## ${name}\n`, "### Making a tile\n", renderSteps(id, send), "### Receiving events\n", renderSteps(id, verify)].join("\n");

const renderSteps = (id: string, steps: readonly Step[]): string =>
  steps
    .map(({ text, code }) => (code === undefined ? `${text}\n` : `${text}\n\n\`\`\`${languageOf(id, code)}\n${code}\n\`\`\`\n`))
    .join("\n");

const LANGUAGES: Readonly<Record<string, string>> = { node: "js", zapier: "js", python: "python", php: "php" };

/** What a piece of code is coloured as; a lone value is no program. */
function languageOf(id: string, code: string): string {
  if (/^[[{]/.test(code)) return "json";
  return code.includes("\n") ? (LANGUAGES[id] ?? "") : "";
}
