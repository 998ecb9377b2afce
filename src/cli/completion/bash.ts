import { type Completions, completedPrograms, listValueOptions } from "./tree.ts";

/** Returns the completion script for bash 3.2 and newer. */
export function bashScript(all: readonly Completions[]): string {
  return `# Completion of Tessera's command line for bash. Load it with: source <(… completion bash)
_tessera() {
  local current=\${COMP_WORDS[COMP_CWORD]} path="" count=0 i word
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      ${listValueOptions(all).join("|")}) i=$((i + 1)) ;;
      -*) ;;
      help) if [ -n "$path" ]; then count=$((count + 1)); fi ;;
      *)
        case "$path/$word" in
${all.flatMap(pathCases).join("\n")}
          *) count=$((count + 1)) ;;
        esac ;;
    esac
  done
  case "$path \${COMP_WORDS[COMP_CWORD - 1]}" in
${all.flatMap(valueCases).join("\n")}
    ${listValueOptions(all)
      .map((name) => `*" "${name}`)
      .join("|")}) return ;;
  esac
  case "$path:$count" in
${all.flatMap(parameterCases).join("\n")}
  esac
  case "$path" in
${all.map(wordCase).join("\n")}
  esac
}
complete -F _tessera ${completedPrograms().join(" ")}
`;
}

/** Moves from a beginning of a command to the next one. */
const pathCases = ({ path, words }: Completions): string[] =>
  words
    .filter(([word]) => word !== "help")
    .map(([word]) => `          ${quote(`${path}/${word}`)}) path=${quote(path === "" ? word : `${path} ${word}`)} ;;`);

const valueCases = ({ path, options }: Completions): string[] =>
  options.flatMap(([name, { choices }]) =>
    choices === undefined
      ? []
      : [`    ${quote(`${path} --${name}`)}) COMPREPLY=($(compgen -W ${quote(choices.join(" "))} -- "$current")); return ;;`],
  );

const parameterCases = ({ path, parameters }: Completions): string[] =>
  parameters.flatMap(({ choices, isFile }, index) => {
    const pattern = quote(`${path}:${index}`);
    if (isFile)
      return [
        `    ${pattern}) case $current in -*) ;; *) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")); return ;; esac ;;`,
      ];
    return choices.length === 0
      ? []
      : [
          `    ${pattern}) case $current in -*) ;; *) COMPREPLY=($(compgen -W ${quote(choices.join(" "))} -- "$current")); return ;; esac ;;`,
        ];
  });

function wordCase({ path, words, options }: Completions): string {
  const names = words.map(([word]) => word).join(" ");
  const flags = options.map(([name]) => `--${name}`).join(" ");
  return `    ${quote(path)}) case $current in -*) COMPREPLY=($(compgen -W ${quote(flags)} -- "$current")) ;; *) [ "$count" = 0 ] && COMPREPLY=($(compgen -W ${quote(names)} -- "$current")) ;; esac ;;`;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
