/** Every section of the settings, as an owner has them. */
export const SETTINGS = ["boards", "keys", "webhook", "recipes", "members", "model", "data", "backups", "audit", "account"].map(
  (name) => `/settings/${name}`,
);

/** A script that keeps the page from preloading: it waits for the browser to be idle, which then never comes. */
export const NEVER_IDLE = "globalThis.requestIdleCallback = () => 0;";
