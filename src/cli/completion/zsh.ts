import { type Completions, completedPrograms, listValueOptions } from "./tree.ts";

/** Returns the completion script for zsh. It can be sourced, or stored as `_tessera` in a folder of `fpath`. */
export function zshScript(all: readonly Completions[]): string {
  const programs = completedPrograms().join(" ");
  return `#compdef ${programs}
# Completion of Tessera's command line for zsh. Load it after compinit with: source <(… completion zsh)
_tessera() {
  local command="" word i
  local -i count=0
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    case $word in
      ${listValueOptions(all).join("|")}) ((i++)) ;;
      -*) ;;
      help) [[ -n $command ]] && ((count++)) ;;
      *)
        case "$command/$word" in
${all.flatMap(pathCases).join("\n")}
          *) ((count++)) ;;
        esac ;;
    esac
  done
  case "$command $words[CURRENT-1]" in
${all.flatMap(valueCases).join("\n")}
    ${listValueOptions(all)
      .map((name) => `*\\ ${name}`)
      .join("|")}) _message value; return ;;
  esac
  if [[ $PREFIX == -* ]]; then
    case "$command" in
${all.map(optionCase).join("\n")}
    esac
    _describe option found
    return
  fi
  case "$command:$count" in
${all.flatMap(parameterCases).join("\n")}
  esac
  case "$command:$count" in
${all.flatMap(wordCases).join("\n")}
  esac
  ((\${#found})) && _describe command found
}
if [[ $funcstack[1] == _tessera ]]; then _tessera "$@"; else compdef _tessera ${programs}; fi
`;
}

const pathCases = ({ path, words }: Completions): string[] =>
  words
    .filter(([word]) => word !== "help")
    .map(([word]) => `          ${quote(`${path}/${word}`)}) command=${quote(path === "" ? word : `${path} ${word}`)} ;;`);

const valueCases = ({ path, options }: Completions): string[] =>
  options.flatMap(([name, { choices }]) =>
    choices === undefined ? [] : [`    ${quote(`${path} --${name}`)}) compadd -- ${choices.map(quote).join(" ")}; return ;;`],
  );

const optionCase = ({ path, options }: Completions): string =>
  `      ${quote(path)}) found=(${options.map(([name, { meaning }]) => item(`--${name}`, meaning)).join(" ")}) ;;`;

const parameterCases = ({ path, parameters }: Completions): string[] =>
  parameters.flatMap(({ choices, isFile }, index) => {
    const pattern = quote(`${path}:${index}`);
    if (isFile) return [`    ${pattern}) _files; return ;;`];
    return choices.length === 0 ? [] : [`    ${pattern}) compadd -- ${choices.map(quote).join(" ")}; return ;;`];
  });

const wordCases = ({ path, words }: Completions): string[] =>
  words.length === 0 ? [] : [`    ${quote(`${path}:0`)}) found=(${words.map(([word, meaning]) => item(word, meaning)).join(" ")}) ;;`];

/** An entry of `_describe`, in which a colon separates word and description. */
const item = (word: string, meaning: string): string => quote(`${word}:${meaning}`);

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
