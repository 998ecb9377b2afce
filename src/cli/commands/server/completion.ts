import { type Command, UsageError } from "../../command.ts";
import { bashScript } from "../../completion/bash.ts";
import { listCompletions } from "../../completion/tree.ts";
import { zshScript } from "../../completion/zsh.ts";

const SHELLS = ["bash", "zsh"] as const;

/** Makes the command that prints completion scripts. `listCommands` returns every command, this one included. */
export const createCompletion = (listCommands: () => readonly Command[]): Command => ({
  name: "completion",
  summary: "Prints a script that completes commands in bash or zsh.",
  details:
    "Load it at the start of each shell, in ~/.bashrc, or in ~/.zshrc after compinit. It completes the commands tessera-server and tessera, and aliases of these names.",
  parameters: [{ name: "SHELL", meaning: "bash or zsh.", choices: SHELLS }],
  examples: ["source <({program} completion bash)", "{program} completion zsh > ~/.zsh/completions/_tessera"],
  installation: "none",
  async run({ parameters: [shell] }) {
    const completions = listCompletions(listCommands());
    if (shell === "bash") process.stdout.write(bashScript(completions));
    else if (shell === "zsh") process.stdout.write(zshScript(completions));
    else throw new UsageError(`There are completions for ${SHELLS.join(" and ")}, but not for "${shell}".`);
  },
});
