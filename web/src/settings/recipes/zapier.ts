import type { RecipeContext, Recipe } from "./recipe.ts";

/** Uses the integration in integrations/zapier, which verifies events. */
export const zapierRecipe = (context: RecipeContext): Recipe => ({
  id: "zapier",
  name: "Zapier",
  send: [
    {
      text: "Add Tessera to your Zapier account once, as a private integration. In a clone of the repository, with Node 20 or newer:",
      code: 'cd integrations/zapier && npm ci\nnpx zapier-platform-cli login\nnpx zapier-platform-cli register "Tessera"\nnpx zapier-platform-cli push',
    },
    { text: "Add the action Tessera, Create Tile. Connect an account with your API key and this server address:", code: context.base },
    { text: "Choose the board from the list. It shows names; this is its id:", code: context.boardId },
    { text: "Fill in Link or Text with fields of an earlier step." },
  ],
  verify: [
    { text: "Connect an account whose key may manage webhooks, and start the Zap with Tessera, Tile Ready, or another event." },
    {
      text: "Choose the board, or leave it empty for all boards of the key. “Test trigger” shows the latest events of the server as samples.",
    },
    {
      text: "Publish the Zap. It subscribes while it is on, and unsubscribes when it is turned off. A wrong signature or an old event ends a run with an error.",
    },
    { text: "The server must be reachable from Zapier. Later steps can use the fields of the event, and of its tile with the text." },
  ],
});
