/** The version of Tessera. It is written here only: packages get it when they are packed, and `npm run release` changes it. */
export const VERSION = "0.2.0";
