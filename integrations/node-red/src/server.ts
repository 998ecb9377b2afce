import { type Client, createClient } from "@tessera-board/sdk";
import type { NodeConfig, Red, RedNode } from "./red.ts";

/** The configuration node: a server and a key, which other nodes share. */
export interface ServerNode extends RedNode {
  readonly baseUrl: string;
  /** Throws an error with a sentence for the user if the address or the key can't be used. */
  connect(): Client;
}

export function registerServer(red: Red): void {
  red.nodes.registerType<ServerNode>(
    "tessera-server",
    function (config) {
      red.nodes.createNode(this, config);
      const baseUrl = readText(config, "url");
      Object.assign(this, { baseUrl, connect: () => connectTo(red, baseUrl, this.credentials?.apiKey ?? "") });
    },
    { credentials: { apiKey: { type: "password" } } },
  );
}

/** Returns the server that a node has chosen. Throws an error with a sentence for the user if there is none. */
export function requireServer(red: Red, config: NodeConfig): ServerNode {
  const server = red.nodes.getNode(config.server);
  if (server === null) throw new Error(red._("errors.no-server"));
  return server as ServerNode;
}

/** Returns a client. Throws an error with a sentence for the user if the address or the key can't be used. */
export function connectTo(red: Red, url: string, apiKey: string): Client {
  if (url === "") throw new Error(red._("errors.no-url"));
  if (apiKey === "") throw new Error(red._("errors.no-key"));
  return createClient({ baseUrl: url, apiKey });
}

/** The text of a field, without space around it; empty if it is not given. */
export function readText(config: NodeConfig, name: string): string {
  const value = config[name];
  return typeof value === "string" ? value.trim() : "";
}
