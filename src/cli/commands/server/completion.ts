import { type Command, UsageError } from "../../command.ts";

const SHELLS = ["bash", "zsh"] as const;

export const COMPLETION: Command = {
  name: "completion",
  summary: "Prints a script that completes commands in bash or zsh.",
  details:
    "Load it at the start of each shell, in ~/.bashrc, or in ~/.zshrc after compinit. It completes the commands tessera-server and tessera, and aliases of these names.",
  parameters: [{ name: "SHELL", meaning: "bash or zsh.", choices: SHELLS }],
  examples: ["source <({program} completion bash)", "{program} completion zsh > ~/.zsh/completions/_tessera"],
  installation: "none",
  async run({ parameters: [shell] }) {
    if (shell === "bash") process.stdout.write((await import("../../completion/bash.ts")).bashScript());
    else if (shell === "zsh") process.stdout.write((await import("../../completion/zsh.ts")).zshScript());
    else throw new UsageError(`There are completions for ${SHELLS.join(" and ")}, but not for "${shell}".`);
  },
};
