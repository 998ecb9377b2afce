/** Every section of the settings, as an owner has them. */
export const SETTINGS = ["boards", "keys", "webhook", "recipes", "members", "model", "data", "backups", "audit", "account"].map(
  (name) => `/settings/${name}`,
);
