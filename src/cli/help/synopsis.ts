import type { Command, Option, Parameter } from "../command.ts";

/** Returns an option as it is typed, such as `--name NAME`. */
export const formatOption = (name: string, { value, isRepeatable }: Option): string =>
  `--${name}${value === undefined ? "" : ` ${value}`}${isRepeatable === true ? " …" : ""}`;

const formatParameter = ({ name, isOptional }: Parameter): string => (isOptional === true ? `[${name}]` : name);

/** Returns the form of a command without the name of the program: `key create --name NAME [options]`. */
export function formatSynopsis({ name, parameters = [], options = {} }: Command): string {
  const required = Object.entries(options).filter(([, { isRequired }]) => isRequired);
  const rest = Object.keys(options).length > required.length ? ["[options]"] : [];
  return [name, ...parameters.map(formatParameter), ...required.map((entry) => formatOption(...entry)), ...rest].join(" ");
}
