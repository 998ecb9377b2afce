// n8n's own rules for community nodes, as its command line tool has them.
import { n8nCommunityNodesPlugin } from "@n8n/eslint-plugin-community-nodes";
import parser from "@typescript-eslint/parser";
import nodesBase from "eslint-plugin-n8n-nodes-base";

const { recommended } = n8nCommunityNodesPlugin.configs;
const plugins = { "n8n-nodes-base": nodesBase };

// oxlint-disable-next-line import/no-default-export -- ESLint reads the default export
export default [
  { ignores: ["dist"] },
  { ...recommended, files: ["**/*.ts"], languageOptions: { parser } },
  { ...recommended, files: ["package.json"], languageOptions: { parser, parserOptions: { extraFileExtensions: [".json"] } } },
  { files: ["package.json"], plugins, rules: nodesBase.configs.community.rules },
  {
    files: ["credentials/**/*.ts"],
    plugins,
    rules: {
      ...nodesBase.configs.credentials.rules,
      "n8n-nodes-base/cred-class-field-documentation-url-miscased": "off",
      "n8n-nodes-base/cred-class-field-type-options-password-missing": "off",
    },
  },
  {
    files: ["nodes/**/*.ts"],
    plugins,
    rules: {
      ...nodesBase.configs.nodes.rules,
      "n8n-nodes-base/node-class-description-inputs-wrong-regular-node": "off",
      "n8n-nodes-base/node-class-description-outputs-wrong": "off",
      "n8n-nodes-base/node-param-type-options-max-value-present": "off",
    },
  },
];
