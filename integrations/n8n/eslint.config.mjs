// n8n's own rules for community nodes.
import { n8nCommunityNodesPlugin } from "@n8n/eslint-plugin-community-nodes";
import parser from "@typescript-eslint/parser";

const { recommended } = n8nCommunityNodesPlugin.configs;

// oxlint-disable-next-line import/no-default-export -- ESLint reads the default export
export default [
  { ignores: ["dist"] },
  { ...recommended, files: ["**/*.ts"], languageOptions: { parser } },
  { ...recommended, files: ["package.json"], languageOptions: { parser, parserOptions: { extraFileExtensions: [".json"] } } },
];
