/** All settings sections of an owner. */
export const SETTINGS = ["boards", "keys", "inbound", "webhook", "recipes", "members", "model", "data", "backups", "audit", "account"].map(
  (name) => `/settings/${name}`,
);

/** A script that prevents preloading: the browser never becomes idle. */
export const NEVER_IDLE = "globalThis.requestIdleCallback = () => 0;";
