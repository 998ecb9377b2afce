/**
 * The log of the operator. Whatever writes to it takes it as `log` among its dependencies. `fields` has the data, and `message` says what
 * happened. Secrets are hidden where lines are written.
 */
export type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** For commands, which print what concerns their user. */
export const NO_LOG: Log = { info: () => {}, warn: () => {}, error: () => {} };
