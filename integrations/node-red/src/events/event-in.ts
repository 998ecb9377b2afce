import type { Red, NodeConfig, RedNode } from "../red.ts";
import { readText, requireServer } from "../server.ts";
import { openCursor } from "./cursor.ts";
import { createFeedStep } from "./feed.ts";
import { readFilter } from "./filter.ts";
import { type Receivers, openReceivers, receiverPath } from "./receiver.ts";
import { repeat } from "./repeat.ts";
import type { EventSource, Reporter } from "./source.ts";
import { createSubscription, removeEarlierSubscriptions, removeSubscriptions } from "./subscription.ts";

/**
 * Registers the node that begins a flow with events. It follows the change feed, which needs no public address and misses nothing, or, if
 * a public URL is given, subscribes with a webhook.
 */
export function registerEventIn(red: Red): void {
  const receivers = openReceivers(red);
  red.nodes.registerType<RedNode>("tessera-event-in", function (config) {
    red.nodes.createNode(this, config);
    const closing = new AbortController();
    const report = createReporter(red, this);
    let started: Started | undefined;
    try {
      started = start(red, this, config, report, closing.signal, receivers);
    } catch (error) {
      report.failed(error as Error);
    }
    const close = async (removed: boolean): Promise<void> => {
      closing.abort();
      // The last events are noted before the next start reads where to begin.
      await started?.ended;
      if (removed) await started?.remove();
    };
    this.on("close", (removed, done) => {
      close(removed)
        .catch((error: Error) => this.warn(red._("errors.not-removed", { reason: error.message })))
        .finally(done);
    });
  });
}

type Started = {
  /** Resolves after the node is closed. */
  readonly ended: Promise<void>;
  /** Removes what the node has left here and on the server. */
  readonly remove: () => Promise<void>;
};

/** Begins to follow events. Throws an error with a sentence for the user if a choice is missing. */
function start(red: Red, node: RedNode, config: NodeConfig, report: Reporter, signal: AbortSignal, receivers: Receivers): Started {
  const server = requireServer(red, config);
  const source: EventSource = {
    client: server.connect(),
    filter: readFilter(red, config),
    report,
    emit: ({ event, payload, id, at }) => node.send({ topic: event, payload, eventId: id, at }),
    signal,
  };
  const cursor = openCursor(red, node.id, server.baseUrl);
  const path = receiverPath(node.id);
  const publicUrl = readText(config, "publicUrl");
  if (publicUrl === "") {
    const tidy = removeEarlierSubscriptions(source, path);
    const step = createFeedStep(source, cursor);
    return { ended: repeat(() => tidy().then(step), source), remove: () => cursor.clear() };
  }
  const target = { url: buildUrl(red, publicUrl, path), path, description: `Node-RED: ${node.name ?? node.id}` };
  const { step, receiver } = createSubscription(source, target);
  receivers.set(node.id, receiver);
  signal.addEventListener("abort", () => receivers.delete(node.id));
  // If the public URL is taken away later, the node begins at the end of the feed.
  const ended = repeat(() => cursor.clear().then(step), source);
  return { ended, remove: () => removeSubscriptions(source.client, path) };
}

function buildUrl(red: Red, publicUrl: string, path: string): string {
  const { httpNodeRoot = "/" } = red.settings;
  if (httpNodeRoot === false) throw new Error(red._("errors.no-http-nodes"));
  return `${[publicUrl, httpNodeRoot].map((part) => part.replace(/\/+$/, "")).join("")}${path}`;
}

const MAX_STATUS_LENGTH = 60;

function createReporter(red: Red, node: RedNode): Reporter {
  let last = "";
  return {
    connected() {
      last = "";
      node.status({ fill: "green", shape: "dot", text: red._("status.connected") });
    },
    paused: () => node.status({ fill: "yellow", shape: "ring", text: red._("status.paused") }),
    failed({ message }) {
      node.status({ fill: "red", shape: "ring", text: message.slice(0, MAX_STATUS_LENGTH) });
      if (message !== last) node.error(message);
      last = message;
    },
    warn: (key, values) => node.warn(red._(key, values)),
  };
}
