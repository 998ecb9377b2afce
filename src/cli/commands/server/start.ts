import type { Command } from "../../command.ts";

export const START: Command = {
  name: "start",
  summary: "Starts the server and its worker.",
  details:
    "The server runs until SIGTERM or Ctrl+C. The first start creates the installation, and prints a one-time link that creates the owner account. Settings are environment variables.",
  examples: ["start", "PORT=9000 DATA_DIR=/var/lib/tessera {program} start"],
  installation: "created",
  async run() {
    // Load the server only for this command, since it would slow down the start of all others.
    await (await import("#main")).run();
  },
};

export const SERVE: Command = {
  ...START,
  name: "serve",
  details: "Both do the same.",
  summary: "Starts the server: another name of start.",
  examples: ["serve", "PORT=9000 DATA_DIR=/var/lib/tessera {program} serve"],
};
